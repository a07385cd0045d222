//! Registries of other programs, brought into the folder.

use std::path::Path;

use promptdeck_core::import::{Dialect, Fate, Line};

use crate::ServiceError;
use crate::disk;
use crate::studio::Studio;
use crate::wire::{ImportDialect, ImportFate, ImportLine, Imported};

impl Studio {
    /// Makes a registry file of a text, whatever release of promptlibretto wrote it, and tells what
    /// had to be changed. `name` is the file it came from, or any name; an existing file is never
    /// replaced.
    pub fn import_registry(&self, name: &str, text: &str) -> Result<Imported, ServiceError> {
        self.import_bytes(name, text.as_bytes())
    }

    /// The same for a file of another folder.
    pub fn import_file(&self, path: &Path) -> Result<Imported, ServiceError> {
        let bytes = disk::bytes(path)?;
        let name = path.file_name().unwrap_or(path.as_os_str());
        self.import_bytes(&name.to_string_lossy(), &bytes)
    }

    fn import_bytes(&self, name: &str, text: &[u8]) -> Result<Imported, ServiceError> {
        let (file, report) = self.inner.folder.import(name, text)?;
        Ok(Imported {
            file,
            dialect: match report.dialect {
                Dialect::Canonical => ImportDialect::Canonical,
                Dialect::Classic => ImportDialect::Classic,
                Dialect::Seven => ImportDialect::Seven,
                Dialect::Eight => ImportDialect::Eight,
            },
            lines: report.lines.into_iter().map(line).collect(),
        })
    }
}

fn line(line: Line) -> ImportLine {
    ImportLine {
        fate: match line.fate {
            Fate::Differs => ImportFate::Differs,
            Fate::Disputed => ImportFate::Disputed,
            Fate::Rewritten => ImportFate::Rewritten,
            Fate::Kept => ImportFate::Kept,
        },
        pointer: line.pointer,
        line: line.place.map(|place| place.line),
        message: line.message,
    }
}
