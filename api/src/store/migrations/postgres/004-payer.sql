-- Who pays for a job, so that whichever server goes on with it charges the same caller. Kept while it runs.
ALTER TABLE job ADD COLUMN payer text COLLATE "C"; -- `token` and its hash, or `address` and the address; none where nothing is bounded
