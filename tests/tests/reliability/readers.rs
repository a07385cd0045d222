//! Damaged input for every reader of foreign data: it is read or rejected without a panic and
//! within a time limit. The fuzz targets check the readers' invariants.

use std::fs;
use std::io::Cursor;
use std::time::Duration;

use promptdeck_core::hydrate::{Call, Engine, Seed, State, Token};
use promptdeck_core::import::dynamic_prompt::Wildcards;
use promptdeck_core::import::{SourceKind, import, import_as, plain_prompt};
use promptdeck_core::registry::{canonical, parse};
use promptdeck_jinja::{Limits, Template, Variables};
use promptdeck_model::gguf;
use promptdeck_model::tokenizer::{TokenCounter as _, TokenizerFile};
use promptdeck_pattern::Pattern;
use promptdeck_request::{call, template};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde_json::{Map, json};

use crate::clock::timed;

/// Number of damaged inputs per reader.
const INPUTS: usize = 1_500;
/// Far above the time for any of these small inputs, also unoptimized on a busy machine.
const BACKSTOP: Duration = Duration::from_secs(3);

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// Pieces that are meaningful to some reader, inserted anywhere.
const PIECES: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    "\"",
    ",",
    ":",
    "\\",
    "\\u0000",
    "\\ud800",
    "null",
    "1e999",
    "-0",
    "99999999999999999999",
    "{{",
    "}}",
    "{%",
    "%}",
    "{% for x in range(9999999) %}",
    "(?:a*)*",
    "(?<=a{1,9})",
    "{0,1000}",
    "\\1",
    "|",
    "\u{feff}",
    "\u{202e}",
    "\u{0}",
    "é",
    "😀",
    "\r\n",
    ".items",
    "[personas]",
    "GGUF",
    "\u{ff}\u{ff}\u{ff}\u{7f}",
];

struct Reader {
    name: &'static str,
    samples: Vec<Vec<u8>>,
    /// Returns whether the input was read; panics if an invariant fails.
    read: fn(&[u8]) -> bool,
}

fn files(folder: &str, ending: &str) -> Vec<Vec<u8>> {
    let mut paths: Vec<_> = fs::read_dir(format!("{ROOT}/{folder}"))
        .expect("a folder of samples")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.to_string_lossy().ends_with(ending))
        .collect();
    paths.sort();
    let samples: Vec<_> = paths
        .iter()
        .map(|path| fs::read(path).expect("a sample"))
        .collect();
    assert!(!samples.is_empty(), "{folder} has no {ending}");
    samples
}

fn texts(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

fn tokenizer() -> Vec<u8> {
    let vocabulary = json!({"h": 0, "e": 1, "l": 2, "o": 3, "he": 4, "ll": 5, "<s>": 6});
    json!({
        "version": "1.0",
        "added_tokens": [{"id": 6, "content": "<s>", "single_word": false, "lstrip": false,
            "rstrip": false, "normalized": false, "special": true}],
        "model": {"type": "BPE", "vocab": vocabulary, "merges": ["h e", "l l"]},
    })
    .to_string()
    .into_bytes()
}

/// A header with three keys: a text, a number and a list of texts.
fn gguf() -> Vec<u8> {
    let text = |text: &str| [&(text.len() as u64).to_le_bytes()[..], text.as_bytes()].concat();
    let mut file = b"GGUF".to_vec();
    file.extend(3u32.to_le_bytes());
    file.extend(0u64.to_le_bytes());
    file.extend(3u64.to_le_bytes());
    file.extend(
        [
            text("general.architecture"),
            8u32.to_le_bytes().to_vec(),
            text("llama"),
        ]
        .concat(),
    );
    file.extend(
        [
            text("tokenizer.ggml.bos_token_id"),
            4u32.to_le_bytes().to_vec(),
        ]
        .concat(),
    );
    file.extend(1u32.to_le_bytes());
    file.extend([text("tokenizer.ggml.tokens"), 9u32.to_le_bytes().to_vec()].concat());
    file.extend([&8u32.to_le_bytes()[..], &2u64.to_le_bytes()[..]].concat());
    file.extend([text("<s>"), text("</s>")].concat());
    file
}

fn utf8(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

fn hydrates(engine: &Engine, state: &State) -> bool {
    let call = Call {
        state,
        route: None,
        seed: Seed::default(),
    };
    let Ok(hydration) = engine.hydrate(&call) else {
        return false;
    };
    let segments = hydration
        .segments
        .iter()
        .map(|segment| segment.text.as_str());
    assert_eq!(segments.collect::<String>(), hydration.text);
    true
}

/// Whether a document of a kind is imported; what it becomes is a registry.
fn imports(kind: SourceKind, bytes: &[u8]) -> bool {
    let Ok(imported) = import_as(kind, "sample", bytes, &Wildcards::default()) else {
        return false;
    };
    parse(imported.text.as_bytes()).expect("an import is a registry");
    true
}

/// A picture that holds a character card.
fn card() -> Vec<u8> {
    let chunk = |kind: &[u8; 4], data: &[u8]| {
        let body = [&kind[..], data].concat();
        let length = u32::try_from(data.len()).expect("a short chunk");
        [
            &length.to_be_bytes()[..],
            &body,
            &crc32(&body).to_be_bytes(),
        ]
        .concat()
    };
    // {"spec":"chara_card_v2","data":{"name":"Ada","description":"{{char}} rows."}}
    let card = "eyJzcGVjIjoiY2hhcmFfY2FyZF92MiIsImRhdGEiOnsibmFtZSI6IkFkYSIsImRlc2NyaXB0aW9uIjoie3tjaGFyfX0gcm93cy4ifX0=";
    [
        b"\x89PNG\r\n\x1a\n".to_vec(),
        chunk(b"IHDR", &[0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]),
        chunk(b"tEXt", format!("chara\0{card}").as_bytes()),
        chunk(b"IEND", b""),
    ]
    .concat()
}

/// The check value of a chunk (ISO 3309).
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| {
            (sum >> 1) ^ (0xedb8_8320 & 0_u32.wrapping_sub(sum & 1))
        })
    })
}

/// The readers of documents of other programs.
fn foreign() -> Vec<Reader> {
    vec![
        Reader {
            name: "plain prompts",
            samples: texts(&["You help.\n\n## Rules\n- one\n- two\n\n<tone>\ndry {name}\n</tone>\n"]),
            read: |bytes| {
                let Ok(text) = std::str::from_utf8(bytes) else {
                    return imports(SourceKind::Plain, bytes);
                };
                let Ok(proposal) = plain_prompt::propose(text) else {
                    return false;
                };
                let Ok(preview) = plain_prompt::preview_split(bytes, &proposal.split) else {
                    return false;
                };
                assert!(preview.followed, "a proposal prints its text");
                imports(SourceKind::Plain, bytes)
            },
        },
        Reader {
            name: "messages",
            samples: texts(&[
                r#"{"model": "m", "messages": [{"role": "system", "content": "Be {brief}."}, {"role": "user", "content": [{"type": "text", "text": "Hi"}]}], "tools": [{"type": "function", "function": {"name": "f", "parameters": {}}}]}"#,
                r#"{"model": "m", "system": [{"type": "text", "text": "Be brief."}], "messages": [{"role": "user", "content": "Hi"}]}"#,
            ]),
            read: |bytes| imports(SourceKind::Messages, bytes),
        },
        Reader {
            name: "character cards",
            samples: vec![
                card(),
                br#"{"spec": "chara_card_v2", "data": {"name": "Ada", "description": "{{char}} rows.", "character_book": {"entries": [{"keys": ["a"], "content": "x", "constant": true}]}}}"#.to_vec(),
            ],
            read: |bytes| imports(SourceKind::Card, bytes),
        },
        Reader {
            name: "lorebooks",
            samples: texts(&[
                r#"{"name": "b", "entries": {"0": {"uid": 0, "key": ["k"], "content": "{{user}} a", "constant": true, "order": 2}, "1": {"key": [], "content": "@@depth 3\nb"}}}"#,
            ]),
            read: |bytes| imports(SourceKind::Lorebook, bytes),
        },
        Reader {
            name: "prompt files",
            samples: texts(&[
                "---\nmodel: m\nconfig:\n  temperature: 0.5\ninput:\n  default:\n    name: Ada\n---\nHello {{name}}.{{#if more}} More.{{/if}}\n",
            ]),
            read: |bytes| {
                let read = imports(SourceKind::Dotprompt, bytes);
                imports(SourceKind::Jinja, bytes);
                read
            },
        },
        Reader {
            name: "Prompty files",
            samples: texts(&[
                "---\nname: n\nmodel:\n  api: chat\nsample:\n  name: Ada\n---\nsystem:\nYou help {{name}}.\n\nuser:\nHi\n",
            ]),
            read: |bytes| imports(SourceKind::Prompty, bytes),
        },
        Reader {
            name: "dynamic prompts",
            samples: texts(&["a {red|2::blue|{dark|light} green} {2$$, $$x|y|z} __animals__"]),
            read: |bytes| imports(SourceKind::Template, bytes),
        },
        Reader {
            name: "wildcards",
            samples: texts(&["animals:\n  - cat\n  - dog\nplaces:\n  - sea: [near, far]\n"]),
            read: |bytes| {
                let read = import_as(SourceKind::Wildcards, "a.yaml", bytes, &Wildcards::default());
                imports(SourceKind::Wildcards, bytes);
                read.is_ok()
            },
        },
    ]
}

fn readers() -> Vec<Reader> {
    let registries: Vec<_> = files("registries", ".json")
        .into_iter()
        .filter(|sample| parse(sample).is_ok())
        .collect();
    // Checks and schemas are objects without a section, which no import takes.
    let has_section = |sample: &&Vec<u8>| {
        parse(sample).is_ok_and(|parsed| !parsed.registry.sections().is_empty())
    };
    let importable = registries.iter().filter(has_section).cloned().collect();
    vec![
        Reader {
            name: "registries",
            samples: registries,
            read: |bytes| {
                let Ok(parsed) = parse(bytes) else {
                    return false;
                };
                let text = canonical::format(&parsed.document);
                let again = parse(text.as_bytes()).expect("the canonical form is a registry");
                assert_eq!(canonical::format(&again.document), text);
                hydrates(&Engine::new(parsed.registry), &State::default())
            },
        },
        Reader {
            name: "imports",
            samples: importable,
            read: |bytes| {
                let Ok(imported) = import(bytes) else {
                    return false;
                };
                parse(imported.text.as_bytes()).expect("an import is a registry");
                true
            },
        },
        Reader {
            name: "states",
            samples: texts(&[
                r#"{"selections": {"a": "x", "b": ["x", "y"]}, "array_modes": {"a": {"items": "random:1"}}}"#,
                r#"{"sliders": {"a": 7}, "slider_random": {"a": true}, "section_random": {"b": true}}"#,
                r#"{"template_vars": {"a::v": "a {v} value"}}"#,
            ]),
            read: |bytes| {
                let registry = br#"{"assembly_order": ["a", "a.items", "a.scale", "b[a]"],
                    "a": {"template_vars": ["v"], "slider": 3, "items": [{"id": "x", "text": "{v}", "items": ["0", "1"]}]},
                    "b": {"required": false, "items": [{"id": "x", "text": "X"}, {"id": "y", "text": "Y"}]}}"#;
                let engine = Engine::new(parse(registry).expect("a registry").registry);
                serde_json::from_slice::<State>(bytes).is_ok_and(|state| hydrates(&engine, &state))
            },
        },
        Reader {
            name: "tokens",
            samples: texts(&[
                "personas",
                "personas.base_directives",
                "examples[personas[moods]]",
            ]),
            read: |bytes| {
                let text = utf8(bytes);
                let Ok(token) = Token::parse(&text) else {
                    return false;
                };
                assert_eq!(token.to_string(), text);
                true
            },
        },
        Reader {
            name: "patterns",
            samples: texts(&[
                r"(?i)\bas an (ai|assistant)\b[^.]*\.",
                r"^\s*(?:Answer|Reply)\s*:\s*",
                r"(?<=\d)(?=(?:\d{3})+\b)",
                r"(\w)\1{2,}(?P<end>$)",
            ]),
            read: |bytes| {
                let source = utf8(bytes);
                let text = "As an AI model, I count 1234567 aaa. ".repeat(40);
                let found = Pattern::for_search(&source).is_ok_and(|it| it.is_match(&text).is_ok());
                let removed = Pattern::for_removal(&source).map(|it| {
                    it.remove_all(&text)
                        .inspect(|trimmed| assert!(trimmed.len() <= text.len()))
                        .is_ok()
                });
                found | removed.unwrap_or_default()
            },
        },
        Reader {
            name: "prompt templates",
            samples: texts(&[
                "Hello {{ user.name | upper }}.{% if n > 2 %} Many.{% endif %}",
                "{% for tag in user.tags %}{{ loop.index }}: {{ tag }}\n{% endfor %}",
            ]),
            read: |bytes| {
                let user = json!({"name": "Ada", "tags": ["a", "b"]});
                let context =
                    Map::from_iter([("user".to_owned(), user), ("n".to_owned(), json!(3))]);
                let source = utf8(bytes);
                let rendering = template::render(&source, &context);
                let refused = rendering.error.is_some();
                assert!(!refused || rendering.output == source);
                !refused
            },
        },
        Reader {
            name: "chat templates",
            samples: files("tests/chat-templates", ".jinja"),
            read: |bytes| {
                let Ok(compiled) = Template::compile(&utf8(bytes)) else {
                    return false;
                };
                let mut variables = Variables::default();
                let messages = json!([{"role": "user", "content": "Hi"}]);
                variables
                    .set_json("messages", &messages)
                    .expect("a short conversation");
                // Some need more than a conversation; compiling them suffices.
                let _ = compiled.render(&variables, None, Limits::default());
                true
            },
        },
        Reader {
            name: "call documents",
            samples: files("registries/calls", ".json"),
            read: |bytes| call::parse(bytes).is_ok(),
        },
        Reader {
            name: "tokenizer files",
            samples: vec![tokenizer()],
            read: |bytes| {
                TokenizerFile::from_bytes("damaged", bytes)
                    .map(|tokenizer| tokenizer.count("hello naïve 日本 😀"))
                    .is_ok()
            },
        },
        Reader {
            name: "GGUF headers",
            samples: vec![gguf()],
            read: |bytes| {
                gguf::read(Cursor::new(bytes))
                    .map(|header| header.metadata())
                    .is_ok()
            },
        },
    ]
}

fn below(dice: &mut ChaCha8Rng, bound: usize) -> usize {
    (dice.next_u64() % bound.max(1) as u64) as usize
}

/// A sample with one to six faults.
fn damaged(samples: &[Vec<u8>], dice: &mut ChaCha8Rng) -> Vec<u8> {
    let mut input = samples[below(dice, samples.len())].clone();
    for _ in 0..=below(dice, 6) {
        let (one, other) = (below(dice, input.len() + 1), below(dice, input.len() + 1));
        let range = one.min(other)..one.max(other);
        match below(dice, 7) {
            0 if one < input.len() => input[one] ^= 1 << below(dice, 8),
            1 => drop(input.drain(range)),
            2 => input.truncate(one),
            3 if range.len() < 4_096 => {
                let again = input[range].to_vec();
                input.splice(one..one, again);
            }
            4 => {
                let source = &samples[below(dice, samples.len())];
                let from = below(dice, source.len() + 1);
                let to = source.len().min(from + 64);
                input.splice(one..one, source[from..to].iter().copied());
            }
            _ => {
                let piece = PIECES[below(dice, PIECES.len())];
                let times = 1 + below(dice, 3);
                input.splice(one..one, piece.repeat(times).into_bytes());
            }
        }
    }
    input
}

#[test]
fn row_08_damaged_input_is_read_or_refused() {
    let mut dice = ChaCha8Rng::seed_from_u64(8);
    let mut total = 0;
    for Reader {
        name,
        samples,
        read,
    } in readers().into_iter().chain(foreign())
    {
        for (index, sample) in samples.iter().enumerate() {
            assert!(
                read(sample),
                "sample {index} of the {name} is read as it is"
            );
        }
        let (mut accepted, mut slowest) = (0, Duration::ZERO);
        for number in 0..INPUTS {
            let input = damaged(&samples, &mut dice);
            let (was_read, took) = timed(|| read(&input));
            accepted += usize::from(was_read);
            slowest = slowest.max(took);
            assert!(
                took < BACKSTOP,
                "input {number} of the {name} took {took:?}"
            );
        }
        assert!(accepted < INPUTS, "nothing was damaged in the {name}");
        println!("{name}: {INPUTS} damaged inputs, {accepted} read, slowest {slowest:.1?}");
        total += INPUTS;
    }
    let count = readers().len() + foreign().len();
    println!("{total} damaged inputs for {count} readers, each read or refused");
}
