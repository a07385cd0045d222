//! Reads the input that an argument names: a file, or standard input for `-`, within a size limit.

use std::{
    fs::File,
    io::{self, Read, Stdin},
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
};

use promptdeck_core::{
    lint,
    registry::{self, MAX_BYTES, ParseError, Parsed, Position, Registry, read_json_object},
};
use promptdeck_request::document::{FileKind, is_call_field, recognize};

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
    let parsed = registry::parse(bytes).map_err(|error| refused(bytes, name, &error))?;
    if parsed.registry.sections().is_empty() {
        return Err(not_a_registry(name, kind_of(bytes)));
    }
    let beside = parsed.document.wrapper.iter().flatten();
    if beside.map(|(key, _)| key).any(|key| is_call_field(key)) {
        let message = format!(
            "{name}: a call document: of it only the registry is read; `promptdeck request` reads \
             all of it"
        );
        warnings.add("call_document", message)?;
    }
    for found in lint::ignored(&parsed.document, &parsed.registry) {
        let found = found.located(&parsed.source_map);
        warnings.diagnostic(&at(name, found.place), &found)?;
    }
    Ok(parsed)
}

/// Why a text is not a registry: it is another kind of document, or has a fault at a position.
pub fn refused(bytes: &[u8], name: &str, error: &ParseError) -> Failure {
    refused_as(kind_of(bytes), name, error)
}

/// All reasons why a text of a kind is not a registry.
pub fn all_refused(bytes: &[u8], kind: FileKind, name: &str) -> Vec<Failure> {
    let errors = registry::parse_errors(bytes);
    let mut failures: Vec<Failure> = errors
        .iter()
        .map(|error| refused_as(kind, name, error))
        .collect();
    if is_another_document(kind) {
        failures.truncate(1);
    }
    failures
}

fn refused_as(kind: FileKind, name: &str, error: &ParseError) -> Failure {
    match is_another_document(kind) {
        true => not_a_registry(name, kind),
        false => Failure::registry(name, error),
    }
}

fn is_another_document(kind: FileKind) -> bool {
    matches!(kind, FileKind::Call | FileKind::Checks | FileKind::Schema)
}

/// The error for a document of another kind.
pub fn not_a_registry(name: &str, kind: FileKind) -> Failure {
    let way_out = match kind {
        FileKind::Call | FileKind::CallWithRegistry => "; `promptdeck request` builds its request",
        FileKind::Checks => "; `promptdeck test` runs them",
        _ => "",
    };
    let why = why_no_registry(kind);
    Failure::input("not_a_registry", format!("{name}: {why}{way_out}"))
}

/// The message for a document of another kind.
pub fn why_no_registry(kind: FileKind) -> String {
    match kind {
        FileKind::Call | FileKind::CallWithRegistry | FileKind::Checks | FileKind::Schema => {
            format!("not a registry but {kind}")
        }
        _ => "not a registry: it has no section, which is an object with \"items\"".to_owned(),
    }
}

/// What a text is by its keys; one that can't be read is of no known kind.
pub fn kind_of(bytes: &[u8]) -> FileKind {
    kind_and_registry(bytes).0
}

/// What a text is by its keys, and the registry in it, from one reading; one that can't be read is
/// of no known kind.
pub fn kind_and_registry(bytes: &[u8]) -> (FileKind, Result<Parsed, ParseError>) {
    match read_json_object(bytes, "a registry") {
        Ok((members, source_map)) => (
            recognize(&members),
            Parsed::from_object(members, source_map),
        ),
        Err(error) => (FileKind::Other, Err(error)),
    }
}

/// Whether a file that a folder contained is not meant to be a registry. Broken JSON may be one.
pub fn is_of_another_kind(kind: FileKind, bytes: &[u8]) -> bool {
    match kind {
        FileKind::Call | FileKind::Checks | FileKind::Schema => true,
        FileKind::Other => promptdeck_core::registry::read_json(bytes).is_ok(),
        _ => false,
    }
}

/// Rejects an object without sections: any JSON object would otherwise pass as a registry.
pub fn has_sections(registry: &Registry) -> Result<(), Failure> {
    if registry.sections().is_empty() {
        let why = why_no_registry(FileKind::Other);
        return Err(Failure::input("not_a_registry", why));
    }
    Ok(())
}

fn bounded(source: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(MAX_DOCUMENT + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
