//! `snapshot list`.

use std::path::PathBuf;

use jiff::Timestamp;
use promptdeck_service::{snapshots, store::Store, wire::SnapshotSummary};

use crate::{
    args::Format,
    failure::Failure,
    output::{ExitStatus, Output},
};

/// Flags of `snapshot list`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// List only snapshots of this registry file.
    registry: Option<PathBuf>,
    /// List only snapshots with these words in their name or note.
    #[arg(long, value_name = "WORDS")]
    find: Option<String>,
    /// Format of the list.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub fn run(store: &Store, args: &Args, out: &mut Output) -> Result<ExitStatus, Failure> {
    store.check_snapshots()?;
    let key = args.registry.as_deref().map(snapshots::key);
    let found = super::all(store, key.as_deref(), args.find.as_deref())?;
    if let Some(folder) = args.registry.as_deref().filter(|file| file.is_dir()) {
        let message = format!(
            "{} is a folder; name a registry in it, or none for the snapshots of all files",
            folder.display()
        );
        return Err(Failure::input("not_a_file", message));
    }
    if let Some(registry) = args.registry.as_deref().filter(|file| !file.exists())
        && found.is_empty()
    {
        let message = format!(
            "there is no file {} and no snapshot of it; `promptdeck snapshot list` shows those of \
             all files",
            registry.display()
        );
        return Err(Failure::input("file_missing", message));
    }
    match args.format {
        Format::Json => out.json(&found)?,
        Format::Text => {
            for summary in &found {
                out.row(line(summary))?;
            }
        }
    }
    Ok(ExitStatus::Done)
}

fn line(summary: &SnapshotSummary) -> String {
    let taken = i64::try_from(summary.taken_at)
        .ok()
        .and_then(|at| Timestamp::from_second(at / 1000).ok());
    let taken = taken.map_or(String::new(), |taken| taken.to_string());
    let pin = summary
        .pinned
        .map_or(String::new(), |key| format!("  [{key}]"));
    let note = if summary.note.is_empty() {
        String::new()
    } else {
        format!("  ({})", summary.note)
    };
    format!(
        "{:>5}  {taken}  {}{pin}{note}  {}",
        summary.id, summary.name, summary.file
    )
}
