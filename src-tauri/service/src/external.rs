//! Changes of files made by others: loaded into a clean document, kept beside a modified one.

use promptdeck_store::Hash;

use crate::conflict::Pending;
use crate::disk::{self, OnDisk};
use crate::session::Session;
use crate::studio::{Inner, lock};
use crate::wire::Event;
use crate::{ServiceError, clock, difference, snapshots, tree};

/// Something in the folder changed: looks at every open document's file.
pub(crate) fn look(inner: &Inner) {
    for (_, session) in inner.all() {
        compare_with_file(inner, &mut lock(&session));
    }
    inner.tell(Event::WorkspaceChanged);
}

/// Compares a document with its file and does what the difference asks for.
pub(crate) fn compare_with_file(inner: &Inner, session: &mut Session) {
    let bytes = disk::bytes(session.path());
    let hash = bytes.as_ref().ok().map(|bytes| Hash::of(bytes));
    let known = session.seen();
    if hash == known {
        return;
    }
    if hash == Some(session.disk().hash) {
        session.as_mut().set_pending(None);
        inner.tell(Event::ConflictOver {
            document: session.document().to_owned(),
        });
        return;
    }
    let read = bytes.and_then(|bytes| {
        let parsed = disk::parse(session.document(), &bytes)?;
        Ok(OnDisk::of(&bytes, parsed.document))
    });
    match read {
        Ok(disk) if !session.modified() || equals(session, &disk) => match session.reload(disk) {
            Ok(change) => {
                inner.drafts.start_over(&snapshots::key(session.path()));
                inner.tell(Event::Reloaded { change });
            }
            Err(fault) => conflicted(inner, session, Err(fault), hash),
        },
        read => conflicted(inner, session, read, hash),
    }
}

fn equals(session: &Session, disk: &OnDisk) -> bool {
    difference::alike_maps(tree::registry(session.tree()), &disk.registry)
}

pub(crate) fn pending(read: Result<OnDisk, ServiceError>, hash: Option<Hash>) -> Pending {
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
    read: Result<OnDisk, ServiceError>,
    hash: Option<Hash>,
) {
    session.as_mut().set_pending(Some(pending(read, hash)));
    if let Some(conflict) = session.conflict() {
        inner.tell(Event::Conflicted {
            document: session.document().to_owned(),
            conflict,
        });
    }
}
