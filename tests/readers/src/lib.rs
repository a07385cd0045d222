//! The readers of outside input with the properties that hold for any input. The fuzz targets run them
//! (`fuzz`), and so does a test over the samples, which keeps them up to date with the code.

#![allow(
    clippy::missing_panics_doc,
    reason = "all of them panic if a property does not hold"
)]

use std::io::Cursor;
use std::sync::LazyLock;

use promptdeck_core::hydrate::{Call, Engine, Seed, State, StateRef, Token};
use promptdeck_core::import::dynamic_prompt::{Wildcards, import_template, import_wildcards};
use promptdeck_core::import::prompt_file::{import_dotprompt, import_jinja, import_prompty};
use promptdeck_core::import::{self as imports, Import, character_card};
use promptdeck_core::registry::{canonical, parse};
use promptdeck_jinja::{Limits, Template, Variables};
use promptdeck_model::gguf as gguf_file;
use promptdeck_model::tokenizer::{TokenCounter as _, TokenizerFile};
use promptdeck_pattern::Pattern;
use promptdeck_request::{call as calls, template as templates};
use serde_json::{Map, Value, json};

/// Registry files: whatever is read has a canonical form that is read again, and hydrates.
pub fn registry(bytes: &[u8]) {
    let Ok(parsed) = parse(bytes) else { return };
    let text = canonical::format(&parsed.document);
    let again = parse(text.as_bytes()).expect("the canonical form is a registry");
    assert_eq!(canonical::format(&again.document), text);
    let call = Call {
        state: &State::default(),
        route: None,
        seed: Seed::default(),
    };
    let hydration = Engine::new(parsed.registry)
        .hydrate(&call)
        .expect("the default route");
    let segments: String = hydration
        .segments
        .iter()
        .map(|segment| segment.text.as_str())
        .collect();
    assert_eq!(segments, hydration.text);
}

/// Imports: whatever is accepted becomes a registry in canonical form.
pub fn import(bytes: &[u8]) {
    if let Ok(imported) = imports::import(bytes) {
        is_canonical(&imported);
    }
}

/// Plain prompts: whatever is accepted is split as proposed.
pub fn plain_prompt(bytes: &[u8]) {
    let Ok(imported) = imports::plain_prompt::import(bytes) else {
        return;
    };
    is_canonical(&imported);
    let text = std::str::from_utf8(bytes).expect("it was read");
    let proposal = imports::plain_prompt::propose(text).expect("it was split");
    imports::plain_prompt::outline(text, &proposal.split).expect("a proposal fits its text");
}

/// Conversations in JSON: whatever is accepted becomes a registry.
pub fn messages(bytes: &[u8]) {
    if let Ok(imported) = imports::messages::import(bytes) {
        is_registry(&imported);
    }
}

/// Character cards and lorebooks, the chunks of PNG images among them.
pub fn card(bytes: &[u8]) {
    for read in [character_card::import_card, character_card::import_lorebook] {
        if let Ok(imported) = read(bytes) {
            is_registry(&imported);
        }
    }
}

/// Prompt files: YAML settings and templates.
pub fn prompt_file(bytes: &[u8]) {
    for read in [import_dotprompt, import_prompty, import_jinja] {
        if let Ok(imported) = read(bytes) {
            is_registry(&imported);
        }
    }
}

/// Templates and wildcards of sd-dynamic-prompts.
pub fn wildcards(template: &[u8], list: &[u8]) {
    for file in ["w.txt", "w.yaml", "w.json"] {
        if let Ok(imported) = import_wildcards(file, list) {
            is_registry(&imported);
        }
        let mut wildcards = Wildcards::default();
        if wildcards.add(file, list).is_ok()
            && let Ok(imported) = import_template(template, &wildcards)
        {
            is_registry(&imported);
        }
    }
}

/// Tokens: what is read is written as it was.
pub fn token(text: &str) {
    if let Ok(token) = Token::parse(text) {
        assert_eq!(token.to_string(), text);
    }
}

/// States of a call, owned and borrowed: both read the same, and a registry with every kind of setting
/// hydrates with them.
pub fn state(text: &str) {
    static ENGINE: LazyLock<Engine> = LazyLock::new(|| {
        let registry = br#"{"assembly_order": ["a", "a.items", "a.scale", "b[a]"],
            "a": {"template_vars": ["v"], "slider": 3, "items": [{"id": "x", "text": "{v}", "items": ["0", "1"]}]},
            "b": {"required": false, "items": [{"id": "x", "text": "X"}, {"id": "y", "text": "Y"}]}}"#;
        Engine::new(parse(registry).expect("a registry").registry)
    });
    // Of duplicate keys one reader takes the last and the other all, so only unique ones are compared.
    let Ok(value) = serde_json::from_str::<Value>(text) else {
        return;
    };
    let text = &value.to_string();
    let Ok(state) = serde_json::from_str::<State>(text) else {
        return;
    };
    let seed = Seed::default();
    let call = Call {
        state: &state,
        route: None,
        seed,
    };
    let owned = ENGINE.hydrate(&call).expect("the default route").text;
    if let Ok(borrowed) = serde_json::from_str::<StateRef<'_>>(text) {
        let call = Call {
            state: &borrowed,
            route: None,
            seed,
        };
        assert_eq!(
            ENGINE.hydrate_text(&call).expect("the default route"),
            owned
        );
    }
}

/// Python patterns: the first line is the pattern, the rest the text it is run on.
pub fn pattern(input: &str) {
    let (pattern, text) = input.split_once('\n').unwrap_or((input, ""));
    if let Ok(search) = Pattern::for_search(pattern) {
        let _ = search.is_match(text);
    }
    if let Ok(removal) = Pattern::for_removal(pattern)
        && let Ok(rest) = removal.remove_all(text)
    {
        assert!(rest.len() <= text.len());
    }
}

/// Templates of prompts: rendered, or returned unchanged with the error.
pub fn template(source: &str) {
    let context = Map::from_iter([
        (
            "user".to_owned(),
            json!({"name": "Ada", "tags": ["a", "b"]}),
        ),
        ("n".to_owned(), json!(3)),
    ]);
    let rendering = templates::render(source, &context);
    if rendering.error.is_some() {
        assert_eq!(rendering.output, source);
    }
}

/// Chat templates: compiled and rendered within their limits.
pub fn chat_template(source: &str) {
    let Ok(template) = Template::compile(source) else {
        return;
    };
    let mut variables = Variables::default();
    let messages =
        json!([{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Yo"}]);
    variables
        .set_json("messages", &messages)
        .expect("a short conversation");
    let _ = template.render(&variables, None, Limits::default());
}

/// Call documents.
pub fn call(bytes: &[u8]) {
    let _ = calls::parse(bytes);
}

/// Tokenizer files: what is read counts any text.
pub fn tokenizer(bytes: &[u8]) {
    if let Ok(tokenizer) = TokenizerFile::from_bytes("fuzzed", bytes) {
        tokenizer.count("hello world, naïve 日本 😀");
    }
}

/// Headers of GGUF files.
pub fn gguf(bytes: &[u8]) {
    if let Ok(header) = gguf_file::read(Cursor::new(bytes)) {
        let _ = header.metadata();
    }
}

fn is_registry(imported: &Import) {
    parse(imported.text.as_bytes()).expect("an import is a registry");
}

fn is_canonical(imported: &Import) {
    let parsed = parse(imported.text.as_bytes()).expect("an import is a registry");
    assert_eq!(canonical::format(&parsed.document), imported.text);
}
