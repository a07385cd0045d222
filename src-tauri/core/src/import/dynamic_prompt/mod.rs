//! Templates and wildcards of sd-dynamic-prompts, as sections whose item the seed picks.
//!
//! A registry picks whole items and not parts of a line, so each paragraph of a template becomes a
//! section with one item for each combination of its choices. Where that would be too many, the
//! choices become template variables.
//!
//! <https://github.com/adieyal/sd-dynamic-prompts/blob/main/docs/SYNTAX.md>

mod expand;
mod syntax;
#[cfg(test)]
mod tests;
mod wildcards;

use std::collections::BTreeSet;

use serde_json::{Map, Number, Value, json};

use self::{
    expand::{Expander, Expansion},
    syntax::{Node, parse},
};
use super::{
    ConversionStatus, Import, Report, ReportEntry, SourceFormat,
    deck::{Deck, SectionDraft, Variables},
    naming::Names,
    text_input,
};
use crate::{
    plural::plural,
    registry::{DEFAULT_WEIGHT, ParseCode, ParseError, TextPositions, primary_field},
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
    let paragraphs = text.split("\n\n").filter(|own| !text_input::is_blank(own));
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
        let template = without_comments(paragraph);
        let template = promptdeck_python::text::strip(&template);
        if template.is_empty() {
            continue;
        }
        let place = positions.at(start);
        let located = |mut error: ParseError| {
            error.place = Some(place);
            error
        };
        let nodes = parse(template).map_err(located)?;
        let name = names.unique(if deck.is_empty() {
            "base_context"
        } else {
            "paragraph"
        });
        expander.begin();
        match expander.sequence(&nodes).map_err(located)? {
            Expansion::All(texts) => choice(&mut deck, &name, texts, false),
            Expansion::TooMany if choices(&nodes) > MAX_CHOICES => {
                choice(&mut deck, &name, vec![(template.to_owned(), 1.0)], false);
                expander.remark(format!(
                    "more than {MAX_CHOICES} choices: the paragraph prints as written"
                ));
            }
            Expansion::TooMany => {
                open_choices(&mut deck, &name, &nodes, &mut expander, &mut names)
                    .map_err(located)?;
                let note = "too many combinations for a section: the choices are template variables, which \
                            the caller fills";
                expander.remark(note.to_owned());
            }
        }
        for (message, status) in expander.remarks() {
            deck.entries.push(ReportEntry {
                status,
                pointer: String::new(),
                message,
                place: Some(place),
            });
        }
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
        match expander.wildcard(wildcard)? {
            Expansion::All(texts) => choice(&mut deck, &section, texts, true),
            Expansion::TooMany => {
                let values = wildcards.values(wildcard).unwrap_or_default();
                let texts = values
                    .iter()
                    .map(|value| (value.text.clone(), value.weight))
                    .collect();
                choice(&mut deck, &section, texts, true);
                expander.remark(
                    "too many combinations for a section: the values print as written".to_owned(),
                );
            }
        }
        for (message, status) in expander.remarks() {
            deck.report(status, "", format!("wildcard {wildcard}: {message}"));
        }
    }
    for (pointer, reason) in wildcards.ignored() {
        deck.report(ConversionStatus::Unread, pointer.clone(), *reason);
    }
    deck.entries.extend(wildcards.line_ends().cloned());
    Ok(finish(deck, SourceFormat::Wildcards))
}

/// Refuses more paragraphs or lists than a registry has sections for.
fn in_bounds(count: usize, what: &str) -> Result<(), ParseError> {
    if count <= MAX_SECTIONS {
        return Ok(());
    }
    let message = format!(
        "{}; the limit is {MAX_SECTIONS}: import a part of it",
        plural(count, what)
    );
    Err(text_input::fault(ParseCode::TooLarge, message, None))
}

/// The number of pieces that are a choice or a wildcard.
fn choices(nodes: &[Node<'_>]) -> usize {
    let texts = nodes.iter().filter(|node| matches!(node, Node::Text(_)));
    nodes.len() - texts.count()
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

/// Adds a section whose choices are template variables, and for each a section of its values that no
/// prompt prints.
fn open_choices(
    deck: &mut Deck,
    name: &str,
    nodes: &[Node<'_>],
    expander: &mut Expander<'_>,
    names: &mut Names,
) -> Result<(), ParseError> {
    let mut text = String::new();
    let mut variables = Variables::new();
    let mut sections = Vec::new();
    for node in nodes {
        if let Node::Text(own) = node {
            text.push_str(own);
            continue;
        }
        let variable = names.unique(node.label());
        let mut draft = SectionDraft {
            optional: true,
            ..SectionDraft::default()
        };
        let mut ids = Names::default();
        let values = match expander.sequence(std::slice::from_ref(node))? {
            Expansion::All(values) => values,
            Expansion::TooMany => Vec::new(),
        };
        variables.insert(
            variable.clone(),
            values.first().map(|(value, _)| value.clone()),
        );
        let mut seen = BTreeSet::new();
        for (value, _) in values
            .into_iter()
            .filter(|(value, _)| seen.insert(value.clone()))
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

/// A paragraph without the lines that begin with a number sign.
fn without_comments(paragraph: &str) -> String {
    let lines = paragraph.split('\n');
    let lines = lines.filter(|line| !line.trim_start().starts_with('#'));
    lines.collect::<Vec<_>>().join("\n")
}
