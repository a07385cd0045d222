-- Schema 3: the chat template of a connection to raw completions. Applied by src/open.rs.

ALTER TABLE connections ADD COLUMN template TEXT;
