//! The file of a shard. It is written as `NAME.part` beside a description of the job,
//! `NAME.part.json`, and gets its name when it is complete. The same command continues a broken-off
//! one behind its last whole line or frame.

use std::{
    ffi::OsString,
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Write as _},
    ops::Range,
    path::{Path, PathBuf},
};

use promptdeck_core::plural::plural;
use promptdeck_service::files;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::{
    partial_file::{self, Whole},
    progress::Progress,
    shard_rows::Rows,
};
use crate::{failure::Failure, output, output_file};

/// Endings of compressed files that are not written here: plain rows would be taken for them.
const OTHER_COMPRESSIONS: [&str; 9] = [
    "br", "bz2", "gz", "lz4", "parquet", "snappy", "xz", "zip", "zstd",
];

/// Zstandard's own default.
const LEVEL: i32 = 3;

/// What a shard is made from: two calls with the same job write the same bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// Version of the program.
    pub promptdeck: String,
    /// SHA-256 of the registry.
    pub registry: String,
    /// SHA-256 of state, route and settings.
    pub call: String,
    /// Name of the format.
    pub format: String,
    /// The seed of row 0 of the whole.
    pub first_seed: u64,
    /// The rows of this shard.
    pub rows: Range<u64>,
}

impl Job {
    /// The first difference from another job, in words.
    fn difference(&self, other: &Self) -> Option<&'static str> {
        let differences = [
            (
                self.promptdeck != other.promptdeck,
                "another version of promptdeck",
            ),
            (self.registry != other.registry, "another registry"),
            (self.format != other.format, "another format"),
            (self.first_seed != other.first_seed, "another --seed"),
            (self.rows != other.rows, "another --rolls or --shard"),
            (self.call != other.call, "another state, route or model"),
        ];
        differences
            .iter()
            .find_map(|(differs, what)| differs.then_some(*what))
    }
}

/// The hash of a value's JSON.
pub fn hash(value: &impl Serialize) -> Result<String, Failure> {
    let json = serde_json::to_vec(value).map_err(io::Error::from)?;
    let bytes = Sha256::digest(json);
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Whether the rows are compressed: by Zstandard, if the name ends in `.zst`.
fn is_compressed(path: &Path) -> Result<bool, Failure> {
    let ending = path.extension().unwrap_or_default().to_string_lossy();
    let ending = ending.to_ascii_lowercase();
    if OTHER_COMPRESSIONS.contains(&ending.as_str()) {
        let message = format!(
            "{}: .{ending} files are not written; end the name in .zst for compressed rows, or in .jsonl",
            path.display()
        );
        return Err(Failure::input("wrong_usage", message));
    }
    Ok(ending == "zst")
}

/// The file of a shard.
pub struct ShardFile<'a> {
    path: &'a Path,
    part: PathBuf,
    description: PathBuf,
    compressed: bool,
}

impl<'a> ShardFile<'a> {
    /// The file at a path. Refuses one that exists, unless it is to be replaced.
    pub fn new(path: &'a Path, force: bool) -> Result<Self, Failure> {
        let name = |ending: &str| {
            let mut name = OsString::from(path);
            name.push(ending);
            PathBuf::from(name)
        };
        match fs::metadata(path) {
            Ok(existing) if !existing.is_file() => {
                let message = format!(
                    "{} is not a file, and a shard is renamed to its name when it is complete: \
                     omit -o for standard output",
                    path.display()
                );
                return Err(Failure::input("wrong_usage", message));
            }
            Ok(_) if !force => {
                let message = format!("{} exists; replace it with --force", path.display());
                return Err(Failure::input("exists", message));
            }
            _ => {}
        }
        Ok(Self {
            path,
            part: name(".part"),
            description: name(".part.json"),
            compressed: is_compressed(path)?,
        })
    }

    /// Writes the rows that are missing, and gives the file its name.
    pub fn write(&self, job: &Job, rows: &Rows<'_>, force: bool) -> Result<(), Failure> {
        let total = job.rows.end - job.rows.start;
        let mut file = self.open()?;
        let done = self.resume(&mut file, job, rows, force)?;
        if done > 0 && done < total {
            let count = plural(usize::try_from(done).unwrap_or(usize::MAX), "row");
            output::note(&format!(
                "{} has {count}; writing the rest",
                self.part.display()
            ));
        }
        let mut progress = Progress::start(done, total);
        let mut written = done;
        let result = rows.for_each_chunk(
            job.rows.start + done..job.rows.end,
            |lines| self.encode(lines),
            |chunk, count| {
                file.write_all(chunk)
                    .map_err(|error| self.unwritable(&error, written))?;
                written += count;
                progress.add(count);
                Ok(())
            },
        );
        drop(progress);
        result?;
        file.sync_all()
            .map_err(|error| self.unwritable(&error, written))?;
        let replaced = files::move_replaced(self.path, &self.part)?;
        fs::rename(&self.part, self.path)
            .and_then(|()| fs::remove_file(&self.description))
            .map_err(|error| self.unwritable(&error, written))?;
        output_file::note_copy(self.path, replaced.as_deref());
        Ok(())
    }

    /// Opens the part for this process alone.
    fn open(&self) -> Result<File, Failure> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let file = options
            .open(&self.part)
            .map_err(|error| self.unwritable(&error, 0))?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => {
                let message = format!("another process is writing {}", self.part.display());
                Err(Failure::input("locked", message))
            }
            // Some file systems have no locks; the file is then not protected.
            Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
        }
    }

    /// Checks that the part belongs to the job, cuts it off behind what is whole, and returns the
    /// number of its rows; an empty part begins a new shard.
    fn resume(
        &self,
        file: &mut File,
        job: &Job,
        rows: &Rows<'_>,
        force: bool,
    ) -> Result<u64, Failure> {
        let unreadable = |error: io::Error| self.unwritable(&error, 0);
        let is_empty = file.metadata().map_err(unreadable)?.len() == 0;
        if !is_empty && !force {
            let described = fs::read(&self.description).ok();
            let begun: Option<Job> = described.and_then(|text| serde_json::from_slice(&text).ok());
            let difference = begun.map_or(Some("an unknown job"), |begun| job.difference(&begun));
            if let Some(difference) = difference {
                return Err(self.foreign(difference));
            }
            let whole = match self.compressed {
                true => partial_file::frames(file),
                false => partial_file::lines(file),
            };
            let whole = whole.map_err(unreadable)?;
            if !belongs(&whole, job, rows)? {
                return Err(self.foreign("other rows"));
            }
            partial_file::cut(file, &whole).map_err(unreadable)?;
            return Ok(whole.lines);
        }
        // Emptied first: a description must not stand beside rows of another job.
        file.set_len(0).map_err(unreadable)?;
        let text = serde_json::to_vec_pretty(job).map_err(io::Error::from)?;
        fs::write(&self.description, text).map_err(unreadable)?;
        Ok(0)
    }

    /// A chunk as it is in the file: each one is a frame of its own if the file is compressed.
    fn encode(&self, lines: Vec<u8>) -> Result<Vec<u8>, Failure> {
        if !self.compressed {
            return Ok(lines);
        }
        let mut encoder = zstd::bulk::Compressor::new(LEVEL)?;
        encoder.include_checksum(true)?;
        Ok(encoder.compress(&lines)?)
    }

    fn foreign(&self, what: &str) -> Failure {
        let message = format!(
            "{} was begun with {what}; start over with --force, or write to another file",
            self.part.display()
        );
        Failure::input("other_job", message)
    }

    fn unwritable(&self, error: &io::Error, rows: u64) -> Failure {
        let mut message = match error.kind() {
            // How much is needed is not known.
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                let part = self.part.display();
                format!("cannot write {part}: {error}; make room or write to another disk")
            }
            _ => files::write_error(&self.part, &self.part, &[], error).to_string(),
        };
        if rows > 0 {
            message += "; the same command continues it";
        }
        Failure::input("output_unwritable", message)
    }
}

/// Whether the last whole line is the row that belongs there.
fn belongs(whole: &Whole, job: &Job, rows: &Rows<'_>) -> Result<bool, Failure> {
    if whole.lines == 0 {
        return Ok(true);
    }
    let end = job.rows.start + whole.lines;
    Ok(end <= job.rows.end && rows.lines(end - 1..end)? == whole.last)
}
