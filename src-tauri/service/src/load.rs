//! Where a session begins: a file, the draft found for it, or both when they disagree.

use std::path::Path;

use promptdeck_store::Hash;

use crate::drafts::Found;
use crate::file_changes::pending;
use crate::file_version::{self, FileVersion};
use crate::session::{Session, Start};
use crate::wire::DraftNote;
use crate::{ServiceError, clock, diff, tree};

/// A session over a file and the draft found for it.
pub(crate) fn begin(
    file: &str,
    path: &Path,
    found: Option<Found>,
) -> Result<(Session, Option<DraftNote>), ServiceError> {
    let start = |disk: FileVersion, tree, modified| Start {
        document: file.to_owned(),
        path: path.to_owned(),
        disk,
        tree,
        modified,
    };
    let fresh = |disk: FileVersion| {
        let seed = clock::draw_seed()?;
        let state = promptdeck_core::hydrate::State::default();
        let tree = tree::build(&disk.registry, &state, None, seed);
        Session::open(start(disk, tree, false))
    };
    let read = FileVersion::read(path, file).map(|(disk, _)| disk);
    let Some(found) = found else {
        return Ok((fresh(read?)?, None));
    };
    let note = DraftNote {
        saved_at: found.saved_at,
    };
    if !found.modified {
        // Only selections were kept: they go on over what the file holds now.
        let disk = read?;
        let mut tree = found.tree;
        tree["registry"] = disk.registry.clone().into();
        return match Session::open(start(disk.clone(), tree, false)) {
            Ok(session) => Ok((session, None)),
            Err(_) => Ok((fresh(disk)?, None)),
        };
    }
    let session = with_unsaved(file, path, found, read)?;
    // The file may hold by now what the draft does.
    let note = session.copy().modified().then_some(note);
    Ok((session, note))
}

/// A session over a draft with unsaved edits, whatever became of its file meanwhile.
fn with_unsaved(
    file: &str,
    path: &Path,
    found: Found,
    read: Result<FileVersion, ServiceError>,
) -> Result<Session, ServiceError> {
    let same = read.as_ref().is_ok_and(|disk| {
        disk.hash == found.base
            || diff::tree::alike_maps(tree::registry(&found.tree), &disk.registry)
    });
    let hash = file_version::bytes(path).ok().map(|bytes| Hash::of(&bytes));
    let disk = match &read {
        Ok(disk) => disk.clone(),
        // The file is gone or broken: what the draft holds stands for it until it is saved.
        Err(_) => FileVersion {
            hash: found.base,
            registry: tree::registry(&found.tree).clone(),
            wrapper: None,
        },
    };
    let modified =
        !diff::tree::alike_maps(tree::registry(&found.tree), &disk.registry) || read.is_err();
    let mut session = Session::open(Start {
        document: file.to_owned(),
        path: path.to_owned(),
        disk,
        tree: found.tree,
        modified,
    })?;
    if !same {
        session.as_mut().forget_base();
        session.as_mut().set_pending(Some(pending(read, hash)));
    }
    Ok(session)
}
