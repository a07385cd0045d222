//! Table `snapshots`: the states of documents at chosen moments. Equal contents are stored once.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};

use crate::blobs::{self, Hash};
use crate::columns::Columns;
use crate::drafts::forget_unused;
use crate::list_checksums;
use crate::row_checksum::RowChecksum;
use crate::{Store, StoreError};

/// Maximum number of rows in a page.
pub const LONGEST_PAGE: u32 = 200;

/// How long a deleted snapshot can be restored: 30 days, in milliseconds.
pub const KEPT_AFTER_DELETION: i64 = 30 * 24 * 60 * 60 * 1000;

/// A snapshot about to be taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSnapshot<'a> {
    /// Name chosen by the user.
    pub name: &'a str,
    /// Note of the user.
    pub note: &'a str,
    /// Path of the registry's file.
    pub file: &'a str,
    /// Bytes of the registry.
    pub content: &'a [u8],
    /// The state as JSON.
    pub state: &'a str,
    /// Route; `None` for the default order.
    pub route: Option<&'a str>,
    /// Seed, below 2^53.
    pub seed: u64,
    /// Provider and model.
    pub target: Option<&'a str>,
    /// Short summary of the selections.
    pub glance: &'a str,
    /// Time of the snapshot, in milliseconds since 1970.
    pub taken_at: i64,
    /// Whether the program took it before a destructive action.
    pub automatic: bool,
}

/// A snapshot without its content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// Row id, never reused.
    pub id: i64,
    /// Name chosen by the user.
    pub name: String,
    /// Note of the user.
    pub note: String,
    /// Path of the registry's file.
    pub file: String,
    /// Hash of the registry.
    pub content: Hash,
    /// The state as JSON.
    pub state: String,
    /// Route; `None` for the default order.
    pub route: Option<String>,
    /// Seed, below 2^53.
    pub seed: u64,
    /// Provider and model.
    pub target: Option<String>,
    /// Short summary of the selections.
    pub glance: String,
    /// Time of the snapshot, in milliseconds since 1970.
    pub taken_at: i64,
    /// Whether the program took it before a destructive action.
    pub automatic: bool,
    /// Digit key from 1 to 9 that it is pinned to.
    pub pinned: Option<u8>,
    /// Time of deletion, in milliseconds since 1970.
    pub deleted_at: Option<i64>,
}

/// Filter for a list of snapshots.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Query<'a> {
    /// Restricts the list to one file.
    pub file: Option<&'a str>,
    /// Words that must all occur in name or note, ignoring ASCII case.
    pub text: Option<&'a str>,
    /// Whether to list the deleted ones instead, the last deleted first.
    pub deleted: bool,
    /// Number of rows to skip.
    pub offset: u32,
    /// Maximum number of rows, at most [`LONGEST_PAGE`].
    pub limit: u32,
}

/// One page of a list of snapshots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// Pinned ones by key, then the newest first, without damaged rows.
    pub snapshots: Vec<Summary>,
    /// Number of matches, including damaged rows.
    pub total: u64,
    /// Number of damaged rows in this page.
    pub damaged: u32,
}

pub(crate) const COLUMNS: &str = "id, name, note, file, content, state, route, seed, target, glance, \
                       taken_at, automatic, pinned, deleted_at, seal";

impl Summary {
    /// How the name of the snapshot "Before ..." refers to this one. An automatic one has such a name
    /// itself, which each further switch would repeat.
    #[must_use]
    pub fn name_in_names(&self) -> &str {
        match self.automatic {
            true => "an automatic snapshot",
            false => &self.name,
        }
    }

    /// Label for messages: number, name, file and time.
    #[must_use]
    pub fn label(&self) -> String {
        label_of(self.id, &self.name, &self.file, Some(self.taken_at))
    }

    pub(crate) fn row_checksum(&self) -> Vec<u8> {
        RowChecksum::of("snapshots")
            .number(self.id)
            .text(&self.name)
            .text(&self.note)
            .text(&self.file)
            .bytes(self.content.as_bytes())
            .text(&self.state)
            .optional(self.route.as_deref())
            .number(self.seed.cast_signed())
            .optional(self.target.as_deref())
            .text(&self.glance)
            .number(self.taken_at)
            .number(self.automatic.into())
            .number(self.pinned.map_or(0, i64::from))
            .number(self.deleted_at.unwrap_or(-1))
            .finish()
    }

    /// Reads a row; `None` if it is damaged. A record found in a page has its id beside it.
    pub(crate) fn read<C: Columns + ?Sized>(row: &C, id: Option<i64>) -> Option<Self> {
        let content: Vec<u8> = row.column(4)?;
        let summary = Self {
            id: id.or_else(|| row.column(0))?,
            name: row.column(1)?,
            note: row.column(2)?,
            file: row.column(3)?,
            content: Hash::from_slice(&content)?,
            state: row.column(5)?,
            route: row.column(6)?,
            seed: row.column::<i64>(7)?.cast_unsigned(),
            target: row.column(8)?,
            glance: row.column(9)?,
            taken_at: row.column(10)?,
            automatic: row.column(11)?,
            pinned: row.column(12)?,
            deleted_at: row.column(13)?,
        };
        let row_checksum: Vec<u8> = row.column(14)?;
        (row_checksum == summary.row_checksum()).then_some(summary)
    }

    pub(crate) fn write(&self, conn: &Connection) -> Result<(), rusqlite::Error> {
        conn.prepare_cached(&format!(
            "INSERT INTO snapshots ({COLUMNS})
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
             ON CONFLICT (id) DO UPDATE SET name = excluded.name, note = excluded.note,
                pinned = excluded.pinned, deleted_at = excluded.deleted_at, seal = excluded.seal"
        ))?
        .execute(params![
            self.id,
            self.name,
            self.note,
            self.file,
            self.content.as_bytes(),
            self.state,
            self.route,
            self.seed.cast_signed(),
            self.target,
            self.glance,
            self.taken_at,
            self.automatic,
            self.pinned,
            self.deleted_at,
            self.row_checksum(),
        ])?;
        Ok(())
    }
}

/// Label of a snapshot whose row may be damaged, from its readable fields. `None` if the row does
/// not look like a snapshot.
pub(crate) fn label<C: Columns + ?Sized>(row: &C, id: i64) -> Option<String> {
    let (name, file): (String, String) = (row.column(1)?, row.column(3)?);
    Some(label_of(id, &name, &file, row.column(10)))
}

fn label_of(id: i64, name: &str, file: &str, taken_at: Option<i64>) -> String {
    let file = file.rsplit(['/', '\\']).next().unwrap_or_default();
    let mut label = format!("snapshot {id} {name:?} of {file}");
    let taken = taken_at.and_then(|at| Timestamp::from_second(at.div_euclid(1000)).ok());
    if let Some(taken) = taken {
        label.push_str(&format!(", taken {taken}"));
    }
    label
}

fn next_id(conn: &Connection) -> Result<i64, rusqlite::Error> {
    conn.query_row(
        "SELECT max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'snapshots'), 0),
                    coalesce((SELECT max(id) FROM snapshots), 0)) + 1",
        [],
        |row| row.get(0),
    )
}

fn find(conn: &Connection, id: i64) -> Result<Summary, StoreError> {
    let row = conn
        .prepare_cached(&format!("SELECT {COLUMNS} FROM snapshots WHERE id = ?1"))?
        .query_row(params![id], |row| {
            Ok(Summary::read(row, None).ok_or_else(|| label(row, id)))
        })
        .optional()?;
    match row {
        Some(Ok(summary)) => Ok(summary),
        Some(Err(label)) => Err(StoreError::damaged(
            label.unwrap_or_else(|| format!("snapshot {id}")),
        )),
        None => Err(StoreError::missing(format!("snapshot {id}"))),
    }
}

fn add(conn: &Connection, summary: &Summary) -> Result<(), StoreError> {
    summary.write(conn)?;
    list_checksums::change(conn, "snapshots", None, Some(&summary.row_checksum()))
}

fn update(conn: &Connection, before: &Summary, after: &Summary) -> Result<(), StoreError> {
    after.write(conn)?;
    let (before, after) = (before.row_checksum(), after.row_checksum());
    list_checksums::change(conn, "snapshots", Some(&before), Some(&after))
}

/// Moves the snapshots of a file to another, deleted ones included. A key that a snapshot of the
/// other file is pinned to stays with that one.
pub(crate) fn move_rows(conn: &Connection, from: &str, to: &str) -> Result<(), StoreError> {
    let found: Vec<Summary> = conn
        .prepare_cached(&format!("SELECT {COLUMNS} FROM snapshots WHERE file = ?1"))?
        .query_map(params![from], |row| Ok(Summary::read(row, None)))?
        .filter_map(Result::transpose)
        .collect::<Result<_, _>>()?;
    for before in found {
        let taken = conn
            .prepare_cached(
                "SELECT 1 FROM snapshots
                 WHERE file = ?1 AND pinned = ?2 AND deleted_at IS NULL",
            )?
            .exists(params![to, before.pinned])?;
        let after = Summary {
            file: to.to_owned(),
            pinned: before.pinned.filter(|_| !taken),
            ..before.clone()
        };
        conn.prepare_cached(
            "UPDATE snapshots SET file = ?2, pinned = ?3, seal = ?4 WHERE id = ?1",
        )?
        .execute(params![
            after.id,
            after.file,
            after.pinned,
            after.row_checksum()
        ])?;
        let (before, after) = (before.row_checksum(), after.row_checksum());
        list_checksums::change(conn, "snapshots", Some(&before), Some(&after))?;
    }
    Ok(())
}

/// A `LIKE` pattern that matches the word anywhere.
fn containing(word: &str) -> String {
    let mut pattern = String::from("%");
    for character in word.chars() {
        if matches!(character, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(character);
    }
    pattern.push('%');
    pattern
}

/// Reads the page that a query selects.
fn page(conn: &Connection, query: &Query<'_>) -> Result<Page, StoreError> {
    let (which, order) = match query.deleted {
        false => ("deleted_at IS NULL", "coalesce(pinned, 10), taken_at DESC"),
        true => ("deleted_at IS NOT NULL", "deleted_at DESC"),
    };
    let mut conditions = String::from(which);
    let mut values: Vec<String> = Vec::new();
    if let Some(file) = query.file {
        values.push(file.to_owned());
        conditions.push_str(" AND file = ?1");
    }
    for word in query.text.unwrap_or_default().split_whitespace().take(16) {
        values.push(containing(word));
        let place = values.len();
        let like = format!("LIKE ?{place} ESCAPE '\\'");
        conditions.extend([" AND (name ", &like, " OR note ", &like, ")"]);
    }
    let total: i64 = conn
        .prepare_cached(&format!(
            "SELECT count(*) FROM snapshots WHERE {conditions}"
        ))?
        .query_row(rusqlite::params_from_iter(&values), |row| row.get(0))?;
    let mut statement = conn.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM snapshots WHERE {conditions}
         ORDER BY {order}, id DESC LIMIT {} OFFSET {}",
        query.limit.min(LONGEST_PAGE),
        query.offset
    ))?;
    let mut rows = statement.query(rusqlite::params_from_iter(&values))?;
    let mut page = Page {
        snapshots: Vec::new(),
        total: total.unsigned_abs(),
        damaged: 0,
    };
    while let Some(row) = rows.next()? {
        match Summary::read(row, None) {
            Some(summary) => page.snapshots.push(summary),
            None => page.damaged += 1,
        }
    }
    Ok(page)
}

/// The snapshot of the same file that was taken last before this one, if its row is intact.
fn previous(conn: &Connection, of: &Summary) -> Result<Option<Summary>, StoreError> {
    // The index of the list is by key first, so that pinned ones are looked up apart.
    let newest = |pinned: &str| {
        format!(
            "SELECT * FROM (SELECT {COLUMNS} FROM snapshots
             WHERE deleted_at IS NULL AND file = ?1 AND coalesce(pinned, 10) {pinned} 10
               AND (taken_at < ?2 OR taken_at = ?2 AND id < ?3)
             ORDER BY taken_at DESC, id DESC LIMIT 1)"
        )
    };
    let row = conn
        .prepare_cached(&format!(
            "{} UNION ALL {} ORDER BY taken_at DESC, id DESC LIMIT 1",
            newest("="),
            newest("<")
        ))?
        .query_row(params![of.file, of.taken_at, of.id], |row| {
            Ok(Summary::read(row, None))
        })
        .optional()?;
    Ok(row.flatten())
}

impl Store {
    /// Takes a snapshot; durable on return.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn take_snapshot(&self, new: &NewSnapshot<'_>) -> Result<Summary, StoreError> {
        self.write(new.content.len(), |transaction| {
            let summary = Summary {
                id: next_id(transaction)?,
                name: new.name.to_owned(),
                note: new.note.to_owned(),
                file: new.file.to_owned(),
                content: blobs::put(transaction, new.content)?,
                state: new.state.to_owned(),
                route: new.route.map(str::to_owned),
                seed: new.seed,
                target: new.target.map(str::to_owned),
                glance: new.glance.to_owned(),
                taken_at: new.taken_at,
                automatic: new.automatic,
                pinned: None,
                deleted_at: None,
            };
            add(transaction, &summary)?;
            Ok(summary)
        })
    }

    /// Whether the file has a snapshot, not deleted, with the same registry, state, route and seed.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn has_snapshot_of(&self, new: &NewSnapshot<'_>) -> Result<bool, StoreError> {
        let hash = Hash::of(new.content);
        self.read(|conn| {
            let mut statement = conn.prepare_cached(&format!(
                "SELECT {COLUMNS} FROM snapshots
                 WHERE file = ?1 AND content = ?2 AND deleted_at IS NULL"
            ))?;
            let mut rows = statement.query(params![new.file, hash.as_bytes()])?;
            while let Some(row) = rows.next()? {
                // A damaged row cannot be restored, so it does not count.
                let same = Summary::read(row, None).is_some_and(|summary| {
                    summary.state == new.state
                        && summary.route.as_deref() == new.route
                        && summary.seed == new.seed
                });
                if same {
                    return Ok(true);
                }
            }
            Ok(false)
        })
    }

    /// Reads and verifies a snapshot, deleted or not.
    ///
    /// # Errors
    /// [`StoreError::Missing`] if there is none, [`StoreError::Damaged`] if its row is damaged.
    pub fn snapshot(&self, id: i64) -> Result<Summary, StoreError> {
        self.read(|conn| find(conn, id))
    }

    /// Reads and verifies a snapshot, deleted or not, and its registry.
    ///
    /// # Errors
    /// [`StoreError::Missing`] if there is none, [`StoreError::Damaged`] if its row or its registry
    /// is damaged.
    pub fn snapshot_with_content(&self, id: i64) -> Result<(Summary, Vec<u8>), StoreError> {
        self.read(|conn| {
            let summary = find(conn, id)?;
            match blobs::get(conn, &summary.content) {
                Ok(content) => Ok((summary, content)),
                Err(StoreError::Damaged { .. }) => Err(StoreError::damaged(format!(
                    "the registry of {}",
                    summary.label()
                ))),
                Err(fault) => Err(fault),
            }
        })
    }

    /// Reads one page of the list. Damaged rows are repaired first, and counted if that is
    /// impossible.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn snapshots(&self, query: &Query<'_>) -> Result<Page, StoreError> {
        let found = self.read(|conn| page(conn, query))?;
        if found.damaged > 0 && self.repair().is_ok() {
            return self.read(|conn| page(conn, query));
        }
        Ok(found)
    }

    /// For each snapshot, the one of the same file that was taken last before it; `None` for the
    /// first one, and if that one's row is damaged. Deleted ones do not count.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn previous_snapshots(&self, of: &[Summary]) -> Result<Vec<Option<Summary>>, StoreError> {
        self.read(|conn| of.iter().map(|each| previous(conn, each)).collect())
    }

    fn change_snapshot(
        &self,
        id: i64,
        change: impl Fn(&Connection, &mut Summary) -> Result<(), StoreError>,
    ) -> Result<Summary, StoreError> {
        self.write(0, |transaction| {
            let before = find(transaction, id)?;
            let mut summary = before.clone();
            change(transaction, &mut summary)?;
            update(transaction, &before, &summary)?;
            Ok(summary)
        })
    }

    /// Changes the name and note of a snapshot.
    ///
    /// # Errors
    /// [`StoreError::Missing`] if there is none; otherwise if the store cannot be written.
    pub fn describe_snapshot(
        &self,
        id: i64,
        name: &str,
        note: &str,
    ) -> Result<Summary, StoreError> {
        self.change_snapshot(id, |_, summary| {
            name.clone_into(&mut summary.name);
            note.clone_into(&mut summary.note);
            Ok(())
        })
    }

    /// Pins a snapshot to a key from 1 to 9 within its file, or unpins it. A snapshot pinned to
    /// that key before loses the pin.
    ///
    /// # Errors
    /// [`StoreError::Missing`] if there is no such snapshot or key; otherwise if the store cannot be
    /// written.
    pub fn pin_snapshot(&self, id: i64, key: Option<u8>) -> Result<Summary, StoreError> {
        if let Some(key) = key.filter(|key| !(1..=9).contains(key)) {
            return Err(StoreError::missing(format!(
                "key {key}; snapshots pin to 1 to 9"
            )));
        }
        self.change_snapshot(id, |conn, summary| {
            let holder: Option<i64> = conn
                .prepare_cached(
                    "SELECT id FROM snapshots
                     WHERE file = ?1 AND pinned = ?2 AND deleted_at IS NULL AND id <> ?3",
                )?
                .query_row(params![summary.file, key, id], |row| row.get(0))
                .optional()?;
            if let Some(holder) = holder {
                let before = find(conn, holder)?;
                let other = Summary {
                    pinned: None,
                    ..before.clone()
                };
                update(conn, &before, &other)?;
            }
            summary.pinned = key;
            Ok(())
        })
    }

    /// Copies a snapshot under a new name.
    ///
    /// # Errors
    /// [`StoreError::Missing`] if there is none; otherwise if the store cannot be written.
    pub fn duplicate_snapshot(&self, id: i64, name: &str, now: i64) -> Result<Summary, StoreError> {
        self.write(0, |transaction| {
            let mut summary = find(transaction, id)?;
            summary.id = next_id(transaction)?;
            name.clone_into(&mut summary.name);
            summary.taken_at = now;
            summary.automatic = false;
            summary.pinned = None;
            summary.deleted_at = None;
            add(transaction, &summary)?;
            Ok(summary)
        })
    }

    /// Deletes a snapshot; it can be restored for 30 days.
    ///
    /// # Errors
    /// [`StoreError::Missing`] if there is none; otherwise if the store cannot be written.
    pub fn delete_snapshot(&self, id: i64, now: i64) -> Result<(), StoreError> {
        self.change_snapshot(id, |_, summary| {
            summary.deleted_at = Some(now);
            Ok(())
        })?;
        Ok(())
    }

    /// Restores a deleted snapshot, without its pin if another one has the key.
    ///
    /// # Errors
    /// [`StoreError::Missing`] if there is none; otherwise if the store cannot be written.
    pub fn undelete_snapshot(&self, id: i64) -> Result<Summary, StoreError> {
        self.change_snapshot(id, |conn, summary| {
            summary.deleted_at = None;
            let taken = conn
                .prepare_cached(
                    "SELECT 1 FROM snapshots
                     WHERE file = ?1 AND pinned = ?2 AND deleted_at IS NULL AND id <> ?3",
                )?
                .exists(params![summary.file, summary.pinned, id])?;
            if taken {
                summary.pinned = None;
            }
            Ok(())
        })
    }

    /// Purges snapshots deleted more than 30 days ago and returns their number.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn forget_deleted(&self, now: i64) -> Result<usize, StoreError> {
        self.write(0, |transaction| {
            let gone: Vec<(Vec<u8>, Vec<u8>)> = transaction
                .prepare_cached(
                    "DELETE FROM snapshots WHERE deleted_at < ?1 RETURNING content, seal",
                )?
                .query_map(params![now - KEPT_AFTER_DELETION], |row| {
                    Ok((row.get(0)?, row.get(1)?))
                })?
                .collect::<Result<_, _>>()?;
            for (content, row_checksum) in &gone {
                list_checksums::change(transaction, "snapshots", Some(row_checksum), None)?;
                forget_unused(transaction, content)?;
            }
            Ok(gone.len())
        })
    }
}
