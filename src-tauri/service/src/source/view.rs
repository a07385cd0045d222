//! What the page sees of a source: its lines, the parts it becomes, the report.

use std::borrow::Cow;

use promptdeck_core::import::plain_prompt::{self, Opening, OutlinePart, SplitPoints};
use promptdeck_core::import::text_input::{self, TextInput};
use promptdeck_core::import::{
    ConversionStatus, Dialect, Import, ReportEntry, SourceFormat, SourceKind, resemblance,
};
use promptdeck_core::registry;
use promptdeck_model::tokenizer::TokenCounter;
use promptdeck_request::call::Call;
use promptdeck_request::prompt::Prompt;
use serde_json::Value;

use super::Source;
use crate::ServiceError;
use crate::calls::folder;
use crate::saturating::saturating_u32;
use crate::starters;
use crate::wire::{
    Conversion, Failure, ImportEntry, ImportFormat, ImportStatus, IneffectivePoint, NoEffect,
    PartLines, PartOpening, PromptSplit, SourceSection, SourceType, SourceView, SplitAt,
    SplitPoint, WildcardsView,
};

/// How many lines of a prompt the page receives.
const MAX_LINES: usize = 2000;
/// How many characters of a line the page receives.
const MAX_COLUMNS: usize = 2000;
/// How many entries of a report the page receives.
const MAX_REPORT: usize = 500;
/// Tokens of larger registries are not counted: the count would delay every change of a split.
const MAX_COUNTED: usize = 1 << 20;

/// The parts of a plain prompt, and whether its registry holds them.
pub(super) type LaidOut = (Vec<OutlinePart>, bool);

/// A converted source.
pub(super) struct Converted {
    pub conversion: Conversion,
    /// The registry as it will be written.
    pub registry: String,
    pub title: Option<String>,
}

/// The conversion of a source; `plain` are the text and the parts of a plain prompt.
pub(super) fn converted(
    imported: Import,
    plain: Option<(&TextInput<'_>, LaidOut)>,
    counter: &dyn TokenCounter,
) -> Result<Converted, ServiceError> {
    let parsed =
        registry::parse(imported.text.as_bytes()).map_err(|fault| ServiceError::Parse {
            file: "registry".to_owned(),
            fault,
        })?;
    let title = parsed
        .document
        .registry
        .get("title")
        .and_then(Value::as_str);
    let title = title.map(str::to_owned);
    let wrapper = parsed.document.wrapper.as_ref();
    let call = wrapper.map(folder::call_around).unwrap_or_default();
    let call_problem = Call::from_map(&call).err().map(|fault| fault.message);
    let (messages, tools) = folder::call_counts(&call);
    let section_count = saturating_u32(parsed.registry.sections().len());
    let is_template = Prompt::is_template(&parsed.registry);
    let preview = starters::printed_by(parsed.registry)?;
    let counted = imported.text.len() <= MAX_COUNTED;
    let sections = match &plain {
        Some((text, (parts, _))) => parts
            .iter()
            .map(|part| of_part(part, text, parts, counted.then_some(counter)))
            .collect(),
        None if counted => starters::sections(&preview, counter)
            .into_iter()
            .map(|section| SourceSection {
                section: section.section,
                field: None,
                tokens: Some(section.tokens),
                lines: None,
            })
            .collect(),
        None => Vec::new(),
    };
    let same = plain
        .as_ref()
        .map(|(text, (_, followed))| *followed && preview.text() == without_last_break(text));
    let mut entries: Vec<ImportEntry> = imported.report.entries.into_iter().map(entry).collect();
    let more_entries = saturating_u32(entries.len().saturating_sub(MAX_REPORT));
    entries.truncate(MAX_REPORT);
    Ok(Converted {
        conversion: Conversion {
            format: format(imported.report.format),
            sections,
            section_count,
            is_template,
            entries,
            more_entries,
            characters: preview.characters,
            same,
            line_ends: plain.is_some_and(|(text, _)| text.converted()),
            messages: saturating_u32(messages),
            tools: saturating_u32(tools),
            call_problem,
        },
        registry: imported.text,
        title,
    })
}

/// A text without the line break that ends its file.
fn without_last_break(text: &str) -> &str {
    text.strip_suffix('\n').unwrap_or(text)
}

fn of_part(
    part: &OutlinePart,
    text: &str,
    parts: &[OutlinePart],
    counter: Option<&dyn TokenCounter>,
) -> SourceSection {
    let alone = parts
        .iter()
        .filter(|other| other.section == part.section)
        .nth(1)
        .is_none();
    SourceSection {
        section: part.section.clone(),
        field: (!alone || part.entries > 0).then(|| part.field.clone()),
        tokens: counter.map(|counter| saturating_u32(counter.count(part.text(text)).tokens)),
        lines: Some(PartLines {
            first: part.first_line,
            last: part.last_line,
            opening: match part.opening {
                Opening::Heading => PartOpening::Heading,
                Opening::Tag => PartOpening::Tag,
                Opening::Label => PartOpening::Label,
                Opening::Entry => PartOpening::Entry,
                Opening::Text => PartOpening::Text,
            },
            entries: part.entries,
            headed: part.headed,
        }),
    }
}

/// The view of a source.
pub(super) fn view(
    number: u32,
    source: &Source,
    file: String,
    split: Option<PromptSplit>,
    conversion: Result<Converted, ServiceError>,
) -> SourceView {
    let read = text_input::read(&source.bytes).ok();
    let written = || std::str::from_utf8(&source.bytes).ok();
    let text = read.as_deref().or_else(written);
    let plain_text = text.filter(|_| source.kind == SourceKind::Plain);
    let at = split.as_ref().map(|split| split.at);
    let ineffective_points = plain_text
        .zip(at)
        .map(|(text, at)| ineffective_points(text, at));
    let (conversion, problem) = match conversion {
        Ok(found) => (Some(found.conversion), None),
        Err(fault) => {
            let failure = Failure::from(fault);
            // Bytes that are no text are replaced, to be marked where they are.
            let lossy = || String::from_utf8_lossy(&source.bytes);
            let shown = text.map_or_else(lossy, Cow::Borrowed);
            (None, Some(failure.with_excerpt(&shown)))
        }
    };
    SourceView {
        number,
        name: source.name.clone(),
        as_type: type_of(source.kind),
        resembles: plain_text.and_then(resemblance).map(type_of),
        length: saturating_u32(text.map_or(source.bytes.len(), |text| {
            without_last_break(text).chars().count()
        })),
        file,
        lines: plain_text.map(first_lines).unwrap_or_default(),
        line_count: saturating_u32(plain_text.map_or(0, |text| text.split('\n').count())),
        split,
        ineffective_points: ineffective_points.unwrap_or_default(),
        conversion,
        problem,
        wildcards: source.wildcard_folder().map(|folder| WildcardsView {
            path: folder.path.display().to_string(),
            lists: saturating_u32(folder.wildcards.names().count()),
        }),
    }
}

fn first_lines(text: &str) -> Vec<String> {
    let lines = text.split('\n').take(MAX_LINES);
    lines
        .map(|line| {
            let cut = line.char_indices().nth(MAX_COLUMNS);
            match cut {
                Some((at, _)) => format!("{}…", &line[..at]),
                None => line.to_owned(),
            }
        })
        .collect()
}

/// The places as the core takes them.
pub(super) fn points(at: SplitAt) -> SplitPoints {
    SplitPoints {
        headings: at.headings,
        tags: at.tags,
        blank_lines: at.blank_lines,
        lists: at.lists,
    }
}

fn ineffective_points(text: &str, at: SplitAt) -> Vec<IneffectivePoint> {
    let found = plain_prompt::without_effect(text, points(at)).unwrap_or_default();
    let ineffective = found.into_iter().map(|(point, reason)| IneffectivePoint {
        point: match point {
            plain_prompt::SplitPoint::Headings => SplitPoint::Headings,
            plain_prompt::SplitPoint::Tags => SplitPoint::Tags,
            plain_prompt::SplitPoint::BlankLines => SplitPoint::BlankLines,
            plain_prompt::SplitPoint::Lists => SplitPoint::Lists,
        },
        reason: match reason {
            plain_prompt::NoEffect::Absent => NoEffect::Absent,
            plain_prompt::NoEffect::Structured => NoEffect::Structured,
            plain_prompt::NoEffect::Redundant => NoEffect::Redundant,
        },
    });
    ineffective.collect()
}

/// The kind of a type.
pub(super) fn kind_of(source: SourceType) -> SourceKind {
    match source {
        SourceType::Registry => SourceKind::Registry,
        SourceType::Plain => SourceKind::Plain,
        SourceType::Messages => SourceKind::Messages,
        SourceType::Card => SourceKind::Card,
        SourceType::Lorebook => SourceKind::Lorebook,
        SourceType::Dotprompt => SourceKind::Dotprompt,
        SourceType::Prompty => SourceKind::Prompty,
        SourceType::Jinja => SourceKind::Jinja,
        SourceType::Template => SourceKind::Template,
        SourceType::Wildcards => SourceKind::Wildcards,
    }
}

fn type_of(kind: SourceKind) -> SourceType {
    match kind {
        SourceKind::Messages => SourceType::Messages,
        SourceKind::Card => SourceType::Card,
        SourceKind::Lorebook => SourceType::Lorebook,
        SourceKind::Dotprompt => SourceType::Dotprompt,
        SourceKind::Prompty => SourceType::Prompty,
        SourceKind::Jinja => SourceType::Jinja,
        SourceKind::Template => SourceType::Template,
        SourceKind::Wildcards => SourceType::Wildcards,
        SourceKind::Plain => SourceType::Plain,
        _ => SourceType::Registry,
    }
}

fn format(format: SourceFormat) -> ImportFormat {
    match format {
        SourceFormat::Registry(Dialect::Canonical) => ImportFormat::Canonical,
        SourceFormat::Registry(Dialect::V0_6) => ImportFormat::V0_6,
        SourceFormat::Registry(Dialect::V0_7) => ImportFormat::V0_7,
        SourceFormat::Registry(Dialect::V0_8) => ImportFormat::V0_8,
        SourceFormat::PlainPrompt => ImportFormat::PlainPrompt,
        SourceFormat::OpenAiMessages => ImportFormat::OpenaiMessages,
        SourceFormat::AnthropicMessages => ImportFormat::AnthropicMessages,
        SourceFormat::CharacterCard => ImportFormat::CharacterCard,
        SourceFormat::Lorebook => ImportFormat::Lorebook,
        SourceFormat::Dotprompt => ImportFormat::Dotprompt,
        SourceFormat::Prompty => ImportFormat::Prompty,
        SourceFormat::Jinja => ImportFormat::Jinja,
        SourceFormat::DynamicPrompt => ImportFormat::DynamicPrompt,
        SourceFormat::Wildcards => ImportFormat::Wildcards,
    }
}

fn entry(entry: ReportEntry) -> ImportEntry {
    ImportEntry {
        status: match entry.status {
            ConversionStatus::NotSupported => ImportStatus::NotSupported,
            ConversionStatus::Ambiguous => ImportStatus::Ambiguous,
            ConversionStatus::Converted => ImportStatus::Converted,
            ConversionStatus::Unread => ImportStatus::Unread,
        },
        pointer: entry.pointer,
        line: entry.place.map(|position| position.line),
        message: entry.message,
    }
}
