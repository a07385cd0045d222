//! `arguments`: prints the context that a prompt can read, or a template rendered with it.

use promptdeck_request::{
    answer::{self, Given},
    document::DocumentKind,
};

use crate::{
    args::Format,
    failure::Failure,
    json_query::{self, QueryArgs, QueryResult},
    output::{self, ExitStatus, Output},
};

/// Flags of `arguments`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    question: QueryArgs,
    /// Format of the result; a context is always JSON.
    #[arg(long, value_enum, default_value_t, conflicts_with = "batch")]
    format: Format,
}

/// Prints the context or the rendered text, or answers the batch. A template that cannot be
/// rendered has exit status 1.
pub fn run(args: &Args, out: &mut Output) -> Result<ExitStatus, Failure> {
    let kind = DocumentKind::Arguments;
    let (answer, mut outcome) =
        match json_query::answer(&args.question, kind, answer::arguments, out)? {
            QueryResult::One(answer, outcome) => (answer, outcome),
            QueryResult::Batch(outcome) => return Ok(outcome),
        };
    if let Given::Rendered {
        error: Some(error), ..
    } = &answer.given
    {
        let place = match (error.line, error.column) {
            (Some(line), Some(column)) => format!("line {line}, column {column}: "),
            (Some(line), None) => format!("line {line}: "),
            _ => String::new(),
        };
        output::message(&format!(
            "the template is printed as it is: {place}{}",
            error.message
        ));
        outcome = ExitStatus::Problems;
    }
    match (&answer.given, args.format) {
        (Given::Context { context }, Format::Text) => out.json(context)?,
        (Given::Rendered { output, .. }, Format::Text) => out.verbatim(output)?,
        (_, Format::Json) => out.json(&answer)?,
    }
    Ok(outcome)
}
