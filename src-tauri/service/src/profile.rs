//! The profile of an open document: a sample of its rolls, measured in the background, as the page
//! shows it.

mod absence;
mod request;
mod running;
mod view;

pub(crate) use request::{filter, row_slots};
pub(crate) use running::RunningSlot;
pub(crate) use view::{ProfileContext, bars, distinct, signed, view};

use promptdeck_model::tokenizer::TokenCounter;
use promptdeck_population::Tokenizer;

/// Maximum number of rolls of a sample, as on the command line.
pub(crate) const MAX_ROLLS: u32 = 1_000_000;

/// The window's tokenizer, for measurements.
pub(crate) struct Counter<'a>(pub &'a dyn TokenCounter);

impl Tokenizer for Counter<'_> {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn is_exact(&self) -> bool {
        self.0.count("").exact
    }

    fn count(&self, text: &str) -> u64 {
        self.0.count(text).tokens as u64
    }

    fn first_piece(&self, text: &str) -> usize {
        self.0.first_piece(text)
    }

    fn divides_at(&self, text: &str, at: usize) -> bool {
        self.0.divides_at(text, at)
    }
}
