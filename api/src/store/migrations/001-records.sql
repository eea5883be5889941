-- Records, and what a list of them can be filtered by.

-- "UMPR": tells our files from those of other programs.
PRAGMA application_id = 0x554d5052;

-- `number` is the order of arrival: the one writer gives the next number, so a list that pages by
-- number, downwards, neither loses nor repeats a row while others are inserted. Every index below
-- ends in it by itself, so each filter delivers its rows in that order without sorting.
-- `created_at` never falls while `number` rises; the writer sees to it.
-- The text stands last, so that listing does not read the pages it spills to.
CREATE TABLE record (
    number        INTEGER PRIMARY KEY,
    id            BLOB    NOT NULL UNIQUE CHECK (length(id) = 32),
    created_at    INTEGER NOT NULL,          -- milliseconds since 1970
    game          TEXT    NOT NULL,
    ruleset       TEXT    NOT NULL,
    status        TEXT    NOT NULL CHECK (status IN ('complete', 'in_progress', 'illegal', 'bad_chance')),
    plies         INTEGER NOT NULL,
    winner        TEXT,
    reason        TEXT,
    players       TEXT    NOT NULL,          -- JSON: [[seat, name], …]
    meta          TEXT    NOT NULL,          -- JSON: [[key, value], …]
    verdict       TEXT    NOT NULL,          -- JSON
    record_length INTEGER NOT NULL,          -- bytes of the text before compression
    record        BLOB    NOT NULL           -- the text, as one zstd frame
) STRICT;

CREATE INDEX record_by_created_at ON record (created_at);
CREATE INDEX record_by_game       ON record (game);
CREATE INDEX record_by_ruleset    ON record (ruleset);
CREATE INDEX record_by_status     ON record (status);
CREATE INDEX record_by_winner     ON record (winner) WHERE winner IS NOT NULL;

-- Names in lower case, each once a record. Only for finding: what is shown is in `record.players`.
CREATE TABLE record_player (
    name   TEXT    NOT NULL,
    record INTEGER NOT NULL REFERENCES record (number) ON DELETE CASCADE,
    PRIMARY KEY (name, record)
) STRICT, WITHOUT ROWID;

-- The cascade looks for a record's names by this.
CREATE INDEX record_player_by_record ON record_player (record);

-- The words in the values of `record.meta`, by `record.number`. Keeps no text of its own.
CREATE VIRTUAL TABLE record_meta USING fts5 (
    value,
    content = '',
    contentless_delete = 1,
    tokenize = "unicode61 remove_diacritics 2"
);
