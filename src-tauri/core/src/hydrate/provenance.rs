//! The full trace of a call: segments with their sources, the evaluation, the outcome of each token.

use std::{ops::Range, sync::Arc};

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
        let mut names = SourceNames::default();
        for (end, source) in &self.marks.0 {
            let program = |source: &SourceRef<'_>| assembler.program(source.section);
            let mut named = |source: &SourceRef<'_>| names.source(source, program(source));
            if *end > start {
                segments.push(Segment {
                    text: text[start..*end].to_owned(),
                    source: source.as_ref().map(named),
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
                    source: named(source),
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

/// The names of the sources of one prompt, each made once for consecutive segments: a long prompt has
/// thousands of segments and some hundred names.
#[derive(Default)]
struct SourceNames {
    section: Last<u32, Arc<str>>,
    item: Last<(u32, u32), Option<Arc<str>>>,
    field: Option<Arc<str>>,
    variable: Last<(u32, u32), Arc<str>>,
}

impl SourceNames {
    fn source(&mut self, source: &SourceRef<'_>, program: &SectionProgram) -> Source {
        let item = (source.section, source.item);
        let identity = || {
            let identity = program.item(source.item).identity.as_deref();
            identity.map(Arc::from)
        };
        let declared = |number: u32| program.section.template_vars()[number as usize].as_str();
        let variable = source.variable.map(|number| {
            let key = (source.section, number);
            self.variable.get(key, || declared(number).into())
        });
        let field = match &self.field {
            Some(field) if **field == *source.field => Arc::clone(field),
            _ => Arc::clone(self.field.insert(source.field.into())),
        };
        Source {
            token: source.token.map(|token| token as usize),
            section: self.section.get(source.section, || program.name().into()),
            item: source.item as usize,
            id: self.item.get(item, identity),
            field,
            part: source.part,
            entry: source.entry.map(|entry| entry as usize),
            fragment: source.fragment.map(|fragment| fragment as usize),
            variable,
        }
    }
}

/// What was made last, and for which key.
struct Last<K, T>(Option<(K, T)>);

impl<K, T> Default for Last<K, T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<K: PartialEq, T: Clone> Last<K, T> {
    /// The same again for the same key, something new for another.
    fn get(&mut self, key: K, make: impl FnOnce() -> T) -> T {
        match &self.0 {
            Some((last, made)) if *last == key => made.clone(),
            _ => self.0.insert((key, make())).1.clone(),
        }
    }
}
