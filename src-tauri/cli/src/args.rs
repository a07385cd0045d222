//! The definition of the command line, from which `--help`, the completions and the man pages are
//! generated. A verb's own flags are defined in the verb's file; this file has the common part.

use clap::{Parser, Subcommand, ValueEnum};

use crate::verbs;

/// Help on environment variables.
const ENVIRONMENT: &str = "\
Environment:
  PROMPTDECK_STORE            Path of the store (snapshots, connections, runs) to use instead of the
                              studio's own
  PROMPTDECK_API_KEY_<NAME>   API key of the provider or connection <NAME>, in capitals
  NO_COLOR                    Disables colours";

/// Help on what is judged, and on running a call document.
const RUN_CALL: &str = "\
The output policy judges texts. An answer of tool calls alone is accepted with a note; only of a raw
completion (--provider completions) the empty text is judged.

A call document (messages, arguments, state) is not a registry: `promptdeck request CALL` builds its
request, and `promptdeck run REGISTRY --request FILE` sends it. The path of the registry in a call
document is resolved against the folder of the call document.";

/// Help on call documents.
const REQUEST_CALL: &str = "\
Example document, in the folder of deck.json:
  {\"registry\": \"deck.json\", \"args\": {\"name\": \"Ada\"}, \"message\": {\"text\": \"Hi\"}}

Its JSON Schema: promptdeck schema call";

/// Help on exports.
const EXPORT_FLAGS: &str = "\
--var, --route, --seed and --call are for prompt files (--to dotprompt or --to prompty), which hold
one prompt. The model JSON keeps its variables, routes and rolls open.

What a prompt file cannot say is named in a warning. With --strict nothing is written then, and the
exit status is 1.";

/// Help on variants.
const VARIANTS_EXAMPLE: &str = "\
Example, the third of 16 parts of ten million requests, on as many machines:
  promptdeck variants deck.json --rolls 10000000 --shard 3/16 --format openai-batch -o 03.jsonl.zst

A row with `custom_id` N is what `promptdeck hydrate deck.json --seed N` prints.
A file is written as FILE.part and renamed when it is complete.";

/// Help on profiles.
const PROFILE_EXAMPLE: &str = "\
Example, the share of 100,000 rolls over 800 tokens, and how often two sections print together:
  promptdeck profile deck.json --rolls 100000 --tokenizer o200k_base --budget 800 --pair city,crime

A roll with seed N is what `promptdeck hydrate deck.json --seed N` prints.
Shares have a 99 % interval.
Beyond 12,288 different texts or evaluations in the sample, their number is estimated within 0.9 %.";

/// Help on impacts.
const IMPACT_EXAMPLE: &str = "\
Example, a comment for a pull request that fails if more than a tenth of the prompts change:
  git show HEAD:deck.json > old.json
  promptdeck impact old.json deck.json --format markdown --fail-over 10

Exit status: 0 within the limit, 1 over it, 2 wrong usage or unreadable input.";

/// Help on checks.
const TEST_CHECKS: &str = "\
Example document, deck.checks.json in the folder of deck.json:
  {\"checks\": [{\"name\": \"fits\", \"given\": {\"rolls\": 200},
    \"expect\": [{\"max_tokens\": 800, \"tokenizer\": \"o200k_base\"}, {\"not_matches\": \"(?i)as an ai\"}]}]}

Its JSON Schema: promptdeck schema checks";

/// Build, check and export prompts composed from a deck of sections.
///
/// Data goes to standard output, messages to standard error. A file name of `-` means standard
/// input. Exit status: 0 success, 1 the work found problems, 2 wrong usage or unreadable input. If the
/// reader of standard output closes it, as `head` does, the work ends with 0; `check`, `test`, `fmt`,
/// `impact` and `doctor` go on to their verdict.
#[derive(Debug, Parser)]
#[command(
    name = "promptdeck",
    version,
    propagate_version = true,
    after_help = ENVIRONMENT
)]
pub struct Cli {
    /// Verb and its flags.
    #[command(subcommand)]
    pub verb: Verb,
}

/// End of a verb's help: an example document, and the command that prints its schema.
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

/// Usage of a verb that reads one document or a batch.
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
    #[command(override_usage = concat!(
        or_batch!("hydrate", "REGISTRY"),
        "\n       promptdeck hydrate [OPTIONS] --call <CALL>"
    ))]
    Hydrate(verbs::hydrate::Args),
    /// List errors and likely mistakes in registries.
    Check(verbs::check::Args),
    /// Run the checks of registries, kept in NAME.checks.json beside NAME.json.
    #[command(after_help = TEST_CHECKS)]
    Test(verbs::test::Args),
    /// Rewrite registries in canonical form, in place.
    Fmt(verbs::fmt::Args),
    /// Export the model JSON (the registry with a state applied to it) or a prompt file.
    #[command(after_help = EXPORT_FLAGS)]
    Export(verbs::export::Args),
    /// Convert a document of another program to a registry, or to a call document with one.
    Import(verbs::import::Args),
    /// Print the JSON Schema of a registry or of another kind of document.
    Schema(verbs::schema::Args),
    /// Count, sample or enumerate the prompts of a registry.
    #[command(after_help = VARIANTS_EXAMPLE)]
    Variants(verbs::variants::Args),
    /// Measure many rolls of a registry: lengths, coverage, stable prefix, sameness.
    #[command(after_help = PROFILE_EXAMPLE)]
    Profile(verbs::profile::Args),
    /// Compare two versions of a registry in the same rolls.
    #[command(after_help = IMPACT_EXAMPLE)]
    Impact(verbs::impact::Args),
    /// Clean a text with an output policy and check it.
    #[command(override_usage = or_batch!("policy", "DOCUMENT"))]
    #[command(after_help = example!("policy", r#"{"policy": {"max_length": 80}, "text": "  Hello.  "}"#))]
    Policy(verbs::policy::Args),
    /// Hydrate a registry, send the prompt to a provider, and check the answer.
    #[command(after_help = RUN_CALL)]
    Run(verbs::run::Args),
    /// Take, show, compare and restore snapshots.
    Snapshot(verbs::snapshot::Args),
    /// Check the store, the registries folder and the environment.
    Doctor(verbs::doctor::Args),
    /// Build the request of a call document, optionally compared with an earlier one.
    #[command(after_help = REQUEST_CALL)]
    Request(verbs::request::Args),
    /// Check the messages of a conversation against the rules of providers.
    #[command(override_usage = or_batch!("history", "DOCUMENT"))]
    #[command(after_help = example!("history", r#"{"messages": [{"role": "user", "content": "Hi"}], "follow_up": false}"#))]
    History(verbs::history::Args),
    /// Build the arguments that a prompt can read, or render a template with them.
    #[command(override_usage = or_batch!("arguments", "DOCUMENT"))]
    #[command(after_help = example!("arguments", r#"{"now": "2026-01-15T10:30:00Z", "args": {"name": "Ada"}, "template": "Hello {{ args.name }}"}"#))]
    Arguments(verbs::arguments::Args),
    /// Arrange a session as the layered body of a Gemini request.
    #[command(override_usage = or_batch!("layers", "DOCUMENT"))]
    #[command(after_help = example!("layers", r#"{"model": "gemini-2.5-flash", "roles": ["A host"], "turns": [{"type": "user_task", "instruction": "Hi"}], "current_task": {"instruction": "Go on"}}"#))]
    Layers(verbs::layers::Args),
    /// Render and inspect chat templates, and parse model answers.
    Chat(verbs::chat::Args),
    /// Print a completion script for a shell.
    Completions(verbs::completions::Args),
    /// Print the man page of the program or of one verb.
    Man(verbs::man::Args),
}

/// Output format of a verb.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Readable text.
    #[default]
    Text,
    /// JSON for programs.
    Json,
}

#[cfg(test)]
mod tests {
    use clap::{Command, CommandFactory as _};

    use super::Cli;

    /// The width at which clap wraps where there is no terminal.
    const WIDTH: usize = 100;

    fn check(command: &Command) {
        let help = command.get_after_help().map(ToString::to_string);
        for line in help.unwrap_or_default().lines() {
            // An example in JSON may be longer.
            let fits = line.chars().count() <= WIDTH || line.starts_with("  {");
            assert!(fits, "{}: {line}", command.get_name());
        }
        command.get_subcommands().for_each(check);
    }

    #[test]
    fn no_line_after_the_flags_is_wrapped() {
        check(&Cli::command());
    }
}
