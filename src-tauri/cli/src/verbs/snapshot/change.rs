//! `snapshot restore`, `rename` and `delete`: the verbs that change files or the store.

use std::path::{Path, PathBuf};

use promptdeck_core::{
    hydrate::{Seed, State},
    registry::{self, Document, Parsed, canonical},
};
use promptdeck_service::{
    draw_seed,
    files::{self, Expected},
    snapshots::{self, Contents, SnapshotSource},
    store::Store,
};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::{
    failure::Failure,
    input,
    output::{self, ExitStatus, Output},
    output_file,
};

/// Flags of `snapshot restore`.
#[derive(Debug, clap::Args)]
pub struct RestoreArgs {
    #[arg(help = super::WHICH)]
    snapshot: String,
    /// Write to this file instead of the snapshot's own. A registry that is replaced is a snapshot
    /// afterwards; other content is kept beside the file as NAME.replaced-1.json.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// The call of a snapshot, without its registry.
#[derive(Serialize)]
struct SnapshotCall<'a> {
    state: &'a State,
    route: Option<&'a str>,
    seed: Seed,
}

/// Writes the registry back, after a snapshot of the content it replaces, or with a copy beside the file
/// of content that is no registry.
pub fn restore(store: &Store, args: &RestoreArgs, out: &mut Output) -> Result<ExitStatus, Failure> {
    if args.output.as_deref().is_some_and(input::is_stdin) {
        let message = "standard output is for state, route and seed: name a file; `promptdeck snapshot \
                       show` with --format json prints the registry";
        return Err(Failure::input("wrong_usage", message));
    }
    let contents = super::find(store, &args.snapshot)?;
    let path = args
        .output
        .clone()
        .unwrap_or_else(|| snapshots::path(&contents.summary.file));
    let current = keep(store, &path, &contents)?;
    let document = Document {
        registry: contents.registry,
        wrapper: current.wrapper,
    };
    let text = canonical::format(&document);
    match current.is_kept {
        true => output_file::replace(&path, &text, current.content)?,
        false => output_file::replace_with_copy(&path, &text, current.content)?,
    }
    let call = SnapshotCall {
        state: &contents.state,
        route: contents.route.as_deref(),
        seed: contents.seed,
    };
    let done = format!("{} was restored", path.display());
    out.after_work(&done, |out| out.json(&call))?;
    Ok(ExitStatus::Done)
}

/// The file that is about to be replaced.
struct Current {
    /// Its parts beside the registry, which are preserved.
    wrapper: Option<Map<String, Value>>,
    /// The content that it must have when it is replaced.
    content: Expected,
    /// Whether the snapshots have the content.
    is_kept: bool,
}

/// Takes a snapshot of the content about to be replaced, if it is a registry that differs.
fn keep(store: &Store, path: &Path, wanted: &Contents) -> Result<Current, Failure> {
    let content = files::current(path)?;
    let without_document = |is_kept| Current {
        wrapper: Some(Map::new()),
        content,
        is_kept,
    };
    let Expected::Content(_) = content else {
        return Ok(without_document(true));
    };
    let parsed = input::read(path).map(|bytes| registry::parse(&bytes));
    let Ok(Ok(Parsed { document, .. })) = parsed else {
        return Ok(without_document(false));
    };
    if document.registry != wanted.registry {
        let name = format!("Before restoring {}", wanted.summary.name_in_names());
        let backup = snapshots::take(
            store,
            &SnapshotSource {
                name: &name,
                note: "",
                file: path,
                registry: &document.registry,
                state: &State::default(),
                route: None,
                seed: draw_seed()?,
                glance: &name,
                automatic: true,
            },
        )?;
        output::message(&format!(
            "the previous content of {} is snapshot {}",
            path.display(),
            backup.id
        ));
    }
    Ok(Current {
        wrapper: document.wrapper,
        content,
        is_kept: true,
    })
}

/// Flags of `snapshot rename`.
#[derive(Debug, clap::Args)]
pub struct RenameArgs {
    #[arg(help = super::WHICH)]
    snapshot: String,
    /// The new name.
    name: String,
    /// Also set this note.
    #[arg(long)]
    note: Option<String>,
}

pub fn rename(store: &Store, args: &RenameArgs, _out: &mut Output) -> Result<ExitStatus, Failure> {
    if args.name.trim().is_empty() {
        return Err(Failure::input(
            "no_name",
            "a snapshot needs a name that is not blank",
        ));
    }
    let summary = super::find(store, &args.snapshot)?.summary;
    let note = args.note.as_deref().unwrap_or(&summary.note);
    store.describe_snapshot(summary.id, args.name.trim(), note)?;
    Ok(ExitStatus::Done)
}

/// Flags of `snapshot delete`.
#[derive(Debug, clap::Args)]
pub struct DeleteArgs {
    #[arg(required = true, help = super::WHICH)]
    snapshots: Vec<String>,
}

/// Deletes all given snapshots, or none if one cannot be found.
pub fn delete(store: &Store, args: &DeleteArgs, _out: &mut Output) -> Result<ExitStatus, Failure> {
    let found: Vec<Contents> = args
        .snapshots
        .iter()
        .map(|word| super::find(store, word))
        .collect::<Result<_, _>>()?;
    for contents in found {
        snapshots::delete(store, contents.summary.id)?;
    }
    Ok(ExitStatus::Done)
}
