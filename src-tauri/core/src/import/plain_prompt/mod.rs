//! A plain prompt as a deck: a proposal of where to split it, and the registry of a split, which
//! prints the same bytes.
//!
//! The proposal is data: a window shows it, its user moves, merges and renames parts, and sends it
//! back with the text.

mod assemble;
mod lines;
mod outline;
mod proposal;
mod split;
#[cfg(test)]
mod tests;

pub use outline::{Opening, OutlinePart, Separator, outline};
pub use proposal::{
    NoEffect, Proposal, SplitPoint, SplitPoints, propose, propose_at, propose_name, without_effect,
};
pub use split::{PartKind, Split, SplitError, SplitPart};

use super::{
    Import, Report, SourceFormat,
    deck::{Deck, Variables},
    fidelity, text_input,
};
use crate::registry::ParseError;

/// The largest number of parts of a split.
pub const MAX_PARTS: usize = 500;

/// The registry of a plain prompt, split as proposed.
///
/// # Errors
///
/// Texts that are empty, not UTF-8, or larger than [`text_input::MAX_TEXT`].
pub fn import(bytes: &[u8]) -> Result<Import, ParseError> {
    let text = text_input::read(bytes)?;
    let mut deck = proposed(&text, &Variables::new())?;
    deck.entries.extend(text.entry());
    Ok(of_deck(deck))
}

/// The registry of a plain prompt, split as its author wants it.
///
/// Every entry of the report with the status *not supported* names bytes that the registry does not
/// print.
///
/// # Errors
///
/// Texts as for [`import`], and splits that [`outline`] rejects.
pub fn import_split(bytes: &[u8], split: &Split) -> Result<Import, ParseError> {
    let text = text_input::read(bytes)?;
    let mut deck = deck(&text, split, &Variables::new())?;
    deck.entries.extend(text.entry());
    Ok(of_deck(deck))
}

/// A plain prompt with its split: what its registry holds.
#[derive(Clone, Debug)]
pub struct SplitPreview {
    /// The parts, as the split lays them out.
    pub parts: Vec<OutlinePart>,
    /// The registry.
    pub import: Import,
    /// Whether the registry holds these parts: a split whose prompt would differ is not followed, and
    /// its registry has a single part.
    pub followed: bool,
}

/// The registry of a plain prompt, beside the parts of its split.
///
/// # Errors
///
/// As for [`import_split`].
pub fn preview_split(bytes: &[u8], split: &Split) -> Result<SplitPreview, ParseError> {
    let text = text_input::read(bytes)?;
    let parts = outline(&text, split).map_err(|fault| fault.located(&text))?;
    let (mut deck, followed) = lay_out(&text, &parts, &Variables::new())?;
    deck.entries.extend(text.entry());
    Ok(SplitPreview {
        parts,
        import: of_deck(deck),
        followed,
    })
}

/// The text as any registry prints it: trimmed, with at most one blank line in a row.
#[must_use]
pub fn printable(text: &str) -> String {
    fidelity::printable(text)
}

/// The sections of a text that is part of another document, split as proposed. Its entries have no
/// pointers, and positions within the text. `variables` are filled with their defaults; other names
/// in braces print as written.
pub(super) fn deck_of(text: &str, variables: &Variables) -> Result<Deck, ParseError> {
    proposed(text, variables)
}

fn proposed(text: &str, variables: &Variables) -> Result<Deck, ParseError> {
    let proposal = propose(text)?;
    let mut deck = deck(text, &proposal.split, variables)?;
    deck.entries.extend(proposal.entry(text));
    Ok(deck)
}

fn of_deck(deck: Deck) -> Import {
    Import {
        text: deck.text(),
        report: Report::new(SourceFormat::PlainPrompt, deck.entries),
    }
}

fn deck(text: &str, split: &Split, variables: &Variables) -> Result<Deck, ParseError> {
    let parts = outline(text, split).map_err(|fault| fault.located(text))?;
    Ok(lay_out(text, &parts, variables)?.0)
}

/// The deck of some parts, and whether it holds them.
fn lay_out(
    text: &str,
    parts: &[OutlinePart],
    variables: &Variables,
) -> Result<(Deck, bool), ParseError> {
    let mut deck = assemble::deck(text, parts, variables);
    let expected = fidelity::printable(&fidelity::filled(text, variables));
    let followed = deck.prompt().as_deref() == Some(&*expected);
    if !followed {
        // A part of an empty variable drops with the line break before it. One part prints any text.
        let parts = outline(text, &Split::whole()).map_err(|fault| fault.located(text))?;
        deck = assemble::deck(text, &parts, variables);
    }
    deck.entries.splice(0..0, fidelity::losses(text));
    Ok((deck, followed))
}
