//! Reading what the arguments name: a file, or standard input for `-`, never more than a bound.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

use promptdeck_core::registry::{self, Parsed};
use serde::de::DeserializeOwned;

use crate::{failure::Failure, object::Object};

/// The largest document read at once, in bytes.
pub const MAX_DOCUMENT: u64 = 256 << 20;

/// How a message names the input.
pub fn name_of(path: &Path) -> String {
    if is_stdin(path) {
        "standard input".to_owned()
    } else {
        path.display().to_string()
    }
}

/// Whether the argument stands for standard input.
pub fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The whole of a file, or of standard input for `-`.
pub fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let bytes = if is_stdin(path) {
        bounded(io::stdin().lock())
    } else {
        File::open(path).and_then(bounded)
    };
    let bytes = bytes.map_err(|error| {
        Failure::input(
            "unreadable",
            format!("cannot read {}: {error}", name_of(path)),
        )
    })?;
    if bytes.len() as u64 > MAX_DOCUMENT {
        let message = format!(
            "{} is larger than {} MiB, which is the limit",
            name_of(path),
            MAX_DOCUMENT >> 20
        );
        return Err(Failure::input("too_large", message));
    }
    Ok(bytes)
}

/// A JSON object of a known shape.
pub fn read_json<T: DeserializeOwned>(path: &Path, what: &str) -> Result<T, Failure> {
    serde_json::from_slice(&read(path)?)
        .map(|Object(value)| value)
        .map_err(|error| {
            Failure::input(
                "invalid_json",
                format!("{}: not {what}: {error}", name_of(path)),
            )
        })
}

/// A registry, checked; refused with its place.
pub fn registry(path: &Path) -> Result<Parsed, Failure> {
    registry::parse(&read(path)?).map_err(|error| Failure::registry(&name_of(path), &error))
}

fn bounded(source: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(MAX_DOCUMENT + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
