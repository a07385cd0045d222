//! Lorebooks: the entries that are always sent print, the others print when they are selected.

use promptdeck_json::push_step;
use serde_json::{Map, Value, json};

use super::{
    entry_fields::{EntryFields, is_nothing},
    macros::Macros,
};
use crate::{
    control_chars::escape_lines,
    import::{
        ConversionStatus,
        deck::{Deck, SectionDraft},
        misspelled::MisspelledKeys,
        naming::Names,
    },
    plural::plural,
    registry::{
        DiagnosticData, ParseCode, ParseError,
        check::{self, FieldPath},
    },
};

/// The keys of an entry in cards and in world info; most say when an entry is sent.
const ENTRY_KEYS: [&str; 48] = [
    "addMemo",
    "automationId",
    "case_sensitive",
    "caseSensitive",
    "characterFilter",
    "comment",
    "constant",
    "content",
    "cooldown",
    "delay",
    "delayUntilRecursion",
    "depth",
    "disable",
    "displayIndex",
    "enabled",
    "excludeRecursion",
    "extensions",
    "group",
    "groupOverride",
    "groupWeight",
    "id",
    "insertion_order",
    "key",
    "keys",
    "keysecondary",
    "matchCharacterDepthPrompt",
    "matchCharacterDescription",
    "matchCharacterPersonality",
    "matchCreatorNotes",
    "matchPersonaDescription",
    "matchScenario",
    "matchWholeWords",
    "name",
    "order",
    "position",
    "preventRecursion",
    "priority",
    "probability",
    "role",
    "scanDepth",
    "secondary_keys",
    "selective",
    "selectiveLogic",
    "sticky",
    "uid",
    "use_regex",
    "useProbability",
    "vectorized",
];

/// The settings of a book that say which entries are sent.
const SETTINGS: [&str; 3] = ["scan_depth", "token_budget", "recursive_scanning"];

/// What an entry without a comment, a name and key words is called.
const UNNAMED: &str = "entry";

/// The copy of a card's book that `SillyTavern` writes beside the entries made from it.
const ORIGINAL: &str = "originalData";

/// The position of an entry in the prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Position {
    BeforeCharacter,
    AfterCharacter,
}

/// One entry.
#[derive(Debug)]
pub(super) struct Entry<'v> {
    /// The text, without its decorators.
    pub content: &'v str,
    decorated: bool,
    keys: Vec<&'v str>,
    title: &'v str,
    /// Whether it is always sent, without a keyword.
    constant: bool,
    enabled: bool,
    /// Entries with a lower order come first.
    order: f64,
    position: Position,
    /// Whether it is inserted into the conversation.
    in_chat: bool,
}

/// The entries of a book in the order in which the prompt has them.
pub(super) fn entries<'v>(
    book: &'v Map<String, Value>,
    path: &FieldPath<'_>,
) -> Result<Vec<Entry<'v>>, ParseError> {
    let path = path.key("entries");
    let mut entries = match check::present(book, "entries") {
        None => Vec::new(),
        Some(Value::Array(list)) => list
            .iter()
            .enumerate()
            .map(|(index, value)| entry(value, &path.index(index)))
            .collect::<Result<_, _>>()?,
        Some(Value::Object(members)) => members
            .iter()
            .map(|(key, value)| entry(value, &path.key(key)))
            .collect::<Result<Vec<_>, _>>()?,
        Some(other) => return Err(path.wrong_type("a list or an object of entries", other)),
    };
    entries.sort_by(|one, other| one.order.total_cmp(&other.order));
    Ok(entries)
}

fn entry<'v>(value: &'v Value, path: &FieldPath<'_>) -> Result<Entry<'v>, ParseError> {
    let Value::Object(entry) = value else {
        return Err(path.wrong_type("an object", value));
    };
    let flag = |key: &str| check::boolean(entry, key, path);
    let content = check::text(entry, "content", path)?.unwrap_or_default();
    let (position, in_chat) = position(entry);
    let title = ["comment", "name"].into_iter().find_map(|key| {
        let text = entry.get(key)?.as_str()?;
        (!text.trim().is_empty()).then_some(text)
    });
    let keys = strings(entry, &["keys", "key"]);
    let undecorated = without_decorators(content);
    Ok(Entry {
        content: undecorated,
        decorated: undecorated.len() < content.len(),
        title: title.or(keys.first().copied()).unwrap_or(UNNAMED),
        keys,
        constant: flag("constant")?.unwrap_or(false),
        enabled: flag("enabled")?.unwrap_or(true) && !flag("disable")?.unwrap_or(false),
        order: match check::number(entry, "insertion_order", path)? {
            Some(order) => order,
            None => check::number(entry, "order", path)?.unwrap_or(100.0),
        },
        position,
        in_chat,
    })
}

/// The entries in file order, each with its key or index.
fn raw_entries(book: &Map<String, Value>) -> Vec<(String, &Value)> {
    match book.get("entries") {
        Some(Value::Array(list)) => {
            let indices = (0..list.len()).map(|index| index.to_string());
            indices.zip(list).collect()
        }
        Some(Value::Object(members)) => {
            let members = members.iter();
            members.map(|(key, value)| (key.clone(), value)).collect()
        }
        _ => Vec::new(),
    }
}

/// Where an entry stands: cards name the position, world info counts it from 0. Whatever is neither
/// before nor after the character is within the conversation.
fn position(entry: &Map<String, Value>) -> (Position, bool) {
    let number = |value: &Value| value.as_u64();
    let extension = entry
        .get("extensions")
        .and_then(|extensions| extensions.get("position"));
    match (entry.get("position"), extension.and_then(number)) {
        (_, Some(0)) => (Position::BeforeCharacter, false),
        (_, Some(1)) => (Position::AfterCharacter, false),
        (_, Some(_)) => (Position::AfterCharacter, true),
        (Some(Value::String(name)), _) if name == "after_char" => (Position::AfterCharacter, false),
        (Some(position), _) => match position.as_u64() {
            Some(1) => (Position::AfterCharacter, false),
            Some(2..) => (Position::AfterCharacter, true),
            _ => (Position::BeforeCharacter, false),
        },
        (None, None) => (Position::BeforeCharacter, false),
    }
}

fn strings<'v>(entry: &'v Map<String, Value>, keys: &[&str]) -> Vec<&'v str> {
    let lists = keys.iter().filter_map(|key| entry.get(*key)?.as_array());
    lists.flatten().filter_map(Value::as_str).collect()
}

/// The content below the lines that begin with `@@`.
fn without_decorators(content: &str) -> &str {
    let mut rest = content;
    while rest.trim_start().starts_with("@@") {
        rest = rest
            .trim_start()
            .split_once('\n')
            .map_or("", |(_, below)| below);
    }
    if rest.len() < content.len() {
        rest.trim_start_matches('\n')
    } else {
        content
    }
}

/// Adds the section of the entries at a position.
pub(super) fn section(deck: &mut Deck, entries: &[Entry<'_>], at: Position, macros: &Macros) {
    let name = match at {
        Position::BeforeCharacter => "lore_before",
        Position::AfterCharacter => "lore_after",
    };
    let mut draft = SectionDraft {
        optional: true,
        ..SectionDraft::default()
    };
    let mut ids = Names::default();
    let mut selected = Vec::new();
    for entry in entries.iter().filter(|entry| entry.position == at) {
        let content = promptdeck_python::text::strip(entry.content);
        if content.is_empty() {
            continue;
        }
        let id = ids.unique(entry.title);
        if entry.constant && entry.enabled {
            selected.push(id.clone());
        }
        let mut item = Map::new();
        item.insert("id".to_owned(), json!(id));
        item.insert("text".to_owned(), json!(macros.convert(content).text));
        if !entry.keys.is_empty() {
            // In an object: a plain list would be printed.
            item.insert("lorebook".to_owned(), json!({"keys": entry.keys}));
        }
        draft.items.push(item);
    }
    if draft.items.is_empty() {
        return;
    }
    macros.declare(&mut draft);
    if !selected.is_empty() {
        draft.others.insert("selected".to_owned(), json!(selected));
    }
    deck.section(name, draft);
    deck.token(name);
}

/// Reports features of entries that are not supported, each kind once.
pub(super) fn report(deck: &mut Deck, book: &Map<String, Value>, entries: &[Entry<'_>], at: &str) {
    let at_entries = format!("{at}/entries");
    let titles = |wanted: &dyn Fn(&Entry<'_>) -> bool| -> Vec<&str> {
        let all = entries.iter();
        all.filter(|entry| !entry.content.trim().is_empty() && wanted(entry))
            .map(|entry| entry.title)
            .collect()
    };
    let mut report_count = |titles: Vec<&str>, subject: &str| {
        if !titles.is_empty() {
            let note = format!("{}: {subject}", named(&titles));
            deck.report(ConversionStatus::NotSupported, at_entries.as_str(), note);
        }
    };
    report_count(
        titles(&|entry| entry.enabled && !entry.constant),
        "sent when a key word occurs in the conversation; here it prints when it is selected",
    );
    report_count(
        titles(&|entry| entry.in_chat),
        "its position is within the conversation; here it stands after the character",
    );
    report_count(
        titles(&|entry| entry.decorated),
        "its decorators (lines that begin with @@) are left out",
    );
    for at in [Position::BeforeCharacter, Position::AfterCharacter] {
        let printed = titles(&|entry| entry.constant && entry.enabled && entry.position == at);
        if printed.len() > 1 {
            report_count(
                printed,
                "SillyTavern joins them by a line break; here a blank line stands between them",
            );
        }
    }
    let macros = Macros::new("", std::iter::empty());
    report_count(
        titles(&|entry| {
            entry.content.contains("{{") && !macros.convert(entry.content).unknown.is_empty()
        }),
        "a macro in it prints as written",
    );
    let mut misspelled = MisspelledKeys::default();
    let mut fields = EntryFields::default();
    for (index, entry) in raw_entries(book) {
        if let Value::Object(entry) = entry {
            let mut pointer = at_entries.clone();
            push_step(&mut pointer, &index);
            let found = misspelled.report(deck, entry, &pointer, &ENTRY_KEYS);
            // One without content is no item, whose fields would matter.
            if entry
                .get("content")
                .is_some_and(|content| !is_blank(content))
            {
                fields.add(entry, &found);
            }
        }
    }
    fields.report(deck, &at_entries);
    let titles = |wanted: &dyn Fn(&Entry<'_>) -> bool| -> Vec<&str> {
        let all = entries.iter().filter(|entry| wanted(entry));
        all.map(|entry| entry.title).collect()
    };
    let blank = titles(&|entry| entry.content.trim().is_empty());
    if !blank.is_empty() {
        let note = format!("{} without content: left out", named(&blank));
        deck.report(ConversionStatus::NotSupported, at_entries.as_str(), note);
    }
    let disabled = titles(&|entry| !entry.enabled);
    if !disabled.is_empty() {
        let note = format!("{} switched off: not selected", named(&disabled));
        deck.report(ConversionStatus::Unread, at_entries.as_str(), note);
    }
    for key in SETTINGS {
        if book.get(key).is_some_and(|value| !is_nothing(value)) {
            let note = format!("{key} has no effect here: no entry is looked up by a key word");
            deck.report(ConversionStatus::NotSupported, format!("{at}/{key}"), note);
        }
    }
    if book.contains_key(ORIGINAL) {
        let note = "the copy of the card that the book was taken from is left out";
        let at = format!("{at}/{ORIGINAL}");
        deck.report(ConversionStatus::NotSupported, at, note);
    }
}

/// How many entries, and which: `2 entries (Harbour, Lighthouse)`.
fn named(titles: &[&str]) -> String {
    /// How many are named.
    const NAMED: usize = 3;
    let count = plural(titles.len(), "entry");
    let mut names = titles[..titles.len().min(NAMED)].join(", ");
    if titles.len() > NAMED {
        names.push_str(&format!(" and {} more", titles.len() - NAMED));
    }
    match titles.iter().all(|&title| title == UNNAMED) {
        true => count,
        false => format!("{count} ({})", escape_lines(&names)),
    }
}

fn is_blank(content: &Value) -> bool {
    content.as_str().is_none_or(|text| text.trim().is_empty())
}

/// The fields of a book that are neither read nor empty; they are stored beside the registry.
pub(super) fn metadata(book: &Map<String, Value>, read: &[&str]) -> Map<String, Value> {
    let left_out = ["entries", ORIGINAL];
    let others = book.iter().filter(|(key, value)| {
        let key = key.as_str();
        !left_out.contains(&key) && !read.contains(&key) && !is_nothing(value)
    });
    others
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}

/// The deck of a book of its own.
pub(super) fn convert_alone(book: &Map<String, Value>) -> Result<Deck, ParseError> {
    let root = FieldPath::ROOT;
    let data = root.key("data");
    let (lorebook, path, at) = match book.get("data").and_then(Value::as_object) {
        Some(inner) if inner.contains_key("entries") => (inner, &data, "/data"),
        _ => (book, &root, ""),
    };
    let entries = entries(lorebook, path)?;
    if entries.iter().all(|entry| entry.content.trim().is_empty()) {
        let message = "the lorebook has no entry with a content: there is nothing to import";
        return Err(path.error(
            ParseCode::WrongType,
            message.to_owned(),
            DiagnosticData::none(),
        ));
    }
    let macros = Macros::new("{{char}}", entries.iter().map(|entry| entry.content));
    let mut deck = Deck::new(check::text(lorebook, "name", path)?.filter(|name| !name.is_empty()));
    if let Some(text) = check::text(lorebook, "description", path)?.filter(|text| !text.is_empty())
    {
        deck.set("description", json!(text));
    }
    section(&mut deck, &entries, Position::BeforeCharacter, &macros);
    section(&mut deck, &entries, Position::AfterCharacter, &macros);
    let texts = entries.iter().map(|entry| entry.content);
    macros.report(&mut deck, texts.map(|text| (format!("{at}/entries"), text)));
    report(&mut deck, lorebook, &entries, at);
    let metadata = metadata(lorebook, &["name", "description"]);
    if let Some(first) = metadata.keys().next() {
        let keys: Vec<&str> = metadata.keys().map(String::as_str).take(20).collect();
        let note = format!("beside the registry, in `metadata`: {}", keys.join(", "));
        let mut pointer = at.to_owned();
        push_step(&mut pointer, first);
        deck.report(ConversionStatus::Unread, pointer, note);
        deck.set_call("metadata", Value::Object(metadata));
    }
    Ok(deck)
}
