//! `man`: prints the manual page of all verbs or of one, or writes a page per verb, generated from
//! the definition of the arguments.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Command, CommandFactory};
use clap_mangen::Man;
use promptdeck_json::nearest::did_you_mean;
use promptdeck_service::files::Expected;

use crate::{
    args::Cli,
    failure::Failure,
    output::{ExitStatus, Output},
    output_file,
};

/// What the pages are the manual of.
const SOURCE: &str = concat!("promptdeck ", env!("CARGO_PKG_VERSION"));

/// Flags of `man`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The verb of the page, such as `hydrate` or `chat render`; all verbs by default.
    verb: Vec<String>,
    /// Write the pages of the program and of every verb into this folder, as `man` looks for them.
    #[arg(long, value_name = "FOLDER", conflicts_with = "verb")]
    all: Option<PathBuf>,
}

/// Prints the page in roff.
pub fn run(args: &Args, out: &mut Output) -> Result<ExitStatus, Failure> {
    let mut command = Cli::command();
    command.build();
    if let Some(folder) = &args.all {
        write_pages(&command, folder)?;
    } else if args.verb.is_empty() {
        page(&command).render(out)?;
        sections(&command, "promptdeck", out)?;
    } else {
        page(named(&command, &args.verb)?).render(out)?;
    }
    Ok(ExitStatus::Done)
}

/// The page of a command. `help` has none, so no page may refer to it. Every synopsis is the usage that
/// `--help` prints: the generator's own lists the flags without their values, and not for a command whose
/// usage is given.
fn page(command: &Command) -> Man {
    let mut command = command.clone();
    let usage = command.render_usage().to_string();
    let usage = usage.trim().trim_start_matches("Usage: ").to_owned();
    command = command.override_usage(usage);
    if command.find_subcommand("help").is_some() {
        command = command.mut_subcommand("help", |help| help.hide(true));
    }
    Man::new(command).source(SOURCE)
}

/// Writes the page of a command and, recursively, of its verbs.
fn write_pages(command: &Command, folder: &Path) -> Result<(), Failure> {
    let name = command.get_display_name().unwrap_or(command.get_name());
    let mut roff = Vec::new();
    page(command).render(&mut roff)?;
    let path = folder.join(format!("{name}.1"));
    output_file::replace(&path, &String::from_utf8_lossy(&roff), Expected::Anything)?;
    verbs(command).try_for_each(|verb| write_pages(verb, folder))
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

/// The verb that the words name, as several arguments or as one.
fn named<'c>(command: &'c Command, words: &[String]) -> Result<&'c Command, Failure> {
    let mut words = words.iter().flat_map(|word| word.split_whitespace());
    words.try_fold(command, |command, word| {
        let mut all = verbs(command);
        all.find(|verb| verb.get_name() == word).ok_or_else(|| {
            let known: Vec<&str> = verbs(command).map(Command::get_name).collect();
            let suggestion = did_you_mean(word, known.iter().copied());
            let message = match known.is_empty() {
                true => format!("{} has no verbs of its own", command.get_name()),
                false => format!(
                    "there is no verb {word:?}; known are {}{suggestion}",
                    known.join(", ")
                ),
            };
            Failure::input("wrong_usage", message)
        })
    })
}

fn verbs(command: &Command) -> impl Iterator<Item = &Command> {
    let verbs = command.get_subcommands();
    verbs.filter(|verb| !verb.is_hide_set() && verb.get_name() != "help")
}
