-- The records before which the clock was set back: from one of them on, `created_at` is lower than
-- that of the record before. (Until here `created_at` never fell, because the writer held it; so one
-- record that came while the clock ran ahead dated all later ones.) Usually empty; then the order of
-- arrival is that of the times, and a filter by time is a range of numbers.
CREATE TABLE clock_step (
    number INTEGER PRIMARY KEY
) STRICT;

-- Changed by a test of writing, and by nothing else.
CREATE TABLE probe (
    number INTEGER PRIMARY KEY CHECK (number = 1),
    times  INTEGER NOT NULL
) STRICT;
INSERT INTO probe VALUES (1, 0);
