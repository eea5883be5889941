-- Sheets of settled disputes, each a document of its own: it holds the record that it is about, so
-- nothing here refers to `record`, and deleting a record leaves its verdicts.
-- No AUTOINCREMENT: nothing lists verdicts, so a number that comes again harms nobody.
CREATE TABLE verdict (
    number       INTEGER PRIMARY KEY,
    id           BLOB    NOT NULL UNIQUE CHECK (length(id) = 32),
    created_at   INTEGER NOT NULL,          -- milliseconds since 1970
    signature    TEXT,                      -- JSON; none where the server signed nothing
    sheet_length INTEGER NOT NULL,          -- bytes of the text before compression
    sheet        BLOB    NOT NULL           -- the text, as one zstd frame
) STRICT;
