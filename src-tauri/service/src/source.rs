//! A document that the author imports, from reading it to the registry created from it.
//!
//! One source is loaded at a time, with the registry that was shown last. Exactly that registry is
//! created; the source is not read again.

mod first_view;
mod view;
mod wildcards;

use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use promptdeck_core::import::plain_prompt::{
    self, PartKind, Split, SplitPart, propose_at, propose_name,
};
use promptdeck_core::import::text_input;
use promptdeck_core::import::{
    ConversionStatus, Import, ReportEntry, SourceKind, dynamic_prompt::Wildcards, import_as,
};
use promptdeck_core::registry::{self, ParseError, canonical, name_from};
use serde_json::{Map, Value};

use crate::calls::folder;
use crate::studio::Studio;
use crate::wire::{
    ImportFormat, NewRegistry, PromptPart, PromptSplit, SourceChange, SourceView, SplitAt,
    SplitEdit, View,
};
use crate::{ServiceError, file_version, snapshots, starters, workspace};

use first_view::first_view;
pub use first_view::save_first_view;
pub use wildcards::WildcardFolder;

/// The source in use.
#[derive(Debug, Default)]
pub(crate) struct SourceSlot(Mutex<Slot>);

#[derive(Debug, Default)]
struct Slot {
    /// The number of the view that was shown last.
    number: u32,
    current: Option<LoadedSource>,
}

/// A source, and the registry it becomes.
#[derive(Debug, Clone)]
struct LoadedSource {
    source: Arc<Source>,
    /// Absent if the source can't be converted.
    registry: Option<Arc<str>>,
}

#[derive(Debug, Clone)]
struct Source {
    /// Name of the file, or empty.
    name: String,
    bytes: Vec<u8>,
    kind: SourceKind,
    /// What a template may name.
    wildcards: Option<Arc<WildcardFolder>>,
    /// The source whose text was trimmed to this one.
    untrimmed: Option<Arc<Source>>,
}

impl Source {
    /// The folder of wildcards, if the source is read with it.
    fn wildcard_folder(&self) -> Option<&WildcardFolder> {
        let folder = self.wildcards.as_deref();
        folder.filter(|_| self.kind == SourceKind::Template)
    }
}

impl SourceSlot {
    fn put(&self, source: &Arc<Source>, registry: Option<&str>) -> u32 {
        let mut slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        slot.number = slot.number.wrapping_add(1);
        slot.current = Some(LoadedSource {
            source: Arc::clone(source),
            registry: registry.map(Arc::from),
        });
        slot.number
    }

    fn get(&self, number: u32) -> Result<LoadedSource, ServiceError> {
        let slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let source = slot.current.clone().filter(|_| slot.number == number);
        source.ok_or(ServiceError::OtherSource)
    }

    fn clear(&self, number: u32) {
        let mut slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if slot.number == number {
            slot.current = None;
        }
    }
}

/// All kinds of places.
const EVERYWHERE: SplitAt = SplitAt {
    headings: true,
    tags: true,
    blank_lines: true,
    lists: true,
};

impl Studio {
    /// Reads a document that was pasted, chosen or dropped, and converts it. Nothing is written.
    ///
    /// # Errors
    /// If it is larger than [`file_version::LARGEST_FILE`].
    pub fn read_source(&self, name: &str, bytes: Vec<u8>) -> Result<SourceView, ServiceError> {
        if bytes.len() as u64 > file_version::LARGEST_FILE {
            return Err(ServiceError::LargeSource(bytes.len()));
        }
        let kind = SourceKind::detect(name, &bytes);
        Ok(self.show(Source {
            name: name.to_owned(),
            bytes,
            kind,
            wildcards: None,
            untrimmed: None,
        }))
    }

    /// The same for a file of another folder.
    ///
    /// # Errors
    /// If the file cannot be read or is too large.
    pub fn read_source_file(&self, path: &Path) -> Result<SourceView, ServiceError> {
        let bytes = file_version::bytes(path)?;
        let name = path.file_name().unwrap_or(path.as_os_str());
        self.read_source(&name.to_string_lossy(), bytes)
    }

    /// Changes how the source is read or split.
    ///
    /// # Errors
    /// If another view of a source was shown after `number`, the change names a part that the split
    /// does not have, or there is no trim to undo.
    pub fn change_source(
        &self,
        number: u32,
        change: &SourceChange,
    ) -> Result<SourceView, ServiceError> {
        let LoadedSource { source, .. } = self.inner.source.get(number)?;
        match change {
            SourceChange::Read { as_type } => Ok(self.show(Source {
                kind: view::kind_of(*as_type),
                untrimmed: None,
                ..Source::clone(&source)
            })),
            SourceChange::NoWildcards => Ok(self.show(Source {
                wildcards: None,
                ..Source::clone(&source)
            })),
            SourceChange::Trim { split } => {
                let text =
                    text_input::read(&source.bytes).map_err(|fault| parse(&source, fault))?;
                let trimmed = Source {
                    bytes: plain_prompt::printable(&text).into_bytes(),
                    untrimmed: Some(Arc::clone(&source)),
                    ..Source::clone(&source)
                };
                Ok(match split {
                    Some(split) => {
                        let parts = core_split(split).in_printable(&text);
                        self.show_split(&Arc::new(trimmed), &Ok(wire_split(split.at, parts)))
                    }
                    None => self.show(trimmed),
                })
            }
            SourceChange::UndoTrim { split } => {
                let Some(untrimmed) = &source.untrimmed else {
                    return Err(ServiceError::Nothing("undo"));
                };
                Ok(self.show_split(untrimmed, &Ok(split.clone())))
            }
            SourceChange::Propose { at } => Ok(self.show_split(&source, &proposed(&source, *at))),
            SourceChange::Split { split, edit } => {
                let text =
                    text_input::read(&source.bytes).map_err(|fault| parse(&source, fault))?;
                let split = edited(&text, split, edit.as_ref())?;
                Ok(self.show_split(&source, &Ok(split)))
            }
        }
    }

    /// Reads the source, a template, again with the wildcards of a folder.
    ///
    /// # Errors
    /// If the folder cannot be read or has no wildcards, or another view of a source was shown after
    /// `number`; the source stays as it is then.
    pub fn use_wildcards(&self, number: u32, folder: &Path) -> Result<SourceView, ServiceError> {
        let found = WildcardFolder::read(folder)?;
        if found.wildcards.names().next().is_none() {
            let path = folder.display().to_string();
            return Err(ServiceError::NoWildcards(path));
        }
        let LoadedSource { source, .. } = self.inner.source.get(number)?;
        Ok(self.show(Source {
            wildcards: Some(Arc::new(found)),
            ..Source::clone(&source)
        }))
    }

    fn show(&self, source: Source) -> SourceView {
        let source = Arc::new(source);
        if source.kind == SourceKind::Plain {
            let split = proposed(&source, EVERYWHERE);
            return self.show_split(&source, &split);
        }
        let none = Wildcards::default();
        let folder = source.wildcard_folder();
        let wildcards = folder.map_or(&none, |folder| &folder.wildcards);
        let mut imported = import_as(source.kind, &source.name, &source.bytes, wildcards);
        if let (Ok(imported), Some(folder)) = (&mut imported, folder) {
            let left_out = folder.left_out().map(|message| ReportEntry {
                status: ConversionStatus::Unread,
                pointer: String::new(),
                message,
                place: None,
            });
            imported.report.entries.extend(left_out);
        }
        let conversion = self.conversion(&source, imported, None);
        self.view_of(&source, None, conversion)
    }

    fn show_split(
        &self,
        source: &Arc<Source>,
        split: &Result<PromptSplit, ParseError>,
    ) -> SourceView {
        let laid_out = split
            .as_ref()
            .map_err(Clone::clone)
            .and_then(|split| plain_prompt::preview_split(&source.bytes, &core_split(split)));
        let conversion = match laid_out {
            Ok(mut preview) => {
                let capped = split.as_ref().ok().and_then(|split| capped(source, split));
                preview.import.report.entries.extend(capped);
                let laid_out = (preview.parts, preview.followed);
                self.conversion(source, Ok(preview.import), Some(laid_out))
            }
            Err(fault) => Err(parse(source, fault)),
        };
        self.view_of(source, split.as_ref().ok().cloned(), conversion)
    }

    fn conversion(
        &self,
        source: &Source,
        imported: Result<Import, ParseError>,
        laid_out: Option<view::LaidOut>,
    ) -> Result<view::Converted, ServiceError> {
        let imported = imported.map_err(|fault| parse(source, fault))?;
        let text = laid_out
            .is_some()
            .then(|| text_input::read(&source.bytes))
            .transpose()
            .map_err(|fault| parse(source, fault))?;
        view::converted(imported, text.as_ref().zip(laid_out), self.inner.counter())
    }

    fn view_of(
        &self,
        source: &Arc<Source>,
        split: Option<PromptSplit>,
        conversion: Result<view::Converted, ServiceError>,
    ) -> SourceView {
        // A deck that would print other bytes is not created.
        let printed = conversion
            .as_ref()
            .ok()
            .filter(|found| found.conversion.same != Some(false));
        let registry = printed.map(|found| found.registry.as_str());
        let number = self.inner.source.put(source, registry);
        let stem = Path::new(&source.name).file_stem();
        let stem = stem.map(|stem| stem.to_string_lossy().into_owned());
        let titled = conversion
            .as_ref()
            .ok()
            .and_then(|found| found.title.clone());
        let stem = stem.filter(|stem| !stem.is_empty());
        // A card has the name of its character, whatever its file is called.
        let is_card = conversion
            .as_ref()
            .is_ok_and(|found| found.conversion.format == ImportFormat::CharacterCard);
        let wanted = match is_card {
            true => titled.or(stem),
            false => stem.or(titled),
        };
        let is_free = |path: &Path| !self.is_kept(path);
        let wanted = wanted.as_deref().unwrap_or("prompt");
        let file = self.inner.folder.free_name(wanted, &is_free);
        view::view(number, source.as_ref(), file, split, conversion)
    }

    /// Forgets the source.
    pub fn forget_source(&self, number: u32) {
        self.inner.source.clear(number);
    }

    /// Creates a registry file in a sub-folder, or in the folder itself if that name is empty, and
    /// returns its name. `name` is as the author typed it; an existing file is never replaced, and
    /// a new sub-folder is created. The sub-folder is remembered for the next registry.
    ///
    /// # Errors
    /// If the name is no file name or exists, the file cannot be written, or the source has no
    /// registry.
    pub fn new_registry(
        &self,
        content: &NewRegistry,
        folder: &str,
        name: &str,
    ) -> Result<String, ServiceError> {
        let folder = folder.trim();
        let is_free = |path: &Path| !self.is_kept(path);
        let create = |text: &str| {
            let whole = &self.inner.folder;
            whole.create_named(folder, name, text.as_bytes(), &is_free)
        };
        let created = self.create(content, name, &create)?;
        let store = &self.inner.store_handle;
        store.remember_new_in(&self.inner.folder.path(), folder);
        Ok(created)
    }

    fn create(
        &self,
        content: &NewRegistry,
        name: &str,
        create: &dyn Fn(&str) -> Result<String, ServiceError>,
    ) -> Result<String, ServiceError> {
        match content {
            NewRegistry::Blank => create(&workspace::blank(name)),
            NewRegistry::Starter { starter } => {
                let text = starters::text_of(starter)?;
                let file = self.create_with_call(text, name, create)?;
                self.explain(starter, &file);
                Ok(file)
            }
            NewRegistry::Source { number } => {
                let LoadedSource { source, registry } = self.inner.source.get(*number)?;
                let registry = registry.ok_or(ServiceError::Nothing("create from this source"))?;
                let file = self.create_with_call(&registry, name, create)?;
                self.inner.source.clear(*number);
                let view = first_view(source.kind, &registry);
                if let (Some(view), Ok(path)) = (view, self.inner.folder.file(&file)) {
                    // Without a store the registry opens with the target of the last one and with its
                    // cards in canonical order.
                    let key = snapshots::key(&path);
                    let _ = self.inner.store_handle.save_view(&key, &view);
                }
                Ok(file)
            }
        }
    }

    /// Creates a registry, and beside it a call document of the messages and tools around it.
    fn create_with_call(
        &self,
        text: &str,
        name: &str,
        create: &dyn Fn(&str) -> Result<String, ServiceError>,
    ) -> Result<String, ServiceError> {
        let (deck, call) = without_call(name, text)?;
        let file = create(&deck)?;
        if !call.is_empty()
            && let Err(fault) = self.new_call_with(&file, None, call)
        {
            // Half of a document is none; the next attempt needs the name.
            if let Ok(path) = self.inner.folder.file(&file) {
                let _ = fs::remove_file(path);
            }
            return Err(fault);
        }
        Ok(file)
    }

    /// Lets the cards of a starter's sections say what each is for.
    fn explain(&self, starter: &str, file: &str) {
        let sections = starters::sections_of(starter).unwrap_or_default();
        let note = |section: String| {
            let note = format!("{starter}.{section}");
            (section, note)
        };
        let view = View {
            notes: sections.into_iter().map(note).collect(),
            ..View::default()
        };
        if let Ok(path) = self.inner.folder.file(file) {
            // Without a store the registry opens without the sentences.
            let _ = self
                .inner
                .store_handle
                .save_view(&snapshots::key(&path), &view);
        }
    }
}

fn parse(source: &Source, fault: ParseError) -> ServiceError {
    ServiceError::Source {
        file: source.name.clone(),
        fault,
    }
}

/// The registry file without the call around it, and that call: the window has it in a document of
/// its own, since the prompt is sent with any of several calls.
fn without_call(name: &str, text: &str) -> Result<(String, Map<String, Value>), ServiceError> {
    let parsed = registry::parse(text.as_bytes()).map_err(|fault| ServiceError::Parse {
        file: name.to_owned(),
        fault,
    })?;
    let mut document = parsed.document;
    let call = document.wrapper.as_mut().map(folder::take_call);
    match call.filter(|call| !call.is_empty()) {
        Some(call) => Ok((canonical::format(&document), call)),
        None => Ok((text.to_owned(), Map::new())),
    }
}

/// The split proposed for a plain prompt.
fn proposed(source: &Source, at: SplitAt) -> Result<PromptSplit, ParseError> {
    let proposal = propose_at(&text_input::read(&source.bytes)?, view::points(at))?;
    Ok(wire_split(at, proposal.split))
}

fn wire_split(at: SplitAt, split: Split) -> PromptSplit {
    let parts = split.parts.into_iter().map(|part| PromptPart {
        name: part.name,
        line: part.line,
    });
    PromptSplit {
        at,
        parts: parts.collect(),
    }
}

/// What the report says of the places that a full proposal leaves out; nothing of a split whose borders
/// the author has changed.
fn capped(source: &Source, split: &PromptSplit) -> Option<ReportEntry> {
    if split.parts.len() < plain_prompt::MAX_PARTS {
        return None;
    }
    let text = text_input::read(&source.bytes).ok()?;
    let proposal = propose_at(&text, view::points(split.at)).ok()?;
    let proposed = proposal.split.parts.iter().map(|part| part.line);
    let is_proposed = proposed.eq(split.parts.iter().map(|part| part.line));
    is_proposed.then(|| proposal.entry(&text)).flatten()
}

/// The split as the core takes it: a part that can be a list is one, unless lists are switched off.
fn core_split(split: &PromptSplit) -> Split {
    let kind = match split.at.lists {
        true => PartKind::List,
        false => PartKind::Text,
    };
    let parts = split.parts.iter().map(|part| SplitPart {
        name: part.name.clone(),
        line: part.line,
        kind,
    });
    Split {
        parts: parts.collect(),
    }
}

fn edited(
    text: &str,
    split: &PromptSplit,
    edit: Option<&SplitEdit>,
) -> Result<PromptSplit, ServiceError> {
    let mut changed = core_split(split);
    let index = |part: u32| {
        let index = part as usize;
        let known = index < split.parts.len();
        known.then_some(index).ok_or(ServiceError::OtherSource)
    };
    match edit {
        None => {}
        Some(SplitEdit::Rename { part, name }) => changed.rename(index(*part)?, &name_from(name)),
        Some(SplitEdit::Move { part, line }) => changed.move_start(index(*part)?, *line),
        Some(SplitEdit::Merge { part }) => changed.merge(index(*part)?),
        Some(SplitEdit::Divide { line }) => {
            let name = propose_name(text, &changed, *line);
            changed.divide(*line, &name);
        }
    }
    Ok(wire_split(split.at, changed))
}
