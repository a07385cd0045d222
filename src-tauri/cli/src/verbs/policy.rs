//! `policy`: applies an output policy to a text, for one document or for one per line with
//! `--batch`.

use promptdeck_core::output::{CompiledPolicy, OutputPolicy, Verdict};
use promptdeck_request::document::DocumentKind;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{
    args::Format,
    document,
    failure::Failure,
    json_query::{self, QueryArgs},
    output::{self, ExitStatus, Output},
    warnings::Warnings,
};

/// Flags of `policy`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    question: QueryArgs,
    /// Format of the cleaned text and the verdict.
    #[arg(long, value_enum, default_value_t, conflicts_with = "batch")]
    format: Format,
}

/// A policy and the text it is applied to.
#[derive(Deserialize)]
struct Document {
    policy: Map<String, Value>,
    text: String,
}

/// The result for a text.
#[derive(Serialize)]
struct Answer {
    ok: bool,
    #[serde(flatten)]
    verdict: Verdict,
}

/// Prints the cleaned text, or answers the batch; status 1 if the text is rejected.
pub fn run(args: &Args, out: &mut Output) -> Result<ExitStatus, Failure> {
    let Some(path) = args.question.file() else {
        let make = || {
            let mut judge = Judge::default();
            move |document: document::Document<'_>, _: &mut Warnings| {
                judge.answer(document.into_shape()?)
            }
        };
        return json_query::batch(DocumentKind::Policy, args.question.strict, out, make);
    };
    let document: Document = args.question.read(path, DocumentKind::Policy)?;
    let verdict = compile(&document.policy)
        .and_then(|policy| apply(&policy, &document.text))
        .map_err(|failure| failure.in_file(path))?;
    let rejected = verdict.reason.clone();
    match args.format {
        Format::Json => out.json(&Answer { ok: true, verdict })?,
        Format::Text => out.answer(&verdict.text)?,
    }
    let Some(reason) = rejected else {
        return Ok(ExitStatus::Done);
    };
    output::message(&format!("rejected: {reason}"));
    Ok(ExitStatus::Problems)
}

/// Caches the compiled policy of the previous line, since consecutive lines often share one.
#[derive(Default)]
struct Judge {
    last_compiled: Option<(Map<String, Value>, CompiledPolicy)>,
}

impl Judge {
    fn answer(&mut self, document: Document) -> Result<Answer, Failure> {
        let Document { policy, text } = document;
        let known = self
            .last_compiled
            .take()
            .filter(|(known, _)| *known == policy);
        let entry = match known {
            Some(entry) => entry,
            None => (policy.clone(), compile(&policy)?),
        };
        let verdict = apply(&self.last_compiled.insert(entry).1, &text)?;
        Ok(Answer { ok: true, verdict })
    }
}

fn compile(policy: &Map<String, Value>) -> Result<CompiledPolicy, Failure> {
    let policy = OutputPolicy::from_map(policy)
        .map_err(|error| Failure::input(error.code(), error.to_string()))?;
    CompiledPolicy::new(policy).map_err(|fault| Failure::input(fault.code(), fault.to_string()))
}

fn apply(policy: &CompiledPolicy, text: &str) -> Result<Verdict, Failure> {
    policy
        .apply(text)
        .map_err(|limit| Failure::input(limit.code(), limit.to_string()))
}
