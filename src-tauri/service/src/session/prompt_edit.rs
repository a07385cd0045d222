//! Edits made in the prompt of a session: planned by the core, applied as one step, and taken back
//! if the prompt is not the one edited.

use std::time::Instant;

use promptdeck_core::hydrate::Call;
use promptdeck_core::prompt_edit::{Refusal, pasted, plan};

use super::{CompiledSession, EditedPrompt, Session};
use crate::ServiceError;
use crate::open_documents::FileDocument;
use crate::saturating::saturating_u32;
use crate::wire::{Alternatives, Change, PromptEdit, PromptEditRequest};
use crate::{edit, prompt_edit};

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
            && let Ok(change) = self.edit_prompt_by(request, &request.edit, Some(text))
        {
            return Ok(change);
        }
        let result = self.edit_prompt_by(request, &request.edit, None);
        let others = match self.with_space_beside(&request.edit) {
            Some(wider) => vec![wider],
            None if request.pasted => pasted(request.edit.text())
                .iter()
                .skip(1)
                .filter_map(|text| request.edit.with_text(text))
                .collect(),
            None => Vec::new(),
        };
        others
            .into_iter()
            .fold(result, |result, edit| match result {
                Err(fault) if fault.code() == Refusal::Whitespace.code() => {
                    let change = self.edit_prompt_by(request, &edit, None)?;
                    Ok(Change {
                        fewer_blank_lines: has_blank_lines(request.edit.text()),
                        ..change
                    })
                }
                _ => result,
            })
    }

    /// The same deletion with the whitespace beside it: that before it or, at the start of a text, that
    /// after it. The last line of a text goes with the line break that nothing would follow.
    fn with_space_beside(&self, edit: &PromptEdit) -> Option<PromptEdit> {
        let text_of = |segment: u32| Some(&*self.preview.segments.get(segment as usize)?.text);
        let units = |text: &str| saturating_u32(text.encode_utf16().count());
        let mut wider = edit.clone();
        let (first, start, last, end) = match &mut wider {
            PromptEdit::Replace {
                segment,
                start,
                end,
                text,
            } if text.is_empty() => (*segment, start, *segment, end),
            PromptEdit::ReplacePassage {
                segment,
                start,
                last,
                end,
                text,
            } if text.is_empty() => (*segment, start, *last, end),
            _ => return None,
        };
        let (before, after) = (text_of(first)?, text_of(last)?);
        let before = before.get(..edit::byte_offset(before, *start as usize)?)?;
        let after = after.get(edit::byte_offset(after, *end as usize)?..)?;
        let (bare, rest) = (before.trim_end(), after.trim_start());
        if bare.len() < before.len() && !bare.is_empty() {
            *start = units(bare);
        } else if rest.len() < after.len() && before.is_empty() {
            *end += units(after) - units(rest);
        } else {
            return None;
        }
        Some(wider)
    }

    fn edit_prompt_by(
        &mut self,
        request: &PromptEditRequest,
        edit: &PromptEdit,
        written: Option<&str>,
    ) -> Result<Change, ServiceError> {
        let edited = self.edited.take().filter(|edited| self.is_shown(edited));
        let compiled = self.copy.compiled();
        let call = compiled.call();
        let hydration = match edited {
            Some(edited) => edited.hydration,
            None => compiled.engine.hydrate(&call)?,
        };
        let edit = match written {
            Some(text) => prompt_edit::written(&hydration, edit, text).ok_or(Refusal::Stale)?,
            None => prompt_edit::to_core(&hydration, edit)?,
        };
        let plan = plan(&compiled.engine, &call, &hydration, &edit)?;
        let edits = prompt_edit::edits(self.copy.tree(), plan.changes.clone())?;
        let burst = prompt_edit::burst(&edits);
        let mut caret = 0;
        let mut result = None;
        self.copy
            .checked_step(&request.label, &edits, burst, |changed| {
                let begun = Instant::now();
                let hydration = changed.engine.hydrate(&changed.call())?;
                let duration = begun.elapsed();
                let printed = &hydration.text;
                plan.check(printed)?;
                let before = printed.get(..plan.caret(printed)).unwrap_or(printed);
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
            caret_behind: plan.behind().map(str::to_owned),
            ..change
        })
    }
}
