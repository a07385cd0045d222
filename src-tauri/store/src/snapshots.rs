//! Table `snapshots`: what a document was at one moment, its content shared by hash.

use rusqlite::{Connection, OptionalExtension, Row, TransactionBehavior, params};

use crate::contents::{self, Hash};
use crate::drafts::forget_unused;
use crate::seal::Seal;
use crate::{Store, StoreError};

/// Rows a list gives at most.
pub const LONGEST_PAGE: u32 = 200;

/// How long a deleted snapshot can be brought back: 30 days, in milliseconds.
pub const KEPT_AFTER_DELETION: i64 = 30 * 24 * 60 * 60 * 1000;

/// What a snapshot is taken of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSnapshot<'a> {
    /// Name.
    pub name: &'a str,
    /// Note.
    pub note: &'a str,
    /// The registry's file.
    pub file: &'a str,
    /// The registry.
    pub content: &'a [u8],
    /// The state, as JSON.
    pub state: &'a str,
    /// Route, none for the default order.
    pub route: Option<&'a str>,
    /// Seed, below 2^53.
    pub seed: u64,
    /// Provider and model.
    pub target: Option<&'a str>,
    /// What is chosen, in a few words.
    pub glance: &'a str,
    /// When, in milliseconds since 1970.
    pub taken_at: i64,
    /// Taken by itself, before something destructive.
    pub automatic: bool,
}

/// A snapshot without its content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// Number, never given twice.
    pub id: i64,
    /// Name.
    pub name: String,
    /// Note.
    pub note: String,
    /// The registry's file.
    pub file: String,
    /// Hash of the registry.
    pub content: Hash,
    /// The state, as JSON.
    pub state: String,
    /// Route.
    pub route: Option<String>,
    /// Seed.
    pub seed: u64,
    /// Provider and model.
    pub target: Option<String>,
    /// What is chosen, in a few words.
    pub glance: String,
    /// When, in milliseconds since 1970.
    pub taken_at: i64,
    /// Taken by itself.
    pub automatic: bool,
    /// Key 1 to 9.
    pub pinned: Option<u8>,
    /// When it was deleted.
    pub deleted_at: Option<i64>,
}

/// Which snapshots to list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Query<'a> {
    /// Only of this file.
    pub file: Option<&'a str>,
    /// Every word must be part of name or note, case-insensitive for ASCII.
    pub text: Option<&'a str>,
    /// Rows left out at the beginning.
    pub offset: u32,
    /// Rows at most; no more than [`LONGEST_PAGE`].
    pub limit: u32,
}

/// A stretch of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// Pinned ones by key, then the newest first. Damaged rows are left out.
    pub snapshots: Vec<Summary>,
    /// How many match, damaged ones included.
    pub total: u64,
    /// How many rows of this stretch are damaged.
    pub damaged: u32,
}

const COLUMNS: &str = "id, name, note, file, content, state, route, seed, target, glance, \
                       taken_at, automatic, pinned, deleted_at, seal";

impl Summary {
    fn seal(&self) -> Vec<u8> {
        Seal::of("snapshots")
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

    /// Reads a row; none when it is damaged.
    pub(crate) fn read(row: &Row<'_>) -> Option<Self> {
        let content: Vec<u8> = row.get(4).ok()?;
        let summary = Self {
            id: row.get(0).ok()?,
            name: row.get(1).ok()?,
            note: row.get(2).ok()?,
            file: row.get(3).ok()?,
            content: Hash::from_slice(&content)?,
            state: row.get(5).ok()?,
            route: row.get(6).ok()?,
            seed: row.get::<_, i64>(7).ok()?.cast_unsigned(),
            target: row.get(8).ok()?,
            glance: row.get(9).ok()?,
            taken_at: row.get(10).ok()?,
            automatic: row.get(11).ok()?,
            pinned: row.get(12).ok()?,
            deleted_at: row.get(13).ok()?,
        };
        let seal: Vec<u8> = row.get(14).ok()?;
        (seal == summary.seal()).then_some(summary)
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
            self.seal(),
        ])?;
        Ok(())
    }
}

/// The rows of the table by id, for salvage: each is read alone, so that one bad page costs
/// only its own rows.
pub(crate) fn read_one(conn: &Connection, id: i64) -> Result<Option<Summary>, rusqlite::Error> {
    conn.prepare_cached(&format!("SELECT {COLUMNS} FROM snapshots WHERE id = ?1"))?
        .query_row(params![id], |row| Ok(Summary::read(row)))
        .optional()
        .map(Option::flatten)
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
        .query_row(params![id], |row| Ok(Summary::read(row)))
        .optional()?;
    match row {
        Some(Some(summary)) => Ok(summary),
        Some(None) => Err(StoreError::damaged(format!("snapshot {id}"))),
        None => Err(StoreError::missing(format!("snapshot {id}"))),
    }
}

/// A pattern for LIKE that finds the word anywhere.
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

impl Store {
    /// Takes a snapshot. Once this returns, it is on the disk.
    pub fn take_snapshot(&self, new: &NewSnapshot<'_>) -> Result<Summary, StoreError> {
        let mut conn = self.connection();
        let transaction = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let summary = Summary {
            id: next_id(&transaction)?,
            name: new.name.to_owned(),
            note: new.note.to_owned(),
            file: new.file.to_owned(),
            content: contents::put(&transaction, new.content)?,
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
        summary.write(&transaction)?;
        transaction.commit()?;
        Ok(summary)
    }

    /// A snapshot, deleted or not, checked.
    pub fn snapshot(&self, id: i64) -> Result<Summary, StoreError> {
        find(&self.connection(), id)
    }

    /// A stretch of the list.
    pub fn snapshots(&self, query: &Query<'_>) -> Result<Page, StoreError> {
        let mut conditions = String::from("deleted_at IS NULL");
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
        let conn = self.connection();
        let total: i64 = conn
            .prepare_cached(&format!(
                "SELECT count(*) FROM snapshots WHERE {conditions}"
            ))?
            .query_row(rusqlite::params_from_iter(&values), |row| row.get(0))?;
        let mut statement = conn.prepare_cached(&format!(
            "SELECT {COLUMNS} FROM snapshots WHERE {conditions}
             ORDER BY coalesce(pinned, 10), taken_at DESC, id DESC LIMIT {} OFFSET {}",
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
            match Summary::read(row) {
                Some(summary) => page.snapshots.push(summary),
                None => page.damaged += 1,
            }
        }
        Ok(page)
    }

    fn change_snapshot(
        &self,
        id: i64,
        change: impl FnOnce(&Connection, &mut Summary) -> Result<(), StoreError>,
    ) -> Result<Summary, StoreError> {
        let mut conn = self.connection();
        let transaction = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut summary = find(&transaction, id)?;
        change(&transaction, &mut summary)?;
        summary.write(&transaction)?;
        transaction.commit()?;
        Ok(summary)
    }

    /// Gives a snapshot a name and a note.
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

    /// Pins a snapshot to a key from 1 to 9 within its file, or unpins it. Whoever had the key
    /// loses it.
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
                let mut other = find(conn, holder)?;
                other.pinned = None;
                other.write(conn)?;
            }
            summary.pinned = key;
            Ok(())
        })
    }

    /// A copy with a name of its own.
    pub fn duplicate_snapshot(&self, id: i64, name: &str, now: i64) -> Result<Summary, StoreError> {
        let mut conn = self.connection();
        let transaction = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut summary = find(&transaction, id)?;
        summary.id = next_id(&transaction)?;
        name.clone_into(&mut summary.name);
        summary.taken_at = now;
        summary.automatic = false;
        summary.pinned = None;
        summary.deleted_at = None;
        summary.write(&transaction)?;
        transaction.commit()?;
        Ok(summary)
    }

    /// Deletes a snapshot; it can be brought back for 30 days.
    pub fn delete_snapshot(&self, id: i64, now: i64) -> Result<(), StoreError> {
        self.change_snapshot(id, |_, summary| {
            summary.deleted_at = Some(now);
            Ok(())
        })?;
        Ok(())
    }

    /// Brings a deleted snapshot back, without its pin when the key has another holder.
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

    /// Forgets what was deleted more than 30 days ago; gives how many.
    pub fn forget_deleted(&self, now: i64) -> Result<usize, StoreError> {
        let mut conn = self.connection();
        let transaction = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let gone: Vec<Vec<u8>> = transaction
            .prepare_cached("DELETE FROM snapshots WHERE deleted_at < ?1 RETURNING content")?
            .query_map(params![now - KEPT_AFTER_DELETION], |row| row.get(0))?
            .collect::<Result<_, _>>()?;
        for content in &gone {
            forget_unused(&transaction, content)?;
        }
        transaction.commit()?;
        Ok(gone.len())
    }
}
