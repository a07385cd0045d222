//! `policy`: what an output policy makes of a text: one document, or a document a line with
//! `--batch`.

use std::{io, path::PathBuf};

use promptdeck_core::{
    document::DocumentKind,
    output::{CompiledPolicy, OutputPolicy, Verdict},
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{
    args::Format,
    batch::{self, Worker},
    document::{self, Documents},
    failure::Failure,
    output::{self, Outcome, Output},
    warnings::{StrictArgs, Warnings},
};

/// Flags of `policy`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The document, a JSON file: {"policy": {...}, "text": "..."}.
    #[arg(required_unless_present = "batch", conflicts_with = "batch")]
    document: Option<PathBuf>,
    /// How the cleaned text and the verdict are printed.
    #[arg(long, value_enum, default_value_t, conflicts_with = "batch")]
    format: Format,
    /// Answer documents given as JSON lines on standard input.
    #[arg(long)]
    batch: bool,
    #[command(flatten)]
    strict: StrictArgs,
}

/// A policy and the text it is applied to.
#[derive(Deserialize)]
struct Document {
    policy: Map<String, Value>,
    text: String,
}

/// What became of the text.
#[derive(Serialize)]
struct Answer {
    ok: bool,
    #[serde(flatten)]
    verdict: Verdict,
}

/// Prints the cleaned text; 1 when it is rejected. With `--batch` answers every line.
pub fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let Some(path) = &args.document else {
        let make = || Judge {
            documents: Documents::new(DocumentKind::Policy),
            kept: None,
        };
        return batch::run(make, args.strict, out);
    };
    let mut warnings = args.strict.warnings();
    let document: Document = document::read(path, DocumentKind::Policy, &mut warnings)?;
    warnings.print();
    let verdict = compile(&document.policy)
        .and_then(|policy| apply(&policy, &document.text))
        .map_err(|failure| failure.in_file(path))?;
    let rejected = verdict.reason.clone();
    match args.format {
        Format::Json => out.json(&Answer { ok: true, verdict })?,
        Format::Text => out.answer(&verdict.text)?,
    }
    let Some(reason) = rejected else {
        return Ok(Outcome::Done);
    };
    output::message(&format!("rejected: {reason}"));
    Ok(Outcome::Problems)
}

/// Keeps the policy of the line before, since many texts often meet one policy.
struct Judge {
    documents: Documents,
    kept: Option<(Map<String, Value>, CompiledPolicy)>,
}

impl Worker for Judge {
    fn answer(
        &mut self,
        line: &[u8],
        answer: &mut Vec<u8>,
        warnings: &mut Warnings,
    ) -> Result<(), Failure> {
        let Document { policy, text } = self.documents.line(line, warnings)?;
        let known = self.kept.take().filter(|(known, _)| *known == policy);
        let entry = match known {
            Some(entry) => entry,
            None => (policy.clone(), compile(&policy)?),
        };
        let verdict = apply(&self.kept.insert(entry).1, &text)?;
        let line = Answer { ok: true, verdict };
        Ok(serde_json::to_writer(answer, &line).map_err(io::Error::from)?)
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
