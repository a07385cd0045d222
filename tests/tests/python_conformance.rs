//! Compares `promptdeck-python` with CPython: every function over its own table, byte for byte.

use num_bigint::BigUint;
use promptdeck_python::{json, number, repr, slice, text};
use promptdeck_tests::oracle;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde_json::{Value, json};

/// Compares `ours` with the oracle's `function`, case by case.
fn check(function: &str, cases: &[Value], ours: impl Fn(&[Value]) -> Value) {
    assert!(!cases.is_empty());
    let questions = [json!({"function": function, "cases": cases})];
    let answers = oracle::ask("python_oracle.py", &questions);
    let theirs = answers[0].as_array().expect("a list of results");
    assert_eq!(theirs.len(), cases.len());
    let different: Vec<String> = cases
        .iter()
        .zip(theirs)
        .map(|(case, theirs)| (case, ours(case.as_array().expect("arguments")), theirs))
        .filter(|(_, ours, theirs)| ours != *theirs)
        .map(|(case, ours, theirs)| format!("{function}{case}\n  ours   {ours}\n  theirs {theirs}"))
        .collect();
    assert!(
        different.is_empty(),
        "{} of {} differ:\n{}",
        different.len(),
        cases.len(),
        different[..different.len().min(20)].join("\n")
    );
}

fn str_of(value: &Value) -> &str {
    value.as_str().expect("a text")
}

fn float_of(value: &Value) -> f64 {
    f64::from_bits(str_of(value).parse().expect("bits"))
}

fn bits(value: f64) -> Value {
    json!(value.to_bits().to_string())
}

fn random() -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(3)
}

/// Texts with characters that the functions treat differently.
fn texts() -> Vec<Value> {
    const CHARACTERS: [char; 30] = [
        'a',
        'Z',
        '0',
        '_',
        ' ',
        '\t',
        '\n',
        '\r',
        '\u{b}',
        '\u{c}',
        '\0',
        '\u{1c}',
        '\u{1f}',
        '\u{7f}',
        '\u{85}',
        '\u{a0}',
        '\u{ad}',
        'é',
        'ß',
        '\u{301}',
        '\u{200b}',
        '\u{2028}',
        '\u{3000}',
        '\u{feff}',
        '\u{e000}',
        '漢',
        '\u{1f331}',
        '\'',
        '"',
        '\\',
    ];
    let mut random = random();
    (0..4000)
        .map(|_| {
            let length = random.next_u32() % 12;
            let text: String = (0..length)
                .map(|_| CHARACTERS[random.next_u32() as usize % CHARACTERS.len()])
                .collect();
            json!([text])
        })
        .collect()
}

/// Floats of every magnitude, and those at which the notation changes.
fn floats() -> Vec<Value> {
    let chosen = [
        0.0,
        -0.0,
        1.0,
        0.1,
        1e-4,
        9.999e-5,
        1e-5,
        1e15,
        1e16,
        9_999_999_999_999_998.0,
        1e17,
        1e22,
        1e100,
        // Two shortest representations are equally near.
        3_887_619_795_692_553.0 / 4.0,
        5e-324,
        f64::MIN_POSITIVE,
        f64::MAX,
        f64::MIN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
    ];
    let mut random = random();
    let any = (0..20_000).map(|_| f64::from_bits(random.next_u64()));
    let near_one = |random: &mut ChaCha8Rng| {
        let digits = f64::from(random.next_u32() % 100_000);
        digits * 10_f64.powi((random.next_u32() % 40).cast_signed() - 20)
    };
    let mut floats: Vec<f64> = chosen.into_iter().chain(any).collect();
    floats.extend((0..20_000).map(|_| near_one(&mut random)));
    // Python prints only one NaN.
    let floats = floats
        .into_iter()
        .map(|value| if value.is_nan() { f64::NAN } else { value });
    floats.map(|value| json!([bits(value)])).collect()
}

#[test]
fn characters_have_the_same_properties() {
    const UNASSIGNED: u64 = 32;
    // Identifier characters since Unicode 15.1, which Python supports from 3.13 on.
    const NEWER: [char; 4] = ['\u{200c}', '\u{200d}', '\u{30fb}', '\u{ff65}'];
    let characters: Vec<char> = ('\0'..=char::MAX).collect();
    let cases: Vec<Value> = characters
        .iter()
        .map(|one| json!([u32::from(*one)]))
        .collect();
    let questions = [json!({"function": "properties", "cases": cases})];
    let answers = oracle::ask("python_oracle.py", &questions);
    let theirs = answers[0].as_array().expect("a list of results");
    let mut different = Vec::new();
    for (character, theirs) in characters.into_iter().zip(theirs) {
        let mut buffer = [0; 4];
        let encoded = &*character.encode_utf8(&mut buffer);
        let flags = [
            text::is_space(character),
            text::is_printable(character),
            text::is_decimal(character),
            text::is_identifier(encoded),
            text::is_identifier(&format!("a{encoded}")),
        ];
        let ours = (0..)
            .zip(flags)
            .map(|(at, flag)| u64::from(flag) << at)
            .sum::<u64>();
        let theirs = theirs.as_u64().expect("flags");
        if theirs & UNASSIGNED == 0 && !NEWER.contains(&character) && ours != theirs {
            different.push(format!(
                "U+{:04X}: {ours:b}, not {theirs:b}",
                u32::from(character)
            ));
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}

#[test]
fn texts_are_stripped_and_quoted_alike() {
    check("strip", &texts(), |case| {
        let string = str_of(&case[0]);
        json!([
            text::strip(string),
            text::lstrip(string),
            text::rstrip(string)
        ])
    });
    check("repr", &texts(), |case| json!(repr::text(str_of(&case[0]))));
}

#[test]
fn floats_and_json_numbers_print_alike() {
    check("repr_float", &floats(), |case| {
        json!(repr::float(float_of(&case[0])))
    });
    check("dumps_float", &floats(), |case| {
        json!(json::float(float_of(&case[0])))
    });
    let numbers = [
        "0",
        "-0",
        "1",
        "-12345678901234567890123",
        "1.0",
        "-0.0",
        "2.50",
        "1E5",
        "1e-5",
        "1e16",
        "1e15",
        "123456789012345680.0",
        "0.0001",
        "1.5e-7",
        "1e400",
        "-1e400",
        "5e-324",
        "1e-400",
    ];
    let numbers: Vec<Value> = numbers.map(|number| json!([number])).to_vec();
    check("repr_json_number", &numbers, |case| {
        json!(repr::json_number(str_of(&case[0])))
    });
}

#[test]
fn texts_are_read_as_the_same_numbers() {
    let written = [
        "",
        "0",
        "1",
        "-1",
        "+1",
        "--1",
        "+-1",
        " 1\u{1f}",
        "\u{2003}42\u{a0}",
        "1 2",
        "01",
        "00",
        "0_0",
        "1_000",
        "_1",
        "1_",
        "1__0",
        "-_1",
        "1.5",
        "1._5",
        "1_.5",
        "1.5_0",
        "_1.5",
        "1e5",
        "1e+5",
        "1_e5",
        "1e_5",
        "1e1_0",
        ".5",
        "5.",
        ".",
        "e5",
        "1e",
        "0x1f",
        "0X_1F",
        "0x",
        "0x_",
        "0x__1",
        "x1",
        "0o17",
        "0b101",
        "0b2",
        "b1",
        "0b1",
        "ff",
        "z",
        "12z",
        "٣٤",
        "१२.५",
        "１２",
        "𝟘𝟡",
        "𝟙𝟚",
        "²",
        "①",
        "½",
        "nan",
        "-nan",
        "NaN",
        "inf",
        "+inf",
        "-Infinity",
        "infinit",
        "--inf",
        "1\0",
        "\0",
        "0.1e-400",
        "1e400",
        "9007199254740993",
        "1,5",
        "1٫5",
        "0x1p3",
        "é",
        "-",
        "+",
        "- 1",
        "0_b1",
    ];
    let many = "7".repeat(4300);
    let too_many = "7".repeat(4301);
    let written: Vec<&str> = written.into_iter().chain([&*many, &*too_many]).collect();
    let bases = [0, 2, 8, 10, 12, 16, 36];
    let cases: Vec<Value> = written
        .iter()
        .flat_map(|text| bases.map(|base| json!([text, base])))
        // Python limits only the bases with superlinear conversion.
        .filter(|case| case[1] == 10 || str_of(&case[0]).len() < 4300)
        .collect();
    check("int", &cases, |case| {
        let base = u32::try_from(case[1].as_u64().expect("a base")).expect("a base");
        let mut value = BigUint::ZERO;
        let negative = number::int(str_of(&case[0]), base, |radix, digit| {
            value = &value * radix + digit;
        });
        match negative {
            Some(true) if value != BigUint::ZERO => json!(format!("-{value}")),
            Some(_) => json!(value.to_string()),
            None => Value::Null,
        }
    });
    let cases: Vec<Value> = written.iter().map(|text| json!([text])).collect();
    check("float", &cases, |case| {
        match number::float(str_of(&case[0])) {
            Some(value) if value.is_nan() => bits(f64::NAN.copysign(value)),
            Some(value) => bits(value),
            None => Value::Null,
        }
    });
}

#[test]
fn integers_beyond_64_bits_are_clamped() {
    for (text, value) in [
        (" 1_0 ", Some(10)),
        ("-7", Some(-7)),
        ("99999999999999999999", Some(i64::MAX)),
        ("-99999999999999999999", Some(-i64::MAX)),
        ("1.0", None),
        ("", None),
    ] {
        assert_eq!(number::saturating_int(text), value, "{text:?}");
    }
}

#[test]
fn slices_and_indices_take_the_same_positions() {
    let bounds = [
        None,
        Some(0),
        Some(1),
        Some(2),
        Some(5),
        Some(6),
        Some(-1),
        Some(-2),
        Some(-5),
        Some(-6),
        Some(i64::MAX),
        Some(i64::MIN),
    ];
    let steps = [1, 2, 3, 7, i64::MAX, -1, -2, -7, i64::MIN, 0];
    let mut cases = Vec::new();
    for length in [0, 1, 5, 6] {
        for start in bounds {
            for stop in bounds {
                cases.extend(steps.map(|step| json!([length, start, stop, step])));
            }
        }
    }
    check("slice", &cases, |case| {
        let length = usize::try_from(case[0].as_u64().expect("a length")).expect("a length");
        let step = case[3].as_i64().expect("a step");
        if step == 0 {
            assert_eq!(slice::Indices::new(length, None, None, 0).len(), 0);
            return Value::Null;
        }
        let indices = slice::Indices::new(length, case[1].as_i64(), case[2].as_i64(), step);
        let ends = [indices.first().to_string(), indices.stop().to_string()];
        let count = indices.len();
        let taken: Vec<usize> = indices.take(4).collect();
        json!([ends[0], ends[1], count, taken])
    });
    let cases: Vec<Value> = bounds
        .into_iter()
        .flatten()
        .flat_map(|index| [0, 1, 5].map(|length| json!([index, length])))
        .collect();
    check("item", &cases, |case| {
        let length = usize::try_from(case[1].as_u64().expect("a length")).expect("a length");
        json!(slice::position(case[0].as_i64().expect("an index"), length))
    });
}

#[test]
fn json_is_written_alike() {
    let cases: Vec<Value> = texts()
        .into_iter()
        .flat_map(|case| [json!([case[0], true]), json!([case[0], false])])
        .collect();
    check("dumps_text", &cases, |case| {
        let mut out = String::new();
        json::push_text(
            str_of(&case[0]),
            case[1].as_bool().expect("a flag"),
            &mut out,
        );
        json!(out)
    });
    let documents = [
        "null",
        "true",
        "-0",
        "1E5",
        "1e400",
        "-1e400",
        "12345678901234567890123",
        "[]",
        "{}",
        "[[], {}]",
        r#"{"a": [1, 2.50, {"b": null}], "c": {"d": "é\u0001\u007f\"\\/"}, "": false}"#,
    ];
    let cases: Vec<Value> = documents
        .into_iter()
        .flat_map(|document| {
            [json!(null), json!(0), json!(2), json!(4)].map(|indent| json!([document, indent]))
        })
        .collect();
    check("dumps", &cases, |case| {
        let document: Value = serde_json::from_str(str_of(&case[0])).expect("JSON");
        let indent = case[1]
            .as_u64()
            .map(|indent| usize::try_from(indent).expect("small"));
        json!(json::dumps(&document, indent))
    });
}
