//! `snapshot`: the studio's snapshots, from a terminal. A word of digits is a snapshot's number;
//! any other word is a name, which must be unique. The prefix `name:` makes any word a name.

mod change;
mod list;
mod save;
mod show;

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use promptdeck_core::plural::plural;
use promptdeck_service::{
    ServiceError,
    snapshots::{self, Contents},
    store::{OpenedStore, Salvage, Store, StoreError, default_path, named_path, on_waiting},
    wire::{SnapshotQuery, SnapshotSummary},
};

use crate::{
    failure::Failure,
    output::{self, ExitStatus, Output},
};

/// Flags of `snapshot`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
    /// The store to use, instead of that of `PROMPTDECK_STORE` or the studio's own.
    #[arg(long, global = true, value_name = "FILE")]
    store: Option<PathBuf>,
}

/// Verbs of `snapshot`.
#[derive(Debug, clap::Subcommand)]
enum Action {
    /// List snapshots: pinned ones first, then the newest.
    List(list::Args),
    /// Take a snapshot of a registry file and a state.
    Save(Box<save::Args>),
    /// Print the prompt of a snapshot.
    Show(show::ShowArgs),
    /// Write the registry of a snapshot back to its file. Prints state, route and seed as JSON,
    /// whose state `--state` accepts.
    Restore(change::RestoreArgs),
    /// Rename a snapshot.
    Rename(change::RenameArgs),
    /// Delete snapshots; the studio can restore them for 30 days.
    Delete(change::DeleteArgs),
    /// Compare two snapshots, settings and prompt, or one with the current file. Exit status: 0 if
    /// they are the same, 1 if they differ.
    #[command(visible_alias = "compare")]
    Diff(show::DiffArgs),
    /// Export the model JSON of a snapshot, or a prompt file with its state, route and seed.
    Export(show::ExportArgs),
}

pub fn run(args: &Args, out: &mut Output) -> Result<ExitStatus, Failure> {
    let named = args.store.clone().or_else(named_path);
    let path = named.clone().or_else(default_path).ok_or_else(|| {
        let message = "there is no home folder for the store; set PROMPTDECK_STORE";
        Failure::input("store_unavailable", message)
    })?;
    if let Some(path) = &named
        && !Store::exists(path)
    {
        // Every action but one needs a snapshot that is there, and a store that was named is not an empty
        // one.
        let Action::Save(_) = args.action else {
            let message = format!("there is no store {}; check the name", path.display());
            return Err(Failure::input("no_store", message));
        };
        has_folder(path)?;
    }
    on_waiting(output::warning);
    let incomplete = Arc::new(AtomicBool::new(false));
    let read = || unwrap_store(Store::open_to_read(&path), &incomplete);
    let write = || unwrap_store(Store::open(&path), &incomplete);
    let change = || unwrap_store(Store::open_to_change(&path), &incomplete);
    match &args.action {
        Action::List(args) => match list::run(&read()?, args, out)? {
            ExitStatus::Done if incomplete.load(Ordering::Relaxed) => Ok(ExitStatus::Problems),
            outcome => Ok(outcome),
        },
        Action::Save(args) => save::run(write, args, out),
        Action::Show(args) => show::show(&read()?, args, out),
        Action::Restore(args) => change::restore(&change()?, args, out),
        Action::Rename(args) => change::rename(&change()?, args, out),
        Action::Delete(args) => change::delete(&change()?, args, out),
        Action::Diff(args) => show::diff(&read()?, args, out),
        Action::Export(args) => show::export(&read()?, args, out),
    }
}

/// Refuses a named store in a folder that is not there, which is not made: a misspelled one would hold a
/// store that nobody opens.
pub fn has_folder(store: &Path) -> Result<(), Failure> {
    let folder = store
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let Some(folder) = folder.filter(|folder| !folder.is_dir()) else {
        return Ok(());
    };
    let message = format!(
        "cannot create the store {}: there is no folder {}; create it first",
        store.display(),
        folder.display()
    );
    Err(Failure::input("no_folder", message))
}

/// Help of arguments that name a snapshot.
const WHICH: &str = "A snapshot, by number, or by name: `name:6` is the one named 6";

const NAME: &str = "name:";

/// Unwraps an opened store and prints what was done about damage, now and later.
fn unwrap_store(
    opened: Result<OpenedStore, StoreError>,
    incomplete: &Arc<AtomicBool>,
) -> Result<Store, Failure> {
    let OpenedStore { store, salvage } = opened.map_err(|error| {
        let is_named = matches!(
            error,
            StoreError::Foreign { .. }
                | StoreError::NotAStore { .. }
                | StoreError::NotWritable { .. }
        );
        let failure = Failure::from(error);
        match is_named {
            true => failure.with_hint("--store names another file as well"),
            false => failure,
        }
    })?;
    let incomplete = Arc::clone(incomplete);
    let report = move |salvage: &Salvage| {
        incomplete.fetch_or(!salvage.complete, Ordering::Relaxed);
        output::warning(&salvage.to_string());
    };
    salvage.iter().for_each(&report);
    store.on_salvage(report);
    if salvage.is_none() {
        store.check_if_small()?;
    }
    Ok(store)
}

/// The snapshot that a word names, with its contents.
fn find(store: &Store, word: &str) -> Result<Contents, Failure> {
    let is_number = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    if is_number {
        return numbered(store, word);
    }
    let word = word.strip_prefix(NAME).unwrap_or(word);
    let named = named(store, word)?;
    match named.as_slice() {
        [one] => Ok(snapshots::contents(store, i64::from(one.id))?),
        [] => Err(Failure::input(
            "store_missing",
            format!("there is no snapshot {word:?}; `promptdeck snapshot list` shows them"),
        )),
        several => {
            let numbers: Vec<String> = several.iter().map(|each| each.id.to_string()).collect();
            let message = format!(
                "several snapshots are named {word:?}: {}; give a number",
                numbers.join(", ")
            );
            Err(Failure::input("ambiguous", message))
        }
    }
}

fn numbered(store: &Store, word: &str) -> Result<Contents, Failure> {
    let found = word.parse().ok().map(|id| snapshots::contents(store, id));
    match found {
        Some(Ok(contents)) if contents.summary.deleted_at.is_none() => return Ok(contents),
        None | Some(Ok(_) | Err(ServiceError::Store(StoreError::Missing { .. }))) => {}
        Some(Err(fault)) => return Err(fault.into()),
    }
    let way_out = match named(store, word)?.as_slice() {
        [] => "`promptdeck snapshot list` shows them".to_owned(),
        [one] => format!("snapshot {} has that name, write {NAME}{word}", one.id),
        _ => format!("several have that name, write {NAME}{word}"),
    };
    let message = format!("there is no snapshot {word}; {way_out}");
    Err(Failure::input("store_missing", message))
}

fn named(store: &Store, name: &str) -> Result<Vec<SnapshotSummary>, Failure> {
    let mut found = all(store, None, Some(name))?;
    found.retain(|each| each.name == name);
    Ok(found)
}

/// All snapshots of a file, or of all files, that match the words.
fn all(
    store: &Store,
    file: Option<&str>,
    words: Option<&str>,
) -> Result<Vec<SnapshotSummary>, Failure> {
    let mut found = Vec::new();
    let mut query = SnapshotQuery {
        file: file.map(str::to_owned),
        text: words.map(str::to_owned),
        limit: 200,
        ..SnapshotQuery::default()
    };
    loop {
        let page = snapshots::list(store, &query)?;
        found.extend(page.snapshots);
        if page.damaged > 0 {
            let damaged = plural(page.damaged as usize, "damaged snapshot");
            output::warning(&format!("{damaged} left out"));
        }
        query.offset += query.limit;
        if query.offset >= page.total {
            return Ok(found);
        }
    }
}
