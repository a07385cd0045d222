-- Schema 1: contents, snapshots, drafts, settings. Applied by src/open.rs.

CREATE TABLE contents (
    hash  BLOB PRIMARY KEY CHECK (length(hash) = 32),
    bytes BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE snapshots (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    name       TEXT NOT NULL,
    note       TEXT NOT NULL,
    file       TEXT NOT NULL,
    content    BLOB NOT NULL REFERENCES contents (hash),
    state      TEXT NOT NULL,
    route      TEXT,
    seed       INTEGER NOT NULL,
    target     TEXT,
    glance     TEXT NOT NULL,
    taken_at   INTEGER NOT NULL,
    automatic  INTEGER NOT NULL CHECK (automatic IN (0, 1)),
    pinned     INTEGER CHECK (pinned BETWEEN 1 AND 9),
    deleted_at INTEGER,
    seal       BLOB NOT NULL
) STRICT;

-- The order of the list: a page of it is read without sorting the rest.
CREATE INDEX snapshots_by_file ON snapshots (file, coalesce(pinned, 10), taken_at DESC, id DESC)
    WHERE deleted_at IS NULL;
CREATE INDEX snapshots_by_time ON snapshots (coalesce(pinned, 10), taken_at DESC, id DESC)
    WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX snapshots_pinned ON snapshots (file, pinned)
    WHERE pinned IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX snapshots_deleted ON snapshots (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE drafts (
    file     TEXT PRIMARY KEY,
    base     BLOB NOT NULL,
    tree     BLOB NOT NULL REFERENCES contents (hash),
    modified INTEGER NOT NULL CHECK (modified IN (0, 1)),
    saved_at INTEGER NOT NULL,
    seal     BLOB NOT NULL,
    -- Who appends to it; worth nothing after a restart, so not sealed.
    owner    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE draft_edits (
    file  TEXT NOT NULL REFERENCES drafts (file) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    edits BLOB NOT NULL,
    seal  BLOB NOT NULL,
    PRIMARY KEY (file, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE settings (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL,
    seal  BLOB NOT NULL
) STRICT, WITHOUT ROWID;

-- Foreign keys and the clearing of unused contents look rows up by content.
CREATE INDEX snapshots_by_content ON snapshots (content);
CREATE INDEX drafts_by_tree ON drafts (tree);
