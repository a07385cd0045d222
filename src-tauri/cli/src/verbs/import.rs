//! `import`: converts a document of another program to a registry, and reports what was converted and
//! what is not supported.

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
};

use clap::{ValueEnum, builder::PossibleValue};
use promptdeck_core::{
    import::{
        ConversionStatus, Report, ReportEntry, SourceKind, dynamic_prompt::Wildcards, import_as,
        resemblance, text_input::without_bom,
    },
    registry::{self, ParseCode, ParseError},
};
use promptdeck_request::document::{Content, DocumentKind, FileKind, OtherContent, kind_of};
use promptdeck_service::{
    WildcardFolder, save_first_view,
    store::{OpenedStore, Store, default_path, named_path, on_waiting},
};
use serde::Serialize;

use crate::{
    args::Format,
    failure::Failure,
    flags, input,
    output::{self, ExitStatus, Output},
    output_file::Destination,
    warnings::StrictArgs,
};

/// Flags of `import`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The document to convert; `-` reads standard input.
    #[arg(value_name = "FILE")]
    document: PathBuf,
    /// Kind of the document; `auto` detects it by name and content.
    #[arg(long, value_enum, value_name = "KIND", default_value = "auto")]
    from: Source,
    /// A folder of wildcard files (.txt, .yaml, .json) that a template may name.
    #[arg(long, value_name = "FOLDER")]
    wildcards: Option<PathBuf>,
    /// Write the result to this file instead of standard output. It is a registry; of a document with
    /// messages, tools or other parts of a call it is a call document that holds the registry: `request`
    /// reads all of it, and the verbs for registries the registry alone.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace the file of --output if it exists; what it held is kept beside it as
    /// NAME.replaced-1.json.
    #[arg(long, requires = "output")]
    force: bool,
    /// Write nothing and end with 1 if something of the document is not supported.
    #[arg(long)]
    strict: bool,
    /// Format: the result alone, with the report on standard error, or both in one JSON object.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// The kind of a document, or none yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Told from the name and the content.
    Auto,
    /// Given.
    Kind(SourceKind),
}

impl ValueEnum for Source {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: [Source; SourceKind::ALL.len() + 1] = {
            let mut all = [Source::Auto; SourceKind::ALL.len() + 1];
            let mut at = 0;
            while at < SourceKind::ALL.len() {
                all[at + 1] = Source::Kind(SourceKind::ALL[at]);
                at += 1;
            }
            all
        };
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self {
            Self::Auto => PossibleValue::new("auto").help("by the name and the content"),
            Self::Kind(kind) => PossibleValue::new(kind.name()).help(kind.description()),
        })
    }
}

/// The result as JSON.
#[derive(Serialize)]
struct Answer<'a> {
    /// Whether the result was written.
    ok: bool,
    /// The kind of the result: `registry` or `call`.
    kind: &'static str,
    report: &'a Report,
    /// The result in canonical form, unless it was written to a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
}

/// Prints or writes the result, and what of the original is not supported. With `--strict`, nothing is
/// written then.
pub fn run(args: &Args, out: &mut Output) -> Result<ExitStatus, Failure> {
    let destination = Destination::of(args.output.as_deref())?.other_than(&args.document)?;
    if let Destination::File(path, _) = &destination
        && path.is_file()
        && !args.force
    {
        let message = format!("{} exists; replace it with --force", path.display());
        return Err(Failure::input("exists", message));
    }
    let name = input::name_of(&args.document);
    let bytes = input::read(&args.document)?;
    let kind = match args.from {
        Source::Auto => detected(&name, &bytes)?,
        Source::Kind(kind) => kind,
    };
    let wildcards = match &args.wildcards {
        Some(_) if kind != SourceKind::Template => {
            let reason = "is for templates; give --from template";
            return flags::refuse(Some("--wildcards"), reason).map(|()| ExitStatus::Done);
        }
        Some(file) if file.is_file() => {
            let message = format!("{} is a file; name its folder", file.display());
            return Err(Failure::input("not_a_folder", message));
        }
        Some(folder) => {
            let found = WildcardFolder::read(folder)?;
            found.left_out().for_each(|file| output::message(&file));
            found.wildcards
        }
        None => Wildcards::default(),
    };
    // The values of a text file are called as the file.
    let file = Path::new(&name)
        .file_name()
        .map_or(name.clone().into(), OsStr::to_string_lossy);
    let imported = import_as(kind, &file, &bytes, &wildcards)
        .map_err(|error| refused(kind, &bytes, &name, &error))?;
    let parsed = registry::parse(imported.text.as_bytes())
        .map_err(|error| Failure::registry(&name, &error))?;
    input::has_sections(&parsed.registry).map_err(|failure| {
        failure
            .in_file(&args.document)
            .with_hint("if the document is of another kind, name it with --from")
    })?;
    let report = &imported.report;
    let strict = StrictArgs {
        strict: args.strict,
    };
    let is_lost = |entry: &&ReportEntry| entry.status == ConversionStatus::NotSupported;
    let lost = report.entries.iter().filter(is_lost).count();
    let is_refused = args.strict && lost > 0;
    let is_call = kind_of(imported.text.as_bytes()) == FileKind::CallWithRegistry;
    let to_stdout = matches!(destination, Destination::Stdout) && !is_refused;
    if let Destination::File(path, _) = &destination
        && !is_refused
    {
        // The author of a file that is replaced has laid out its cards.
        let is_new = !path.exists();
        destination.write(&imported.text, out)?;
        if is_new {
            remember_view(path, kind, &imported.text);
        }
    }
    match args.format {
        Format::Json => out.json(&Answer {
            ok: !is_refused,
            kind: match is_call {
                true => DocumentKind::Call.name(),
                false => DocumentKind::Registry.name(),
            },
            report,
            text: to_stdout.then_some(&imported.text),
        })?,
        Format::Text => {
            // Written at once: a document may have hundreds of thousands of entries.
            let rows = report.entries.iter().map(|entry| {
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
                let pointer = match pointer.as_str() {
                    "" => String::new(),
                    pointer => format!("{pointer}: "),
                };
                format!("{place}{pointer}{status}: {message}")
            });
            output::messages(&rows.collect());
            if is_call && !is_refused {
                let written = match &destination {
                    Destination::File(path, _) => path.display().to_string(),
                    Destination::Stdout => "the result".to_owned(),
                };
                output::note(&format!(
                    "{written} is a call document that holds its registry: `promptdeck request` \
                     builds its request, `promptdeck hydrate --call` prints its prompt"
                ));
            }
            if to_stdout {
                destination.write(&imported.text, out)?;
            }
        }
    }
    Ok(match strict.refuses(lost) {
        true => ExitStatus::Problems,
        false => ExitStatus::Done,
    })
}

/// Stores the initial view that an import in the studio would store. Without a store the deck is complete
/// as well; one that is named and not there is probably misspelled, and not created.
fn remember_view(file: &Path, kind: SourceKind, registry: &str) {
    let is_missing = |store: &PathBuf| named_path().is_some() && !Store::exists(store);
    let Some(store) = default_path().filter(|store| !is_missing(store)) else {
        return;
    };
    on_waiting(output::warning);
    let open = || {
        let OpenedStore { store, salvage } = Store::open(&store)?;
        if let Some(salvage) = salvage {
            output::warning(&salvage.to_string());
        }
        Ok(store)
    };
    if let Err(error) = save_first_view(open, file, kind, registry) {
        output::note(&format!(
            "the studio will show the cards in canonical order, not as they are printed: {error}"
        ));
    }
}

/// The kind by name and content. A plain text that looks like another kind is reported, and a JSON value
/// that holds no prompt is refused, unless the file is named as a text.
fn detected(name: &str, bytes: &[u8]) -> Result<SourceKind, Failure> {
    let kind = SourceKind::detect(name, bytes);
    let text = std::str::from_utf8(bytes).ok().map(without_bom);
    if let SourceKind::Plain | SourceKind::Registry = kind
        && SourceKind::of_name(name).is_none()
        && let Some(text) = text
        && let Content::Other(OtherContent::Value(value)) = Content::of(name, text.as_bytes())
    {
        let message =
            format!("{name}: {value}, which is no document; `--from plain` reads it as a text");
        return Err(Failure::input("no_document", message));
    }
    if kind == SourceKind::Plain
        && let Some(other) = text.and_then(resemblance)
    {
        let other = other.name();
        output::message(&format!(
            "{name}: read as a plain prompt, but looks like {other}: use --from {other} to read it so"
        ));
    }
    Ok(kind)
}

/// Why a document can't be imported: that it is no registry but something else, or the fault and its
/// place.
fn refused(kind: SourceKind, bytes: &[u8], name: &str, error: &ParseError) -> Failure {
    match kind {
        SourceKind::Registry => match Content::of(name, bytes) {
            Content::Other(content @ (OtherContent::File(_) | OtherContent::Document(_)))
                if content != OtherContent::File(FileKind::Other) =>
            {
                Failure::not_a_registry(name, &content)
            }
            _ if error.code == ParseCode::NotARegistry => Failure::registry(name, error)
                .with_hint("if the document is of another kind, name it with --from"),
            _ => Failure::registry(name, error),
        },
        _ => Failure::registry(name, error),
    }
}
