//! Imports registries of other programs into the folder.

use std::path::Path;

use promptdeck_core::import::{ConversionStatus, Dialect, ReportEntry, SourceFormat};

use crate::ServiceError;
use crate::file_version;
use crate::studio::Studio;
use crate::wire::{ImportDialect, ImportFate, ImportLine, Imported};

impl Studio {
    /// Converts a text from any supported release of promptlibretto into a registry file, and
    /// reports the changes. `name` is the name of the original or any other; an existing file is
    /// never replaced.
    ///
    /// # Errors
    /// If the text cannot be converted or the file cannot be written.
    pub fn import_registry(&self, name: &str, text: &str) -> Result<Imported, ServiceError> {
        self.import_bytes(name, text.as_bytes())
    }

    /// The same for a file of another folder.
    ///
    /// # Errors
    /// If the file cannot be read or converted, or the new one cannot be written.
    pub fn import_file(&self, path: &Path) -> Result<Imported, ServiceError> {
        let bytes = file_version::bytes(path)?;
        let name = path.file_name().unwrap_or(path.as_os_str());
        self.import_bytes(&name.to_string_lossy(), &bytes)
    }

    fn import_bytes(&self, name: &str, text: &[u8]) -> Result<Imported, ServiceError> {
        let (file, report) = self.inner.folder.import(name, text)?;
        Ok(Imported {
            file,
            dialect: dialect(report.format),
            lines: report.entries.into_iter().map(line).collect(),
        })
    }
}

fn dialect(format: SourceFormat) -> ImportDialect {
    match format {
        SourceFormat::Registry(Dialect::Canonical) => ImportDialect::Canonical,
        SourceFormat::Registry(Dialect::V0_6) => ImportDialect::Classic,
        SourceFormat::Registry(Dialect::V0_7) => ImportDialect::Seven,
        SourceFormat::Registry(Dialect::V0_8) => ImportDialect::Eight,
        SourceFormat::PlainPrompt => ImportDialect::PlainPrompt,
        SourceFormat::OpenAiMessages => ImportDialect::OpenaiMessages,
        SourceFormat::AnthropicMessages => ImportDialect::AnthropicMessages,
        SourceFormat::CharacterCard => ImportDialect::CharacterCard,
        SourceFormat::Lorebook => ImportDialect::Lorebook,
        SourceFormat::Dotprompt => ImportDialect::Dotprompt,
        SourceFormat::Prompty => ImportDialect::Prompty,
        SourceFormat::Jinja => ImportDialect::Jinja,
        SourceFormat::DynamicPrompt => ImportDialect::DynamicPrompt,
        SourceFormat::Wildcards => ImportDialect::Wildcards,
    }
}

fn line(entry: ReportEntry) -> ImportLine {
    ImportLine {
        fate: match entry.status {
            ConversionStatus::NotSupported => ImportFate::Differs,
            ConversionStatus::Ambiguous => ImportFate::Disputed,
            ConversionStatus::Converted => ImportFate::Rewritten,
            ConversionStatus::Unread => ImportFate::Kept,
        },
        pointer: entry.pointer,
        line: entry.place.map(|position| position.line),
        message: entry.message,
    }
}
