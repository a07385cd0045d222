//! The one definition of the command line: `--help`, the completions and the man page all come
//! from it. A verb's own flags live beside the verb; here is what they share.

use clap::{Parser, Subcommand, ValueEnum};

use crate::verbs;

/// Build, check and export prompts that are laid out as a deck of sections.
///
/// Data goes to standard output, messages to standard error; `-` as a file name reads standard
/// input. Exit status: 0 done, 1 the work found problems, 2 wrong usage or unreadable input.
#[derive(Debug, Parser)]
#[command(
    name = "promptdeck",
    version,
    propagate_version = true,
    disable_help_subcommand = true
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
}

/// The verbs, one file each.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Print the prompt of a registry and a state.
    Hydrate(verbs::hydrate::Args),
    /// List what is wrong with registries, or will surprise.
    Check(verbs::check::Args),
    /// Write registries in canonical form, in place.
    Fmt(verbs::fmt::Args),
    /// Write the model JSON: the registry with a state woven in.
    Export(verbs::export::Args),
    /// Print the JSON Schema of a registry.
    Schema,
    /// Count, roll or go through the prompts a registry can give.
    Variants(verbs::variants::Args),
    /// Clean and judge a text by an output policy.
    Policy(verbs::policy::Args),
    /// Hydrate, ask a provider, clean and judge its answer.
    Run(verbs::run::Args),
    /// Take, show, compare and restore snapshots.
    Snapshot(verbs::snapshot::Args),
    /// Check the store, the registries folder and the environment.
    Doctor(verbs::doctor::Args),
    /// Build the request of a call document, and compare it with an earlier one.
    Request(verbs::request::Args),
    /// Judge the messages of a conversation by the rules a provider holds them to.
    History(verbs::history::Args),
    /// Build the arguments a prompt may read, or render a template with them.
    Arguments(verbs::arguments::Args),
    /// Layer a session into the body of a Gemini request.
    Layers(verbs::layers::Args),
    /// Render, inspect and read chat templates.
    Chat(verbs::chat::Args),
    /// Print a shell's completion script.
    #[command(hide = true)]
    Completions(verbs::completions::Args),
    /// Print the man page.
    #[command(hide = true)]
    Man,
}

/// The form in which a verb prints its result.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    #[default]
    Text,
    /// For programs.
    Json,
}
