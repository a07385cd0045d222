//! `test --watch`: after each burst of changes, runs the registries whose file or checks have other
//! bytes than before, and those that are new.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    sync::mpsc,
};

use promptdeck_service::store::{Hash, watch::Watch};
use walkdir::WalkDir;

use super::{
    Args, Report, ReportFormat, Tester,
    deck::{self, Deck},
    print,
};
use crate::{
    failure::Failure,
    output::{self, ExitStatus, Output},
};

/// How many folders below a named one are watched.
const MAX_FOLDERS: usize = 1000;

/// The content of a registry and of its checks.
type Version = (Option<Hash>, Option<Hash>);

/// Tests all registries, then those that change, until the program is stopped.
pub fn run(
    tester: &Tester,
    args: &Args,
    decks: &[Deck],
    out: &mut Output,
) -> Result<ExitStatus, Failure> {
    let (sender, receiver) = mpsc::channel();
    let mut watch: Option<Watch> = None;
    let mut versions: BTreeMap<PathBuf, Version> = BTreeMap::new();
    let mut decks = decks.to_vec();
    loop {
        watch = Some(watched(watch, &args.paths, &decks, &sender)?);
        let read: Vec<(Deck, Version)> = decks
            .into_iter()
            .map(|deck| {
                let version = version(&deck);
                (deck, version)
            })
            .collect();
        let changed: Vec<Deck> = read
            .iter()
            .filter(|(deck, version)| versions.get(&deck.registry.path) != Some(version))
            .map(|(deck, _)| deck.clone())
            .collect();
        versions = read
            .into_iter()
            .map(|(deck, version)| (deck.registry.path, version))
            .collect();
        if !changed.is_empty() {
            let (tested, skipped) = tester.test(&changed);
            let reports: Vec<Report> = tested.into_iter().map(|tested| tested.report).collect();
            for refused in skipped.refused(!reports.is_empty()) {
                output::error(&refused.failure);
            }
            for unread in skipped.probable() {
                output::warning(&unread.failure.to_string());
            }
            print(&reports, ReportFormat::Text, out)?;
            out.flush()?;
            output::message("waiting for changes");
        }
        if receiver.recv().is_err() {
            return Ok(ExitStatus::Done);
        }
        // Bursts during the test are one.
        while receiver.try_recv().is_ok() {}
        // New folders are watched before they are read: a file written in between is not missed.
        watch = Some(watched(watch, &args.paths, &[], &sender)?);
        (decks, _) = deck::find(&args.paths);
    }
}

fn version(deck: &Deck) -> Version {
    let hash = |path: &Path| fs::read(path).ok().map(|bytes| Hash::of(&bytes));
    (
        hash(&deck.registry.path),
        deck.checks.as_deref().and_then(hash),
    )
}

/// Watches the named folders with their sub-folders, and the folders of the registries.
fn watched(
    watch: Option<Watch>,
    paths: &[PathBuf],
    decks: &[Deck],
    sender: &mpsc::Sender<()>,
) -> Result<Watch, Failure> {
    let mut folders = BTreeSet::new();
    for path in paths.iter().filter(|path| path.is_dir()) {
        let below = WalkDir::new(path).into_iter().filter_entry(|entry| {
            let hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
            entry.file_type().is_dir() && (entry.depth() == 0 || !hidden)
        });
        let below = below.flatten().take(MAX_FOLDERS);
        folders.extend(below.map(walkdir::DirEntry::into_path));
    }
    for deck in decks {
        folders.extend(deck.registry.path.parent().map(
            |parent| match parent.as_os_str().is_empty() {
                true => PathBuf::from("."),
                false => parent.to_owned(),
            },
        ));
    }
    let mut watch = match (watch, folders.first()) {
        (Some(watch), _) => watch,
        (None, Some(folder)) => {
            let sender = sender.clone();
            Watch::folder(folder, move || {
                let _ = sender.send(());
            })?
        }
        (None, None) => {
            return Err(Failure::input(
                "nothing_to_watch",
                "there is nothing to watch",
            ));
        }
    };
    watch.also(folders);
    Ok(watch)
}
