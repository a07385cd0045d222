//! Templates and wildcards of sd-dynamic-prompts, as sections whose item the seed picks.
//!
//! A registry picks whole items and not parts of a line, so each paragraph of a template becomes a
//! section with one item for each combination of its choices. Where that would be too many, the
//! choices become template variables.
//!
//! <https://github.com/adieyal/sd-dynamic-prompts/blob/main/docs/SYNTAX.md>

mod expand;
mod spot;
mod syntax;
#[cfg(test)]
mod tests;
mod wildcards;

use std::collections::BTreeSet;

use serde_json::{Map, Number, Value, json};

use self::{
    expand::{Expander, Expansion, Remark},
    spot::{Source, SourceText},
    syntax::{Node, Piece, Wildcard, parse},
};
use super::{
    ConversionStatus, Import, Report, ReportEntry, SourceFormat,
    deck::{Deck, SectionDraft, Variables},
    naming::Names,
    text_input,
};
use crate::{
    plural::plural,
    registry::{DEFAULT_WEIGHT, ParseCode, ParseError, Position, TextPositions, primary_field},
};

pub use wildcards::Wildcards;

/// Maximum number of paragraphs of a template and of lists of wildcards; each becomes a section.
const MAX_SECTIONS: usize = 1000;

/// Maximum number of choices of a paragraph that become template variables.
const MAX_CHOICES: usize = 200;

/// The deck of a template, which may refer to `wildcards`.
///
/// # Errors
///
/// Texts that are empty, not UTF-8 or too large, choices nested too deep, and wildcards that include
/// themselves.
pub fn import_template(bytes: &[u8], wildcards: &Wildcards) -> Result<Import, ParseError> {
    let text = text_input::read(bytes)?;
    let paragraphs = text
        .split("\n\n")
        .filter(|paragraph| !text_input::is_blank(paragraph));
    in_bounds(paragraphs.count(), "paragraph")?;
    let positions = TextPositions::new(&text);
    let mut deck = Deck::new(None);
    deck.entries.extend(text.entry());
    let mut names = Names::default();
    let mut expander = Expander::new(wildcards);
    let mut at = 0;
    for paragraph in text.split("\n\n") {
        let start = at;
        at += paragraph.len() + 2;
        let (whole, lines) = without_comments(paragraph, start, &positions);
        let template = promptdeck_python::text::strip(&whole);
        if template.is_empty() {
            continue;
        }
        let lines = Source::of_template(&whole, lines);
        let source = SourceText {
            text: &whole,
            begin: whole.find(template).unwrap_or_default(),
            source: &lines,
        };
        let beginning = source.spot(0);
        let pieces =
            parse(template).map_err(|deep| expander.error(&source.spot(deep.at), deep.into()))?;
        let name = names.unique(if deck.is_empty() {
            "base_context"
        } else {
            "paragraph"
        });
        expander.begin();
        match expander.sequence(&pieces, source)? {
            Expansion::All(texts) => choice(&mut deck, &name, texts, false),
            Expansion::TooMany if choices(&pieces) > MAX_CHOICES => {
                choice(&mut deck, &name, vec![(template.to_owned(), 1.0)], false);
                let note =
                    format!("more than {MAX_CHOICES} choices: the paragraph prints as written");
                expander.remark(&beginning, note);
            }
            Expansion::TooMany => {
                let open = Paragraph {
                    name: &name,
                    pieces: &pieces,
                    source,
                };
                open_choices(&mut deck, &open, &mut expander, &mut names)?;
                let note = format!(
                    "{}: nothing rolls; the choices are template variables, each with its first value as \
                     default, and a call sets them. To roll them, shorten the lists, or part the choices \
                     by blank lines: each paragraph is a section",
                    too_many()
                );
                expander.remark(&beginning, note);
            }
        }
        deck.entries.extend(expander.remarks().map(entry));
    }
    if deck.is_empty() {
        let message = "the template holds comments only: there is nothing to import";
        return Err(text_input::fault(
            ParseCode::Syntax,
            message.to_owned(),
            None,
        ));
    }
    Ok(finish(deck, SourceFormat::DynamicPrompt))
}

/// The deck of wildcards: a section for each, whose item the seed picks.
///
/// # Errors
///
/// As for [`Wildcards::add`], and wildcards that include themselves.
pub fn import_wildcards(name: &str, bytes: &[u8]) -> Result<Import, ParseError> {
    let mut wildcards = Wildcards::default();
    wildcards.add(name, bytes)?;
    in_bounds(wildcards.len(), "list")?;
    let mut deck = Deck::new(None);
    let mut names = Names::default();
    let mut expander = Expander::new(&wildcards);
    for wildcard in wildcards.names() {
        expander.begin();
        let section = names.unique(wildcard);
        let values = wildcards.values(wildcard).unwrap_or_default();
        let beginning = values.first().map(|value| value.source.spot("", 0));
        let beginning = beginning.unwrap_or_default();
        match expander.wildcard(Wildcard::named(wildcard), &beginning)? {
            Expansion::All(texts) => choice(&mut deck, &section, texts, true),
            Expansion::TooMany => {
                let texts = values
                    .iter()
                    .map(|value| (value.text.clone(), value.weight))
                    .collect();
                choice(&mut deck, &section, texts, true);
                let note = format!("{}: the values print as written", too_many());
                expander.remark(&beginning, note);
            }
        }
        for mut note in expander.remarks() {
            note.message = format!("section {section:?}: {}", note.message);
            deck.entries.push(entry(note));
        }
    }
    for ignored in wildcards.ignored() {
        deck.entries.push(ReportEntry {
            status: ConversionStatus::Unread,
            pointer: ignored.pointer.clone(),
            message: ignored.reason.to_owned(),
            place: ignored.place,
        });
    }
    if wildcards.more_ignored() > 0 {
        let more = plural(wildcards.more_ignored(), "more value");
        deck.entries.push(ReportEntry {
            status: ConversionStatus::Unread,
            pointer: String::new(),
            message: format!("not listed here: {more} that have no list, or no text with a weight"),
            place: None,
        });
    }
    deck.entries.extend(wildcards.line_ends().cloned());
    Ok(finish(deck, SourceFormat::Wildcards))
}

/// Refuses more paragraphs or lists than a registry has sections for.
fn in_bounds(count: usize, subject: &str) -> Result<(), ParseError> {
    if count <= MAX_SECTIONS {
        return Ok(());
    }
    let message = format!(
        "{}; the limit is {MAX_SECTIONS}: import a part of it",
        plural(count, subject)
    );
    Err(text_input::fault(ParseCode::TooLarge, message, None))
}

/// Why a paragraph or a wildcard is not expanded.
fn too_many() -> String {
    format!(
        "too many combinations: a section takes at most {}, of {} MiB together",
        expand::MAX_TEXTS,
        expand::MAX_BYTES >> 20
    )
}

/// The entry of a report for a remark.
fn entry(note: Remark) -> ReportEntry {
    ReportEntry {
        status: note.status,
        pointer: String::new(),
        message: note.message,
        place: note.place,
    }
}

/// The number of pieces that are a choice or a wildcard.
fn choices(pieces: &[Piece<'_>]) -> usize {
    let texts = pieces
        .iter()
        .filter(|piece| matches!(piece.node, Node::Text(_) | Node::Unpaired(_)));
    pieces.len() - texts.count()
}

fn finish(mut deck: Deck, format: SourceFormat) -> Import {
    let entries = std::mem::take(&mut deck.entries);
    Import {
        text: deck.text(),
        report: Report::new(format, entries),
    }
}

/// Adds a section whose item the seed picks, unless it has only one text.
fn choice(deck: &mut Deck, name: &str, texts: Vec<(String, f64)>, labelled: bool) {
    let mut draft = SectionDraft::default();
    let mut ids = Names::default();
    let field = primary_field(name);
    for (text, weight) in expand::weights(texts) {
        let mut item = Map::new();
        let id = if labelled {
            ids.unique(&text)
        } else {
            ids.unique("option")
        };
        item.insert("id".to_owned(), json!(id));
        item.insert(field.to_owned(), Value::from(text));
        if weight != DEFAULT_WEIGHT
            && let Ok(number) = weight.to_string().parse::<Number>()
        {
            // Written as a whole number if it is one.
            item.insert("weight".to_owned(), Value::Number(number));
        }
        draft.items.push(item);
    }
    draft.random = draft.items.len() > 1;
    draft.declare_braced(&Variables::new());
    deck.section(name, draft);
    deck.token(name);
}

/// A paragraph of a template, the section of that name.
struct Paragraph<'t> {
    name: &'t str,
    pieces: &'t [Piece<'t>],
    source: SourceText<'t>,
}

/// Adds a section whose choices are template variables, and for each a section of its values that no
/// prompt prints.
fn open_choices(
    deck: &mut Deck,
    paragraph: &Paragraph<'_>,
    expander: &mut Expander<'_>,
    names: &mut Names,
) -> Result<(), ParseError> {
    let name = paragraph.name;
    let mut text = String::new();
    let mut variables = Variables::new();
    let mut sections = Vec::new();
    let mut room = expand::MAX_BYTES;
    for piece in paragraph.pieces {
        match piece.node {
            Node::Text(literal) => {
                text.push_str(literal);
                continue;
            }
            Node::Unpaired(brace) => {
                expander.unpaired(brace, &paragraph.source.spot(piece.at));
                text.push_str(brace);
                continue;
            }
            _ => {}
        }
        let variable = names.unique(piece.node.label());
        let mut draft = SectionDraft {
            optional: true,
            ..SectionDraft::default()
        };
        let mut ids = Names::default();
        let values: Vec<String> =
            match expander.sequence(std::slice::from_ref(piece), paragraph.source)? {
                Expansion::All(values) => values.into_iter().map(|(value, _)| value).collect(),
                Expansion::TooMany => {
                    let spot = paragraph.source.spot(piece.at);
                    expander.unexpanded(&piece.node, &spot, &mut room)
                }
            };
        variables.insert(variable.clone(), values.first().cloned());
        let mut seen = BTreeSet::new();
        for value in values
            .into_iter()
            .filter(|value| seen.insert(value.clone()))
        {
            let mut item = Map::new();
            item.insert("id".to_owned(), json!(ids.unique(&value)));
            item.insert("text".to_owned(), json!(value));
            draft.items.push(item);
        }
        text.push_str(&format!("{{{variable}}}"));
        if !draft.items.is_empty() {
            sections.push((variable, draft));
        }
    }
    let mut item = Map::new();
    item.insert("id".to_owned(), json!(name));
    item.insert(primary_field(name).to_owned(), json!(text));
    let mut draft = SectionDraft::of(item);
    draft.declare_braced(&variables);
    deck.section(name, draft);
    deck.token(name);
    for (name, mut draft) in sections {
        draft.declare_braced(&Variables::new());
        deck.section(&name, draft);
    }
    Ok(())
}

/// A paragraph without the lines that begin with a number sign, and where its lines begin: in what is
/// left, and in the template, in which the paragraph begins at `start`.
fn without_comments(
    paragraph: &str,
    start: usize,
    positions: &TextPositions<'_>,
) -> (String, Vec<(usize, Position)>) {
    let mut left = String::with_capacity(paragraph.len());
    let mut lines = Vec::new();
    let mut at = start;
    for line in paragraph.split('\n') {
        if !line.trim_start().starts_with('#') {
            if !lines.is_empty() {
                left.push('\n');
            }
            lines.push((left.len(), positions.at(at)));
            left.push_str(line);
        }
        at += line.len() + 1;
    }
    (left, lines)
}
