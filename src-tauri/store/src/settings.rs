//! Table `settings`: small named JSON values.

use rusqlite::{OptionalExtension, params};

use crate::seal::Seal;
use crate::{Store, StoreError};

fn seal(name: &str, value: &str) -> Vec<u8> {
    Seal::of("settings").text(name).text(value).finish()
}

impl Store {
    /// The value under a name. A damaged value counts as absent: settings are a convenience.
    pub fn setting(&self, name: &str) -> Result<Option<String>, StoreError> {
        let row: Option<(String, Vec<u8>)> = self
            .connection()
            .prepare_cached("SELECT value, seal FROM settings WHERE name = ?1")?
            .query_row(params![name], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        Ok(row.and_then(|(value, sealed)| (sealed == seal(name, &value)).then_some(value)))
    }

    /// Keeps a value under a name.
    pub fn set_setting(&self, name: &str, value: &str) -> Result<(), StoreError> {
        self.connection()
            .prepare_cached(
                "INSERT INTO settings (name, value, seal) VALUES (?1, ?2, ?3)
                 ON CONFLICT (name) DO UPDATE SET value = excluded.value, seal = excluded.seal",
            )?
            .execute(params![name, value, seal(name, value)])?;
        Ok(())
    }
}
