//! `fmt`: rewrites registries in canonical form, in place, or from standard input to standard
//! output. A canonical file is not touched.

use std::path::PathBuf;

use promptdeck_core::registry::canonical;
use promptdeck_request::document::{Content, FileKind, OtherContent};
use promptdeck_service::{
    files::{self, Expected},
    store::Hash,
};

use crate::{
    failure::Failure,
    input,
    output::{self, ExitStatus, Output},
    output_file,
    registry_files::{self, InputFile, Listing, SkippedFiles},
};

/// Flags of `fmt`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Change nothing; print the names of files that are not canonical and exit with 1 if there are
    /// any.
    #[arg(long)]
    check: bool,
    /// Registry files, or folders, which are searched recursively. Call documents stay as they are, also
    /// those that hold a registry.
    #[arg(required = true)]
    registries: Vec<PathBuf>,
}

/// Formats every file. An unreadable file does not stop the others.
pub fn run(args: &Args, out: &mut Output) -> Result<ExitStatus, Failure> {
    out.ignore_closed_pipe();
    let (mut changed, mut formatted) = (false, false);
    let mut calls: Vec<String> = Vec::new();
    let Listing {
        files,
        unread,
        empty,
    } = registry_files::of(&args.registries);
    let mut skipped = SkippedFiles::of_empty(empty);
    let mut unreadable = !unread.is_empty();
    for unread in &unread {
        output::error(&unread.failure);
    }
    for file in files {
        match format(&file, args.check, out) {
            Ok(Formatted::Unchanged) => formatted = true,
            Ok(Formatted::Changed) => (formatted, changed) = (true, true),
            Ok(Formatted::Other(content)) => {
                if file.found && content == OtherContent::File(FileKind::CallWithRegistry) {
                    calls.push(input::name_of(&file.path));
                }
                skipped.add(&file, content);
            }
            Err(failure @ Failure::Output(_)) => return Err(failure),
            Err(failure) => {
                output::error(&failure);
                unreadable = true;
            }
        }
    }
    if !calls.is_empty() {
        let calls = calls.join(", ");
        output::note(&format!(
            "call documents that hold their registry stay as they are: {calls}"
        ));
    }
    let left_out = skipped.left_out(&args.registries, formatted || unreadable);
    for warned in &left_out.warned {
        output::warning(&warned.failure.to_string());
    }
    for refused in &left_out.refused {
        output::error(&refused.failure);
        unreadable = true;
    }
    Ok(match (unreadable, args.check && changed) {
        (true, _) => ExitStatus::Unreadable,
        (false, true) => ExitStatus::Problems,
        (false, false) => ExitStatus::Done,
    })
}

/// Result for one file.
enum Formatted {
    /// The file was canonical.
    Unchanged,
    /// The file was not canonical.
    Changed,
    /// The file is not a registry.
    Other(OtherContent),
}

fn format(file: &InputFile, check: bool, out: &mut Output) -> Result<Formatted, Failure> {
    let bytes = input::read(&file.path)?;
    let path = &file.path;
    let parsed = match file.content(&bytes) {
        Content::Registry(_, FileKind::CallWithRegistry) => {
            let call = OtherContent::File(FileKind::CallWithRegistry);
            return Ok(Formatted::Other(call));
        }
        Content::Registry(parsed, _) => parsed,
        Content::NoSection(_, kind) => {
            return Err(Failure::no_section(&input::name_of(path), kind));
        }
        Content::Faulty(error) => return Err(Failure::registry(&input::name_of(path), &error)),
        Content::Other(content) => return Ok(Formatted::Other(content)),
    };
    let canonical = canonical::format(&parsed.document);
    let changed = canonical.as_bytes() != bytes;
    if check {
        if changed {
            out.row(input::name_of(path))?;
        }
    } else if input::is_stdin(path) {
        out.verbatim(&canonical)?;
    } else if changed {
        let replaced = output_file::replace(path, &canonical, Expected::Content(Hash::of(&bytes)));
        replaced.map_err(|failure| match failure.report().code.as_str() {
            "permission_denied" => failure.with_hint("`promptdeck fmt - < FILE` prints the result"),
            _ => failure,
        })?;
    } else {
        files::clean_beside(path);
    }
    Ok(match changed {
        true => Formatted::Changed,
        false => Formatted::Unchanged,
    })
}
