//! `snapshot restore`, `rename` and `delete`: the verbs that change files or the store.

use std::path::{Path, PathBuf};

use promptdeck_core::{
    hydrate::{Seed, State},
    registry::{self, Document, canonical},
};
use promptdeck_service::{
    draw_seed,
    files::{self, Expected},
    snapshots::{self, Contents, SnapshotSource},
    store::{Hash, Store},
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
    /// Write to this file instead of the snapshot's own.
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

/// Writes the registry back, after a snapshot of the content it replaces.
pub fn restore(store: &Store, args: &RestoreArgs, out: &mut Output) -> Result<ExitStatus, Failure> {
    let contents = super::find(store, &args.snapshot)?;
    let path = args
        .output
        .clone()
        .unwrap_or_else(|| snapshots::path(&contents.summary.file));
    let (wrapper, expected) = keep(store, &path, &contents)?;
    let document = Document {
        registry: contents.registry,
        wrapper,
    };
    output_file::replace(&path, &canonical::format(&document), expected)?;
    let call = SnapshotCall {
        state: &contents.state,
        route: contents.route.as_deref(),
        seed: contents.seed,
    };
    let done = format!("{} was restored", path.display());
    out.after_work(&done, |out| out.json(&call))?;
    Ok(ExitStatus::Done)
}

/// Takes a snapshot of the content about to be replaced, if it differs. Returns the parts of the
/// file beside the registry, which are preserved, and the content that the file must have when it
/// is replaced.
fn keep(
    store: &Store,
    path: &Path,
    wanted: &Contents,
) -> Result<(Option<Map<String, Value>>, Expected), Failure> {
    let found = files::current(path)?;
    let Expected::Content(_) = found else {
        return Ok((Some(Map::new()), found));
    };
    let bytes = input::read(path)?;
    let document = match registry::parse(&bytes) {
        Ok(parsed) => parsed.document,
        Err(error) => return Err(Failure::registry(&path.display().to_string(), &error)),
    };
    if document.registry != wanted.registry {
        let name = format!("Before restoring {}", wanted.summary.name);
        let kept = snapshots::take(
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
            kept.id
        ));
    }
    Ok((document.wrapper, Expected::Content(Hash::of(&bytes))))
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
