//! The verbs, one file each: flags, the calls into the libraries, and how the result is shown.

pub mod completions;
pub mod hydrate;
pub mod man;

use crate::{
    args::Verb,
    failure::Failure,
    output::{Outcome, Output},
};

/// Runs the verb that was asked for.
pub fn run(verb: Verb, out: &mut Output) -> Result<Outcome, Failure> {
    match verb {
        Verb::Hydrate(args) => hydrate::run(&args, out),
        Verb::Completions(args) => completions::run(&args, out),
        Verb::Man => man::run(out),
    }
}
