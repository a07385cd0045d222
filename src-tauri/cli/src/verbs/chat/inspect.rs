//! `chat inspect`: what a template, a model folder or a GGUF file can do.

use std::{io, path::PathBuf};

use promptdeck_core::chat::{
    answer::{Answerer, InspectAnswer},
    brought::Brought,
    inspect::Stability,
};
use promptdeck_model::folder;
use serde::Deserialize;
use serde_json::Value;

use crate::{
    args::Format,
    batch::{self, Worker},
    failure::Failure,
    input,
    output::{Outcome, Output},
};

/// Flags of `chat inspect`.
#[derive(Debug, clap::Args)]
pub struct InspectArgs {
    /// A template, a model folder, a GGUF file, or the name of a model.
    #[arg(required_unless_present = "batch", conflicts_with = "batch")]
    model: Option<PathBuf>,
    /// Answer questions given as JSON lines on standard input.
    #[arg(long)]
    batch: bool,
    /// How the report is printed.
    #[arg(long, value_enum, default_value_t, conflicts_with = "batch")]
    format: Format,
}

/// A line of a batch.
#[derive(Debug, Default, Deserialize)]
struct Question {
    template: Option<String>,
    config: Option<Value>,
    model_path: Option<PathBuf>,
}

/// Prints the report, or answers the batch.
pub fn run(args: &InspectArgs, out: &mut Output) -> Result<Outcome, Failure> {
    let Some(path) = &args.model else {
        return batch::run(|| Inspector, out);
    };
    let brought = brought(Question {
        model_path: Some(path.clone()),
        ..Question::default()
    })?;
    let source = brought.template.as_deref().unwrap_or_default();
    let answer = Answerer::inspect(&brought)
        .map_err(|error| Failure::asked(&input::name_of(path), source, error))?;
    match args.format {
        Format::Json => out.json(&answer)?,
        Format::Text => show(&answer, out)?,
    }
    Ok(Outcome::Done)
}

/// What is to be inspected.
fn brought(question: Question) -> Result<Brought, Failure> {
    let mut brought = Brought {
        template: question.template,
        ..Brought::default()
    };
    if let Some(config) = &question.config {
        brought = brought.or(Brought::from_config(config));
    }
    if let Some(path) = &question.model_path {
        let found =
            folder::read(path).map_err(|error| Failure::input(error.code(), error.to_string()))?;
        brought = brought.or(found);
    }
    Ok(brought)
}

fn show(answer: &InspectAnswer, out: &mut Output) -> Result<(), Failure> {
    let report = &answer.inspection;
    out.text(&format!("family: {}\n", report.family.name()))?;
    out.text(&format!(
        "generation prompt: {:?}\n",
        report.generation_prompt
    ))?;
    out.text(&format!(
        "end of an answer: {:?}\n",
        report.assistant_end_tag
    ))?;
    if !report.variables.is_empty() {
        out.text(&format!("reads: {}\n", report.variables.join(", ")))?;
    }
    for proof in &report.proofs {
        let holds = if proof.holds { "yes" } else { "no" };
        out.text(&format!("{}: {holds}\n", proof.capability))?;
    }
    for step in &report.polyfills {
        out.text(&format!("polyfill: {}\n", step.name()))?;
    }
    match &report.stability {
        Stability::Stable => out.text("the text only grows at its end\n")?,
        Stability::Unstable { instability } => out.text(&format!(
            "message {} changes what was written before it, from byte {}: {:?} becomes {:?}\n",
            instability.message, instability.from, instability.before, instability.after
        ))?,
        Stability::Unknown { stability_error } => out.text(&format!(
            "whether the text only grows at its end is not known: {}\n",
            stability_error.message
        ))?,
    }
    for remark in &report.remarks {
        out.text(&format!("{}: {}\n", remark.code, remark.message))?;
    }
    Ok(())
}

/// Inspects lines.
struct Inspector;

impl Worker for Inspector {
    fn answer(&mut self, line: &[u8], answer: &mut Vec<u8>) -> Result<(), Failure> {
        let given = Answerer::inspect(&brought(super::question(line)?)?)?;
        Ok(serde_json::to_writer(answer, &given).map_err(io::Error::from)?)
    }
}
