//! `import`: converts a registry of promptlibretto, and reports what was converted and what is not
//! supported.

use std::path::PathBuf;

use promptdeck_core::{
    import::{self, ConversionStatus, Report, ReportEntry},
    registry,
};
use serde::Serialize;

use crate::{
    args::Format,
    failure::Failure,
    input,
    output::{self, ExitStatus, Output},
    output_file::Destination,
};

/// Flags of `import`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A registry of promptlibretto 0.5 to 0.8, a JSON file; `-` reads standard input.
    registry: PathBuf,
    /// Write the registry to this file instead of standard output. An existing file is replaced as
    /// a whole.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Format: the registry alone, with the report on standard error, or both in one JSON object.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// The result as JSON.
#[derive(Serialize)]
struct Answer<'a> {
    ok: bool,
    report: &'a Report,
    /// The registry in canonical form, unless it was written to a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
}

/// Prints or writes the registry; status 1 if part of the original is not supported.
pub fn run(args: &Args, out: &mut Output) -> Result<ExitStatus, Failure> {
    let destination = Destination::of(args.output.as_deref())?;
    let name = input::name_of(&args.registry);
    let bytes = input::read(&args.registry)?;
    let imported = import::import(&bytes).map_err(|error| input::refused(&bytes, &name, &error))?;
    let parsed = registry::parse(imported.text.as_bytes())
        .map_err(|error| Failure::registry(&name, &error))?;
    input::has_sections(&parsed.registry).map_err(|failure| failure.in_file(&args.registry))?;
    let to_stdout = matches!(destination, Destination::Stdout);
    if !to_stdout {
        destination.write(&imported.text, out)?;
    }
    let report = &imported.report;
    match args.format {
        Format::Json => out.json(&Answer {
            ok: true,
            report,
            text: to_stdout.then_some(&imported.text),
        })?,
        Format::Text => {
            for entry in &report.entries {
                let place = input::at(&name, entry.place);
                let status = match entry.status {
                    ConversionStatus::NotSupported => "not supported",
                    ConversionStatus::Ambiguous => "ambiguous",
                    ConversionStatus::Converted => "converted",
                    ConversionStatus::Unread => "unchanged, not read",
                };
                let ReportEntry {
                    pointer, message, ..
                } = entry;
                output::message(&format!("{place}{pointer}: {status}: {message}"));
            }
            if to_stdout {
                destination.write(&imported.text, out)?;
            }
        }
    }
    Ok(if report.has(ConversionStatus::NotSupported) {
        ExitStatus::Problems
    } else {
        ExitStatus::Done
    })
}
