//! `layers`: builds the four-layer body of a Gemini request from a session document.

use std::sync::Arc;

use promptdeck_request::{answer, document::DocumentKind, layers::Layered};
use serde_json::{Map, Value};

use crate::{
    args::Format,
    failure::Failure,
    json_query::{self, QueryArgs, QueryResult},
    output::{ExitStatus, Output},
    report::Report,
    tokenizer::TokenizerArgs,
};

/// Flags of `layers`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    question: QueryArgs,
    #[command(flatten)]
    tokenizer: TokenizerArgs,
    /// Format of the layers; the request body itself is in the JSON.
    #[arg(long, value_enum, default_value_t, conflicts_with = "batch")]
    format: Format,
}

/// Prints the layers, or answers the batch. An error in a request has exit status 1.
pub fn run(args: &Args, out: &mut Output) -> Result<ExitStatus, Failure> {
    let counter = Arc::new(args.tokenizer.counter()?);
    let ask = move |line: &Map<String, Value>| answer::layers(line, &*counter);
    let (answer, outcome) =
        match json_query::answer(&args.question, DocumentKind::Layers, ask, out)? {
            QueryResult::One(answer, outcome) => (answer, outcome),
            QueryResult::Batch(outcome) => return Ok(outcome),
        };
    match args.format {
        Format::Json => out.json(&answer)?,
        Format::Text => out.report(&table(&answer.layered))?,
    }
    Ok(outcome)
}

/// The layers as rows: index, name, size, range in the contents.
pub fn table(layered: &Layered) -> Report {
    let mut report = Report::default();
    for layer in &layered.layers {
        let contents: Vec<String> = layer.contents.iter().map(usize::to_string).collect();
        let place = match (layer.cached, contents.is_empty()) {
            (true, _) => "in the cache".to_owned(),
            (false, true) => "no contents".to_owned(),
            (false, false) => format!("contents {}", contents.join(", ")),
        };
        let cacheable = if layer.cacheable { "cacheable" } else { "" };
        let row = format!(
            "{} {:9}{:>8} chars{:>8} tokens  {:10}{place}",
            layer.layer, layer.name, layer.chars, layer.tokens, cacheable
        );
        report.row(row.trim_end());
    }
    report
}
