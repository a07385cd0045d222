-- Schema 5: the turns of conversations, a tree per registry and call document. Applied by
-- src/schema.rs.

CREATE TABLE turns (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    file       TEXT NOT NULL,
    -- The call document whose messages come before the first turn.
    call       TEXT,
    -- No foreign keys: a salvaged tree may lack a turn or its run.
    parent     INTEGER,
    run        INTEGER,
    created_at INTEGER NOT NULL,
    state      TEXT NOT NULL CHECK (state IN ('streaming', 'complete', 'stopped', 'failed')),
    message    TEXT NOT NULL,
    outcome    TEXT NOT NULL,
    seal       BLOB NOT NULL
) STRICT;

CREATE INDEX turns_by_file ON turns (file, id);
