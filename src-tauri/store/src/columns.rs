//! The columns of a row, whether SQLite read it or salvage found it in a page.

use rusqlite::Row;
use rusqlite::types::{FromSql, Value};

/// A row of values by place.
pub(crate) trait Columns {
    /// The value of a column; none when it is of another type.
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
