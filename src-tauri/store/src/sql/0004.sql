-- Schema 4: what every list should hold, so that a row that went is missed. Applied by src/schema.rs.

CREATE TABLE ledger (
    name     TEXT PRIMARY KEY,
    -- Changes of the list so far.
    revision INTEGER NOT NULL,
    count    INTEGER NOT NULL,
    -- The seals of all rows of the list, combined by exclusive or.
    checksum BLOB NOT NULL CHECK (length(checksum) = 32),
    seal     BLOB NOT NULL
) STRICT, WITHOUT ROWID;
