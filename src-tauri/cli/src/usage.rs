//! Reading the arguments. What is wrong with them is said by clap, which repeats them as they are;
//! on a terminal they are escaped as every other foreign text.

use std::{
    env,
    ffi::{OsStr, OsString},
    io::Write as _,
};

use clap::Parser;
use promptdeck_core::control_chars;

use crate::args::Cli;

/// The arguments of this process; ends it with a message, or with the help that was asked for.
pub fn parse() -> Cli {
    let args: Vec<OsString> = env::args_os().collect();
    match Cli::try_parse_from(&args) {
        Ok(cli) => cli,
        // The same mistake, made with the escaped arguments, is told with the escaped arguments.
        Err(error) => match Cli::try_parse_from(args.iter().map(|arg| escaped(arg))) {
            Err(escaped) if escaped.kind() == error.kind() => escaped.exit(),
            _ => {
                let message = error.to_string();
                // A standard error that is closed changes neither status nor output.
                let _ = write!(
                    anstream::stderr(),
                    "{}",
                    control_chars::escape_lines(&message)
                );
                std::process::exit(error.exit_code());
            }
        },
    }
}

/// An argument without anything that controls a terminal; one without any is the same.
fn escaped(arg: &OsStr) -> OsString {
    match arg.to_str() {
        Some(text) => control_chars::escape(text).into_owned().into(),
        None => arg.to_owned(),
    }
}
