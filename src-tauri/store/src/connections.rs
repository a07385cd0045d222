//! Table `connections`: model servers by the name a person gave them. Keys are not in it; it only
//! says whether the keyring has one.

use rusqlite::{OptionalExtension, params};

use crate::columns::Columns;
use crate::ledger;
use crate::row_checksum::RowChecksum;
use crate::{Store, StoreError};

/// A connection to a model server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Connection {
    /// Its name, which is unique.
    pub name: String,
    /// The kind of server.
    pub kind: String,
    /// Where it is.
    pub base_url: String,
    /// The model to ask; empty for the registry's.
    pub model: String,
    /// The source of the chat template that makes a text of a conversation, for raw completions.
    pub template: Option<String>,
    /// A key for it is in the keyring.
    pub keyed: bool,
}

impl Connection {
    pub(crate) fn row_checksum(&self) -> Vec<u8> {
        let row_checksum = RowChecksum::of("connections")
            .text(&self.name)
            .text(&self.kind)
            .text(&self.base_url)
            .text(&self.model)
            .number(self.keyed.into());
        // Rows of the schema before templates are sealed without one.
        match &self.template {
            Some(template) => row_checksum.text(template).finish(),
            None => row_checksum.finish(),
        }
    }

    /// Reads a row; none when it is damaged. One that was written before there were templates has
    /// no column for it.
    pub(crate) fn read<C: Columns + ?Sized>(row: &C) -> Option<Self> {
        let connection = Self {
            name: row.column(0)?,
            kind: row.column(1)?,
            base_url: row.column(2)?,
            model: row.column(3)?,
            keyed: row.column(4)?,
            template: row.column::<Option<String>>(6).flatten(),
        };
        (row.column::<Vec<u8>>(5)? == connection.row_checksum()).then_some(connection)
    }

    pub(crate) fn write(&self, conn: &rusqlite::Connection) -> Result<(), rusqlite::Error> {
        conn.prepare_cached(
            "INSERT INTO connections (name, kind, base_url, model, template, keyed, seal)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
             ON CONFLICT (name) DO UPDATE SET kind = excluded.kind,
                 base_url = excluded.base_url, model = excluded.model,
                 template = excluded.template, keyed = excluded.keyed, seal = excluded.seal",
        )?
        .execute(params![
            self.name,
            self.kind,
            self.base_url,
            self.model,
            self.template,
            self.keyed,
            self.row_checksum(),
        ])?;
        Ok(())
    }
}

/// The seal kept with the connection of that name.
fn seal_of(conn: &rusqlite::Connection, name: &str) -> Result<Option<Vec<u8>>, rusqlite::Error> {
    conn.prepare_cached("SELECT seal FROM connections WHERE name = ?1")?
        .query_row([name], |row| row.get(0))
        .optional()
}

impl Store {
    /// All connections by name. Damaged ones are left out: a request to a place nobody wrote down
    /// must not be made.
    pub fn connections(&self) -> Result<Vec<Connection>, StoreError> {
        self.read(|conn| {
            let mut statement = conn.prepare_cached(
                "SELECT name, kind, base_url, model, keyed, seal, template FROM connections
                 ORDER BY name",
            )?;
            let rows = statement.query_map([], |row| Ok(Connection::read(row)))?;
            Ok(rows
                .filter_map(Result::transpose)
                .collect::<Result<_, _>>()?)
        })
    }

    /// Keeps a connection, in place of the one of that name.
    pub fn keep_connection(&self, connection: &Connection) -> Result<(), StoreError> {
        self.write(0, |transaction| {
            let before = seal_of(transaction, &connection.name)?;
            connection.write(transaction)?;
            let after = connection.row_checksum();
            ledger::change(transaction, "connections", before.as_deref(), Some(&after))
        })
    }

    /// Forgets a connection; runs made through it stay.
    pub fn forget_connection(&self, name: &str) -> Result<(), StoreError> {
        self.write(0, |transaction| {
            let before = seal_of(transaction, name)?;
            transaction
                .prepare_cached("DELETE FROM connections WHERE name = ?1")?
                .execute(params![name])?;
            ledger::change(transaction, "connections", before.as_deref(), None)
        })
    }
}
