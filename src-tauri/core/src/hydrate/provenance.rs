//! The full trace of a call: segments with their sources, the evaluation, the outcome of each token.

use std::ops::Range;

use super::{
    ArrayEvaluation, Gap, Segment, Settings, Source, TokenOutcome, TokenReport,
    assembler::Assembler,
    evaluation_trace::EvaluationTrace,
    program::SectionProgram,
    trace::{Marks, SourceRef, Trace},
};

/// Records everything an assembly prints and decides.
#[derive(Default)]
pub(super) struct ProvenanceTrace<'p> {
    marks: Marks<'p>,
    pub evaluation: EvaluationTrace,
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

    fn array(&mut self, names_missing: bool, array: impl FnOnce() -> ArrayEvaluation) {
        self.evaluation.array(names_missing, array);
    }

    fn token(&mut self, outcome: impl FnOnce() -> TokenOutcome) {
        self.outcomes.push(outcome());
    }
}

impl ProvenanceTrace<'_> {
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
