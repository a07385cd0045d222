//! Table `settings`: small JSON values by name.

use rusqlite::{OptionalExtension, params};

use crate::columns::Columns;
use crate::row_checksum::RowChecksum;
use crate::{Store, StoreError};

fn row_checksum(name: &str, value: &str) -> Vec<u8> {
    RowChecksum::of("settings").text(name).text(value).finish()
}

/// Name and value of a row; `None` if it is damaged.
pub(crate) fn read<C: Columns + ?Sized>(row: &C) -> Option<(String, String)> {
    let (name, value): (String, String) = (row.column(0)?, row.column(1)?);
    (row.column::<Vec<u8>>(2)? == row_checksum(&name, &value)).then_some((name, value))
}

pub(crate) fn write(
    conn: &rusqlite::Connection,
    name: &str,
    value: &str,
) -> Result<(), rusqlite::Error> {
    conn.prepare_cached(
        "INSERT INTO settings (name, value, seal) VALUES (?1, ?2, ?3)
         ON CONFLICT (name) DO UPDATE SET value = excluded.value, seal = excluded.seal",
    )?
    .execute(params![name, value, row_checksum(name, value)])?;
    Ok(())
}

/// The names of all settings.
pub(crate) fn names(conn: &rusqlite::Connection) -> Result<Vec<String>, rusqlite::Error> {
    conn.prepare_cached("SELECT name FROM settings")?
        .query_map([], |row| row.get(0))?
        .collect()
}

/// Gives a setting another name; a value of that name is replaced. Does nothing without the setting.
pub(crate) fn rename(
    conn: &rusqlite::Connection,
    before: &str,
    after: &str,
) -> Result<(), rusqlite::Error> {
    let row = conn
        .prepare_cached("SELECT name, value, seal FROM settings WHERE name = ?1")?
        .query_row(params![before], |row| Ok(read(row)))
        .optional()?;
    if let Some((_, value)) = row.flatten() {
        write(conn, after, &value)?;
    }
    conn.prepare_cached("DELETE FROM settings WHERE name = ?1")?
        .execute(params![before])?;
    Ok(())
}

impl Store {
    /// Reads a setting. A damaged value counts as absent, since settings only store preferences.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn setting(&self, name: &str) -> Result<Option<String>, StoreError> {
        self.read(|conn| {
            let row = conn
                .prepare_cached("SELECT name, value, seal FROM settings WHERE name = ?1")?
                .query_row(params![name], |row| Ok(read(row)))
                .optional()?;
            Ok(row.flatten().map(|(_, value)| value))
        })
    }

    /// Deletes a setting.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn forget_setting(&self, name: &str) -> Result<(), StoreError> {
        self.write(0, |transaction| {
            transaction
                .prepare_cached("DELETE FROM settings WHERE name = ?1")?
                .execute(params![name])?;
            Ok(())
        })
    }

    /// The names of the settings that begin so, in alphabetical order.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn setting_names(&self, prefix: &str) -> Result<Vec<String>, StoreError> {
        let mut names = self.read(|conn| Ok(names(conn)?))?;
        names.retain(|name| name.starts_with(prefix));
        names.sort_unstable();
        Ok(names)
    }

    /// Changes a setting in one step, so that no other program writes it in between. `None` deletes it.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn change_setting(
        &self,
        name: &str,
        change: impl Fn(Option<&str>) -> Option<String>,
    ) -> Result<(), StoreError> {
        self.write(0, |transaction| {
            let row = transaction
                .prepare_cached("SELECT name, value, seal FROM settings WHERE name = ?1")?
                .query_row(params![name], |row| Ok(read(row)))
                .optional()?;
            let before = row.flatten().map(|(_, value)| value);
            match change(before.as_deref()) {
                Some(after) => write(transaction, name, &after)?,
                None => {
                    transaction
                        .prepare_cached("DELETE FROM settings WHERE name = ?1")?
                        .execute(params![name])?;
                }
            }
            Ok(())
        })
    }

    /// Stores a setting.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn set_setting(&self, name: &str, value: &str) -> Result<(), StoreError> {
        self.write(value.len(), |transaction| {
            Ok(write(transaction, name, value)?)
        })
    }
}
