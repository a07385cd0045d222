//! Table `connections`: model servers by the name a person gave them. Keys are not in it; it only
//! says whether the keyring has one.

use rusqlite::{Row, params};

use crate::seal::Seal;
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
    /// A key for it is in the keyring.
    pub keyed: bool,
}

impl Connection {
    fn seal(&self) -> Vec<u8> {
        Seal::of("connections")
            .text(&self.name)
            .text(&self.kind)
            .text(&self.base_url)
            .text(&self.model)
            .number(self.keyed.into())
            .finish()
    }

    /// Reads a row; none when it is damaged.
    fn read(row: &Row<'_>) -> Option<Self> {
        let connection = Self {
            name: row.get(0).ok()?,
            kind: row.get(1).ok()?,
            base_url: row.get(2).ok()?,
            model: row.get(3).ok()?,
            keyed: row.get(4).ok()?,
        };
        (row.get::<_, Vec<u8>>(5).ok()? == connection.seal()).then_some(connection)
    }
}

impl Store {
    /// All connections by name. Damaged ones are left out: a request to a place nobody wrote down
    /// must not be made.
    pub fn connections(&self) -> Result<Vec<Connection>, StoreError> {
        let conn = self.connection();
        let mut statement = conn.prepare_cached(
            "SELECT name, kind, base_url, model, keyed, seal FROM connections ORDER BY name",
        )?;
        let rows = statement.query_map([], |row| Ok(Connection::read(row)))?;
        let mut connections = Vec::new();
        for row in rows {
            connections.extend(row?);
        }
        Ok(connections)
    }

    /// Keeps a connection, in place of the one of that name.
    pub fn keep_connection(&self, connection: &Connection) -> Result<(), StoreError> {
        self.connection()
            .prepare_cached(
                "INSERT INTO connections (name, kind, base_url, model, keyed, seal)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                 ON CONFLICT (name) DO UPDATE SET kind = excluded.kind,
                     base_url = excluded.base_url, model = excluded.model,
                     keyed = excluded.keyed, seal = excluded.seal",
            )?
            .execute(params![
                connection.name,
                connection.kind,
                connection.base_url,
                connection.model,
                connection.keyed,
                connection.seal(),
            ])?;
        Ok(())
    }

    /// Forgets a connection; runs made through it stay.
    pub fn forget_connection(&self, name: &str) -> Result<(), StoreError> {
        self.connection()
            .prepare_cached("DELETE FROM connections WHERE name = ?1")?
            .execute(params![name])?;
        Ok(())
    }
}
