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

pub use outline::{OutlinePart, Separator, outline};
pub use proposal::propose;
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
    let split = propose(text)?;
    convert(text, &split)
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
    convert(text_input::read(bytes)?, split)
}

/// The sections of a text that is part of another document, split as proposed. Its entries have no
/// pointers, and positions within the text. `variables` are filled with their defaults; other names
/// in braces print as written.
pub(super) fn deck_of(text: &str, variables: &Variables) -> Result<Deck, ParseError> {
    deck(text, &propose(text)?, variables)
}

fn convert(text: &str, split: &Split) -> Result<Import, ParseError> {
    let deck = deck(text, split, &Variables::new())?;
    Ok(Import {
        text: deck.text(),
        report: Report::new(SourceFormat::PlainPrompt, deck.entries),
    })
}

fn deck(text: &str, split: &Split, variables: &Variables) -> Result<Deck, ParseError> {
    let located = |fault: SplitError| fault.located(text);
    let parts = outline(text, split).map_err(located)?;
    let mut deck = assemble::deck(text, &parts, variables);
    let expected = fidelity::printable(&fidelity::filled(text, variables));
    if deck.prompt().as_deref() != Some(&*expected) {
        // A part of an empty variable drops with the line break before it. One part prints any text.
        let parts = outline(text, &Split::whole()).map_err(located)?;
        deck = assemble::deck(text, &parts, variables);
    }
    deck.entries.splice(0..0, fidelity::losses(text));
    Ok(deck)
}
