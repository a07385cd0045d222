//! Changes of files made by others: loaded into a clean document, kept beside a modified one.

use std::path::Path;
use std::sync::Mutex;

use promptdeck_store::Hash;

use crate::conflict::Pending;
use crate::file_version::{self, FileVersion};
use crate::session::Session;
use crate::studio::{Inner, lock};
use crate::wire::Event;
use crate::{ServiceError, clock, diff, snapshots, tree};

/// Something in the folder changed: looks at every open document's file.
pub(crate) fn look(inner: &Inner) {
    for (document, session) in inner.all() {
        look_at(inner, &document, &session);
    }
    inner.tell(Event::WorkspaceChanged);
}

/// Looks at the file of one open document.
pub(crate) fn look_at(inner: &Inner, document: &str, session: &Mutex<Session>) {
    // The file is read while nobody waits for the document. When the document was saved or
    // compared meanwhile, what was read may be older than that, and is read again.
    loop {
        let (path, known) = {
            let session = lock(session);
            (session.copy().path().to_owned(), session.copy().seen())
        };
        let Some(found) = Found::read(&path, document, known) else {
            break;
        };
        let mut session = lock(session);
        if session.copy().seen() == known {
            take_over(inner, &mut session, found);
            break;
        }
    }
}

/// What a file holds that is not what was seen of it last.
struct Found {
    /// Hash of its bytes; none when it is gone.
    hash: Option<Hash>,
    read: Result<FileVersion, ServiceError>,
}

impl Found {
    /// Reads a file; none when it holds what is known.
    fn read(path: &Path, document: &str, known: Option<Hash>) -> Option<Self> {
        let bytes = file_version::bytes(path);
        let hash = bytes.as_ref().ok().map(|bytes| Hash::of(bytes));
        if hash == known {
            return None;
        }
        let read = bytes.and_then(|bytes| {
            let parsed = file_version::parse(document, &bytes)?;
            Ok(FileVersion::of(&bytes, parsed.document))
        });
        Some(Self { hash, read })
    }
}

/// Compares a document with its file and does what the difference asks for.
pub(crate) fn compare_with_file(inner: &Inner, session: &mut Session) {
    let found = Found::read(
        session.copy().path(),
        session.copy().document(),
        session.copy().seen(),
    );
    if let Some(found) = found {
        take_over(inner, session, found);
    }
}

fn take_over(inner: &Inner, session: &mut Session, found: Found) {
    let Found { hash, read } = found;
    if hash == Some(session.copy().disk().hash) {
        session.as_mut().set_pending(None);
        inner.tell(Event::ConflictOver {
            document: session.copy().document().to_owned(),
        });
        return;
    }
    match read {
        Ok(disk) if !session.copy().modified() || equals(session, &disk) => {
            match session.reload(disk) {
                Ok(change) => {
                    inner
                        .drafts
                        .start_over(&snapshots::key(session.copy().path()));
                    inner.tell(Event::Reloaded { change });
                }
                Err(fault) => conflicted(inner, session, Err(fault), hash),
            }
        }
        read => conflicted(inner, session, read, hash),
    }
}

fn equals(session: &Session, disk: &FileVersion) -> bool {
    diff::tree::alike_maps(tree::registry(session.copy().tree()), &disk.registry)
}

pub(crate) fn pending(read: Result<FileVersion, ServiceError>, hash: Option<Hash>) -> Pending {
    let (disk, problem) = match read {
        Ok(disk) => (Some(disk), None),
        Err(fault) => (None, Some(fault.into())),
    };
    Pending {
        disk,
        hash,
        problem,
        seen_at: clock::now(),
    }
}

fn conflicted(
    inner: &Inner,
    session: &mut Session,
    read: Result<FileVersion, ServiceError>,
    hash: Option<Hash>,
) {
    session.as_mut().set_pending(Some(pending(read, hash)));
    if let Some(conflict) = session.conflict() {
        inner.tell(Event::Conflicted {
            document: session.copy().document().to_owned(),
            conflict,
        });
    }
}
