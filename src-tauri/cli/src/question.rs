//! One JSON object in, one answer out: how the verbs that answer questions get theirs, from a file,
//! from standard input, or line by line. What a question means is the verb's affair.

use std::{io, path::PathBuf};

use promptdeck_core::{document::DocumentKind, request::answer::AskError};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::{
    batch::{self, Worker},
    document::{self, Documents},
    failure::Failure,
    output::Output,
    warnings::{StrictArgs, Warnings},
};

/// Where the question comes from.
#[derive(Debug, clap::Args)]
pub struct QuestionArgs {
    /// The question, a JSON file; `-` reads standard input.
    #[arg(required_unless_present = "batch", conflicts_with = "batch")]
    pub document: Option<PathBuf>,
    /// Answer questions given as JSON lines on standard input.
    #[arg(long)]
    batch: bool,
    #[command(flatten)]
    strict: StrictArgs,
}

/// Answers the question of a file, or those of a batch: nothing is left to do then.
pub fn answer<A: Serialize + 'static>(
    args: &QuestionArgs,
    kind: DocumentKind,
    ask: impl Fn(&Map<String, Value>) -> Result<A, AskError> + Clone + Send + Sync + 'static,
    out: &mut Output,
) -> Result<Option<A>, Failure> {
    let Some(path) = &args.document else {
        let make = move || Asker {
            documents: Documents::new(kind),
            ask: ask.clone(),
        };
        batch::run(make, args.strict, out)?;
        return Ok(None);
    };
    let mut warnings = args.strict.warnings();
    let question = document::read(path, kind, &mut warnings)?;
    warnings.print();
    let answer = ask(&question).map_err(|error| Failure::from(error).in_file(path))?;
    Ok(Some(answer))
}

struct Asker<F> {
    documents: Documents,
    ask: F,
}

impl<A: Serialize, F: Fn(&Map<String, Value>) -> Result<A, AskError>> Worker for Asker<F> {
    fn answer(
        &mut self,
        line: &[u8],
        answer: &mut Vec<u8>,
        warnings: &mut Warnings,
    ) -> Result<(), Failure> {
        let question: Map<String, Value> = self.documents.line(line, warnings)?;
        let given = (self.ask)(&question)?;
        Ok(serde_json::to_writer(answer, &given).map_err(io::Error::from)?)
    }
}

impl From<AskError> for Failure {
    fn from(error: AskError) -> Self {
        Self::input(error.code(), error.to_string())
    }
}
