//! Cards and lorebooks: what they print, and the report.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

use super::{SIGNATURE, import_card, import_lorebook};
use crate::import::{ConversionStatus, Import, ReportEntry, deck::prompt_of};

fn lines(import: &Import) -> Vec<String> {
    let entries = import.report.entries.iter();
    entries
        .map(|entry| format!("{:?} {}", entry.status, entry.pointer))
        .collect()
}

fn made(import: &Import) -> Value {
    serde_json::from_str(&import.text).expect("JSON")
}

fn card(spec: &str) -> Value {
    json!({
        "spec": spec,
        "spec_version": "2.0",
        "data": {
            "name": "Mira",
            "description": "{{char}} keeps a lighthouse.\n\n[Coast]",
            "personality": "dry, kind to {{user}}",
            "scenario": "",
            "first_mes": "The lamp is lit, {{user}}.",
            "mes_example": "<START>\n{{char}}: Mind the step.",
            "creator_notes": "For stormy evenings.",
            "system_prompt": "Write as {{char}}. {{original}}",
            "post_history_instructions": "Stay brief {like} this.",
            "alternate_greetings": ["Again you, <USER>?"],
            "tags": ["sea"],
            "creator": "",
            "character_version": "1",
            "extensions": {},
            "character_book": {
                "extensions": {},
                "entries": [
                    {"keys": ["lamp"], "content": "The lamp burns oil.", "enabled": true,
                     "insertion_order": 20, "extensions": {}, "constant": true},
                    {"keys": ["sea"], "content": "The sea is cold, {{user}}.", "enabled": true,
                     "insertion_order": 10, "extensions": {}, "position": "after_char"},
                ],
            },
        },
    })
}

#[test]
fn cards_print_their_prompts_in_order() {
    let import = import_card(card("chara_card_v2").to_string().as_bytes()).expect("a card");
    assert_eq!(
        prompt_of(&import.text).expect("a prompt"),
        "Write as Mira. \n\nThe lamp burns oil.\n\nMira keeps a lighthouse.\n\n[Coast]\n\ndry, kind to User\n\n\
         <START>\nMira: Mind the step.\n\nStay brief {like} this."
    );
    assert_eq!(
        lines(&import),
        [
            "NotSupported /data/post_history_instructions",
            "NotSupported /data/system_prompt",
            "NotSupported /data/character_book/entries",
            "Converted /data/system_prompt",
            "Converted /data/personality",
            "Converted /data/character_book/entries",
            "Unread /data/first_mes",
            "Unread /data/tags",
        ]
    );
    let converted = made(&import);
    let registry = &converted["registry"];
    assert_eq!(registry["title"], "Mira");
    assert_eq!(registry["description"], "For stormy evenings.");
    assert_eq!(converted["metadata"]["tags"], json!(["sea"]));
    assert_eq!(
        registry["greetings"]["items"][1]["text"],
        "Again you, {user}?"
    );
    assert_eq!(registry["lore_before"]["selected"], json!(["lamp"]));
    assert_eq!(registry["lore_after"].get("selected"), None);
}

#[test]
fn the_report_says_what_became_of_each_macro() {
    let import = import_card(card("chara_card_v2").to_string().as_bytes()).expect("a card");
    let entries = import.report.entries.iter();
    let found: Vec<_> = entries
        .filter(|entry| entry.message.starts_with("the macro"))
        .map(|entry| format!("{}: {}", entry.pointer, entry.message))
        .collect();
    assert_eq!(
        found,
        [
            "/data/system_prompt: the macro {{original}} is SillyTavern's own prompt, which a card \
             does not have; the template variable \"original\" in its place prints nothing until it \
             has a value",
            "/data/system_prompt: the macro {{char}} is the template variable \"char\" with the \
             default \"Mira\"",
            "/data/personality: the macro {{user}}, the name of SillyTavern's user, is the template \
             variable \"user\" with the default \"User\"",
        ]
    );
    let book = json!({"entries": {"0": {"key": ["sea"], "content": "Cold, <USER>."}}});
    let import = import_lorebook(book.to_string().as_bytes()).expect("a lorebook");
    let noted = |entry: &ReportEntry| entry.message.starts_with("the macro {{user}}");
    let found = import.report.entries.iter().find(|entry| noted(entry));
    assert_eq!(found.expect("an entry").pointer, "/entries");
}

#[test]
fn version_one_has_its_fields_at_the_top() {
    let import = import_card(
        json!({"name": "N", "description": "D", "personality": "", "scenario": "S", "first_mes": "F",
               "mes_example": ""})
        .to_string()
        .as_bytes(),
    )
    .expect("a card");
    assert_eq!(prompt_of(&import.text).expect("a prompt"), "D\n\nS");
}

#[test]
fn a_card_without_texts_is_refused() {
    for card in [
        json!({}),
        json!({"spec": "chara_card_v2"}),
        json!({"spec": "chara_card_v3", "data": {"name": "N", "description": " ", "tags": ["sea"]}}),
        json!({"data": {"character_book": {"entries": [{"content": ""}]}}}),
    ] {
        let error = import_card(card.to_string().as_bytes()).expect_err("no card");
        let message = error.to_string();
        assert!(
            message.ends_with("there is nothing to import"),
            "{card}: {message}"
        );
    }
    for card in [
        json!({"first_mes": "Hello."}),
        json!({"data": {"scenario": "A port."}}),
    ] {
        import_card(card.to_string().as_bytes()).expect("a card");
    }
}

#[test]
fn an_unknown_version_is_reported() {
    let entries =
        |spec: &str| lines(&import_card(card(spec).to_string().as_bytes()).expect("a card"));
    let unknown = "NotSupported /spec".to_owned();
    assert!(entries("chara_card_v4").contains(&unknown));
    for known in ["chara_card_v2", "chara_card_v3"] {
        assert!(!entries(known).contains(&unknown), "{known}");
    }
}

#[test]
fn the_nickname_is_the_name_spoken() {
    let mut card = card("chara_card_v3");
    card["data"]["nickname"] = json!("Mi");
    let import = import_card(card.to_string().as_bytes()).expect("a card");
    assert!(
        prompt_of(&import.text)
            .expect("a prompt")
            .contains("Mi keeps")
    );
    assert_eq!(made(&import)["registry"]["title"], "Mira");
}

/// A chunk with its length and checksum.
fn chunk(kind: &[u8], data: &[u8]) -> Vec<u8> {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(kind);
    hasher.update(data);
    let length = u32::try_from(data.len())
        .expect("a short chunk")
        .to_be_bytes();
    [&length[..], kind, data, &hasher.finalize().to_be_bytes()].concat()
}

fn image(chunks: &[Vec<u8>]) -> Vec<u8> {
    let mut image = SIGNATURE.to_vec();
    image.extend(chunk(b"IHDR", &[0; 13]));
    image.extend(chunks.concat());
    image.extend(chunk(b"IEND", &[]));
    image
}

fn text_chunk(keyword: &str, card: &Value) -> Vec<u8> {
    let data = [
        keyword.as_bytes(),
        b"\0",
        STANDARD.encode(card.to_string()).as_bytes(),
    ]
    .concat();
    chunk(b"tEXt", &data)
}

#[test]
fn cards_are_read_from_images_the_newer_form_first() {
    let mut old = card("chara_card_v2");
    old["data"]["name"] = json!("Old");
    let chunks = [
        text_chunk("chara", &old),
        text_chunk("ccv3", &card("chara_card_v3")),
    ];
    let import = import_card(&image(&chunks)).expect("a card");
    assert_eq!(made(&import)["registry"]["title"], "Mira");
    let import = import_card(&image(&chunks[..1])).expect("a card");
    assert_eq!(made(&import)["registry"]["title"], "Old");
}

#[test]
fn damaged_images_are_refused_with_their_place() {
    let assert_refused = |bytes: &[u8], words: &str| {
        let error = import_card(bytes).expect_err("refused").to_string();
        assert!(error.contains(words), "{error}");
    };
    let whole = image(&[text_chunk("chara", &card("chara_card_v2"))]);
    assert_refused(&whole[..60], "the chunk tEXt at byte 33 says that it has");
    assert_refused(&whole[..35], "the chunk at byte 33 is cut off");
    let mut damaged = whole.clone();
    damaged[80] ^= 1;
    assert_refused(
        &damaged,
        "the text chunk at byte 33 is damaged (wrong checksum)",
    );
    assert_refused(&image(&[]), "this image holds no character card");
    assert_refused(
        &image(&[chunk(b"zTXt", b"chara\0\0x")]),
        "the card at byte 33 is not in a tEXt chunk",
    );
    assert_refused(
        &image(&[chunk(b"tEXt", b"chara\0!!")]),
        "text chunk chara: not base64",
    );
    assert_refused(
        &image(&[chunk(
            b"tEXt",
            format!("chara\0{}", STANDARD.encode("{\"data\": 3}")).as_bytes(),
        )]),
        "text chunk chara: line 1, column 10: /data: `data` must be an object, not a number",
    );
    let mut huge = SIGNATURE.to_vec();
    huge.extend([0xff, 0xff, 0xff, 0xff]);
    huge.extend(b"tEXtchara");
    assert_refused(
        &huge,
        "the chunk tEXt at byte 8 says that it has 4294967295 bytes",
    );
}

#[test]
fn world_info_of_its_own_is_a_deck() {
    let book = json!({"entries": {
        "0": {"uid": 0, "key": ["b"], "comment": "Second", "content": "@@depth 4\n\nTwo.", "constant": true,
              "order": 20, "position": 0, "disable": false},
        "1": {"uid": 1, "key": ["a"], "comment": "", "content": "One {{char}}.", "constant": true, "order": 10,
              "position": 4, "disable": false},
        "2": {"uid": 2, "key": [], "content": "Off.", "constant": true, "order": 1, "position": 1, "disable": true},
    }});
    let import = import_lorebook(book.to_string().as_bytes()).expect("a book");
    assert_eq!(
        prompt_of(&import.text).expect("a prompt"),
        "Two.\n\nOne {{char}}."
    );
    assert_eq!(
        lines(&import),
        [
            "NotSupported /entries",
            "NotSupported /entries",
            "Converted /entries",
            "Converted /entries",
            "Converted /entries",
            "Unread /entries",
        ]
    );
    for (text, words) in [
        (
            "{\"entries\": 3}",
            "/entries: `entries` must be a list or an object of entries",
        ),
        (
            "{\"entries\": []}",
            "the lorebook has no entry with a content",
        ),
        (
            "{\"entries\": [{\"content\": 3}]}",
            "/entries/0/content: `content` must be a text",
        ),
    ] {
        let error = import_lorebook(text.as_bytes())
            .expect_err("refused")
            .to_string();
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn a_book_of_fifty_megabytes_is_read_within_bounds() {
    let content = "word ".repeat(1000);
    let entry = json!({"keys": ["k"], "content": content, "enabled": true, "insertion_order": 1});
    let book = json!({"entries": vec![entry; 11_000]}).to_string();
    assert!(book.len() > 50 << 20);
    let import = import_lorebook(book.as_bytes()).expect("a book");
    assert_eq!(import.report.entries.len(), 1);
}

#[test]
fn a_book_of_many_small_entries_costs_no_square() {
    // Each entry has a name in braces of its own, and one more spelling of a macro's variable.
    let entry = |number: usize| {
        let content = format!(
            "{{v{number}}} {{char{}}} {}",
            "_".repeat(number % 400),
            "{".repeat(80)
        );
        json!({"keys": [], "content": content, "constant": true})
    };
    let entries: Vec<Value> = (0..60_000).map(entry).collect();
    let book = json!({ "entries": entries }).to_string();
    let import = import_lorebook(book.as_bytes()).expect("a book");
    let prompt = prompt_of(&import.text).expect("a prompt");
    assert!(
        prompt.contains("{v59999} {char"),
        "names that are no macros print as written"
    );
}

#[test]
fn misspelled_keys_are_reported() {
    let mut card = card("chara_card_v2");
    card["data"]["descripton"] = card["data"]["description"].take();
    card["data"]
        .as_object_mut()
        .expect("an object")
        .shift_remove("description");
    card["data"]["voice"] = json!("low");
    let entry = &mut card["data"]["character_book"]["entries"][0];
    entry["contnet"] = entry["content"].take();
    entry
        .as_object_mut()
        .expect("an object")
        .shift_remove("content");
    entry["probability"] = json!(50);
    let import = import_card(card.to_string().as_bytes()).expect("a card");
    let misspelled: Vec<_> = import
        .report
        .entries
        .iter()
        .filter(|entry| entry.message.contains("did you mean"))
        .map(|entry| (entry.pointer.as_str(), entry.message.as_str()))
        .collect();
    assert_eq!(
        misspelled,
        [
            (
                "/data/character_book/entries/0/contnet",
                "\"contnet\" is not read; did you mean \"content\"?"
            ),
            (
                "/data/descripton",
                "\"descripton\" is not read; did you mean \"description\"?"
            ),
        ]
    );
}

#[test]
fn a_book_of_unknown_keys_is_compared_up_to_a_limit() {
    let entry = |number: usize| {
        let keys = (0..50).map(|key| (format!("contnet{number}_{key}"), json!(1)));
        let mut entry: serde_json::Map<String, Value> = keys.collect();
        entry.insert("content".to_owned(), json!("x"));
        entry.insert("keyz".to_owned(), json!([]));
        Value::Object(entry)
    };
    let book = json!({"entries": (0..2000).map(entry).collect::<Vec<_>>()});
    let import = import_lorebook(book.to_string().as_bytes()).expect("a book");
    let misspelled = import.report.entries.iter();
    let misspelled = misspelled.filter(|entry| entry.message.contains("did you mean"));
    assert!((1..=1000).contains(&misspelled.count()));
}

#[test]
fn what_is_not_supported_of_entries_names_them() {
    let entry = |name: &str| json!({"keys": ["k"], "comment": name, "content": format!("{name} {{{{roll:6}}}}")});
    let mut card = card("chara_card_v2");
    let entries = ["Harbour", "Lighthouse", "Reef", "Storm"].map(entry);
    card["data"]["character_book"]["entries"] = json!(entries);
    let import = import_card(card.to_string().as_bytes()).expect("a card");
    let notes = import.report.entries.iter();
    let notes: Vec<&str> = notes.map(|entry| entry.message.as_str()).collect();
    let four = "4 entries (Harbour, Lighthouse, Reef and 1 more)";
    for subject in ["sent when a key word occurs", "a macro in it prints"] {
        let wanted = format!("{four}: {subject}");
        let found = notes.iter().any(|note| note.starts_with(&wanted));
        assert!(found, "{wanted} in {notes:#?}");
    }
}

#[test]
fn fields_that_a_registry_has_no_place_for_are_named_once() {
    let extension = json!({"probability": 40, "depth": 4, "sticky": null, "useProbability": true});
    let entry = |second: Value| {
        json!({
            "keys": ["reef"], "content": "Reefs.", "enabled": true, "insertion_order": 10,
            "case_sensitive": false, "priority": 5, "id": 7, "selective": true,
            "secondary_keys": second, "constant": true, "extensions": extension,
        })
    };
    let mut card = card("chara_card_v2");
    let book = &mut card["data"]["character_book"];
    let mut empty = entry(json!([]));
    empty["content"] = json!(" ");
    book["entries"] = json!([
        entry(json!(["night"])),
        entry(json!([])),
        entry(json!([])),
        empty
    ]);
    book["scan_depth"] = json!(3);
    book["recursive_scanning"] = json!(false);
    card["data"]["extensions"] = json!({
        "depth_prompt": {"prompt": "Remember the storm.", "depth": 4, "role": "system"},
        "talkativeness": "0.7",
    });
    let import = import_card(card.to_string().as_bytes()).expect("a card");
    let unsupported = import.report.entries.iter();
    let unsupported = unsupported.filter(|entry| entry.status == ConversionStatus::NotSupported);
    let unsupported: Vec<(&str, &str)> = unsupported
        .map(|entry| {
            let end = entry
                .message
                .find(" is left out")
                .unwrap_or(entry.message.len());
            (entry.pointer.as_str(), &entry.message[..end])
        })
        .collect();
    let entries = "/data/character_book/entries";
    for expected in [
        (entries, "1 entry: secondary_keys"),
        (entries, "1 entry: selective"),
        (entries, "3 entries: priority"),
        (entries, "3 entries: extensions.probability"),
        (entries, "1 entry (reef) without content: left out"),
        (
            "/data/character_book/scan_depth",
            "scan_depth has no effect here: no entry is looked up by a key word",
        ),
        (
            "/data/extensions/depth_prompt",
            "SillyTavern sends the character's note within the conversation; no prompt prints it",
        ),
    ] {
        assert!(
            unsupported.contains(&expected),
            "{expected:?} in {unsupported:#?}"
        );
    }
    let all = format!("{unsupported:?}");
    for default in [
        "case_sensitive",
        "sticky",
        "depth is",
        "recursive_scanning",
        ": id",
    ] {
        assert!(!all.contains(default), "{default} in {all}");
    }
    let metadata = &made(&import)["metadata"];
    assert_eq!(metadata["character_book"], json!({"scan_depth": 3}));
}

#[test]
fn an_empty_note_of_the_character_is_no_difference() {
    let mut card = card("chara_card_v2");
    card["data"]["extensions"] = json!({"depth_prompt": {"prompt": "", "depth": 4}, "world": ""});
    let import = import_card(card.to_string().as_bytes()).expect("a card");
    assert!(
        !lines(&import)
            .iter()
            .any(|line| line.contains("extensions/"))
    );
}
