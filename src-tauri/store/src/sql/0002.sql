-- Schema 2: connections to model servers and the runs made through them. Applied by src/open.rs.

CREATE TABLE connections (
    name     TEXT PRIMARY KEY,
    kind     TEXT NOT NULL,
    base_url TEXT NOT NULL,
    model    TEXT NOT NULL,
    keyed    INTEGER NOT NULL CHECK (keyed IN (0, 1)),
    seal     BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE runs (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    file       TEXT NOT NULL,
    target     TEXT NOT NULL,
    content    BLOB NOT NULL REFERENCES contents (hash),
    state      TEXT NOT NULL,
    route      TEXT,
    seed       INTEGER NOT NULL,
    request    TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    status     TEXT NOT NULL CHECK (status IN ('running', 'accepted', 'rejected', 'failed', 'stopped')),
    outcome    TEXT NOT NULL,
    seal       BLOB NOT NULL
) STRICT;

CREATE INDEX runs_by_file ON runs (file, id DESC);
-- Foreign keys and the clearing of unused contents look rows up by content.
CREATE INDEX runs_by_content ON runs (content);
