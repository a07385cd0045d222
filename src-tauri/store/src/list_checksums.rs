//! Table `ledger`: row count and checksum of each list, updated in the transaction that changes the
//! list. It distinguishes a short list from one that lost rows.

use rusqlite::{Connection, OptionalExtension, params};

use crate::StoreError;
use crate::columns::Columns;
use crate::row_checksum::RowChecksum;

/// The lists with an entry.
pub(crate) const LISTS: [&str; 5] = ["snapshots", "runs", "connections", "drafts", "turns"];

/// First schema with conversations.
pub(crate) const TURNS_SINCE: i64 = 5;

/// The lists of a schema version.
pub(crate) fn lists_of(schema: i64) -> &'static [&'static str] {
    const ALL: &[&str] = &LISTS;
    let missing = usize::from(schema < TURNS_SINCE);
    &ALL[..ALL.len() - missing]
}

/// Expected state of one list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) name: String,
    /// Number of changes so far.
    pub(crate) revision: i64,
    /// Number of rows.
    pub(crate) count: i64,
    /// Exclusive or of the marks of all rows.
    pub(crate) checksum: [u8; 32],
}

impl Entry {
    pub(crate) fn empty(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            revision: 0,
            count: 0,
            checksum: [0; 32],
        }
    }

    fn row_checksum(&self) -> Vec<u8> {
        RowChecksum::of("ledger")
            .text(&self.name)
            .number(self.revision)
            .number(self.count)
            .bytes(&self.checksum)
            .finish()
    }

    /// Reads a row: name, revision, count, checksum, row checksum. `None` if it is damaged.
    pub(crate) fn read<C: Columns + ?Sized>(row: &C) -> Option<Self> {
        let checksum: Vec<u8> = row.column(3)?;
        let entry = Self {
            name: row.column(0)?,
            revision: row.column(1)?,
            count: row.column(2)?,
            checksum: checksum.try_into().ok()?,
        };
        (row.column::<Vec<u8>>(4)? == entry.row_checksum()).then_some(entry)
    }

    /// Adds a row's mark or removes it; the operation is its own inverse.
    fn toggle(&mut self, mark: &[u8]) {
        for (sum, byte) in self.checksum.iter_mut().zip(mark) {
            *sum ^= byte;
        }
    }

    pub(crate) fn add(&mut self, mark: &[u8]) {
        self.toggle(mark);
        self.count += 1;
    }

    fn write(&self, conn: &Connection) -> Result<(), rusqlite::Error> {
        conn.prepare_cached(
            "INSERT INTO ledger (name, revision, count, checksum, seal)
             VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT (name) DO UPDATE SET revision = excluded.revision,
                count = excluded.count, checksum = excluded.checksum, seal = excluded.seal",
        )?
        .execute(params![
            self.name,
            self.revision,
            self.count,
            self.checksum,
            self.row_checksum()
        ])?;
        Ok(())
    }

    /// Whether both describe the same rows, ignoring revisions.
    pub(crate) fn same_rows(&self, other: &Self) -> bool {
        (self.count, self.checksum) == (other.count, other.checksum)
    }
}

/// The mark of a draft: only its existence, since every keystroke changes its row.
pub(crate) fn draft_mark(file: &str) -> Vec<u8> {
    RowChecksum::of("draft in ledger").text(file).finish()
}

/// Reads the entry of a list.
pub(crate) fn entry(conn: &Connection, name: &str) -> Result<Entry, StoreError> {
    conn.prepare_cached("SELECT name, revision, count, checksum, seal FROM ledger WHERE name = ?1")?
        .query_row([name], |row| Ok(Entry::read(row)))
        .optional()?
        .flatten()
        .ok_or_else(|| StoreError::damaged(format!("the count of {name}")))
}

/// Reads all entries.
pub(crate) fn all(conn: &Connection) -> Result<Vec<Entry>, StoreError> {
    LISTS.iter().map(|name| entry(conn, name)).collect()
}

/// Records, in the caller's transaction, that a row was deleted, inserted or changed. Rows are
/// given by their marks.
pub(crate) fn change(
    conn: &Connection,
    name: &str,
    before: Option<&[u8]>,
    after: Option<&[u8]>,
) -> Result<(), StoreError> {
    if before == after {
        return Ok(());
    }
    let mut entry = entry(conn, name)?;
    entry.revision += 1;
    if let Some(mark) = before {
        entry.toggle(mark);
        entry.count -= 1;
    }
    if let Some(mark) = after {
        entry.add(mark);
    }
    Ok(entry.write(conn)?)
}

/// Computes the entry of a list from its rows.
pub(crate) fn count(conn: &Connection, name: &str) -> Result<Entry, rusqlite::Error> {
    let mut entry = Entry::empty(name);
    let query = if name == "drafts" {
        "SELECT file FROM drafts".to_owned()
    } else {
        // A damaged index must not hide rows.
        format!("SELECT seal FROM {name} NOT INDEXED")
    };
    let mut statement = conn.prepare(&query)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        if name == "drafts" {
            entry.add(&draft_mark(&row.get::<_, String>(0)?));
        } else {
            entry.add(&row.get::<_, Vec<u8>>(0)?);
        }
    }
    Ok(entry)
}

/// Writes the entries of lists anew from the rows. Revisions continue from `before`.
pub(crate) fn fill(
    conn: &Connection,
    lists: &[&str],
    before: &[Entry],
) -> Result<(), rusqlite::Error> {
    for name in lists {
        let known = before.iter().find(|entry| entry.name == *name);
        let mut entry = count(conn, name)?;
        entry.revision = known.map_or(0, |known| known.revision) + 1;
        entry.write(conn)?;
    }
    Ok(())
}
