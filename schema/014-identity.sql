-- What a timing depends on, as one hash: a job with the identity of a stored ok result is not timed again.
-- NULL: older results, results that may not be given again, and results that were given again.
ALTER TABLE results ADD COLUMN identity TEXT;
CREATE INDEX results_identity ON results (identity, cursor) WHERE identity IS NOT NULL;
-- The timings of each identity in a sweep, by Welford's method: their mean, and the squares of deviations from it.
CREATE TABLE repeats (
	sweep_id	INTEGER NOT NULL,
	identity	TEXT NOT NULL,
	n		INTEGER NOT NULL,
	mean		REAL NOT NULL,
	squares		REAL NOT NULL,
	PRIMARY KEY (sweep_id, identity)
) STRICT, WITHOUT ROWID;
-- Of a sweep's identities that were timed more than once; squares: relative to the square of each mean, added up.
CREATE TABLE noise (
	sweep_id	INTEGER PRIMARY KEY,
	identities	INTEGER NOT NULL,
	timings		INTEGER NOT NULL,
	squares		REAL NOT NULL
) STRICT;
CREATE TRIGGER results_repeated AFTER INSERT ON results
    WHEN new.identity IS NOT NULL AND new.sweep_id IS NOT NULL AND new.value_ns > 0 BEGIN
	INSERT INTO repeats VALUES (new.sweep_id, new.identity, 1, new.value_ns, 0) ON CONFLICT DO UPDATE SET
	    n = n + 1, mean = mean + (excluded.mean - mean) / (n + 1),
	    squares = squares + (excluded.mean - mean) * (excluded.mean - mean) * n / (n + 1);
END;
CREATE TRIGGER repeats_noted AFTER UPDATE ON repeats BEGIN
	INSERT INTO noise VALUES (new.sweep_id, 1, new.n, new.squares / (new.mean * new.mean))
	    ON CONFLICT DO UPDATE SET identities = identities + (old.n = 1),
	    timings = timings + iif(old.n = 1, 2, 1),
	    squares = squares + excluded.squares - old.squares / (old.mean * old.mean);
END;
