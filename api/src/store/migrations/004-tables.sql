-- Tables at which games are being played. What a table is was said when it was made; everything since is a step,
-- in order, and no step is ever changed. So the whole of a table can be made again at any moment.
CREATE TABLE live_table (
    number     INTEGER PRIMARY KEY,
    id         BLOB    NOT NULL UNIQUE CHECK (length(id) = 16),
    created_at INTEGER NOT NULL,            -- milliseconds since 1970
    head       TEXT    NOT NULL             -- JSON
) STRICT;

CREATE TABLE live_step (
    live_table INTEGER NOT NULL REFERENCES live_table (number) ON DELETE CASCADE,
    step       INTEGER NOT NULL,            -- from 0, without gaps
    taken_at   INTEGER NOT NULL,            -- milliseconds since 1970
    text       TEXT    NOT NULL,            -- JSON
    PRIMARY KEY (live_table, step)
) STRICT, WITHOUT ROWID;
