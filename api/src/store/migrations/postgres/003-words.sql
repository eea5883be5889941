-- New words wait in a list that whoever fills it empties. At the usual 4 MB that held all writers up for a twentieth of a
-- second, every ten thousand records.
ALTER INDEX record_by_lexeme SET (gin_pending_list_limit = 256);
