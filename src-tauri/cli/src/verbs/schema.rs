//! `schema`: prints the JSON Schema of a kind of document, for editors and other programs.

use clap::{ValueEnum, builder::PossibleValue};
use promptdeck_request::document::DocumentKind;

use crate::{
    failure::Failure,
    output::{ExitStatus, Output},
};

/// Flags of `schema`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The kind of document.
    #[arg(value_enum, default_value_t = Kind(DocumentKind::Registry))]
    kind: Kind,
}

/// A kind of document by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Kind(DocumentKind);

impl ValueEnum for Kind {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: [Kind; DocumentKind::ALL.len()] = {
            let mut all = [Kind(DocumentKind::Registry); DocumentKind::ALL.len()];
            let mut index = 0;
            while index < all.len() {
                all[index] = Kind(DocumentKind::ALL[index]);
                index += 1;
            }
            all
        };
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.name()).help(self.0.title()))
    }
}

pub fn run(args: &Args, out: &mut Output) -> Result<ExitStatus, Failure> {
    out.json(&args.kind.0.schema())?;
    Ok(ExitStatus::Done)
}
