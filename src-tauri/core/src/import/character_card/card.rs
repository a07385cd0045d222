//! A character card: each of its prompts a section, in the order in which `SillyTavern` sends them.

use serde_json::{Map, Value, json};

use super::{
    entry_fields::is_nothing,
    lorebook::{self, Position},
    macros::Macros,
};
use crate::{
    import::{
        ConversionStatus,
        deck::{Deck, SectionDraft},
        fidelity,
        misspelled::MisspelledKeys,
        pointer::pointer,
        text_input,
    },
    registry::{
        DiagnosticData, ParseCode, ParseError,
        check::{self, FieldPath},
        primary_field,
    },
};

/// The prompts of a card in sending order, with the names of their sections. Entries of the lorebook
/// go before and after the character.
const PROMPTS: [(&str, &str); 6] = [
    ("system_prompt", "system_prompt"),
    ("description", "character"),
    ("personality", "personality"),
    ("scenario", "scenario"),
    ("mes_example", "examples"),
    ("post_history_instructions", "prompt_endings"),
];

/// The versions of the format that name themselves, the newest last.
const SPECS: [&str; 2] = ["chara_card_v2", "chara_card_v3"];

/// The section of the greetings, which no prompt prints.
const GREETINGS: &str = "greetings";

/// Fields of a card that are read but not printed.
const READ: [&str; 8] = [
    "name",
    "first_mes",
    "alternate_greetings",
    "creator_notes",
    "character_book",
    "assets",
    "data",
    "group_only_greetings",
];

/// What `SillyTavern` sends, or changes in what it sends, because of an extension of a card.
const EXTENSIONS: [(&str, &str); 3] = [
    (
        "depth_prompt",
        "SillyTavern sends the character's note within the conversation; no prompt prints it",
    ),
    (
        "world",
        "SillyTavern sends entries of the lorebook of that name; import it by itself",
    ),
    (
        "regex_scripts",
        "SillyTavern rewrites texts with these scripts; here they print as written",
    ),
];

/// Other known keys of cards, without influence on the prompt.
const OTHERS: [&str; 13] = [
    "nickname",
    "creatorcomment",
    "spec",
    "spec_version",
    "creator",
    "character_version",
    "tags",
    "extensions",
    "creator_notes_multilingual",
    "source",
    "creation_date",
    "modification_date",
    "avatar",
];

/// The deck of a card.
pub(super) fn convert(card: &Map<String, Value>) -> Result<Deck, ParseError> {
    let root = FieldPath::ROOT;
    let data_path = root.key("data");
    // Version 1 has its fields at the top level, without `data`.
    let (data, path, at): (_, _, &[&str]) = match check::object(card, "data", &root)? {
        Some(data) => (data, &data_path, &["data"]),
        None => (card, &root, &[]),
    };
    let to = |key: &str| pointer(&[at, &[key]].concat());
    let name = check::text(data, "name", path)?.unwrap_or_default();
    let spoken = check::text(data, "nickname", path)?.filter(|name| !name.is_empty());
    let mut texts = Vec::new();
    for (field, _) in PROMPTS {
        texts.push(check::text(data, field, path)?.unwrap_or_default());
    }
    let greetings = greetings(data, path)?;
    let book = check::object(data, "character_book", path)?;
    let book_path = path.key("character_book");
    let entries = book
        .map(|book| lorebook::entries(book, &book_path))
        .transpose()?
        .unwrap_or_default();
    let texts_of_entries = || entries.iter().map(|entry| entry.content);
    let nothing = greetings.is_empty()
        && texts
            .iter()
            .copied()
            .chain(texts_of_entries())
            .all(text_input::is_blank);
    if nothing {
        let message = "the card has no text in `description`, `first_mes` or another field that is \
                       printed or sent: there is nothing to import";
        let (code, data) = (ParseCode::WrongType, DiagnosticData::none());
        return Err(path.error(code, message.to_owned(), data));
    }
    let all = texts
        .iter()
        .copied()
        .chain(greetings.iter().map(|(_, text)| text.as_str()))
        .chain(texts_of_entries());
    let macros = Macros::new(spoken.unwrap_or(name), all);

    let mut deck = Deck::new(Some(name).filter(|name| !name.is_empty()));
    let notes = check::text(data, "creator_notes", path)?.filter(|notes| !notes.is_empty());
    if let Some(notes) = notes {
        deck.set("description", json!(notes));
    }
    for ((field, section), text) in PROMPTS.iter().zip(&texts) {
        if *field == "description" {
            lorebook::section(&mut deck, &entries, Position::BeforeCharacter, &macros);
        }
        if *field == "mes_example" {
            lorebook::section(&mut deck, &entries, Position::AfterCharacter, &macros);
        }
        prompt(&mut deck, &macros, section, text, &to(field));
    }
    if !text_input::is_blank(texts[5]) {
        let note = "SillyTavern sends it after the conversation; here it ends the prompt";
        deck.report(
            ConversionStatus::NotSupported,
            to("post_history_instructions"),
            note,
        );
    }
    let prompts = PROMPTS.iter().zip(&texts);
    let prompts = prompts.map(|((field, _), text)| (to(field), *text));
    let greeted = greetings
        .iter()
        .map(|(field, text)| (to(field), text.as_str()));
    let lore = texts_of_entries().map(|text| (to("character_book") + "/entries", text));
    macros.report(&mut deck, prompts.chain(greeted).chain(lore));
    if deck.is_empty() {
        deck.empty_section("character");
    }
    unknown_spec(&mut deck, card);
    add_greetings(&mut deck, &macros, &greetings, &to);
    if data
        .get("assets")
        .is_some_and(|assets| assets.as_array().is_none_or(|all| !all.is_empty()))
    {
        deck.report(
            ConversionStatus::NotSupported,
            to("assets"),
            "images and sounds are left out",
        );
    }
    if let Some(book) = book {
        lorebook::report(&mut deck, book, &entries, &to("character_book"));
    }
    sent_extensions(&mut deck, data, &to);
    if !at.is_empty() {
        other_values(&mut deck, card, data);
    }
    let prompts = PROMPTS.iter().map(|(field, _)| *field);
    let known: Vec<&str> = prompts.chain(READ).chain(OTHERS).collect();
    MisspelledKeys::default().report(&mut deck, data, &pointer(at), &known);
    metadata(&mut deck, card, data, &to);
    Ok(deck)
}

/// Reports a version of the format that is not known; its known fields are read.
fn unknown_spec(deck: &mut Deck, card: &Map<String, Value>) {
    let spec = card.get("spec").and_then(Value::as_str);
    if let Some(spec) = spec.filter(|spec| !SPECS.contains(spec)) {
        let note = format!(
            "{spec:?} is not a known version of the format; read as {}",
            SPECS[1]
        );
        deck.report(ConversionStatus::NotSupported, pointer(&["spec"]), note);
    }
}

/// Reports the extensions that change what is sent.
fn sent_extensions(deck: &mut Deck, data: &Map<String, Value>, to: &dyn Fn(&str) -> String) {
    let extensions = data.get("extensions");
    for (name, note) in EXTENSIONS {
        let value = extensions.and_then(|all| all.get(name));
        // The note has settings even when its text is empty.
        let text = value.map(|value| value.get("prompt").unwrap_or(value));
        if text.is_some_and(|text| !is_nothing(text)) {
            let at = format!("{}/{name}", to("extensions"));
            deck.report(ConversionStatus::NotSupported, at, note);
        }
    }
}

/// Reports fields of version 1, beside `data`, that say something else than those in it.
fn other_values(deck: &mut Deck, card: &Map<String, Value>, data: &Map<String, Value>) {
    let fields = PROMPTS.iter().map(|(field, _)| *field).chain(READ);
    for field in fields.filter(|field| *field != "data") {
        let other = card.get(field).filter(|value| !is_nothing(value));
        if other.is_some() && other != data.get(field) {
            let note = format!("{field} is left out: the card has it in `data`, too");
            deck.report(ConversionStatus::NotSupported, pointer(&[field]), note);
        }
    }
}

/// Adds a section of one text, if there is one.
fn prompt(deck: &mut Deck, macros: &Macros, section: &str, text: &str, at: &str) {
    let text = promptdeck_python::text::strip(text);
    if text.is_empty() {
        return;
    }
    let converted = macros.convert(text);
    for name in &converted.unknown {
        let note = format!("the macro {{{{{name}}}}} prints as written");
        deck.report(ConversionStatus::NotSupported, at, note);
    }
    for mut unsupported in fidelity::losses(text) {
        at.clone_into(&mut unsupported.pointer);
        deck.entries.push(unsupported);
    }
    let mut item = Map::new();
    item.insert("id".to_owned(), json!(section));
    item.insert(primary_field(section).to_owned(), json!(converted.text));
    let mut draft = SectionDraft::of(item);
    macros.declare(&mut draft);
    deck.section(section, draft);
    deck.token(section);
}

/// The greetings and their fields.
fn greetings(
    data: &Map<String, Value>,
    path: &FieldPath<'_>,
) -> Result<Vec<(&'static str, String)>, ParseError> {
    let mut greetings = Vec::new();
    if let Some(first) = check::text(data, "first_mes", path)? {
        greetings.push(("first_mes", first.to_owned()));
    }
    let mut errors = check::TypeErrors::default();
    for field in ["alternate_greetings", "group_only_greetings"] {
        let texts = check::texts(data, field, path, &mut errors);
        greetings.extend(texts.into_iter().map(|text| (field, text)));
    }
    errors.first_or(())?;
    greetings.retain(|(_, text)| !text_input::is_blank(text));
    Ok(greetings)
}

/// Adds the greetings as a section that no prompt prints: they are messages.
fn add_greetings(
    deck: &mut Deck,
    macros: &Macros,
    greetings: &[(&'static str, String)],
    to: &dyn Fn(&str) -> String,
) {
    let Some((field, _)) = greetings.first() else {
        return;
    };
    let mut draft = SectionDraft {
        optional: true,
        ..SectionDraft::default()
    };
    for (index, (field, text)) in greetings.iter().enumerate() {
        let converted = macros.convert(text);
        let mut item = Map::new();
        item.insert("id".to_owned(), json!(format!("greeting_{}", index + 1)));
        item.insert("text".to_owned(), json!(converted.text));
        draft.items.push(item);
        for name in &converted.unknown {
            let note = format!("the macro {{{{{name}}}}} prints as written");
            deck.report(ConversionStatus::NotSupported, to(field), note);
        }
    }
    macros.declare(&mut draft);
    deck.section(GREETINGS, draft);
    let note = "a greeting is the first message of a conversation: the section `greetings` has it, and \
                the prompt does not print it";
    deck.report(ConversionStatus::Unread, to(field), note);
}

/// Stores the other fields in the call document, beside the registry.
fn metadata(
    deck: &mut Deck,
    card: &Map<String, Value>,
    data: &Map<String, Value>,
    to: &dyn Fn(&str) -> String,
) {
    let prompts = || PROMPTS.iter().map(|(field, _)| *field);
    let mut metadata = Map::new();
    for (key, value) in card.iter().chain(data) {
        // Cards repeat the fields of version 1 beside `data`.
        if READ.contains(&key.as_str()) || prompts().any(|field| field == key) {
            continue;
        }
        if !is_nothing(value) {
            metadata.insert(key.clone(), value.clone());
        }
    }
    if let Some(book) = data.get("character_book").and_then(Value::as_object) {
        let book = lorebook::metadata(book, &[]);
        if !book.is_empty() {
            metadata.insert("character_book".to_owned(), Value::Object(book));
        }
    }
    let Some(first) = data.keys().find(|key| metadata.contains_key(*key)) else {
        return;
    };
    let keys: Vec<&str> = metadata.keys().map(String::as_str).take(20).collect();
    let note = format!("beside the registry, in `metadata`: {}", keys.join(", "));
    deck.report(ConversionStatus::Unread, to(first), note);
    deck.set_call("metadata", Value::Object(metadata));
}
