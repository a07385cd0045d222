//! Reading what the arguments name: a file, or standard input for `-`, never more than a bound.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

use promptdeck_core::registry::{self, MAX_BYTES, Parsed, Registry};

use crate::failure::Failure;

/// The largest document read at once, in bytes: what the reader of JSON accepts.
pub const MAX_DOCUMENT: u64 = MAX_BYTES as u64;

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

/// A registry, checked; refused with its place.
pub fn registry(path: &Path) -> Result<Parsed, Failure> {
    let name = name_of(path);
    let parsed = registry::parse(&read(path)?).map_err(|error| Failure::registry(&name, &error))?;
    has_sections(&parsed.registry).map_err(|failure| failure.in_file(path))?;
    Ok(parsed)
}

/// Refuses an object that holds no section: any JSON object would pass for a registry otherwise.
pub fn has_sections(registry: &Registry) -> Result<(), Failure> {
    if registry.sections().is_empty() {
        return Err(Failure::input(
            "not_a_registry",
            "not a registry: it has no section, which is an object with \"items\"",
        ));
    }
    Ok(())
}

fn bounded(source: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(MAX_DOCUMENT + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
