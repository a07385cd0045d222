//! Prompt files: dotprompt (`.prompt`), Prompty (`.prompty`) and Jinja.
//!
//! The system prompt becomes the deck, its variables template variables with the file's own values as
//! defaults; other messages become the call document around it.
//!
//! <https://google.github.io/dotprompt/reference>, <https://github.com/microsoft/prompty>

mod conditions;
mod dotprompt;
mod expressions;
mod front_matter;
mod jinja_names;
mod prompty;
mod reserved_words;
mod settings;
#[cfg(test)]
mod tests;

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use promptdeck_jinja::Template;
use promptdeck_json::abridged;
use serde_json::{Map, Value, json};

use self::{
    expressions::{Piece, expression_around, pieces, variables, with_variables},
    front_matter::PromptFile,
    jinja_names::JinjaNames,
};
use super::{
    ConversionStatus, Import, Report, ReportEntry, SourceFormat,
    deck::{Deck, SectionDraft, Variables},
    fidelity, plain_prompt,
    text_input::{self, JoinedTexts, fault},
};
use crate::{
    hydrate::JINJA,
    plural::plural,
    registry::{ParseCode, ParseError, Position, TextPositions},
};

pub use dotprompt::import as import_dotprompt;
pub(crate) use jinja_names::names_read;
pub use prompty::import as import_prompty;
pub(crate) use reserved_words::is_free;

/// How many expressions that print as written are listed.
const MAX_LISTED: usize = 50;

/// A template engine of prompt files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TemplateEngine {
    Handlebars,
    Jinja,
}

/// One message of a prompt file.
#[derive(Debug)]
struct RoleText<'t> {
    role: &'static str,
    text: &'t str,
    /// Where the text begins in the template.
    offset: usize,
}

impl<'t> RoleText<'t> {
    /// The message in this range of the template, without the white space around it.
    fn new(body: &'t str, role: &'static str, range: Range<usize>) -> Self {
        let text = &body[range.clone()];
        Self {
            role,
            text: text.trim(),
            offset: range.start + text.len() - text.trim_start().len(),
        }
    }
}

/// The deck of a Jinja template: one section that prints it, for a request to render. Names that it
/// only prints become template variables.
///
/// # Errors
///
/// Texts that are empty, not UTF-8, or too large.
pub fn import_jinja(bytes: &[u8]) -> Result<Import, ParseError> {
    let text = text_input::read(bytes)?;
    let mut deck = Deck::new(None);
    jinja_section(&mut deck, &text, &BTreeMap::new());
    deck.entries.splice(0..0, fidelity::losses(&text));
    let positions = TextPositions::new(&text);
    deck.entries
        .extend(syntax_fault(&text, |offset| positions.at(offset)));
    deck.entries.extend(text.entry());
    let entries = std::mem::take(&mut deck.entries);
    Ok(Import {
        text: deck.text(),
        report: Report::new(SourceFormat::Jinja, entries),
    })
}

/// Reports a template that does not parse or cannot be rendered, at the position of an offset in it.
fn syntax_fault(template: &str, position: impl Fn(usize) -> Position) -> Option<ReportEntry> {
    let error = match Template::compile(template) {
        Ok(compiled) => compiled.unsupported()?,
        Err(error) => error,
    };
    let place = error.place();
    let offset = place.map_or(0, |place| {
        let mut lines = template.split_inclusive('\n');
        let before: usize = lines.by_ref().take(place.line - 1).map(str::len).sum();
        let in_line = lines
            .next()
            .unwrap_or_default()
            .chars()
            .take(place.column - 1);
        before + in_line.map(char::len_utf8).sum::<usize>()
    });
    Some(ReportEntry {
        status: ConversionStatus::NotSupported,
        pointer: String::new(),
        message: format!(
            "the template is imported as written, but it cannot be rendered: {}",
            error.message()
        ),
        place: Some(position(offset)),
    })
}

/// Adds the section of a template. Its names have the `values` of a file as defaults.
fn jinja_section(deck: &mut Deck, text: &str, values: &BTreeMap<String, String>) {
    deck.set("template_engine", json!(JINJA));
    let found = JinjaNames::of(promptdeck_python::text::strip(text));
    let mut item = Map::new();
    item.insert("id".to_owned(), json!("template"));
    item.insert("text".to_owned(), json!(found.text));
    let mut section = SectionDraft::of(item);
    let mut defaults = values.clone();
    for (path, name) in found.variables {
        let value = defaults.remove(&path);
        let gap = match value {
            Some(_) => "",
            None => "; it has no value yet",
        };
        let note = format!("{{{{{path}}}}} is the template variable {name:?}{gap}");
        deck.report(ConversionStatus::Converted, "", note);
        section.variables.push((name, value));
    }
    for name in declare_literal(&mut section) {
        let note = format!(
            "{{{name}}} is a template variable of \"base_context\"; it prints as written until it has a value"
        );
        deck.report(ConversionStatus::Converted, "", note);
    }
    deck.section("base_context", section);
    deck.token("base_context");
    let roots = defaults.keys().map(|path| path.split('.').next());
    let roots: BTreeSet<&str> = roots.flatten().collect();
    let open = found.arguments.iter().map(String::as_str);
    let open: Vec<&str> = open.filter(|name| !roots.contains(name)).collect();
    if !open.is_empty() {
        deck.report(ConversionStatus::NotSupported, "", without_value(&open));
    }
    if !defaults.is_empty() {
        deck.set_call("defaults", json!(defaults));
    }
}

/// Declares the names that a template has in single braces, which are text in Jinja, so that they print
/// as written; returns them.
fn declare_literal(section: &mut SectionDraft) -> Vec<String> {
    let mut found = std::mem::take(&mut section.variables);
    let literal = section.declare_braced(&found.iter().cloned().collect());
    section.variables.retain(|(name, _)| literal.contains(name));
    found.append(&mut section.variables);
    section.variables = found;
    literal
}

/// The sentence on names that only a call can set.
fn without_value(names: &[&str]) -> String {
    let listed = names[..names.len().min(MAX_LISTED)].join(", ");
    let more = match names.len().saturating_sub(MAX_LISTED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let (subject, verb, them) = match names {
        [_] => ("the name", "has", "it"),
        _ => ("the names", "have", "them"),
    };
    format!("{subject} {listed}{more} {verb} no value: set {them} in `args` of a call document")
}

/// The deck of the messages of a file. `values` are those that the file gives its variables.
fn deck(
    file: &PromptFile<'_>,
    mut messages: Vec<RoleText<'_>>,
    engine: TemplateEngine,
    values: &BTreeMap<String, String>,
) -> Result<Deck, ParseError> {
    messages.retain(|message| !text_input::is_blank(message.text));
    let mut entries = Vec::new();
    let mut report = |status, offset: usize, message: String| {
        entries.push(ReportEntry {
            status,
            pointer: String::new(),
            message,
            place: Some(file.body_position(offset)),
        });
    };
    let systems = messages
        .iter()
        .take_while(|message| message.role == "system")
        .count();
    let prompts = match (systems, messages.as_slice()) {
        (_, []) => {
            let message = "the template is empty: there is nothing to import".to_owned();
            return Err(fault(ParseCode::Syntax, message, None));
        }
        (0, [only]) => {
            let note = format!(
                "the only message ({}) is the prompt, which is sent as a system message",
                only.role
            );
            report(ConversionStatus::Converted, only.offset, note);
            1
        }
        (systems, _) => systems,
    };
    let rest = messages.split_off(prompts);
    if prompts > 1 {
        let note = "the system messages are one prompt, joined by blank lines".to_owned();
        report(ConversionStatus::NotSupported, messages[1].offset, note);
    }
    let first = messages.first().map_or(0, |message| message.offset);
    let joined = JoinedTexts::new(messages.iter().map(|message| message.text));
    let template = &joined.text;
    let split = vec![pieces(template, engine)];
    let others: Vec<(&str, usize)> = split[0]
        .iter()
        .filter_map(|piece| match piece {
            Piece::Other(text, offset) => Some((*text, *offset)),
            _ => None,
        })
        .collect();
    let positions = TextPositions::new(template);
    let mut literal = Vec::new();
    let conditional = match others.first() {
        Some(_) => conditions::deck_of(template, &split[0], engine, values),
        None => None,
    };
    let mut deck = match (engine, others.first()) {
        _ if template.is_empty() => {
            let mut deck = Deck::new(None);
            deck.empty_section("base_context");
            deck
        }
        _ if let Some(conditional) = conditional => {
            for note in conditional.notes(values) {
                report(ConversionStatus::Converted, first, note);
            }
            conditional.deck
        }
        (TemplateEngine::Jinja, Some(_)) => {
            let mut deck = Deck::new(None);
            jinja_section(&mut deck, template, values);
            deck.entries
                .extend(syntax_fault(template, |offset| positions.at(offset)));
            deck
        }
        _ => {
            for (text, offset) in others.iter().take(MAX_LISTED) {
                let note = format!(
                    "{} prints as written: only names in double braces are read",
                    abridged(text)
                );
                literal.push(ReportEntry {
                    status: ConversionStatus::NotSupported,
                    pointer: String::new(),
                    message: note,
                    place: Some(positions.at(*offset)),
                });
            }
            let names = variables(&split);
            let known: Variables = names
                .iter()
                .map(|(path, name)| (name.clone(), values.get(*path).cloned()))
                .collect();
            for (path, name) in names.iter().filter(|(path, name)| *path != name) {
                let note = format!("{{{{{path}}}}} is the template variable {name:?}");
                report(ConversionStatus::Converted, first, note);
            }
            plain_prompt::deck_of(&with_variables(&split[0], &names), &known)?
        }
    };
    deck.entries.append(&mut literal);
    // Positions within the text of the deck are those of its messages in the file.
    let lines = messages.iter();
    let lines: Vec<u32> = lines
        .map(|message| file.body_position(message.offset).line)
        .collect();
    for place in deck
        .entries
        .iter_mut()
        .filter_map(|entry| entry.place.as_mut())
    {
        let (index, line) = joined.locate(place.line);
        place.line = lines.get(index).copied().unwrap_or(1) + line - 1;
    }
    let mut history = Vec::new();
    if let Some(first) = rest.first() {
        let note = format!(
            "{} after the prompt: the call around it has {}, not the prompt",
            plural(rest.len(), "message"),
            if rest.len() == 1 { "it" } else { "them" }
        );
        report(ConversionStatus::Converted, first.offset, note);
    }
    for message in &rest {
        let filled = FilledMessage::new(message.text, engine, values);
        if let Some(note) = filled.open() {
            report(ConversionStatus::NotSupported, message.offset, note);
        }
        for (path, value) in filled.fixed {
            let note = format!(
                "{{{{{path}}}}} is fixed to the value of the file, {:?}: a message is not a template",
                abridged(value)
            );
            report(ConversionStatus::Converted, message.offset, note);
        }
        history.push(json!({"role": message.role, "content": filled.text}));
    }
    if let Some(last) = history.pop_if(|last| last["role"] == "user") {
        deck.set_call("message", json!({"text": last["content"]}));
    }
    if !history.is_empty() {
        deck.set_call("history", Value::Array(history));
    }
    deck.entries.append(&mut entries);
    Ok(deck)
}

/// A message with the values of the file.
#[derive(Default)]
struct FilledMessage<'t> {
    text: String,
    /// Its names that have a value, each once.
    fixed: Vec<(&'t str, &'t str)>,
    /// Its other expressions, each once.
    others: Vec<String>,
}

impl<'t> FilledMessage<'t> {
    fn new(text: &'t str, engine: TemplateEngine, values: &'t BTreeMap<String, String>) -> Self {
        let mut filled = Self::default();
        let mut known: BTreeSet<&str> = BTreeSet::new();
        for piece in pieces(text, engine) {
            match piece {
                Piece::Text(text) => filled.text.push_str(text),
                Piece::Name(path) => match values.get(path) {
                    Some(value) => {
                        filled.text.push_str(value);
                        if known.insert(path) {
                            filled.fixed.push((path, value));
                        }
                    }
                    None => {
                        let expression = expression_around(text, path);
                        filled.text.push_str(expression);
                        if known.insert(expression) {
                            filled.others.push(expression.to_owned());
                        }
                    }
                },
                Piece::Other(expression, _) => {
                    filled.text.push_str(expression);
                    if known.insert(expression) {
                        filled.others.push(abridged(expression).to_string());
                    }
                }
            }
        }
        filled
    }

    /// The sentence on its expressions that have no value, if there are any.
    fn open(&self) -> Option<String> {
        let (listed, verb) = match self.others.as_slice() {
            [] => return None,
            [only] => (only.clone(), "is"),
            [all @ .., last] if all.len() < MAX_LISTED => {
                (format!("{} and {last}", all.join(", ")), "are")
            }
            all => {
                let listed = all[..MAX_LISTED].join(", ");
                (
                    format!("{listed} and {} more", all.len() - MAX_LISTED),
                    "are",
                )
            }
        };
        Some(format!(
            "{listed} {verb} sent as written: a message is not a template"
        ))
    }
}

/// The import of a deck, its entries with the positions of the settings.
fn finish(file: &PromptFile<'_>, mut deck: Deck, format: SourceFormat) -> Import {
    for entry in deck
        .entries
        .iter_mut()
        .filter(|entry| !entry.pointer.is_empty())
    {
        entry.place = file.position(&entry.pointer);
    }
    deck.entries.extend(file.line_ends());
    let entries = std::mem::take(&mut deck.entries);
    Import {
        text: deck.text(),
        report: Report::new(format, entries),
    }
}
