//! `man`: prints the manual page of all verbs or of one, generated from the definition of the
//! arguments.

use std::io::Write;

use clap::{Command, CommandFactory};
use clap_mangen::Man;
use promptdeck_json::nearest::did_you_mean;

use crate::{
    args::Cli,
    failure::Failure,
    output::{ExitStatus, Output},
};

/// Flags of `man`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The verb of the page, such as `hydrate` or `chat render`; all verbs by default.
    verb: Vec<String>,
}

/// Prints the page in roff.
pub fn run(args: &Args, out: &mut Output) -> Result<ExitStatus, Failure> {
    let mut command = Cli::command();
    command.build();
    if args.verb.is_empty() {
        Man::new(command.clone()).render(out)?;
        sections(&command, "promptdeck", out)?;
    } else {
        Man::new(named(&command, &args.verb)?.clone()).render(out)?;
    }
    Ok(ExitStatus::Done)
}

/// A section for each verb and, recursively, for its verbs.
fn sections(command: &Command, name: &str, out: &mut Output) -> Result<(), Failure> {
    for verb in verbs(command) {
        let name = format!("{name} {}", verb.get_name());
        let page = Man::new(verb.clone());
        writeln!(out, ".SH \"{name}\"")?;
        page.render_description_section(out)?;
        page.render_options_section(out)?;
        sections(verb, &name, out)?;
    }
    Ok(())
}

fn named<'c>(command: &'c Command, words: &[String]) -> Result<&'c Command, Failure> {
    words.iter().try_fold(command, |command, word| {
        let mut all = verbs(command);
        all.find(|verb| verb.get_name() == word).ok_or_else(|| {
            let near = did_you_mean(word, verbs(command).map(Command::get_name));
            Failure::input("wrong_usage", format!("there is no verb {word:?}{near}"))
        })
    })
}

fn verbs(command: &Command) -> impl Iterator<Item = &Command> {
    let verbs = command.get_subcommands();
    verbs.filter(|verb| !verb.is_hide_set() && verb.get_name() != "help")
}
