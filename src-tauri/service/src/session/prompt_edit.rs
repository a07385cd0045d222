//! Edits made in the prompt of a session: planned by the core, applied as one step, and taken back
//! if the prompt is not the one edited.

use std::time::Instant;

use promptdeck_core::hydrate::{Call, Hydration};
use promptdeck_core::prompt_edit::{
    self as core, Refusal, deletion_after, pasted, plan, with_space_beside,
};

use super::{CompiledSession, EditedPrompt, Session};
use crate::ServiceError;
use crate::edit::apply_all;
use crate::open_documents::FileDocument;
use crate::prompt_edit;
use crate::saturating::saturating_u32;
use crate::wire::{Alternatives, Change, Edit, PromptEdit, PromptEditRequest};
use crate::working_copy::Compiled;

/// Whether a text has more than one blank line in a row before its last words.
fn has_blank_lines(text: &str) -> bool {
    text.trim_end().contains("\n\n\n")
}

impl CompiledSession {
    pub(super) fn call(&self) -> Call<'_> {
        Call {
            state: &self.state,
            route: self.route.as_deref(),
            seed: self.seed,
        }
    }
}

impl Session {
    /// What a roll could have printed in place of a segment; none if it was not rolled.
    pub fn alternatives(&self, segment: u32) -> Result<Option<Alternatives>, ServiceError> {
        if self.renders() {
            return Ok(None);
        }
        let compiled = self.copy.compiled();
        let call = compiled.call();
        let hydration = compiled.engine.hydrate(&call)?;
        Ok(prompt_edit::alternatives(
            &compiled.engine,
            &call,
            &hydration,
            segment,
        ))
    }

    /// Makes an edit in the prompt.
    pub fn edit_prompt(&mut self, request: &PromptEditRequest) -> Result<Change, ServiceError> {
        self.copy.expect_revision(request.base)?;
        if self.renders() {
            return Err(ServiceError::RenderedPrompt);
        }
        if let Some(text) = &request.written
            && let Ok(change) = self.edit_prompt_by(request, &Form::Written(text))
        {
            return Ok(change);
        }
        let result = self.edit_prompt_by(request, &Form::Given);
        let mut others = Vec::new();
        if request.edit.text().is_empty() {
            others.push(Form::WithSpace);
        } else if request.pasted {
            let texts = pasted(request.edit.text()).into_iter().skip(1);
            let edits = texts.filter_map(|text| request.edit.with_text(&text));
            others.extend(edits.map(Form::Shorter));
        }
        others
            .into_iter()
            .fold(result, |result, form| match result {
                Err(fault) if fault.code() == Refusal::Whitespace.code() => {
                    let change = self.edit_prompt_by(request, &form)?;
                    Ok(Change {
                        fewer_blank_lines: has_blank_lines(request.edit.text()),
                        ..change
                    })
                }
                _ => result,
            })
    }

    fn edit_prompt_by(
        &mut self,
        request: &PromptEditRequest,
        form: &Form<'_>,
    ) -> Result<Change, ServiceError> {
        let edited = self.edited.take().filter(|edited| self.is_shown(edited));
        let compiled = self.copy.compiled();
        let call = compiled.call();
        let hydration = match edited {
            Some(edited) => edited.hydration,
            None => compiled.engine.hydrate(&call)?,
        };
        let edit = form.of(&hydration, &request.edit)?;
        let plan = plan(&compiled.engine, &call, &hydration, &edit)?;
        let edits = prompt_edit::edits(self.copy.tree(), plan.changes.clone())?;
        let Some(moved) = &request.moved else {
            let burst = prompt_edit::burst(&edits);
            return self.make(request, edits, burst, plan.behind(), |printed| {
                plan.check(printed)?;
                Ok(plan.caret(printed))
            });
        };
        let mut changed_tree = self.copy.tree().clone();
        apply_all(&mut changed_tree, &edits)?;
        let changed = compiled.recompile(&changed_tree, &edits)?;
        let inserted = changed.engine.hydrate(&changed.call())?;
        plan.check(&inserted.text)?;
        let words = prompt_edit::passage(&hydration, moved)?;
        let deletion = deletion_after(&hydration, &edit, words, &inserted)?;
        let caret = plan.caret(&inserted.text);
        let mut delete = |deletion: &core::PromptEdit<'_>| {
            let call = changed.call();
            let deleted = core::plan(&changed.engine, &call, &inserted, deletion)?;
            let mut edits = edits.clone();
            edits.extend(prompt_edit::edits(&changed_tree, deleted.changes.clone())?);
            self.make(request, edits, None, plan.behind(), |printed| {
                deleted.check(printed)?;
                // The words are behind what was deleted, or before it.
                let rest = &inserted.text[caret..];
                let is_after = printed.ends_with(rest);
                Ok(if is_after {
                    printed.len() - rest.len()
                } else {
                    caret
                })
            })
        };
        match delete(&deletion) {
            Err(fault) if fault.code() == Refusal::Whitespace.code() => {
                match with_space_beside(&inserted, &deletion) {
                    Some(wider) => delete(&wider),
                    None => Err(fault),
                }
            }
            result => result,
        }
    }

    /// Makes edits of the tree as one step. `check` accepts or refuses the new prompt, and gives the byte
    /// offset of the caret in it.
    fn make(
        &mut self,
        request: &PromptEditRequest,
        edits: Vec<Edit>,
        burst: Option<String>,
        behind: Option<&str>,
        check: impl FnOnce(&str) -> Result<usize, Refusal>,
    ) -> Result<Change, ServiceError> {
        let mut caret = 0;
        let mut result = None;
        self.copy
            .checked_step(&request.label, &edits, burst, |changed| {
                let begun = Instant::now();
                let hydration = changed.engine.hydrate(&changed.call())?;
                let duration = begun.elapsed();
                let printed = &hydration.text;
                let offset = check(printed)?;
                let before = printed.get(..offset).unwrap_or(printed);
                caret = before.encode_utf16().count();
                result = Some((hydration, duration));
                Ok(())
            })?;
        let revision = self.copy.revision();
        self.edited = result.map(|(hydration, took)| EditedPrompt {
            revision,
            hydration,
            took,
        });
        let change = self.answer(request.base, edits);
        Ok(Change {
            caret: Some(saturating_u32(caret)),
            caret_behind: behind.map(str::to_owned),
            ..change
        })
    }
}

/// How an edit of a request is made.
enum Form<'a> {
    /// As it is.
    Given,
    /// With the text as it is written where it was copied.
    Written(&'a str),
    /// With the whitespace beside what it deletes.
    WithSpace,
    /// With less whitespace in its text.
    Shorter(PromptEdit),
}

impl Form<'_> {
    /// The edit in terms of the core.
    fn of<'e>(
        &'e self,
        hydration: &Hydration,
        edit: &'e PromptEdit,
    ) -> Result<core::PromptEdit<'e>, Refusal> {
        match self {
            Self::Given => prompt_edit::to_core(hydration, edit),
            Self::Written(text) => {
                prompt_edit::written(hydration, edit, text).ok_or(Refusal::Stale)
            }
            Self::WithSpace => {
                let edit = prompt_edit::to_core(hydration, edit)?;
                with_space_beside(hydration, &edit).ok_or(Refusal::Whitespace)
            }
            Self::Shorter(edit) => prompt_edit::to_core(hydration, edit),
        }
    }
}
