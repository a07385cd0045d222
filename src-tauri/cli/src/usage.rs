//! Reading the arguments. What is wrong with them is said by clap, which repeats them as they are;
//! on a terminal they are escaped as every other foreign text.

use std::{
    env,
    ffi::{OsStr, OsString},
    io::Write as _,
};

use clap::{ArgAction, ArgMatches, Command, CommandFactory, FromArgMatches};
use promptdeck_core::control_chars;

use crate::{args::Cli, failure::Failure, output::Output};

/// What the arguments ask for.
pub enum Usage {
    /// A verb.
    Verb(Box<Cli>),
    /// Something that was printed: help, or the version.
    Printed,
}

/// Parses the arguments of this process; prints the help that they ask for. Ends the process with a
/// message when they are wrong.
pub fn parse(out: &mut Output) -> Result<Usage, Failure> {
    let args: Vec<OsString> = env::args_os().collect();
    let error = match parsed(&args) {
        Ok(cli) => return Ok(Usage::Verb(Box::new(cli))),
        Err(error) => error,
    };
    if !error.use_stderr() {
        // It is data like that of a verb: what can't be written is an error.
        out.styled(&error.render().ansi().to_string())?;
        return Ok(Usage::Printed);
    }
    // The same mistake, made with the escaped arguments, is told with the escaped arguments.
    let escaped: Vec<OsString> = args.iter().map(|arg| escaped(arg)).collect();
    match parsed(&escaped) {
        Err(escaped) if escaped.kind() == error.kind() => escaped.exit(),
        _ => {
            let message = control_chars::escape_lines(&error.to_string()).into_owned();
            // A standard error that is closed changes neither status nor output.
            let _ = write!(anstream::stderr(), "{message}");
            std::process::exit(error.exit_code());
        }
    }
}

fn parsed(args: &[OsString]) -> Result<Cli, clap::Error> {
    let command = || with_negative_numbers(Cli::command());
    let mut matches: ArgMatches = command().try_get_matches_from(args)?;
    Cli::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command()))
}

/// The command with flags that take a negative number for their value, not for another flag: what is
/// wrong with the number is said of the number.
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

/// An argument without anything that controls a terminal; one without any is the same.
fn escaped(arg: &OsStr) -> OsString {
    match arg.to_str() {
        Some(text) => control_chars::escape(text).into_owned().into(),
        None => arg.to_owned(),
    }
}
