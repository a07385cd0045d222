//! Column access for rows that come either from SQLite or from a page read by salvage.

use rusqlite::Row;
use rusqlite::types::{FromSql, Value};

/// A row whose values are addressed by index.
pub(crate) trait Columns {
    /// The value at an index, or `None` if it has another type.
    fn column<T: FromSql>(&self, place: usize) -> Option<T>;
}

impl Columns for Row<'_> {
    fn column<T: FromSql>(&self, place: usize) -> Option<T> {
        self.get(place).ok()
    }
}

impl Columns for [Value] {
    fn column<T: FromSql>(&self, place: usize) -> Option<T> {
        T::column_result(self.get(place)?.into()).ok()
    }
}
