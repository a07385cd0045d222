//! Tokens of registries that are not open, for a list of them: each is read and hydrated as it would
//! open, and counted once, until its file or what the studio keeps of it changes.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use promptdeck_core::hydrate::{Seed, State};
use promptdeck_store::drafts::DraftVersion;
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

/// The counts by file.
#[derive(Debug, Default)]
pub(crate) struct RegistrySizes(Mutex<HashMap<PathBuf, Counted>>);

/// What was counted of a file.
#[derive(Debug, Clone)]
struct Counted {
    stamp: Stamp,
    draft: Option<DraftVersion>,
    /// `None` for a file that gives no prompt.
    size: Option<RegistrySize>,
}

impl Studio {
    /// Counts the prompts of registries as they would open: with the state, seed and unsaved edits that
    /// the author left them with; of those never opened, the first roll of the file. Files that give no
    /// prompt are left out, and those that are too large for a list.
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
        let (stamp, draft) = (file.stamp(), self.inner.sessions.draft_version(&file.path));
        let known = sizes().get(&file.path).cloned();
        if let Some(known) = known.filter(|known| known.stamp == stamp && known.draft == draft) {
            return known.size;
        }
        let size = if stamp.1 > LARGEST_READ {
            None
        } else {
            let left = draft.and_then(|_| self.inner.sessions.as_left(&file.name, &file.path));
            let session = left.or_else(|| session(file).ok());
            session.and_then(|session| self.count(&session))
        };
        let mut sizes = sizes();
        if sizes.len() >= MOST_REMEMBERED {
            sizes.clear();
        }
        let counted = Counted {
            stamp,
            draft,
            size: size.clone(),
        };
        sizes.insert(file.path.clone(), counted);
        size
    }

    fn count(&self, session: &Session) -> Option<RegistrySize> {
        let counts = Subject::of(session).counts(self.inner.counter())?;
        let (preview, _) = session.preview();
        let mut seen = BTreeSet::new();
        let printed = preview.segments.iter().filter_map(|segment| {
            let section = &*segment.source.as_ref()?.section;
            seen.insert(section).then_some(section)
        });
        let sections = printed.map(|section| SectionSize {
            section: section.to_owned(),
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

/// A document over a file that was never opened.
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
