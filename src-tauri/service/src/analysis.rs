//! Diagnostics and token counts, computed in the background after an edit, on copies of what is
//! displayed. Changes nothing.

use std::collections::BTreeMap;
use std::sync::Arc;

use promptdeck_core::hydrate::Engine;
use promptdeck_core::registry::{self, Diagnostic, Document, SourceMap, canonical};

use promptdeck_model::tokenizer::TokenCounter;

use crate::open_documents::FileDocument as _;
use crate::preview::Preview;
use crate::rolled::Rolled;
use crate::saturating::saturating_u32;
use crate::session::Session;
use crate::session::jinja_preview::UnsetArguments;
use crate::wire::{Counts, DiagnosticNote, Lint, Severity};

/// A copy of a document at one revision, so that work on it holds no lock.
pub struct Subject {
    document: String,
    revision: u32,
    number: u32,
    preview: Arc<Preview>,
    rolled: Rolled,
    unset_arguments: Option<UnsetArguments>,
    positions: Positions,
}

/// The positions that diagnostics refer to.
enum Positions {
    /// Those of the file as it was read; its content equals the registry.
    Read(SourceMap),
    /// Those in the canonical form, in which an unsaved registry will be saved.
    Canonical(Document),
}

impl Subject {
    /// Copies the parts needed for analysis.
    #[must_use]
    pub fn of(session: &Session) -> Self {
        let (preview, number) = session.preview();
        Self {
            document: session.copy().document().to_owned(),
            revision: session.copy().revision(),
            number,
            preview: Arc::clone(preview),
            rolled: Rolled::of(session),
            unset_arguments: session.unset_arguments(),
            positions: match &session.copy().disk().source_map {
                Some(source_map) if !session.copy().modified() => {
                    Positions::Read(source_map.clone())
                }
                _ => Positions::Canonical(session.registry_document()),
            },
        }
    }

    fn source_map(&self) -> Option<SourceMap> {
        match &self.positions {
            Positions::Read(source_map) => Some(source_map.clone()),
            Positions::Canonical(document) => {
                let text = canonical::format(document);
                let parsed = registry::parse(text.as_bytes()).ok()?;
                Some(parsed.source_map)
            }
        }
    }

    /// Diagnostics of the registry and of this call, worst first, then by position; advice about
    /// the order of the prompt last.
    #[must_use]
    pub fn lint(&self) -> Lint {
        let mut found = self.rolled.with_call(promptdeck_core::lint::lint);
        found.extend(self.rolled.with_call(promptdeck_core::lint::gaps));
        found.extend(self.preview.diagnostics.iter().cloned());
        found.extend(self.unset_arguments());
        let places = self.source_map();
        let mut diagnostics: Vec<_> = found
            .into_iter()
            .map(|diagnostic| note(diagnostic, places.as_ref()))
            .collect();
        let rank = |severity| match severity {
            Severity::Error => 0,
            Severity::Warning => 1,
            Severity::Note => 2,
        };
        // Advice on the order follows all faults.
        let advice = |note: &DiagnosticNote| note.code == "random_before_stable";
        diagnostics.sort_by_key(|note| (rank(note.severity), advice(note), note.line, note.column));
        diagnostics.dedup();
        Lint {
            document: self.document.clone(),
            revision: self.revision,
            diagnostics,
        }
    }

    /// The names that Jinja templates of this call read and nothing sets.
    fn unset_arguments(&self) -> Vec<Diagnostic> {
        let Some(arguments) = &self.unset_arguments else {
            return Vec::new();
        };
        let hydration = self.rolled.with_call(Engine::hydrate);
        hydration.map_or_else(
            |_| Vec::new(),
            |hydration| arguments.of(&hydration.segments),
        )
    }

    /// Token counts of the prompt; none if it is not rendered.
    #[must_use]
    pub fn counts(&self, counter: &dyn TokenCounter) -> Option<Counts> {
        let is_prompt = self.preview.unrendered.is_none();
        is_prompt.then(|| counts(&self.document, self.number, &self.preview, counter))
    }
}

/// A diagnostic for the page, with its position if positions are known.
pub(crate) fn note(diagnostic: Diagnostic, places: Option<&SourceMap>) -> DiagnosticNote {
    let pointer = diagnostic.pointer.clone();
    let also = diagnostic.also.clone();
    let severity = match diagnostic.severity {
        registry::Severity::Error => Severity::Error,
        registry::Severity::Warning => Severity::Warning,
        registry::Severity::Note => Severity::Note,
    };
    let code = diagnostic.code.to_string();
    let data = (&diagnostic.data).into();
    let message = diagnostic.message.clone();
    let place = places.and_then(|places| diagnostic.located(places).place);
    DiagnosticNote {
        code,
        severity,
        message,
        pointer,
        also,
        data,
        line: place.map(|place| place.line),
        column: place.map(|place| place.column),
    }
}

/// Token counts of a prompt: in total, per section and per token of the assembly order.
///
/// Sections and tokens are counted separately, so they need not add up to the total.
fn counts(document: &str, number: u32, preview: &Preview, counter: &dyn TokenCounter) -> Counts {
    let mut sections: BTreeMap<String, String> = BTreeMap::new();
    let mut tokens = vec![String::new(); preview.tokens.len()];
    for segment in &preview.segments {
        let Some(source) = &segment.source else {
            continue;
        };
        sections
            .entry(source.section.to_string())
            .or_default()
            .push_str(&segment.text);
        let place = source
            .token
            .and_then(|token| tokens.get_mut(token as usize));
        if let Some(text) = place {
            text.push_str(&segment.text);
        }
    }
    let total = counter.count(&preview.text());
    let count = |text: &String| saturating_u32(counter.count(text).tokens);
    Counts {
        document: document.to_owned(),
        preview: number,
        tokenizer: counter.name().to_owned(),
        exact: total.exact,
        total: saturating_u32(total.tokens),
        tokens: tokens.iter().map(count).collect(),
        sections: sections
            .iter()
            .map(|(section, text)| (section.clone(), count(text)))
            .collect(),
    }
}
