//! The verbs, one file each: flags, calls into the libraries, output.

pub mod arguments;
pub mod chat;
pub mod check;
pub mod completions;
pub mod doctor;
pub mod export;
pub mod fmt;
pub mod history;
pub mod hydrate;
pub mod impact;
pub mod import;
pub mod layers;
pub mod man;
pub mod policy;
pub mod profile;
pub mod request;
pub mod run;
pub mod schema;
pub mod snapshot;
pub mod test;
pub mod variants;

use crate::{
    args::Verb,
    failure::Failure,
    output::{ExitStatus, Output},
};

pub fn run(verb: Verb, out: &mut Output) -> Result<ExitStatus, Failure> {
    match verb {
        Verb::Hydrate(args) => hydrate::run(&args, out),
        Verb::Check(args) => check::run(&args, out),
        Verb::Fmt(args) => fmt::run(&args, out),
        Verb::Export(args) => export::run(&args, out),
        Verb::Import(args) => import::run(&args, out),
        Verb::Schema(args) => schema::run(&args, out),
        Verb::Variants(args) => variants::run(&args, out),
        Verb::Profile(args) => profile::run(&args, out),
        Verb::Impact(args) => impact::run(&args, out),
        Verb::Policy(args) => policy::run(&args, out),
        Verb::Run(args) => run::run(&args, out),
        Verb::Snapshot(args) => snapshot::run(&args, out),
        Verb::Test(args) => test::run(&args, out),
        Verb::Doctor(args) => doctor::run(&args, out),
        Verb::Arguments(args) => arguments::run(&args, out),
        Verb::History(args) => history::run(&args, out),
        Verb::Chat(args) => chat::run(&args, out),
        Verb::Layers(args) => layers::run(&args, out),
        Verb::Request(args) => request::run(&args, out),
        Verb::Completions(args) => completions::run(&args, out),
        Verb::Man(args) => man::run(&args, out),
    }
}
