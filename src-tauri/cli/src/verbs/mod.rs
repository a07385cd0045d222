//! The verbs, one file each: flags, the calls into the libraries, and how the result is shown.

pub mod arguments;
pub mod completions;
pub mod history;
pub mod hydrate;
pub mod layers;
pub mod man;
pub mod request;

use crate::{
    args::Verb,
    failure::Failure,
    output::{Outcome, Output},
};

/// Runs the verb that was asked for.
pub fn run(verb: Verb, out: &mut Output) -> Result<Outcome, Failure> {
    match verb {
        Verb::Hydrate(args) => hydrate::run(&args, out),
        Verb::Arguments(args) => arguments::run(&args, out),
        Verb::History(args) => history::run(&args, out),
        Verb::Layers(args) => layers::run(&args, out),
        Verb::Request(args) => request::run(&args, out),
        Verb::Completions(args) => completions::run(&args, out),
        Verb::Man => man::run(out),
    }
}
