//! `man`: the manual page, all verbs in one, generated from the definition of the arguments.

use std::io::Write;

use clap::CommandFactory;
use clap_mangen::Man;

use crate::{
    args::Cli,
    failure::Failure,
    output::{Outcome, Output},
};

/// Prints the page in roff.
pub fn run(out: &mut Output) -> Result<Outcome, Failure> {
    let mut command = Cli::command();
    command.build();
    Man::new(command.clone()).render(out)?;
    for verb in command.get_subcommands().filter(|verb| !verb.is_hide_set()) {
        let page = Man::new(verb.clone());
        writeln!(out, ".SH \"promptdeck {}\"", verb.get_name())?;
        page.render_description_section(out)?;
        page.render_options_section(out)?;
    }
    Ok(Outcome::Done)
}
