//! Where work is kept: SQLite snapshots and drafts, atomic files, watched folders.
