//! The file of checks of a registry, `NAME.checks.json` beside `NAME.json`: opened, edited with undo,
//! saved, watched and drafted like registries, and run on the registry that is open.

mod document;
mod new_check;
mod run;
mod tokenizers;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

use promptdeck_checks::{Subject, Suite, checks_name, is_checks_name};
use promptdeck_core::hydrate::Seed;
use serde_json::Value;

pub(crate) use document::ChecksFile;
pub use tokenizers::BuiltInTokenizers;

use crate::open_documents::{FileDocument as _, Saved, lock};
use crate::runs::record;
use crate::saturating::saturating_u32;
use crate::studio::policy;
use crate::wire::{
    Change, CheckAdded, CheckVerdict, ChecksChange, ChecksReport, ChecksSaved, Choice, DraftNote,
    Edit, EditGroup, NewCheck, OpenChecks,
};
use crate::workspace::Folder;
use crate::{CancellationToken, ServiceError, Studio, snapshots, tree};

/// Whether a document's name is that of a file of checks.
#[must_use]
pub(crate) fn is_checks(document: &str) -> bool {
    is_checks_name(document)
}

/// The name and the path of the file of checks of a registry.
///
/// # Errors
/// [`ServiceError::BadFile`] if the name is not that of a registry of the folder.
pub(crate) fn file(folder: &Folder, registry: &str) -> Result<(String, PathBuf), ServiceError> {
    folder.file(registry)?;
    let name = checks_name(registry).ok_or_else(|| ServiceError::BadFile(registry.to_owned()))?;
    let path = folder.path().join(&name);
    Ok((name, path))
}

impl Studio {
    /// Opens the file of checks of a registry and restores its draft, if there is one. Without a
    /// file, the document is empty; saving creates the file.
    ///
    /// # Errors
    /// If the file cannot be read or is not a file of checks.
    pub fn open_checks(&self, registry: &str) -> Result<OpenChecks, ServiceError> {
        let (name, path) = file(&self.inner.folder, registry)?;
        let checks = self.inner.checks.open(&name, &path)?;
        let opened = {
            let mut checks = lock(&checks);
            let draft = checks.copy_mut().take_draft_note();
            opened(&checks, draft)
        };
        if opened.status.modified {
            self.autosave_later(&name);
        }
        Ok(opened)
    }

    pub(crate) fn with_checks<T>(
        &self,
        document: &str,
        work: impl FnOnce(&mut ChecksFile) -> Result<T, ServiceError>,
    ) -> Result<T, ServiceError> {
        self.inner.pause.edit_begins();
        let answer = self.inner.checks.with(document, work)?;
        self.drafting.touch(document);
        Ok(answer)
    }

    /// Applies a group of edits from the page.
    ///
    /// # Errors
    /// If the document is not open, or the edits do not fit its revision or its tree.
    pub fn apply_checks(
        &self,
        document: &str,
        group: &EditGroup,
    ) -> Result<ChecksChange, ServiceError> {
        self.with_checks(document, |checks| checks.apply(group))
    }

    /// Undoes the last step.
    ///
    /// # Errors
    /// If the document is not open or there is nothing to undo.
    pub fn undo_checks(&self, document: &str) -> Result<ChecksChange, ServiceError> {
        self.with_checks(document, ChecksFile::undo)
    }

    /// Repeats the last undone step.
    ///
    /// # Errors
    /// If the document is not open or there is nothing to redo.
    pub fn redo_checks(&self, document: &str) -> Result<ChecksChange, ServiceError> {
        self.with_checks(document, ChecksFile::redo)
    }

    /// Resolves a conflict with a side for each key that differs. A version on disk that is not taken as
    /// it is stays as a copy beside the file.
    ///
    /// # Errors
    /// If the document is not open or has no conflict.
    pub fn resolve_checks(
        &self,
        document: &str,
        choices: &BTreeMap<String, Choice>,
    ) -> Result<ChecksChange, ServiceError> {
        self.with_checks(document, |checks| {
            self.inner.checks.resolve_with_copy(checks, choices)
        })
    }

    /// Writes the file atomically unless it is unchanged. If the file has changed on disk, writes
    /// nothing and returns the conflict.
    ///
    /// # Errors
    /// If the document is not open or the file cannot be written.
    pub fn save_checks(&self, document: &str) -> Result<ChecksSaved, ServiceError> {
        let saved = self.with_checks(document, |checks| {
            let Saved {
                written,
                damaged_copy,
            } = self.inner.checks.save(checks)?;
            Ok(ChecksSaved {
                written,
                status: checks.status(),
                conflict: checks.conflict(),
                kept: damaged_copy,
            })
        })?;
        self.inner.checks.save_draft(document);
        Ok(saved)
    }

    /// Runs the checks of a registry on the registry as it is in the window.
    ///
    /// # Errors
    /// If the registry or its checks are not open, or the request is cancelled.
    pub fn run_checks(
        &self,
        registry: &str,
        cancel: &CancellationToken,
    ) -> Result<ChecksReport, ServiceError> {
        let begun = Instant::now();
        let engine = lock(&*self.inner.session(registry)?).engine().clone();
        let (document, _) = file(&self.inner.folder, registry)?;
        let (checks, revision) = {
            let open = self.inner.checks.get(&document)?;
            let open = lock(&open);
            (open.positioned()?, open.copy().revision())
        };
        let suite = Suite::new(&checks, &engine, &self.inner.check_tokenizers);
        let verdicts = run::run(&suite, &|| !self.inner.pause.proceed(cancel))?;
        let warnings = checks.warnings().into_iter();
        Ok(ChecksReport {
            document,
            revision,
            verdicts: verdicts
                .into_iter()
                .map(run::view)
                .collect::<Vec<CheckVerdict>>(),
            warnings: warnings.map(|warning| warning.message).collect(),
            millis: saturating_u32(begun.elapsed().as_millis()),
        })
    }

    /// Adds a check that holds now, as a step that can be undone.
    ///
    /// # Errors
    /// If the registry is not open, its file of checks cannot be read, the snapshot does not exist,
    /// the call cannot be hydrated, or the output policy cannot be used.
    pub fn keep_check(&self, registry: &str, check: &NewCheck) -> Result<CheckAdded, ServiceError> {
        let (document, path) = file(&self.inner.folder, registry)?;
        let open = self.inner.checks.open(&document, &path)?;
        let free = |wanted: &str| new_check::free_name(lock(&open).copy().compiled(), wanted);
        let session = self.inner.session(registry)?;
        let (engine, state, route) = {
            let session = lock(&session);
            let route = session.route().map(str::to_owned);
            (session.engine().clone(), session.state().clone(), route)
        };
        let of_answer = |text: &str, route: Option<&str>| {
            let verdict = policy::apply(engine.registry(), route, text, &|| false)?
                .ok_or(ServiceError::Superseded)?;
            let name = free(match verdict.accepted {
                true => "answer accepted",
                false => "answer rejected",
            });
            let check = new_check::of_answer(text, route, &verdict, &name);
            Ok::<_, ServiceError>((name, check))
        };
        let (name, check) = match check {
            NewCheck::Prompt { seed } => {
                let seed = Seed::new(*seed).map_err(bad_seed)?;
                let name = free(&format!("prompt of seed {seed}"));
                let check = new_check::of_prompt(&engine, &state, route.as_deref(), seed, &name)?;
                (name, check)
            }
            NewCheck::Snapshot { id } => {
                let store = self.inner.store_handle.store()?;
                let contents = snapshots::contents(&store, (*id).into())?;
                let name = free(&contents.summary.name);
                let route = contents.route.as_deref();
                let check =
                    new_check::of_prompt(&engine, &contents.state, route, contents.seed, &name)?;
                (name, check)
            }
            NewCheck::Run { id, attempt } => {
                let run = self.inner.store_handle.store()?.run((*id).into())?;
                let text = record::judged_text(&run, *attempt)?;
                let text = text.ok_or(ServiceError::Nothing("keep: no such attempt"))?;
                of_answer(&text, run.route.as_deref())?
            }
            NewCheck::Answer { text } => of_answer(text, route.as_deref())?,
        };
        self.add_check(&document, name, check)
    }

    fn add_check(
        &self,
        document: &str,
        name: String,
        check: Value,
    ) -> Result<CheckAdded, ServiceError> {
        self.with_checks(document, |checks| {
            let count = checks.copy().compiled().entries().len();
            let index = saturating_u32(count);
            let edits = vec![Edit::Insert {
                path: vec!["checks".into(), index.into()],
                value: check,
                position: None,
            }];
            let change = checks.change(|copy| {
                copy.step(&format!("Keep as check: {name}"), &edits, None)?;
                Ok(edits)
            })?;
            Ok(CheckAdded {
                change,
                index,
                name,
            })
        })
    }

    /// Opens a roll of a check: its state and route with a seed, as a step that can be undone.
    ///
    /// # Errors
    /// If the registry or its checks are not open, there is no such check of prompts, or the seed is
    /// too large.
    pub fn open_check_roll(
        &self,
        registry: &str,
        index: u32,
        seed: u64,
    ) -> Result<Change, ServiceError> {
        let (document, _) = file(&self.inner.folder, registry)?;
        let seed = Seed::new(seed).map_err(bad_seed)?;
        let open = self.inner.checks.get(&document)?;
        let given = {
            let open = lock(&open);
            let entry = open.copy().compiled().entries().get(index as usize);
            let check = entry.and_then(|entry| entry.check.as_ref().ok());
            match check.map(|check| &check.subject) {
                Some(Subject::Prompt(given)) => given.clone(),
                _ => return Err(ServiceError::Nothing("open: the check has no roll")),
            }
        };
        self.with(registry, |session| {
            let content = tree::registry(session.copy().tree()).clone();
            let to = tree::build(&content, &given.state, given.route.as_deref(), seed);
            session.switch("Open the roll of a check", &to)
        })
    }
}

fn opened(checks: &ChecksFile, draft: Option<DraftNote>) -> OpenChecks {
    OpenChecks {
        document: checks.copy().document().to_owned(),
        tree: checks.copy().tree().clone(),
        status: checks.status(),
        draft,
        conflict: checks.conflict(),
    }
}

fn bad_seed(fault: impl ToString) -> ServiceError {
    let reason = fault.to_string();
    ServiceError::BadPart(tree::BadPart {
        part: "seed",
        why: reason,
    })
}
