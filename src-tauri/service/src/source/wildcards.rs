//! The wildcards of a folder, which a template of sd-dynamic-prompts may name.

use std::ffi::OsStr;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use promptdeck_core::import::dynamic_prompt::Wildcards;
use promptdeck_store::StoreError;
use walkdir::WalkDir;

use crate::{ServiceError, file_version};

/// The extensions of wildcard files.
const EXTENSIONS: [&str; 4] = ["txt", "yaml", "yml", "json"];

/// How many names are looked at: a folder of anything may be chosen.
const MOST_NAMES: usize = 50_000;

/// How many bytes of files are read in all.
const MOST_BYTES: usize = file_version::LARGEST_FILE as usize;

/// The wildcards of a folder, and what it holds besides.
#[derive(Debug)]
pub struct WildcardFolder {
    /// The folder.
    pub path: PathBuf,
    /// The wildcards, called as their files from the folder.
    pub wildcards: Wildcards,
    left_out: Vec<ServiceError>,
}

impl WildcardFolder {
    /// Reads the wildcard files of a folder and its sub-folders. A file that cannot be read is left
    /// out: the template may not name it, and its import reports it otherwise.
    ///
    /// # Errors
    /// If a folder cannot be read, or holds too much.
    pub fn read(folder: &Path) -> Result<Self, ServiceError> {
        let mut found = Self {
            path: folder.to_owned(),
            wildcards: Wildcards::default(),
            left_out: Vec::new(),
        };
        let mut left = MOST_BYTES;
        for (index, entry) in WalkDir::new(folder)
            .sort_by_file_name()
            .into_iter()
            .enumerate()
        {
            if index > MOST_NAMES {
                return Err(ServiceError::LargeWildcards);
            }
            let entry = entry.map_err(|fault| unreadable(fault, folder))?;
            let extension = entry.path().extension().and_then(OsStr::to_str);
            if !entry.file_type().is_file()
                || !extension.is_some_and(|extension| EXTENSIONS.contains(&extension))
            {
                continue;
            }
            let bytes = match file_version::bytes(entry.path()) {
                Ok(bytes) => bytes,
                Err(fault) => {
                    found.left_out.push(fault);
                    continue;
                }
            };
            left = left
                .checked_sub(bytes.len())
                .ok_or(ServiceError::LargeWildcards)?;
            let name = entry.path().strip_prefix(folder).unwrap_or(entry.path());
            if let Err(fault) = found.wildcards.add(&name.to_string_lossy(), &bytes) {
                found.left_out.push(ServiceError::Parse {
                    file: entry.path().display().to_string(),
                    fault,
                });
            }
        }
        Ok(found)
    }

    /// Which files are left out, and why.
    pub fn left_out(&self) -> impl Iterator<Item = String> {
        let faults = self.left_out.iter();
        faults.map(|fault| format!("{fault}; this file is left out"))
    }
}

fn unreadable(fault: walkdir::Error, folder: &Path) -> ServiceError {
    let path = fault.path().unwrap_or(folder).to_owned();
    // A cycle of links has no such error, and links are not followed.
    let source = fault
        .into_io_error()
        .unwrap_or_else(|| ErrorKind::Other.into());
    ServiceError::Store(StoreError::File {
        action: "read the folder",
        path,
        source,
    })
}
