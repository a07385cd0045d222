//! What one more entry in the assembly order would print: a copy of a session's call, evaluated with
//! it. Changes nothing.

use std::sync::Arc;

use promptdeck_model::tokenizer::TokenCounter;
use promptdeck_request::call::Call;

use super::compiled::CompiledSession;
use super::{Session, evaluate};
use crate::ServiceError;
use crate::preview::Preview;
use crate::saturating::saturating_u32;
use crate::wire::{InsertionEffect, Segment};

/// What is needed of a session, copied, so that the trial holds no lock.
pub(crate) struct InsertionTrial {
    compiled: CompiledSession,
    arguments: Option<Arc<Call>>,
    preview: Arc<Preview>,
    number: u32,
}

impl InsertionTrial {
    pub(crate) fn of(session: &Session) -> Self {
        let (preview, number) = session.preview();
        Self {
            compiled: session.copy.compiled().clone(),
            arguments: session.used.as_ref().map(|(_, call)| Arc::clone(call)),
            preview: Arc::clone(preview),
            number,
        }
    }

    /// Evaluates the call with an entry at `index` of its assembly order.
    ///
    /// # Errors
    /// If the call cannot be hydrated.
    pub(crate) fn run(
        mut self,
        entry: &str,
        index: u32,
        counter: &dyn TokenCounter,
    ) -> Result<InsertionEffect, ServiceError> {
        let route = self.compiled.route.as_deref();
        let engine = &self.compiled.engine;
        let order = engine.registry().assembly_order_of(route);
        let index = index.min(saturating_u32(order.len()));
        let registry = engine.registry().with_entry(route, index as usize, entry);
        self.compiled.engine = engine.with_registry(registry);
        let hydration = evaluate(&self.compiled, self.arguments.as_deref())?;
        let is_own = |segment: &Segment| {
            let source = segment.source.as_ref();
            source.is_some_and(|source| source.token == Some(index))
        };
        let first = hydration.segments.iter().position(is_own);
        let last = hydration.segments.iter().rposition(is_own);
        let added = match (first, last) {
            (Some(first), Some(last)) => &hydration.segments[first..=last],
            _ => &[],
        };
        let text = |segments: &[Segment]| -> String {
            let texts = segments.iter().map(|segment| segment.text.as_str());
            texts.collect()
        };
        // Counted as the assembly counts an entry: without the glue between its pieces.
        let entry_text: String = added
            .iter()
            .filter(|segment| is_own(segment))
            .map(|segment| segment.text.as_str())
            .collect();
        let counted = counter.count(&entry_text);
        let before = self.before(index);
        Ok(InsertionEffect {
            entry: entry.to_owned(),
            index,
            preview: self.number,
            before: saturating_u32(before),
            after: self.preview.segments[..before]
                .iter()
                .rev()
                .find_map(|segment| segment.source.as_ref()?.token),
            lines: saturating_u32(text(added).lines().count()),
            tokens: saturating_u32(counted.tokens),
            exact: counted.exact,
        })
    }

    /// The segment of the prompt as it is before which the entry's text belongs.
    fn before(&self, index: u32) -> usize {
        let segments = &self.preview.segments;
        // Injections that no entry places have no entry and follow at the end.
        let follows = |segment: &Segment| {
            let source = segment.source.as_ref();
            source.is_some_and(|source| source.token.is_none_or(|token| token >= index))
        };
        segments.iter().position(follows).unwrap_or(segments.len())
    }
}
