//! One JSON object in, one answer out: how the verbs that answer questions get theirs, from a file,
//! from standard input, or line by line. What a question means is the verb's affair.

use std::{io, path::PathBuf};

use promptdeck_core::request::answer::AskError;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::{
    batch::{self, Worker},
    failure::Failure,
    input,
    object::Object,
    output::{Outcome, Output},
};

/// Where the question comes from.
#[derive(Debug, clap::Args)]
pub struct QuestionArgs {
    /// The question, a JSON file; `-` reads standard input.
    #[arg(required_unless_present = "batch", conflicts_with = "batch")]
    document: Option<PathBuf>,
    /// Answer questions given as JSON lines on standard input.
    #[arg(long)]
    batch: bool,
}

impl QuestionArgs {
    /// Reads the one question; `None` in a batch.
    pub fn read(&self, what: &str) -> Result<Option<Map<String, Value>>, Failure> {
        self.document
            .as_deref()
            .map(|path| input::read_json(path, what))
            .transpose()
    }
}

/// Answers a batch.
pub fn answer_lines<A: Serialize + 'static>(
    ask: impl Fn(&Map<String, Value>) -> Result<A, AskError> + Clone + Send + Sync + 'static,
    out: &mut Output,
) -> Result<Outcome, Failure> {
    batch::run(move || Asker(ask.clone()), out)
}

struct Asker<F>(F);

impl<A: Serialize, F: Fn(&Map<String, Value>) -> Result<A, AskError>> Worker for Asker<F> {
    fn answer(&mut self, line: &[u8], answer: &mut Vec<u8>) -> Result<(), Failure> {
        let Object(question): Object<Map<String, Value>> = batch::parse_line(line)?;
        let given = (self.0)(&question)?;
        Ok(serde_json::to_writer(answer, &given).map_err(io::Error::from)?)
    }
}

impl From<AskError> for Failure {
    fn from(error: AskError) -> Self {
        Self::input(error.code(), error.to_string())
    }
}
