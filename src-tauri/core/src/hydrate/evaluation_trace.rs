//! What a call uses, recorded without the sources of what it prints, which take many times the room of the
//! prompt.

use super::{
    ArrayEvaluation, ChosenItem, Evaluation, SectionEvaluation, Settings,
    assembler::Assembler,
    choose::{Choice, slider},
    program::SectionProgram,
    trace::Trace,
};
use crate::registry::Registry;

/// Records the arrays that an assembly renders.
#[derive(Default)]
pub(super) struct EvaluationTrace {
    /// In the order of rendering.
    pub arrays: Vec<ArrayEvaluation>,
}

impl Trace<'_> for EvaluationTrace {
    const RECORDS: bool = false;

    fn array(&mut self, _names_missing: bool, array: impl FnOnce() -> ArrayEvaluation) {
        self.arrays.push(array());
    }
}

impl EvaluationTrace {
    /// What the call uses: every section, every array rendered.
    pub fn into_evaluation<S: Settings>(
        self,
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
            arrays: self.arrays,
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
