//! The starters: registries to begin with, part of the program.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use promptdeck_core::hydrate::{Call, Engine, Seed, State};
use promptdeck_core::registry::{Parsed, Registry};
use promptdeck_model::tokenizer::TokenCounter;

use crate::calls::folder;
use crate::preview::Preview;
use crate::saturating::saturating_u32;
use crate::studio::Studio;
use crate::wire::{NewRegistryOptions, PrintedText, Starter, StarterSection};
use crate::{ServiceError, file_version};

/// What a blank registry's file is called.
const BLANK: &str = "untitled";

/// The starters by name, in the order in which they are offered.
pub const STARTERS: [(&str, &str); 6] = [
    ("persona", include_str!("../starters/persona.json")),
    (
        "support_desk",
        include_str!("../starters/support_desk.json"),
    ),
    ("code_review", include_str!("../starters/code_review.json")),
    ("extraction", include_str!("../starters/extraction.json")),
    (
        "story_teller",
        include_str!("../starters/story_teller.json"),
    ),
    ("agent", include_str!("../starters/agent.json")),
];

/// The text of a starter.
pub(crate) fn text_of(name: &str) -> Result<&'static str, ServiceError> {
    let found = STARTERS.iter().find(|(starter, _)| *starter == name);
    found
        .map(|(_, text)| *text)
        .ok_or_else(|| ServiceError::NoStarter(name.to_owned()))
}

/// The names of a starter's sections.
pub(crate) fn sections_of(name: &str) -> Result<Vec<String>, ServiceError> {
    Ok(read(name)?.registry.sections().keys().cloned().collect())
}

impl Studio {
    /// The options for a new registry, and what each starter prints.
    ///
    /// # Errors
    /// If a starter does not parse, which the tests exclude.
    pub fn new_registry_options(&self) -> Result<NewRegistryOptions, ServiceError> {
        let workspace = &self.inner.folder;
        let is_free = |path: &Path| !self.is_kept(path);
        let starters = STARTERS.iter().map(|&(name, _)| {
            let parsed = read(name)?;
            let wrapper = parsed.document.wrapper.as_ref();
            let call = wrapper.map(folder::call_around).unwrap_or_default();
            let (messages, tools) = folder::call_counts(&call);
            let section_count = saturating_u32(parsed.registry.sections().len());
            let preview = printed_by(parsed.registry)?;
            Ok(Starter {
                starter: name.to_owned(),
                file: workspace.free_name(name, &is_free),
                section_count,
                messages: saturating_u32(messages),
                tools: saturating_u32(tools),
                sections: sections(&preview, self.inner.counter()),
                prompt: texts(preview),
            })
        });
        let last = self.inner.store_handle.new_in(&workspace.path());
        let exists = |name: &String| workspace.sub_folder(name).is_ok_and(|path| path.is_dir());
        Ok(NewRegistryOptions {
            folder: workspace.path().display().to_string(),
            sub_folder: last.filter(exists).unwrap_or_default(),
            blank_file: workspace.free_name(BLANK, &is_free),
            starters: starters.collect::<Result<_, ServiceError>>()?,
        })
    }
}

fn read(name: &str) -> Result<Parsed, ServiceError> {
    file_version::parse(&format!("{name}.json"), text_of(name)?.as_bytes())
}

/// What a registry prints without any settings.
pub(crate) fn printed_by(registry: Registry) -> Result<Preview, ServiceError> {
    let engine = Engine::new(registry);
    let state = State::default();
    let hydration = engine.hydrate(&Call {
        state: &state,
        route: None,
        seed: Seed::default(),
    })?;
    Ok(Preview::of(hydration, &engine, &state, Duration::ZERO))
}

/// The sections of a prompt in the order in which they print first, with their lengths.
pub(crate) fn sections(preview: &Preview, counter: &dyn TokenCounter) -> Vec<StarterSection> {
    let mut order: Vec<&str> = Vec::new();
    let mut texts: BTreeMap<&str, String> = BTreeMap::new();
    for segment in &preview.segments {
        let Some(source) = &segment.source else {
            continue;
        };
        if !texts.contains_key(&*source.section) {
            order.push(&source.section);
        }
        let text = texts.entry(&source.section).or_default();
        text.push_str(&segment.text);
    }
    let section = |name: &str| StarterSection {
        section: name.to_owned(),
        characters: saturating_u32(texts[name].chars().count()),
        tokens: saturating_u32(counter.count(&texts[name]).tokens),
    };
    order.into_iter().map(section).collect()
}

fn texts(preview: Preview) -> Vec<PrintedText> {
    let mut texts: Vec<PrintedText> = Vec::new();
    for segment in preview.segments {
        let section = segment.source.map(|source| source.section.to_string());
        match texts.last_mut() {
            Some(last) if last.section == section => last.text.push_str(&segment.text),
            _ => texts.push(PrintedText {
                section,
                text: segment.text,
            }),
        }
    }
    texts
}
