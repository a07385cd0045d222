//! Table `connections`: model servers under names chosen by the user. The keys themselves are in
//! the system keyring; a row only records whether one exists.

use rusqlite::{OptionalExtension, params};

use crate::columns::Columns;
use crate::list_checksums;
use crate::row_checksum::RowChecksum;
use crate::{Store, StoreError};

/// A connection to a model server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Connection {
    /// Unique name.
    pub name: String,
    /// Protocol of the server, such as `ollama` or `openai`.
    pub kind: String,
    /// Base URL.
    pub base_url: String,
    /// Default model; empty to use the registry's.
    pub model: String,
    /// Source of the chat template that renders a conversation to text, for raw completions.
    pub template: Option<String>,
    /// Whether the keyring holds a key for this connection.
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
        // Rows from before schemas had templates were checksummed without one.
        match &self.template {
            Some(template) => row_checksum.text(template).finish(),
            None => row_checksum.finish(),
        }
    }

    /// Reads a row; `None` if it is damaged. A row written before schemas had templates lacks that
    /// column.
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

/// The checksum stored with the connection of that name.
fn seal_of(conn: &rusqlite::Connection, name: &str) -> Result<Option<Vec<u8>>, rusqlite::Error> {
    conn.prepare_cached("SELECT seal FROM connections WHERE name = ?1")?
        .query_row([name], |row| row.get(0))
        .optional()
}

impl Store {
    /// All connections by name. Damaged ones are left out, so that no request goes to an address
    /// that the author did not enter.
    ///
    /// # Errors
    /// If the store cannot be read.
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

    /// Inserts a connection, or replaces the one with its name.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn keep_connection(&self, connection: &Connection) -> Result<(), StoreError> {
        self.write(0, |transaction| {
            let before = seal_of(transaction, &connection.name)?;
            connection.write(transaction)?;
            let after = connection.row_checksum();
            list_checksums::change(transaction, "connections", before.as_deref(), Some(&after))
        })
    }

    /// Deletes a connection. Its runs stay.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn forget_connection(&self, name: &str) -> Result<(), StoreError> {
        self.write(0, |transaction| {
            let before = seal_of(transaction, name)?;
            transaction
                .prepare_cached("DELETE FROM connections WHERE name = ?1")?
                .execute(params![name])?;
            list_checksums::change(transaction, "connections", before.as_deref(), None)
        })
    }
}
