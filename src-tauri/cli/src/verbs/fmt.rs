//! `fmt`: registries in canonical form, written in place or, for standard input, to standard
//! output. A file that is canonical already is not touched.

use std::path::{Path, PathBuf};

use promptdeck_core::registry::{self, canonical};
use promptdeck_service::{
    files::{self, Expected},
    store::Hash,
};

use crate::{
    failure::Failure,
    input,
    output::{self, Outcome, Output},
    output_file,
};

/// Flags of `fmt`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Change nothing; print the names of the files that are not canonical, and end with 1 if any.
    #[arg(long)]
    check: bool,
    /// The registries, JSON files.
    #[arg(required = true)]
    registries: Vec<PathBuf>,
}

/// Formats every file; one that cannot be read does not keep the others from being formatted.
pub fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let mut outcome = Outcome::Done;
    let mut last_failure = None;
    for path in &args.registries {
        match format(path, args.check, out) {
            Ok(Outcome::Done) => {}
            Ok(Outcome::Problems) => outcome = Outcome::Problems,
            Err(failure) => {
                if let Some(earlier) = last_failure.replace(failure) {
                    output::error(&earlier);
                }
            }
        }
    }
    last_failure.map_or(Ok(outcome), Err)
}

fn format(path: &Path, check: bool, out: &mut Output) -> Result<Outcome, Failure> {
    let bytes = input::read(path)?;
    let parsed = registry::parse(&bytes)
        .map_err(|error| Failure::registry(&input::name_of(path), &error))?;
    input::has_sections(&parsed.registry).map_err(|failure| failure.in_file(path))?;
    let canonical = canonical::format(&parsed.document);
    let changed = canonical.as_bytes() != bytes;
    if check {
        if changed {
            out.row(input::name_of(path))?;
            return Ok(Outcome::Problems);
        }
    } else if input::is_stdin(path) {
        out.verbatim(&canonical)?;
    } else if changed {
        output_file::replace(path, &canonical, Expected::Content(Hash::of(&bytes)))?;
    } else {
        files::clean_beside(path);
    }
    Ok(Outcome::Done)
}
