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
    /// The source of the chat template that makes a text of a conversation, for raw completions.
    pub template: Option<String>,
    /// A key for it is in the keyring.
    pub keyed: bool,
}

impl Connection {
    pub(crate) fn seal(&self) -> Vec<u8> {
        let seal = Seal::of("connections")
            .text(&self.name)
            .text(&self.kind)
            .text(&self.base_url)
            .text(&self.model)
            .number(self.keyed.into());
        // Rows of the schema before templates are sealed without one.
        match &self.template {
            Some(template) => seal.text(template).finish(),
            None => seal.finish(),
        }
    }

    /// Reads a row of any schema; none when it is damaged.
    fn read(row: &Row<'_>) -> Option<Self> {
        let connection = Self {
            name: row.get("name").ok()?,
            kind: row.get("kind").ok()?,
            base_url: row.get("base_url").ok()?,
            model: row.get("model").ok()?,
            template: match row.as_ref().column_index("template") {
                Ok(place) => row.get(place).ok()?,
                Err(_) => None,
            },
            keyed: row.get("keyed").ok()?,
        };
        (row.get::<_, Vec<u8>>("seal").ok()? == connection.seal()).then_some(connection)
    }
}

/// All connections by name that can be read, and how many can't.
pub(crate) fn all(conn: &rusqlite::Connection) -> Result<(Vec<Connection>, usize), StoreError> {
    let mut statement = conn.prepare_cached("SELECT * FROM connections ORDER BY name")?;
    let mut rows = statement.query([])?;
    let (mut connections, mut damaged) = (Vec::new(), 0);
    while let Some(row) = rows.next()? {
        match Connection::read(row) {
            Some(connection) => connections.push(connection),
            None => damaged += 1,
        }
    }
    Ok((connections, damaged))
}

impl Store {
    /// All connections by name. Damaged ones are left out: a request to a place nobody wrote down
    /// must not be made.
    pub fn connections(&self) -> Result<Vec<Connection>, StoreError> {
        Ok(all(&self.connection())?.0)
    }

    /// Keeps a connection, in place of the one of that name.
    pub fn keep_connection(&self, connection: &Connection) -> Result<(), StoreError> {
        self.connection()
            .prepare_cached(
                "INSERT INTO connections (name, kind, base_url, model, template, keyed, seal)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
                 ON CONFLICT (name) DO UPDATE SET kind = excluded.kind,
                     base_url = excluded.base_url, model = excluded.model,
                     template = excluded.template, keyed = excluded.keyed, seal = excluded.seal",
            )?
            .execute(params![
                connection.name,
                connection.kind,
                connection.base_url,
                connection.model,
                connection.template,
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
