//! Tokens of registries that are not open, for a list of them: each is read, hydrated with its own
//! defaults and counted once, until its file changes.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use promptdeck_core::hydrate::{Seed, State};
use tokio_util::sync::CancellationToken;

use crate::analysis::Subject;
use crate::catalog::{LARGEST_READ, ListedFile, Stamp};
use crate::open_documents::FileDocument as _;
use crate::session::Session;
use crate::studio::Studio;
use crate::wire::{RegistrySize, SectionSize};
use crate::working_copy::{Start, WorkingCopy};
use crate::{ServiceError, file_version, tree};

/// How many files one call counts.
const MOST: usize = 40;

/// How many counts are remembered.
const MOST_REMEMBERED: usize = 4000;

/// The counts by file; `None` for a file that gives no prompt.
#[derive(Debug, Default)]
pub(crate) struct RegistrySizes(Mutex<HashMap<PathBuf, (Stamp, Option<RegistrySize>)>>);

impl Studio {
    /// Counts the prompts of registries as they are in their files, with the first seed and no
    /// choice of the author. Files that give no prompt are left out, and those that are too large
    /// for a list.
    ///
    /// # Errors
    /// [`ServiceError::Superseded`] once it is cancelled.
    pub fn registry_sizes(
        &self,
        files: &[String],
        cancel: &CancellationToken,
    ) -> Result<Vec<RegistrySize>, ServiceError> {
        let mut sizes = Vec::new();
        for file in files.iter().take(MOST) {
            if cancel.is_cancelled() {
                return Err(ServiceError::Superseded);
            }
            let path = self.inner.folder.file(file)?;
            let listed = ListedFile::new(path, file.clone());
            sizes.extend(listed.and_then(|listed| self.registry_size(&listed)));
        }
        Ok(sizes)
    }

    fn registry_size(&self, file: &ListedFile) -> Option<RegistrySize> {
        let sizes = || {
            let sizes = &self.inner.sizes.0;
            sizes.lock().unwrap_or_else(PoisonError::into_inner)
        };
        let known = sizes().get(&file.path).cloned();
        if let Some((_, size)) = known.filter(|(stamp, _)| *stamp == file.stamp()) {
            return size;
        }
        let size = if file.stamp().1 > LARGEST_READ {
            None
        } else {
            session(file).ok().and_then(|session| self.count(&session))
        };
        let mut sizes = sizes();
        if sizes.len() >= MOST_REMEMBERED {
            sizes.clear();
        }
        sizes.insert(file.path.clone(), (file.stamp(), size.clone()));
        size
    }

    fn count(&self, session: &Session) -> Option<RegistrySize> {
        let counts = Subject::of(session).counts(self.inner.counter())?;
        let (preview, _) = session.preview();
        let mut seen = BTreeSet::new();
        let printed = preview.segments.iter().filter_map(|segment| {
            let section = &segment.source.as_ref()?.section;
            seen.insert(section).then_some(section)
        });
        let sections = printed.map(|section| SectionSize {
            section: section.clone(),
            tokens: counts.sections.get(section).copied().unwrap_or(0),
        });
        Some(RegistrySize {
            file: counts.document.clone(),
            tokens: counts.total,
            exact: counts.exact,
            sections: sections.collect(),
        })
    }
}

/// A document over a file, without the author's draft.
fn session(file: &ListedFile) -> Result<Session, ServiceError> {
    let bytes = file_version::bytes(&file.path)?;
    let disk = Session::parse(&file.name, &bytes)?;
    let seed = Seed::from_bits(0);
    let tree = tree::build(&disk.content, &State::default(), None, seed);
    Ok(Session::new(WorkingCopy::new(Start {
        document: file.name.clone(),
        path: file.path.clone(),
        disk,
        tree,
        modified: false,
    })?))
}
