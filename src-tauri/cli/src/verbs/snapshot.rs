//! `snapshot`: the snapshots that the studio takes and switches between, from a terminal. Which
//! one is meant is said by its number, or by its name while only one has it.

mod change;
mod list;
mod save;
mod show;

use std::path::PathBuf;

use promptdeck_service::{
    snapshots::{self, Contents},
    store::{Opened, Store, StoreError, default_path, on_waiting},
    wire::{SnapshotQuery, SnapshotSummary},
};

use crate::{
    failure::Failure,
    output::{self, Outcome, Output},
};

/// Flags of `snapshot`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
    /// The store to use instead of the one that `PROMPTDECK_STORE` names, or of the studio's own.
    #[arg(long, global = true, value_name = "FILE")]
    store: Option<PathBuf>,
}

/// What is done with snapshots.
#[derive(Debug, clap::Subcommand)]
enum Action {
    /// List them, pinned ones first, then the newest.
    List(list::Args),
    /// Take one of a registry file and a state.
    Save(Box<save::Args>),
    /// Print the prompt of one.
    Show(show::ShowArgs),
    /// Write the registry of one back to its file; print its state, route and seed as JSON.
    Restore(change::RestoreArgs),
    /// Give one another name.
    Rename(change::RenameArgs),
    /// Delete some; the studio can bring them back for 30 days.
    Delete(change::DeleteArgs),
    /// Compare two, settings and prompt, or one with the file as it is now.
    Diff(show::DiffArgs),
    /// Write the model JSON of one.
    Export(show::ExportArgs),
}

/// Opens the store and does what was asked.
pub fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let path = args.store.clone().or_else(default_path).ok_or_else(|| {
        let message = "there is no home folder for the store; set PROMPTDECK_STORE";
        Failure::input("store_unavailable", message)
    })?;
    on_waiting(output::warning);
    let read = || opened(Store::open_to_read(&path));
    let write = || opened(Store::open(&path));
    let change = || opened(Store::open_to_change(&path));
    match &args.action {
        Action::List(args) => list::run(&read()?, args, out),
        Action::Save(args) => save::run(&write()?, args, out),
        Action::Show(args) => show::show(&read()?, args, out),
        Action::Restore(args) => change::restore(&change()?, args, out),
        Action::Rename(args) => change::rename(&change()?, args, out),
        Action::Delete(args) => change::delete(&change()?, args, out),
        Action::Diff(args) => show::diff(&read()?, args, out),
        Action::Export(args) => show::export(&read()?, args, out),
    }
}

fn opened(opened: Result<Opened, StoreError>) -> Result<Store, Failure> {
    let Opened { store, salvage } = opened?;
    if let Some(salvage) = salvage {
        let words = if salvage.aside.is_some() {
            "the store was damaged"
        } else {
            "the store is damaged; what is intact is read, and `promptdeck doctor --recover`, \
             with PROMPTDECK_STORE set to it, recovers it"
        };
        output::warning(&format!("{words}: {salvage}"));
    }
    Ok(store)
}

/// The snapshot a word stands for, with what it holds.
fn find(store: &Store, word: &str) -> Result<Contents, Failure> {
    if let Ok(id) = word.parse() {
        let contents = snapshots::contents(store, id)?;
        if contents.summary.deleted_at.is_none() {
            return Ok(contents);
        }
    }
    let named: Vec<SnapshotSummary> = all(store, None, Some(word))?
        .into_iter()
        .filter(|each| each.name == word)
        .collect();
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

/// Every snapshot of a file, or of all, that has these words.
fn all(
    store: &Store,
    file: Option<&str>,
    words: Option<&str>,
) -> Result<Vec<SnapshotSummary>, Failure> {
    let mut found = Vec::new();
    let mut query = SnapshotQuery {
        file: file.map(str::to_owned),
        text: words.map(str::to_owned),
        offset: 0,
        limit: 200,
    };
    loop {
        let page = snapshots::list(store, &query)?;
        found.extend(page.snapshots);
        if page.damaged > 0 {
            output::warning(&format!(
                "{} snapshots are damaged and left out",
                page.damaged
            ));
        }
        query.offset += query.limit;
        if query.offset >= page.total {
            return Ok(found);
        }
    }
}
