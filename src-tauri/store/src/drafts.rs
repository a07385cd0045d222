//! Tables `drafts` and `draft_edits`: unsaved work on one file, as a checkpoint of the whole tree
//! and the groups of edits since. Saving a keystroke therefore writes a keystroke, not a tree.

use rusqlite::{OptionalExtension, params};

use crate::blobs::{self, Hash};
use crate::columns::Columns;
use crate::list_checksums;
use crate::row_checksum::RowChecksum;
use crate::{Store, StoreError};

/// Unsaved work on one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    /// Hash of the file's bytes that the work started from.
    pub base: Hash,
    /// The tree at the last checkpoint.
    pub tree: Vec<u8>,
    /// Groups of edits since the checkpoint, oldest first.
    pub edits: Vec<Vec<u8>>,
    /// Whether the registry had unsaved edits at the last write.
    pub modified: bool,
    /// Time of the last write, in milliseconds since 1970.
    pub saved_at: i64,
    /// Number of groups missing from `edits`: the first damaged one and all later ones.
    pub lost: usize,
}

/// Who wrote the draft of a file last, and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DraftVersion {
    /// The writer.
    pub owner: i64,
    /// Time of the last write, in milliseconds since 1970.
    pub saved_at: i64,
    /// Whether there were unsaved edits.
    pub modified: bool,
}

/// The whole tree of a file's unsaved work, to be its draft.
#[derive(Debug, Clone, Copy)]
pub struct DraftCheckpoint<'a> {
    /// The writer: edits of another are never appended to this checkpoint.
    pub owner: i64,
    /// The draft that the writer found in its place; `None` if it found none.
    pub replaces: Option<DraftVersion>,
    /// Hash of the file's bytes that the work started from.
    pub base: Hash,
    /// The tree.
    pub tree: &'a [u8],
    /// Whether the registry has unsaved edits.
    pub modified: bool,
    /// Time of the write, in milliseconds since 1970.
    pub saved_at: i64,
}

fn draft_checksum(file: &str, base: &[u8], tree: &[u8], modified: bool, saved_at: i64) -> Vec<u8> {
    RowChecksum::of("drafts")
        .text(file)
        .bytes(base)
        .bytes(tree)
        .number(modified.into())
        .number(saved_at)
        .finish()
}

fn edits_checksum(file: &str, tree: &[u8], place: i64, edits: &[u8]) -> Vec<u8> {
    RowChecksum::of("draft_edits")
        .text(file)
        .bytes(tree)
        .number(place)
        .bytes(edits)
        .finish()
}

/// A row of `drafts`.
#[derive(Debug, Clone)]
pub(crate) struct DraftRow {
    pub(crate) file: String,
    pub(crate) base: Hash,
    pub(crate) tree: Hash,
    pub(crate) modified: bool,
    pub(crate) saved_at: i64,
}

impl DraftRow {
    /// Reads a row; `None` if it is damaged.
    pub(crate) fn read<C: Columns + ?Sized>(row: &C) -> Option<Self> {
        let (base, tree): (Vec<u8>, Vec<u8>) = (row.column(1)?, row.column(2)?);
        let draft = Self {
            file: row.column(0)?,
            base: Hash::from_slice(&base)?,
            tree: Hash::from_slice(&tree)?,
            modified: row.column(3)?,
            saved_at: row.column(4)?,
        };
        (row.column::<Vec<u8>>(5)? == draft.row_checksum()).then_some(draft)
    }

    fn row_checksum(&self) -> Vec<u8> {
        let (base, tree) = (self.base.as_bytes(), self.tree.as_bytes());
        draft_checksum(&self.file, base, tree, self.modified, self.saved_at)
    }

    pub(crate) fn write(
        &self,
        conn: &rusqlite::Connection,
        owner: i64,
    ) -> Result<(), rusqlite::Error> {
        conn.prepare_cached(
            "INSERT INTO drafts (file, base, tree, modified, saved_at, seal, owner)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
             ON CONFLICT (file) DO UPDATE SET owner = excluded.owner, base = excluded.base,
                tree = excluded.tree, modified = excluded.modified,
                saved_at = excluded.saved_at, seal = excluded.seal",
        )?
        .execute(params![
            self.file,
            self.base.as_bytes(),
            self.tree.as_bytes(),
            self.modified,
            self.saved_at,
            self.row_checksum(),
            owner,
        ])?;
        Ok(())
    }
}

/// A row of `draft_edits`.
#[derive(Debug, Clone)]
pub(crate) struct EditsRow {
    pub(crate) file: String,
    pub(crate) place: i64,
    pub(crate) edits: Vec<u8>,
    row_checksum: Vec<u8>,
}

impl EditsRow {
    /// Reads a row: file, place, edits, checksum. Only the draft can verify it, since the checksum
    /// covers the draft's tree.
    pub(crate) fn read<C: Columns + ?Sized>(row: &C) -> Option<Self> {
        Some(Self {
            file: row.column(0)?,
            place: row.column(1)?,
            edits: row.column(2)?,
            row_checksum: row.column(3)?,
        })
    }

    /// Whether the row was written as an edit of this tree.
    pub(crate) fn changes(&self, tree: &Hash) -> bool {
        self.row_checksum == edits_checksum(&self.file, tree.as_bytes(), self.place, &self.edits)
    }

    pub(crate) fn write(&self, conn: &rusqlite::Connection) -> Result<(), rusqlite::Error> {
        conn.prepare_cached(
            "INSERT INTO draft_edits (file, place, edits, seal) VALUES (?1, ?2, ?3, ?4)",
        )?
        .execute(params![
            self.file,
            self.place,
            self.edits,
            self.row_checksum
        ])?;
        Ok(())
    }
}

/// Reads and verifies the draft of a file.
fn find(conn: &rusqlite::Connection, file: &str) -> Result<Option<Draft>, StoreError> {
    type Row = (Vec<u8>, Vec<u8>, bool, i64, Vec<u8>);
    let row: Option<Row> = conn
        .prepare_cached("SELECT base, tree, modified, saved_at, seal FROM drafts WHERE file = ?1")?
        .query_row(params![file], |row| {
            Ok((
                row.get(0)?,
                row.get(1)?,
                row.get(2)?,
                row.get(3)?,
                row.get(4)?,
            ))
        })
        .optional()?;
    let Some((base, tree_hash, modified, saved_at, row_checksum)) = row else {
        return Ok(None);
    };
    let damaged = || StoreError::damaged(format!("the draft of {file}"));
    if row_checksum != draft_checksum(file, &base, &tree_hash, modified, saved_at) {
        return Err(damaged());
    }
    let hash = Hash::from_slice(&tree_hash).ok_or_else(damaged)?;
    let tree = blobs::get(conn, &hash)?;
    let mut statement = conn.prepare_cached(
        "SELECT place, edits, seal FROM draft_edits WHERE file = ?1 ORDER BY place",
    )?;
    let mut rows = statement.query(params![file])?;
    let (mut edits, mut lost) = (Vec::new(), 0);
    while let Some(row) = rows.next()? {
        let (place, group, row_checksum): (i64, Vec<u8>, Vec<u8>) =
            (row.get(0)?, row.get(1)?, row.get(2)?);
        let in_turn = usize::try_from(place).is_ok_and(|place| place == edits.len() + 1);
        if lost > 0 || !in_turn || row_checksum != edits_checksum(file, &tree_hash, place, &group) {
            lost += 1;
        } else {
            edits.push(group);
        }
    }
    Ok(Some(Draft {
        base: Hash::from_slice(&base).ok_or_else(damaged)?,
        tree,
        edits,
        modified,
        saved_at,
        lost,
    }))
}

impl Store {
    /// Writes the whole tree of a file's unsaved work and deletes earlier edits. `false`, and nothing is
    /// written, if the file's draft is not the one that the writer found: another program has written it
    /// since, and its work would be lost.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn checkpoint_draft(
        &self,
        file: &str,
        checkpoint: &DraftCheckpoint<'_>,
    ) -> Result<bool, StoreError> {
        self.write(checkpoint.tree.len(), |transaction| {
            if version_of(transaction, file)? != checkpoint.replaces {
                return Ok(false);
            }
            let hash = blobs::put(transaction, checkpoint.tree)?;
            let before = contents_of(transaction, file)?;
            transaction
                .prepare_cached("DELETE FROM draft_edits WHERE file = ?1")?
                .execute(params![file])?;
            let row = DraftRow {
                file: file.to_owned(),
                base: checkpoint.base,
                tree: hash,
                modified: checkpoint.modified,
                saved_at: checkpoint.saved_at,
            };
            row.write(transaction, checkpoint.owner)?;
            match before {
                Some(before) => {
                    for hash in before {
                        forget_unused(transaction, &hash)?;
                    }
                }
                None => {
                    let mark = list_checksums::draft_mark(file);
                    list_checksums::change(transaction, "drafts", None, Some(&mark))?;
                }
            }
            Ok(true)
        })
    }

    /// Stores the version of a file that its draft is based on, for the case that the file changes: both
    /// sides of a conflict are described by what they changed in it. Stores nothing if the file's draft
    /// has another base.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn keep_base(&self, file: &str, bytes: &[u8]) -> Result<(), StoreError> {
        let is_base = self.read(|conn| {
            let base = conn
                .prepare_cached("SELECT base FROM drafts WHERE file = ?1")?
                .query_row(params![file], |row| row.get::<_, Vec<u8>>(0))
                .optional()?;
            Ok(base.is_some_and(|base| base == Hash::of(bytes).as_bytes()))
        })?;
        if !is_base {
            return Ok(());
        }
        self.write(bytes.len(), |transaction| {
            blobs::put(transaction, bytes).map(drop)
        })
    }

    /// Appends one group of edits to the owner's last checkpoint. `false`, and nothing is written, if
    /// the owner has no checkpoint: two windows on one file each write their own tree.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn append_draft(
        &self,
        file: &str,
        owner: i64,
        edits: &[u8],
        modified: bool,
        now: i64,
    ) -> Result<bool, StoreError> {
        self.write(edits.len(), |transaction| {
            let found: Option<(Vec<u8>, Vec<u8>)> = transaction
                .prepare_cached("SELECT base, tree FROM drafts WHERE file = ?1 AND owner = ?2")?
                .query_row(params![file, owner], |row| Ok((row.get(0)?, row.get(1)?)))
                .optional()?;
            let Some((base, tree)) = found else {
                return Ok(false);
            };
            let place: i64 = transaction
                .prepare_cached(
                    "SELECT coalesce(max(place), 0) + 1 FROM draft_edits WHERE file = ?1",
                )?
                .query_row(params![file], |row| row.get(0))?;
            transaction
                .prepare_cached(
                    "INSERT INTO draft_edits (file, place, edits, seal) VALUES (?1, ?2, ?3, ?4)",
                )?
                .execute(params![
                    file,
                    place,
                    edits,
                    edits_checksum(file, &tree, place, edits)
                ])?;
            transaction
                .prepare_cached(
                    "UPDATE drafts SET modified = ?2, saved_at = ?3, seal = ?4 WHERE file = ?1",
                )?
                .execute(params![
                    file,
                    modified,
                    now,
                    draft_checksum(file, &base, &tree, modified, now)
                ])?;
            Ok(true)
        })
    }

    /// Reads and verifies the draft of a file.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn draft(&self, file: &str) -> Result<Option<Draft>, StoreError> {
        self.read(|conn| find(conn, file))
    }

    /// Who wrote the draft of a file last; `None` if it has none.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn draft_version(&self, file: &str) -> Result<Option<DraftVersion>, StoreError> {
        self.read(|conn| Ok(version_of(conn, file)?))
    }

    /// The files whose registry has unsaved edits, in alphabetical order.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn modified_files(&self) -> Result<Vec<String>, StoreError> {
        self.read(|conn| {
            let mut statement =
                conn.prepare_cached("SELECT file FROM drafts WHERE modified = 1 ORDER BY file")?;
            let files = statement
                .query_map([], |row| row.get(0))?
                .collect::<Result<_, _>>()?;
            Ok(files)
        })
    }
}

/// Moves the draft of a file to another, in place of the draft that one has.
pub(crate) fn move_rows(
    conn: &rusqlite::Connection,
    from: &str,
    to: &str,
) -> Result<(), StoreError> {
    let found = conn
        .prepare_cached(
            "SELECT file, base, tree, modified, saved_at, seal, owner FROM drafts WHERE file = ?1",
        )?
        .query_row(params![from], |row| {
            Ok((DraftRow::read(row), row.get::<_, i64>(6)?))
        })
        .optional()?;
    let Some((Some(draft), owner)) = found else {
        return Ok(());
    };
    let edits: Vec<EditsRow> = conn
        .prepare_cached(
            "SELECT file, place, edits, seal FROM draft_edits WHERE file = ?1 ORDER BY place",
        )?
        .query_map(params![from], |row| Ok(EditsRow::read(row)))?
        .filter_map(Result::transpose)
        .collect::<Result<_, _>>()?;
    let replaced = remove(conn, to)?;
    remove(conn, from)?;
    let tree = draft.tree;
    let moved = DraftRow {
        file: to.to_owned(),
        ..draft
    };
    moved.write(conn, owner)?;
    list_checksums::change(conn, "drafts", None, Some(&list_checksums::draft_mark(to)))?;
    for row in edits.into_iter().filter(|row| row.changes(&tree)) {
        EditsRow {
            file: to.to_owned(),
            row_checksum: edits_checksum(to, tree.as_bytes(), row.place, &row.edits),
            ..row
        }
        .write(conn)?;
    }
    for hash in replaced.into_iter().flatten() {
        forget_unused(conn, &hash)?;
    }
    Ok(())
}

fn version_of(
    conn: &rusqlite::Connection,
    file: &str,
) -> Result<Option<DraftVersion>, rusqlite::Error> {
    conn.prepare_cached("SELECT owner, saved_at, modified FROM drafts WHERE file = ?1")?
        .query_row(params![file], |row| {
            Ok(DraftVersion {
                owner: row.get(0)?,
                saved_at: row.get(1)?,
                modified: row.get(2)?,
            })
        })
        .optional()
}

/// The hashes of a draft's tree and of its base.
fn contents_of(
    conn: &rusqlite::Connection,
    file: &str,
) -> Result<Option<[Vec<u8>; 2]>, rusqlite::Error> {
    conn.prepare_cached("SELECT tree, base FROM drafts WHERE file = ?1")?
        .query_row(params![file], |row| Ok([row.get(0)?, row.get(1)?]))
        .optional()
}

/// Removes the draft of a file and gives the hashes of its contents.
fn remove(conn: &rusqlite::Connection, file: &str) -> Result<Option<[Vec<u8>; 2]>, StoreError> {
    let contents = contents_of(conn, file)?;
    if contents.is_none() {
        return Ok(None);
    }
    for table in ["draft_edits", "drafts"] {
        conn.prepare_cached(&format!("DELETE FROM {table} WHERE file = ?1"))?
            .execute(params![file])?;
    }
    list_checksums::change(
        conn,
        "drafts",
        Some(&list_checksums::draft_mark(file)),
        None,
    )?;
    Ok(contents)
}

/// Deletes a content that no row refers to any more.
pub(crate) fn forget_unused(
    conn: &rusqlite::Connection,
    hash: &[u8],
) -> Result<(), rusqlite::Error> {
    conn.prepare_cached(
        "DELETE FROM contents WHERE hash = ?1
            AND NOT EXISTS (SELECT 1 FROM snapshots WHERE content = ?1)
            AND NOT EXISTS (SELECT 1 FROM drafts WHERE tree = ?1 OR base = ?1)
            AND NOT EXISTS (SELECT 1 FROM runs WHERE content = ?1)",
    )?
    .execute(params![hash])?;
    Ok(())
}
