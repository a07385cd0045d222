//! Verbs that answer one JSON object with one result: from a file, from standard input, or line by
//! line in a batch. The verbs interpret the objects.

use std::{io, path::PathBuf};

use promptdeck_core::registry::Diagnostic;
use promptdeck_request::{
    answer::{ArgumentsAnswer, AskError, HistoryAnswer, LayersAnswer},
    document::DocumentKind,
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};

use crate::{
    batch::{self, Worker},
    document::{self, Document, Documents},
    failure::Failure,
    input,
    output::{ExitStatus, Output},
    warnings::{StrictArgs, Warnings},
};

/// Input of such a verb.
#[derive(Debug, clap::Args)]
pub struct QueryArgs {
    /// The document, a JSON file; `-` reads standard input. Required without --batch.
    #[arg(required_unless_present = "batch", conflicts_with = "batch")]
    document: Option<PathBuf>,
    #[arg(long, help = batch::HELP)]
    batch: bool,
    #[command(flatten)]
    pub strict: StrictArgs,
}

impl QueryArgs {
    /// The input file; `None` for a batch.
    pub fn file(&self) -> Option<&PathBuf> {
        self.document.as_ref()
    }

    /// Reads the document of a file and warns about ignored parts.
    pub fn read<T: DeserializeOwned>(
        &self,
        path: &std::path::Path,
        kind: DocumentKind,
    ) -> Result<T, Failure> {
        let mut warnings = self.strict.warnings();
        let question =
            document::read(path, kind, &mut warnings).map_err(|failure| {
                match failure.report().code.as_str() {
                    "invalid_json" => failure.with_hint(&format!(
                        "`promptdeck {} --help` shows an example",
                        kind.name().replace('-', " ")
                    )),
                    _ => failure,
                }
            })?;
        warnings.print();
        Ok(question)
    }
}

/// Result of the verb's run.
pub enum QueryResult<A> {
    /// The answer to the document, and the exit status of its diagnostics.
    One(A, ExitStatus),
    /// The exit status of a batch.
    Batch(ExitStatus),
}

/// An answer with what is odd about its document.
pub trait Diagnosed {
    /// The diagnostics in the answer.
    fn diagnostics(&self) -> &[Diagnostic];
}

impl Diagnosed for HistoryAnswer {
    fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }
}

impl Diagnosed for ArgumentsAnswer {
    fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }
}

impl Diagnosed for LayersAnswer {
    fn diagnostics(&self) -> &[Diagnostic] {
        &self.layered.diagnostics
    }
}

/// Answers the document of a file, or a batch; the diagnostics of an answer are printed as well.
pub fn answer<A: Diagnosed + Serialize + 'static>(
    args: &QueryArgs,
    kind: DocumentKind,
    ask: impl Fn(&Map<String, Value>) -> Result<A, AskError> + Clone + Send + Sync + 'static,
    out: &mut Output,
) -> Result<QueryResult<A>, Failure> {
    let Some(path) = args.file() else {
        let make = move || {
            let ask = ask.clone();
            move |document: Document<'_>, warnings: &mut Warnings| {
                let answer = ask(&document.into_shape()?)?;
                warnings.diagnostics("", answer.diagnostics())?;
                Ok(answer)
            }
        };
        return batch(kind, args.strict, out, make).map(QueryResult::Batch);
    };
    let question = args.read(path, kind)?;
    let answer = ask(&question).map_err(|error| Failure::from(error).in_file(path))?;
    let mut warnings = args.strict.warnings();
    let outcome = warnings.report(
        &input::at(&input::name_of(path), None),
        answer.diagnostics(),
    )?;
    Ok(QueryResult::One(answer, outcome))
}

/// Answers every line of standard input, each a document of that kind.
pub fn batch<A, F>(
    kind: DocumentKind,
    strict: StrictArgs,
    out: &mut Output,
    make: impl Fn() -> F + Send + Sync + 'static,
) -> Result<ExitStatus, Failure>
where
    A: Serialize,
    F: FnMut(Document<'_>, &mut Warnings) -> Result<A, Failure> + 'static,
{
    let make = move || QueryWorker {
        documents: Documents::new(kind),
        ask: make(),
    };
    batch::run(make, strict, out)
}

/// Answers lines with a function.
struct QueryWorker<F> {
    documents: Documents,
    ask: F,
}

impl<A, F> Worker for QueryWorker<F>
where
    A: Serialize,
    F: FnMut(Document<'_>, &mut Warnings) -> Result<A, Failure>,
{
    fn answer(
        &mut self,
        line: &[u8],
        answer: &mut Vec<u8>,
        warnings: &mut Warnings,
    ) -> Result<(), Failure> {
        let document = self.documents.open_line(line, warnings)?;
        let result = (self.ask)(document, warnings)?;
        Ok(serde_json::to_writer(answer, &result).map_err(io::Error::from)?)
    }
}

impl From<AskError> for Failure {
    fn from(error: AskError) -> Self {
        Self::input(error.code(), error.to_string())
    }
}
