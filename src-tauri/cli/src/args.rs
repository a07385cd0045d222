//! The one definition of the command line: `--help`, the completions and the man page all come
//! from it. A verb's own flags live beside the verb; here is what they share.

use clap::{Parser, Subcommand, ValueEnum};

use crate::verbs;

/// What the environment sets.
const ENVIRONMENT: &str = "\
Environment:
  PROMPTDECK_STORE            The store of snapshots, connections and runs, instead of the studio's
                              own
  PROMPTDECK_API_KEY_<NAME>   The key of a provider or connection, in capitals
  NO_COLOR                    Print without colours";

/// How a call document gets to a provider.
const RUN_CALL: &str = "\
A call document (messages, arguments, state) is no registry: `promptdeck request CALL` builds its
request, and `promptdeck run REGISTRY --request FILE` sends it. The registry that a call document
names is looked for from the folder of the call document.";

/// What a call document is.
const REQUEST_CALL: &str = "\
Example document, in the folder of deck.json:
  {\"registry\": \"deck.json\", \"args\": {\"name\": \"Ada\"}, \"message\": {\"text\": \"Hi\"}}

Its JSON Schema: promptdeck schema call";

/// Build, check and export prompts that are laid out as a deck of sections.
///
/// Data goes to standard output, messages to standard error; `-` as a file name reads standard
/// input. Exit status: 0 done, 1 the work found problems, 2 wrong usage or unreadable input.
#[derive(Debug, Parser)]
#[command(
    name = "promptdeck",
    version,
    propagate_version = true,
    after_help = ENVIRONMENT
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
}

/// The end of a verb's help: an example of its document, and where the whole of it is described.
macro_rules! example {
    ($kind:literal, $example:literal) => {
        concat!(
            "Example document:\n  ",
            $example,
            "\n\nIts JSON Schema: promptdeck schema ",
            $kind
        )
    };
}
pub(crate) use example;

/// The usage of a verb that reads one document, or a batch.
macro_rules! or_batch {
    ($verb:literal, $document:literal) => {
        concat!(
            "promptdeck ",
            $verb,
            " [OPTIONS] <",
            $document,
            ">\n       promptdeck ",
            $verb,
            " [OPTIONS] --batch"
        )
    };
}
pub(crate) use or_batch;

/// The verbs, one file each.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Print the prompt of a registry and a state.
    #[command(override_usage = or_batch!("hydrate", "REGISTRY"))]
    Hydrate(verbs::hydrate::Args),
    /// List what is wrong with registries, or will surprise.
    Check(verbs::check::Args),
    /// Write registries in canonical form, in place.
    Fmt(verbs::fmt::Args),
    /// Write the model JSON: the registry with a state woven in.
    Export(verbs::export::Args),
    /// Convert a registry of promptlibretto 0.5 to 0.8.
    Import(verbs::import::Args),
    /// Print the JSON Schema of a registry or of another document.
    Schema(verbs::schema::Args),
    /// Count, roll or go through the prompts a registry can give.
    Variants(verbs::variants::Args),
    /// Clean and judge a text by an output policy.
    #[command(override_usage = or_batch!("policy", "DOCUMENT"))]
    #[command(after_help = example!("policy", r#"{"policy": {"max_length": 80}, "text": "  Hello.  "}"#))]
    Policy(verbs::policy::Args),
    /// Hydrate, ask a provider, clean and judge its answer.
    #[command(after_help = RUN_CALL)]
    Run(verbs::run::Args),
    /// Take, show, compare and restore snapshots.
    Snapshot(verbs::snapshot::Args),
    /// Check the store, the registries folder and the environment.
    Doctor(verbs::doctor::Args),
    /// Build the request of a call document, and compare it with an earlier one.
    #[command(after_help = REQUEST_CALL)]
    Request(verbs::request::Args),
    /// Judge the messages of a conversation by the rules a provider holds them to.
    #[command(override_usage = or_batch!("history", "DOCUMENT"))]
    #[command(after_help = example!("history", r#"{"messages": [{"role": "user", "content": "Hi"}], "follow_up": false}"#))]
    History(verbs::history::Args),
    /// Build the arguments a prompt may read, or render a template with them.
    #[command(override_usage = or_batch!("arguments", "DOCUMENT"))]
    #[command(after_help = example!("arguments", r#"{"now": "2026-01-15T10:30:00Z", "args": {"name": "Ada"}, "template": "Hello {{ args.name }}"}"#))]
    Arguments(verbs::arguments::Args),
    /// Layer a session into the body of a Gemini request.
    #[command(override_usage = or_batch!("layers", "DOCUMENT"))]
    #[command(after_help = example!("layers", r#"{"model": "gemini-2.5-flash", "roles": ["A host"], "turns": [{"type": "user_task", "instruction": "Hi"}], "current_task": {"instruction": "Go on"}}"#))]
    Layers(verbs::layers::Args),
    /// Render, inspect and read chat templates.
    Chat(verbs::chat::Args),
    /// Print a shell's completion script.
    Completions(verbs::completions::Args),
    /// Print the man page, or that of one verb.
    Man(verbs::man::Args),
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
