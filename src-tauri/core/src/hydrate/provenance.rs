//! The full trace of a call: segments with their sources, the evaluation, the outcome of each token.

use std::ops::Range;

use super::{
    ArrayEvaluation, ChosenItem, Evaluation, Gap, SectionEvaluation, Segment, Settings, Source,
    TokenOutcome, TokenReport,
    assembler::Assembler,
    choose::{Choice, slider},
    program::SectionProgram,
    trace::{Marks, SourceRef, Trace},
};
use crate::registry::Registry;

/// Records everything an assembly prints and decides.
#[derive(Default)]
pub(super) struct ProvenanceTrace<'p> {
    marks: Marks<'p>,
    arrays: Vec<ArrayEvaluation>,
    outcomes: Vec<TokenOutcome>,
}

impl<'p> Trace<'p> for ProvenanceTrace<'p> {
    const RECORDS: bool = true;

    fn mark(&mut self, end: usize, source: Option<SourceRef<'p>>) {
        self.marks.push(end, source);
    }

    fn truncate(&mut self, length: usize) {
        self.marks.truncate(length);
    }

    fn trim(&mut self, length: usize) {
        self.marks.trim(length);
    }

    fn remove(&mut self, cuts: &[Range<usize>]) {
        self.marks.remove(cuts);
    }

    fn array(&mut self, _names_missing: bool, array: impl FnOnce() -> ArrayEvaluation) {
        self.arrays.push(array());
    }

    fn token(&mut self, outcome: impl FnOnce() -> TokenOutcome) {
        self.outcomes.push(outcome());
    }
}

impl ProvenanceTrace<'_> {
    /// Every array rendered, in the order of rendering.
    pub fn into_arrays(self) -> Vec<ArrayEvaluation> {
        self.arrays
    }

    /// The prompt in pieces, and the variables between them that have no value. What a token that
    /// printed nothing left behind is no gap.
    pub fn segments<S: Settings>(
        &self,
        text: &str,
        assembler: &Assembler<'_, '_, S>,
    ) -> (Vec<Segment>, Vec<Gap>) {
        let mut start = 0;
        let mut segments = Vec::with_capacity(self.marks.0.len());
        let mut gaps = Vec::new();
        for (end, source) in &self.marks.0 {
            let program = |source: &SourceRef<'_>| assembler.program(source.section);
            if *end > start {
                segments.push(Segment {
                    text: text[start..*end].to_owned(),
                    source: source.map(|source| named(source, program(&source))),
                    origin: source.map(|source| source.origin),
                });
                start = *end;
            } else if let Some(source) = source
                && let Some(variable) = source.variable
                && assembler.variable(program(source), variable).is_empty()
                && !self.is_dropped(source.token)
            {
                gaps.push(Gap {
                    segment: segments.len(),
                    source: named(*source, program(source)),
                });
            }
        }
        (segments, gaps)
    }

    fn is_dropped(&self, token: Option<u32>) -> bool {
        let outcome = token.and_then(|token| self.outcomes.get(token as usize));
        matches!(outcome, Some(TokenOutcome::Dropped { .. }))
    }

    /// The outcome of each token.
    pub fn tokens<S>(&mut self, assembler: &Assembler<'_, '_, S>) -> Vec<TokenReport> {
        let outcomes = std::mem::take(&mut self.outcomes);
        let tokens = assembler
            .route
            .tokens
            .iter()
            .map(|token| token.text.to_string());
        let reports = tokens.zip(outcomes);
        reports
            .map(|(token, outcome)| TokenReport { token, outcome })
            .collect()
    }

    /// What the call uses: every section, every array rendered.
    pub fn evaluation<S: Settings>(
        &mut self,
        registry: &Registry,
        assembler: &Assembler<'_, '_, S>,
        choices: &[Choice],
    ) -> Evaluation {
        let admitted = |section: usize| {
            let injections = assembler.injections.as_ref();
            injections.is_none_or(|injections| injections.admits(section as u32))
        };
        let sections = registry.canonical_sections().filter_map(|section| {
            let index = registry.sections().get_index_of(section.name())?;
            let program = assembler.program(index as u32);
            let choice = &choices[index];
            let evaluation = SectionEvaluation {
                items: chosen(program, choice.chosen.items()),
                origin: choice.origin,
                slider: slider(program, assembler.state, assembler.seed),
                filtered: !admitted(index),
            };
            Some((section.name().to_owned(), evaluation))
        });
        let active = assembler.injections.iter().flat_map(|injections| {
            let program = assembler.program(injections.section);
            injections
                .items
                .iter()
                .filter_map(|item| program.section.items()[*item as usize].identity())
        });
        Evaluation {
            sections: sections.collect(),
            arrays: std::mem::take(&mut self.arrays),
            injections: active.map(str::to_owned).collect(),
        }
    }
}

fn chosen(program: &SectionProgram, items: &[u32]) -> Vec<ChosenItem> {
    let items = items.iter().map(|item| ChosenItem {
        index: *item as usize,
        id: program.section.items()[*item as usize]
            .identity()
            .map(str::to_owned),
    });
    items.collect()
}

fn named(source: SourceRef<'_>, program: &SectionProgram) -> Source {
    let item = program.item(source.item);
    let variable = source
        .variable
        .map(|number| program.section.template_vars()[number as usize].clone());
    Source {
        token: source.token.map(|token| token as usize),
        section: program.name().to_owned(),
        item: source.item as usize,
        id: item.identity.as_deref().map(str::to_owned),
        field: source.field.to_owned(),
        part: source.part,
        entry: source.entry.map(|entry| entry as usize),
        fragment: source.fragment.map(|fragment| fragment as usize),
        variable,
    }
}
