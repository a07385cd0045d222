//! `impact` of two folders: registries are matched by relative path, what is left as renamed, and each
//! pair that differs is compared.

use std::{collections::BTreeMap, path::Path};

use promptdeck_core::{hydrate::Engine, registry::Registry};
use promptdeck_population::impact::Impact;
use promptdeck_request::document::Content;

use super::{Comparer, renames::renames};
use crate::{
    failure::{ErrorReport, Failure},
    input, output,
    registry_files::{self, SkippedFiles},
};

/// The comparison of two folders.
pub struct FolderComparison {
    /// Registries that differ in bytes or name, in the order of their paths.
    pub files: Vec<FileComparison>,
    /// Number of registries with the same bytes and name in both.
    pub same: usize,
    /// Old versions that cannot be read, and therefore are not compared.
    pub unread_before: Vec<ErrorReport>,
}

/// A registry of two folders.
pub struct FileComparison {
    /// Path in its folder, the new one if it is in both, with `/` on every system.
    pub file: String,
    /// Path in the old folder if that is another.
    pub old_file: Option<String>,
    /// Its status.
    pub status: FileStatus,
}

/// Whether a registry was compared, or why not.
pub enum FileStatus {
    /// It is in both folders.
    Compared(Box<Impact>),
    /// It is in the new folder only.
    Added,
    /// It is in the old folder only.
    Deleted,
    /// It is in both, and its old version cannot be read.
    NotCompared(ErrorReport),
    /// It cannot be read, or not rolled.
    Unreadable(ErrorReport),
}

/// A registry file of a folder.
pub struct Found {
    pub bytes: Vec<u8>,
    pub registry: Result<Registry, Failure>,
}

/// Compares two folders.
///
/// # Errors
///
/// If a folder cannot be read, or the new one has no registry. A fault of one file is its
/// [`FileStatus`].
pub fn compare(
    old: &Path,
    new: &Path,
    comparer: &Comparer<'_>,
) -> Result<FolderComparison, Failure> {
    let (old_folder, new_folder) = (old, new);
    let (mut old, mut new) = (registries(old)?, registries(new)?);
    if new.is_empty() {
        let name = new_folder.display();
        let message =
            format!("{name}: no registry in it; compare with the folder of the new versions");
        return Err(Failure::input("no_registry", message));
    }
    if old.is_empty() {
        let name = old_folder.display();
        output::warning(&format!(
            "{name}: no registry in it, so nothing is compared"
        ));
    }
    let mut same = 0;
    let mut pairs = Vec::new();
    let shared: Vec<String> = new
        .keys()
        .filter(|file| old.contains_key(*file))
        .cloned()
        .collect();
    for file in shared {
        if let (Some(before), Some(after)) = (old.remove(&file), new.remove(&file)) {
            match before.bytes == after.bytes && after.registry.is_ok() {
                true => same += 1,
                false => pairs.push((None, file, before, after)),
            }
        }
    }
    for (from, to) in renames(&old, &new) {
        if let (Some(before), Some(after)) = (old.remove(&from), new.remove(&to)) {
            pairs.push((Some(from), to, before, after));
        }
    }
    let mut files: Vec<FileComparison> = Vec::new();
    let mut unread_before = Vec::new();
    for (old_file, file, before, after) in pairs {
        let status = match (before.registry, after.registry) {
            (_, Err(failure)) => FileStatus::Unreadable(failure.report()),
            (Err(failure), Ok(_)) => {
                unread_before.push(failure.report());
                FileStatus::NotCompared(failure.report())
            }
            (Ok(before), Ok(after)) => {
                let engines = (Engine::new(before), Engine::new(after));
                match comparer.compare((&engines.0, &engines.1)) {
                    Ok(impact) => FileStatus::Compared(Box::new(impact)),
                    Err(error) => FileStatus::Unreadable(Failure::from(error).report()),
                }
            }
        };
        files.push(FileComparison {
            file,
            old_file,
            status,
        });
    }
    let alone = |file, status| FileComparison {
        file,
        old_file: None,
        status,
    };
    files.extend(new.into_iter().map(|(file, found)| match found.registry {
        Ok(_) => alone(file, FileStatus::Added),
        Err(failure) => alone(file, FileStatus::Unreadable(failure.report())),
    }));
    for (file, found) in old {
        unread_before.extend(found.registry.err().map(|failure| failure.report()));
        files.push(alone(file, FileStatus::Deleted));
    }
    files.sort_by(|one, other| one.file.cmp(&other.file));
    Ok(FolderComparison {
        files,
        same,
        unread_before,
    })
}

/// The registries of a folder by relative path. JSON of other kinds is skipped; broken JSON is not.
fn registries(folder: &Path) -> Result<BTreeMap<String, Found>, Failure> {
    let mut found = BTreeMap::new();
    let mut skipped = SkippedFiles::default();
    let listing = registry_files::of(&[folder.to_owned()]);
    for unread in listing.unread {
        // The registries of an unread folder would pass as deleted or new.
        if !unread.is_file {
            return Err(unread.failure);
        }
        let unreadable = Found {
            bytes: Vec::new(),
            registry: Err(unread.failure),
        };
        found.insert(relative(&unread.path, folder), unreadable);
    }
    for file in listing.files {
        let name = relative(&file.path, folder);
        let bytes = match input::read(&file.path) {
            Ok(bytes) => bytes,
            Err(failure) => {
                let unread = Found {
                    bytes: Vec::new(),
                    registry: Err(failure),
                };
                found.insert(name, unread);
                continue;
            }
        };
        let registry = match file.content(&bytes) {
            Content::Registry(parsed, _) => Ok(parsed.registry),
            Content::Faulty(error) => Err(Failure::registry(&input::name_of(&file.path), &error)),
            Content::NoSection(_, kind) => {
                Err(Failure::no_section(&input::name_of(&file.path), kind))
            }
            Content::Other(content) => {
                skipped.add(&file, content);
                continue;
            }
        };
        found.insert(name, Found { bytes, registry });
    }
    for unread in skipped.probable() {
        output::warning(&unread.failure.to_string());
    }
    Ok(found)
}

fn relative(path: &Path, folder: &Path) -> String {
    let below = path.strip_prefix(folder).unwrap_or(path);
    let steps: Vec<_> = below.iter().map(|step| step.to_string_lossy()).collect();
    steps.join("/")
}

impl FolderComparison {
    /// The comparisons, each with its file.
    pub fn compared(&self) -> impl Iterator<Item = (&FileComparison, &Impact)> {
        self.files.iter().filter_map(|file| match &file.status {
            FileStatus::Compared(impact) => Some((file, &**impact)),
            _ => None,
        })
    }

    /// What is wrong with the files that cannot be read.
    pub fn unreadable(&self) -> impl Iterator<Item = &ErrorReport> {
        self.files.iter().filter_map(|file| match &file.status {
            FileStatus::Unreadable(error) => Some(error),
            _ => None,
        })
    }

    /// What became of the registries, in one line.
    pub fn summary(&self) -> String {
        let count = |wanted: fn(&FileComparison) -> bool| {
            self.files.iter().filter(|file| wanted(file)).count()
        };
        let changed = self
            .compared()
            .filter(|(_, impact)| impact.changed.rolls > 0)
            .count();
        let in_both = self.same + self.compared().count();
        let mut line = match changed {
            0 if in_both == 0 => "no registries compared".to_owned(),
            0 => format!("no prompt changes in {}", registries_of(in_both)),
            changed => format!("prompts change in {changed} of {}", registries_of(in_both)),
        };
        for (number, word) in [
            (
                count(|file| matches!(file.status, FileStatus::Added)),
                "new",
            ),
            (
                count(|file| matches!(file.status, FileStatus::Deleted)),
                "deleted",
            ),
            (count(|file| file.old_file.is_some()), "renamed"),
            (
                count(|file| matches!(file.status, FileStatus::NotCompared(_))),
                "not compared",
            ),
            (
                count(|file| matches!(file.status, FileStatus::Unreadable(_))),
                "unreadable",
            ),
        ] {
            if number > 0 {
                line.push_str(&format!(", {number} {word}"));
            }
        }
        line
    }
}

fn registries_of(count: usize) -> String {
    promptdeck_core::plural::plural(count, "registry")
}
