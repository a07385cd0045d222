//! Reads the input that an argument names: a file, or standard input for `-`, within a size limit.

use std::{
    fs::File,
    io::{self, Read, Stdin},
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
};

use promptdeck_core::{
    hydrate::{State, default_faults},
    lint,
    registry::{MAX_BYTES, Parsed, Position, Registry},
};
use promptdeck_request::document::{Content, FileKind, OtherContent, is_call_field};

use crate::{failure::Failure, warnings::Warnings};

/// Maximum size of a document in bytes, as for the JSON reader.
pub const MAX_DOCUMENT: u64 = MAX_BYTES as u64;

/// Name of the input in messages.
pub fn name_of(path: &Path) -> String {
    if is_stdin(path) {
        "standard input".to_owned()
    } else {
        path.display().to_string()
    }
}

/// Whether the argument is `-`.
pub fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Prefix of a message about a position in an input.
pub fn at(name: &str, place: Option<Position>) -> String {
    match place {
        Some(Position { line, column }) => format!("{name}: line {line}, column {column}: "),
        None => format!("{name}: "),
    }
}

/// Standard input, which can be read only once.
pub fn stdin() -> Result<Stdin, Failure> {
    static TAKEN: AtomicBool = AtomicBool::new(false);
    if TAKEN.swap(true, Ordering::Relaxed) {
        return Err(Failure::input(
            "wrong_usage",
            "standard input is read once: give - for one input only, and none beside --batch",
        ));
    }
    Ok(io::stdin())
}

/// Reads a whole file, or standard input for `-`.
pub fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let bytes = if is_stdin(path) {
        bounded(stdin()?.lock())
    } else {
        File::open(path).and_then(bounded)
    };
    let bytes = bytes.map_err(|error| {
        let way_out = match error.kind() {
            io::ErrorKind::IsADirectory => "; name a file in it",
            io::ErrorKind::NotFound => "; check the name",
            io::ErrorKind::PermissionDenied => "; check who may read it",
            _ => "",
        };
        let message = format!("cannot read {}: {error}{way_out}", name_of(path));
        Failure::input("unreadable", message)
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

/// Parses the registry in a file. Errors carry positions, ignored parts are warnings.
pub fn registry(path: &Path, warnings: &mut Warnings) -> Result<Parsed, Failure> {
    registry_of(&read(path)?, &name_of(path), warnings)
}

/// Parses a registry; `name` is its file in messages.
pub fn registry_of(bytes: &[u8], name: &str, warnings: &mut Warnings) -> Result<Parsed, Failure> {
    let parsed = parsed(bytes, name)?;
    let beside = parsed.document.wrapper.iter().flatten();
    let unread = beside.map(|(key, _)| key.as_str());
    let unread: Vec<&str> = unread.filter(|key| is_call_field(key)).collect();
    if !unread.is_empty() {
        let unread = unread.join(", ");
        let message = format!(
            "{name}: a call document: of it only the registry is read, and not {unread}; \
             `promptdeck request` reads all of it"
        );
        warnings.add("call_document", message)?;
    }
    warn_of_ignored(&parsed, name, warnings)?;
    Ok(parsed)
}

/// As [`registry_of`], of a call document that is read as a whole.
pub fn registry_in_call(
    bytes: &[u8],
    name: &str,
    warnings: &mut Warnings,
) -> Result<Parsed, Failure> {
    let parsed = parsed(bytes, name)?;
    warn_of_ignored(&parsed, name, warnings)?;
    Ok(parsed)
}

fn parsed(bytes: &[u8], name: &str) -> Result<Parsed, Failure> {
    match Content::of(name, bytes) {
        Content::Registry(parsed, _) => Ok(*parsed),
        Content::NoSection(_, kind) => Err(Failure::no_section(name, kind)),
        Content::Faulty(error) => Err(Failure::registry(name, &error)),
        Content::Other(other) => Err(Failure::not_a_registry(name, &other)),
    }
}

/// Warns about the parts of a registry that nothing reads.
pub fn warn_of_ignored(
    parsed: &Parsed,
    name: &str,
    warnings: &mut Warnings,
) -> Result<(), Failure> {
    for found in lint::ignored(&parsed.document, &parsed.registry) {
        let found = found.located(&parsed.source_map);
        warnings.diagnostic(&at(name, found.place), &found)?;
    }
    Ok(())
}

/// Warns about the faulty defaults of a registry that calls with a state use.
pub fn warn_of_defaults(
    parsed: &Parsed,
    name: &str,
    state: &State,
    warnings: &mut Warnings,
) -> Result<(), Failure> {
    let mut found = default_faults(&parsed.registry, state);
    for found in &mut found {
        found.place = parsed.source_map.find(&found.pointer);
    }
    warnings.diagnostics_at(&found, |found| at(name, found.place))
}

/// Rejects an object without sections: any JSON object would otherwise pass as a registry.
pub fn has_sections(registry: &Registry) -> Result<(), Failure> {
    if registry.sections().is_empty() {
        let reason = OtherContent::File(FileKind::Other).why();
        return Err(Failure::input("not_a_registry", reason));
    }
    Ok(())
}

fn bounded(source: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(MAX_DOCUMENT + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
