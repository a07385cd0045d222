//! Parses the arguments. clap's messages quote arguments verbatim; on a terminal the arguments are
//! escaped first.

use std::{
    env,
    ffi::{OsStr, OsString},
    io::Write as _,
};

use clap::{ArgAction, ArgMatches, Command, CommandFactory, FromArgMatches};
use promptdeck_core::control_chars;

use crate::{args::Cli, failure::Failure, output::Output, suggestion};

/// Parsed arguments.
pub enum Usage {
    /// A verb to run.
    Verb(Box<Cli>),
    /// Help or the version, already printed.
    Printed,
}

/// Parses the arguments of this process and prints requested help. On wrong usage, prints a message
/// and exits.
pub fn parse(out: &mut Output) -> Result<Usage, Failure> {
    let args = with_help_of_help(env::args_os().collect());
    let error = match parsed(&args) {
        Ok(cli) => return Ok(Usage::Verb(Box::new(cli))),
        Err(error) => error,
    };
    if !error.use_stderr() {
        // Help is data: a failure to write it is an error.
        out.styled(&error.render().ansi().to_string())?;
        return Ok(Usage::Printed);
    }
    // Parse the escaped arguments again: the message then quotes them.
    let escaped: Vec<OsString> = args.iter().map(|arg| escaped(arg)).collect();
    match parsed(&escaped) {
        Err(escaped) if escaped.kind() == error.kind() => escaped.exit(),
        _ => {
            let message = control_chars::escape_lines(&error.to_string()).into_owned();
            // A closed standard error changes neither exit status nor output.
            let _ = write!(anstream::stderr(), "{message}");
            std::process::exit(error.exit_code());
        }
    }
}

/// The arguments, with `--help` behind `help` as the help of that verb, for which clap has no flags.
fn with_help_of_help(mut args: Vec<OsString>) -> Vec<OsString> {
    let root = Cli::command();
    let mut command = &root;
    for at in 1..args.len().saturating_sub(1) {
        match command.find_subcommand(&args[at]) {
            Some(group) if group.has_subcommands() => command = group,
            _ if args[at] == "help"
                && ["--help", "-h"].iter().any(|flag| args[at + 1] == *flag) =>
            {
                args[at + 1] = "help".into();
                break;
            }
            _ => break,
        }
    }
    args
}

fn parsed(args: &[OsString]) -> Result<Cli, clap::Error> {
    let command = || with_negative_numbers(Cli::command());
    let matches = command().try_get_matches_from(args);
    let mut matches: ArgMatches =
        matches.map_err(|error| suggestion::revise(error, &command(), args))?;
    Cli::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command()))
}

/// Lets numeric flags take a negative number as their value, so that the message is about the
/// number and not about an unknown flag.
fn with_negative_numbers(command: Command) -> Command {
    let takes_value = |arg: &clap::Arg| {
        !arg.is_positional() && matches!(arg.get_action(), ArgAction::Set | ArgAction::Append)
    };
    command
        .mut_args(|arg| match takes_value(&arg) {
            true => arg.allow_negative_numbers(true),
            false => arg,
        })
        .mut_subcommands(with_negative_numbers)
}

/// Escapes the terminal controls in an argument.
fn escaped(arg: &OsStr) -> OsString {
    match arg.to_str() {
        Some(text) => control_chars::escape(text).into_owned().into(),
        None => arg.to_owned(),
    }
}
