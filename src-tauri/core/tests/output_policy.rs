//! Output policies and generation settings: a table of what is cleaned, what is refused, and what
//! Python's patterns mean.

use promptdeck_core::output::{CompiledPolicy, GenerationConfig, OutputPolicy, Pattern};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        other => panic!("{other} is no object"),
    }
}

fn policy(value: Value) -> OutputPolicy {
    OutputPolicy::from_map(&object(value)).expect("a policy")
}

#[track_caller]
fn cleans(rules: Value, text: &str, expected: &str) {
    let compiled = CompiledPolicy::new(policy(rules)).expect("patterns compile");
    assert_eq!(compiled.clean(text).expect("no limit"), expected);
}

#[test]
fn clean() {
    cleans(json!({}), "  a \t b  \n\n\n\nc \n", "a b\n\nc");
    cleans(
        json!({"collapse_whitespace": false}),
        " a  b \n\n\nc ",
        "a  b \n\n\nc",
    );
    cleans(json!({}), "\u{1c}a\u{1f}", "a");
    cleans(json!({}), "a \n \n \nb", "a\n\nb");
    cleans(json!({"strip_prefixes": ["sure:"]}), "  SURE: yes", "yes");
    cleans(json!({"strip_prefixes": ["a", "a"]}), "aaa", "a");
    cleans(json!({"strip_prefixes": ["b", "a"]}), "ab", "b");
    cleans(json!({"strip_prefixes": ["İ"]}), "i\u{307}x", "\u{307}x");
    cleans(json!({"strip_prefixes": ["ΑΣ"]}), "ΑΣ ", "");
    cleans(json!({"strip_prefixes": ["ΑΣ"]}), "ΑΣΑ", "ΑΣΑ");
    cleans(json!({"strip_prefixes": [" a"]}), " a", "a");
    cleans(json!({"strip_patterns": ["^x"]}), "xa\nxb", "a\nb");
    cleans(json!({"strip_patterns": ["b", "ac"]}), "abc", "");
    cleans(json!({"max_length": 3}), "ab cd", "ab");
    cleans(json!({"max_length": 3}), "日本語ですよ", "日本語");
    cleans(json!({"max_length": 0}), "abc", "");
    cleans(
        json!({"max_length": 2, "append_suffix": "..."}),
        "abc",
        "ab...",
    );
    cleans(json!({"append_suffix": " \n"}), "a", "a");
    cleans(json!({"append_suffix": ""}), "a", "a");
}

#[track_caller]
fn judges(rules: Value, text: &str, reason: Option<&str>) {
    let compiled = CompiledPolicy::new(policy(rules)).expect("patterns compile");
    assert_eq!(
        compiled.validate(text).expect("no limit").as_deref(),
        reason
    );
}

#[test]
fn validate() {
    judges(json!({}), "", None);
    judges(json!({"min_length": 3}), "日本", Some("too short (<3)"));
    judges(json!({"max_length": 1}), "日本", Some("too long (>1)"));
    judges(json!({"max_length": 2}), "日本", None);
    judges(json!({"forbidden_substrings": ["", "a"]}), "A", None);
    judges(
        json!({"forbidden_substrings": ["it's"]}),
        "it's",
        Some("forbidden substring: \"it's\""),
    );
    judges(
        json!({"forbidden_substrings": ["\n'\""]}),
        "\n'\"",
        Some(r#"forbidden substring: '\n\'"'"#),
    );
    judges(
        json!({"forbidden_substrings": ["\u{200b}é"]}),
        "\u{200b}é",
        Some(r"forbidden substring: '\u200bé'"),
    );
    judges(json!({"forbidden_patterns": ["", "^b"]}), "a\nb", None);
    judges(
        json!({"forbidden_patterns": [r"\d"]}),
        "1",
        Some(r"forbidden pattern: '\\d'"),
    );
    judges(json!({"require_patterns": ["", "b$"]}), "b\n", None);
    judges(
        json!({"require_patterns": ["a"]}),
        "b",
        Some("missing required pattern: 'a'"),
    );
    judges(
        json!({"min_length": 9, "forbidden_patterns": ["a"], "require_patterns": ["b"]}),
        "a",
        Some("too short (<9)"),
    );
}

#[track_caller]
fn refuses(rules: Value, message: &str) {
    let error = OutputPolicy::from_map(&object(rules)).expect_err("refused");
    assert_eq!(error.to_string(), message);
}

#[test]
fn policies_that_are_refused() {
    refuses(
        json!({"max_lenght": 3}),
        "unknown output_policy field \"max_lenght\"; known are strip_prefixes, strip_patterns, \
         forbidden_substrings, forbidden_patterns, max_length, min_length, require_patterns, \
         append_suffix, collapse_whitespace; did you mean \"max_length\"?",
    );
    refuses(
        json!({"max_length": -1}),
        "output_policy field \"max_length\" must be an integer from 0, not -1",
    );
    refuses(
        json!({"min_length": 1.5}),
        "output_policy field \"min_length\" must be an integer from 0, not 1.5",
    );
    refuses(
        json!({"strip_prefixes": "Sure"}),
        "output_policy field \"strip_prefixes\" must be a list of texts, not \"Sure\"",
    );
    let fault = CompiledPolicy::new(policy(json!({"require_patterns": ["a", "(b"]})));
    assert_eq!(
        fault.expect_err("refused").to_string(),
        "require_patterns[1] \"(b\": missing ), unterminated subpattern at character 0 of the pattern"
    );
}

#[test]
fn routes_replace_and_merges_add() {
    let base = object(json!({"strip_prefixes": ["a"], "max_length": 5, "min_length": 1}));
    let over = object(json!({"strip_prefixes": ["b"], "max_length": null}));
    let layered = OutputPolicy::layered(&base, &over).expect("a policy");
    assert_eq!(
        layered,
        policy(json!({"strip_prefixes": ["b"], "min_length": 1}))
    );
    let merged = OutputPolicy::from_map(&base).and_then(|base| base.merged_with(&over));
    assert_eq!(
        merged.expect("a policy"),
        policy(json!({"strip_prefixes": ["a", "b"], "min_length": 1}))
    );
}

#[test]
fn generation_settings() {
    let read = |base, over| GenerationConfig::layered(&object(base), &object(over));
    assert_eq!(read(json!({}), json!({})), Ok(GenerationConfig::default()));
    let both = read(
        json!({"model": "m", "temperature": 1, "top_k": 3}),
        json!({"temperature": 0.5}),
    );
    assert_eq!(
        both,
        Ok(GenerationConfig {
            model: "m".to_owned(),
            temperature: 0.5,
            top_k: Some(3),
            ..GenerationConfig::default()
        })
    );
    let attempts =
        |retries| read(json!({"retries": retries}), json!({})).map(|read| read.attempts());
    assert_eq!(attempts(0), Ok(1));
    assert_eq!(attempts(3), Ok(3));
    assert_eq!(attempts(20), Ok(20));
    assert_eq!(attempts(1_000_000_000), Ok(20));
    let unknown = read(json!({}), json!({"temp": 1})).expect_err("refused");
    assert_eq!((unknown.code(), unknown.field()), ("unknown_field", "temp"));
    let wrong = read(json!({"timeout_ms": "1s"}), json!({})).expect_err("refused");
    assert_eq!((wrong.code(), wrong.field()), ("wrong_type", "timeout_ms"));
}

#[track_caller]
fn finds(pattern: &str, text: &str, expected: bool) {
    let compiled = Pattern::for_search(pattern).expect(pattern);
    assert_eq!(
        compiled.is_match(text),
        Ok(expected),
        "{pattern} in {text:?}"
    );
}

#[test]
fn patterns_mean_what_python_means() {
    finds(r"[[]", "[", true);
    finds(r"[a&&b]", "&", true);
    finds(r"[a&&b]", "a", true);
    finds(r"[]a]", "]", true);
    finds(r"a\Z", "a\n", false);
    finds(r"a$", "a\n", true);
    finds(r"a$", "a\n\n", false);
    finds(r"a$\n", "a\n", true);
    finds(r"^b", "a\nb", false);
    finds(r"(?m)^b", "a\nb", true);
    finds(r"(?P<q>['*]).(?P=q)", "'x'", true);
    finds(r"(?P<q>['*]).(?P=q)", "'x*", false);
    finds(r"\s", "\u{1c}", true);
    finds(r"(?a)\s", "\u{a0}", false);
    finds(r"^\w$", "\u{301}", false);
    finds(r"^\w$", "½", true);
    finds(r"\d", "٣", true);
    finds(r"(?a)\d", "٣", false);
    finds(r"(?i)i", "İ", true);
    finds(r"(?i)ı", "I", true);
    finds(r"(?ai)k", "\u{212a}", false);
    finds(r"(?i)k", "\u{212a}", true);
    finds(r"\bन", "हिन", true);
    finds(r"\B", "", false);
    finds(r"\x41\u0062\U00000063\101\07", "AbcA\u{7}", true);
    finds(r"\ud800", "a", false);
    finds(r"a{,2}b", "b", true);
    finds(r"a{x}", "a{x}", true);
    finds("(?x) a # b\n c", "ac", true);
    finds(r"(?i:A)b", "ab", true);
    finds(r"(?i:A)b", "aB", false);
    finds(r"(?<!a)b", "ab", false);
    finds(r"(a)?(?(1)b|c)d", "cd", true);
    finds(r"a++a", "aaa", false);
    finds(r"(?>a+)a", "aaa", false);
}

#[track_caller]
fn removes(pattern: &str, text: &str, expected: &str) {
    let compiled = Pattern::for_removal(pattern).expect(pattern);
    assert_eq!(
        compiled.remove_all(text).expect("no limit"),
        expected,
        "{pattern}"
    );
}

#[test]
fn a_place_is_searched_again_after_an_empty_match() {
    removes("|a", "aab", "b");
    removes("a*?", "aab", "b");
    removes(r"^\s*?", "   x", "  x");
    removes("x*", "axb", "ab");
    removes(r"$\n?", "a\nb", "ab");
}

#[test]
fn what_can_only_match_nothing_is_no_fault() {
    removes(r"|(?P<here>\b)(?P=here)", "a b", "a b");
    removes(r"(?x) |\b(?P<end>(?<=a)$)(?P=end)", "b a\n", "b a\n");
}

#[test]
fn what_needs_backtracking_means_what_python_means() {
    finds(r"(?<=é)b", "éb", true);
    finds(r"(?<!é)b", "éb", false);
    finds(r"(?<=ab|cd)e", "cde", true);
    finds(r"(?<=^a)b", "ab", true);
    finds(r"(?=(a+))\1b", "aab", true);
    finds(r"(?!(a))\1", "b", false);
    finds(r"(?i)(é)\1x", "éÉx", true);
    finds(r"(a)|(?(1)b|c)", "c", true);
    finds(r"^(?:(a)|b)*\1$", "aba", true);
    finds(r"(?>a|ab)c", "abc", false);
    finds(r"(?:a|ab){2}+c", "abac", false);
    finds(r"^(?:a{2,3}){2}(?!a)$", "aaaaa", true);
    finds(r"^(?:a{2,3}?){2}(?!a)$", "aaaaaaa", false);
    finds(r"(?<!x)(?:|a)*b", "aab", true);
    finds(r"^(?:a?){3,}(?!a)$", "", true);
    finds(r"(?s)(?<=\A).*(?=\Z)", "a\nb", true);
    finds(r"(?<=\b)\w\B", "हि", false);
    removes(r"(?<=\s)\S+", "a bc d", "a  ");
    removes(r"(?<=\w)x*?", "axxb", "ab");
    removes(r"(?:(?=a)|a)+", "baa", "b");
    removes(r"(?m)^(?!keep).*\n?", "drop\nkeep\ndrop", "keep\n");
}

/// Patterns that people write, on a long text as on a short one: no limit may meet them.
#[test]
fn ordinary_policies_run_on_large_texts() {
    let strip = [
        r"^\s*Assistant:\s*",
        r"\(OOC:[^)]*\)",
        r"<[^>]+>",
        r"\bthe\b",
        r"(?i)sure[,!]?",
        r"^.*:$",
        r"\s+$",
        r"^\d+\.\s",
        r"[\w.-]+@\w+",
        r"\*\*(.+?)\*\*",
        r"(?s)<think>.*?</think>",
        r"(?P<q>['\x22]).{0,40}?(?P=q)",
        r"(?<=\s)#\w+",
        r"(?<!\w)_(\w+)_(?!\w)",
        r"\n{3,}",
        r"([!?])\1{3,}",
        r"[^\W\d_]{25,}",
    ];
    let forbidden = [
        r"(?i)\bas an? (?:ai|language model)\b",
        r"(?i)^i (?:can't|cannot|won't)",
        r"https?://\S+",
        r"\b\d{3}-\d{4}\b",
        r"(?<!\d)\d{16}(?!\d)",
        r"\{\{.*?\}\}",
        r"^(?=.*never)(?=.*ever since).*$",
        r"(?i)\b(?:kill|harm)\w*\b.{0,50}\b(?:people|person)\b",
    ];
    let rules = json!({
        "strip_patterns": strip, "forbidden_patterns": forbidden,
        "require_patterns": [r"\w+", r"(?i)[aeiou]"],
    });
    let compiled = CompiledPolicy::new(policy(rules)).expect("patterns compile");
    let plain = "1. The quick brown fox, 42 of them, jumped \"over\" the lazy dog's <b>bed</b>.\n";
    let accented = "Le renard brûlé, à l'été, a \"sauté\" par-dessus the fox d'à côté: déjà vu !\n";
    for unit in [plain, accented] {
        for length in [2_000, 60_000, 1 << 20] {
            let text = unit.repeat(length / unit.len());
            let verdict = compiled.apply(&text).expect("no limit");
            assert!(verdict.accepted, "{:?}", verdict.reason);
        }
    }
}

#[track_caller]
fn fault(pattern: &str, code: &str, message: &str) {
    let error = Pattern::for_search(pattern).expect_err(pattern);
    assert_eq!((error.code(), error.to_string().as_str()), (code, message));
}

#[test]
fn patterns_that_are_refused() {
    fault(
        r"[\w-.]",
        "pattern_malformed",
        r"bad character range \w-. at character 1 of the pattern",
    );
    fault(
        r"a**",
        "pattern_malformed",
        "multiple repeat at character 2 of the pattern",
    );
    fault(
        r"^*",
        "pattern_malformed",
        "nothing to repeat at character 1 of the pattern",
    );
    fault(
        r"\q",
        "pattern_malformed",
        r"bad escape \q at character 0 of the pattern",
    );
    fault(
        r"(a\1)",
        "pattern_malformed",
        "cannot refer to an open group at character 2 of the pattern",
    );
    fault(
        r"(?<=a+)b",
        "pattern_malformed",
        "look-behind requires fixed-width pattern at character 0 of the pattern",
    );
    fault(
        r"x\N{DIGIT ONE}",
        "pattern_unsupported",
        r"\N{...} is not supported: write the character itself or \uXXXX at character 1 of the pattern",
    );
    let size = Pattern::for_search("(a{1000}){1000}").expect_err("too large");
    assert_eq!(size.code(), "pattern_too_large");
    let depth = Pattern::for_search(&"(".repeat(100_000)).expect_err("too deep");
    assert_eq!(depth.code(), "pattern_too_large");
}

#[test]
fn only_what_needs_backtracking_backtracks() {
    let linear = |pattern| Pattern::for_search(pattern).expect(pattern).is_linear();
    for pattern in [
        r"\bthe\b",
        r"^a.*b$",
        r"(?i)x|y",
        r"\w+\Z",
        r"(a+)+",
        r"(?a:\b)x",
    ] {
        assert!(linear(pattern), "{pattern}");
    }
    for pattern in [r"(?=a)", r"(?<!a)b", r"(a)\1", r"(?>a)", r"a++"] {
        assert!(!linear(pattern), "{pattern}");
    }
}

/// Texts of the signs that patterns are made of.
fn pattern_like() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-cA-C0-9 é日]{1,3}",
        r"[\\()\[\]{}|*+?.^$:<>=!#,-]{1,4}",
        r"\\[a-zA-Z0-9]",
        Just("(?P<n>".to_owned()),
        Just("(?P=n)".to_owned()),
        Just("(?i)".to_owned()),
        Just("(?x-s:".to_owned()),
        Just("(?<=".to_owned()),
        Just("(?(1)".to_owned()),
        Just("[^\\W]".to_owned()),
        Just("{2,5}".to_owned()),
        Just("\\u00e9".to_owned()),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn no_pattern_makes_it_panic(pattern in pattern_like(), text in "[a-cA-C0-9 é日\n]{0,40}") {
        if let Ok(search) = Pattern::for_search(&pattern) {
            let _ = search.is_match(&text);
        }
        if let Ok(removal) = Pattern::for_removal(&pattern)
            && let Ok(kept) = removal.remove_all(&text)
        {
            prop_assert!(kept.len() <= text.len());
        }
    }

    #[test]
    fn any_text_as_pattern_is_read_or_refused(pattern in any::<String>()) {
        let _ = Pattern::for_search(&pattern);
        let _ = Pattern::for_removal(&pattern);
    }

    #[test]
    fn cleaned_texts_keep_to_the_rules(text in "[ab \t\n\u{1c}é]{0,60}", most in 0_u64..30) {
        let compiled = CompiledPolicy::new(policy(json!({"max_length": most}))).expect("compiles");
        let cleaned = compiled.clean(&text).expect("no limit");
        prop_assert_eq!(compiled.clean(&cleaned).expect("no limit"), cleaned.clone());
        prop_assert_eq!(compiled.validate(&cleaned).expect("no limit"), None);
        prop_assert!(!cleaned.contains("\n\n\n") && !cleaned.contains("  "));
    }
}
