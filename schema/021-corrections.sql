-- Rankings that are corrected for the drift of a sweep's yardstick (daemon/store/store_correct.c).
ALTER TABLE sweeps ADD COLUMN corrects INTEGER NOT NULL DEFAULT 0;	-- 1: its ranking is corrected
ALTER TABLE yardsticks RENAME TO old_yardsticks;
CREATE TABLE yardsticks (
	sweep_id	INTEGER NOT NULL,
	cursor		INTEGER NOT NULL,		-- of its result: the order in which they landed
	job_id		INTEGER NOT NULL,
	finished	REAL NOT NULL,			-- seconds since the epoch
	boot		INTEGER NOT NULL,		-- of the host
	ended		REAL NOT NULL,			-- the same instant on that boot's monotonic clock
	value_ns	REAL,				-- NULL: it did not end ok
	estimator	TEXT,
	half		REAL,				-- of its 95 % interval, relative; NULL: it has none
	factor		REAL,				-- to the first one, 1 within noise; NULL: of no use
	reason		TEXT,				-- why it is of no use
	settled		INTEGER NOT NULL,		-- 0: results before it wait for their correction
	PRIMARY KEY (sweep_id, cursor)
) STRICT, WITHOUT ROWID;
CREATE INDEX yardsticks_open ON yardsticks (sweep_id, cursor) WHERE settled = 0;
-- The drift of each sweep, from its first yardstick to its last; worst: of two in a row, furthest from 1.
CREATE TABLE drifts (
	sweep_id	INTEGER PRIMARY KEY,
	timings		INTEGER NOT NULL,
	first_ns	REAL NOT NULL,
	last_ns		REAL NOT NULL,
	worst		REAL NOT NULL
) STRICT;
CREATE TRIGGER yardsticks_drift AFTER INSERT ON yardsticks WHEN new.value_ns IS NOT NULL BEGIN
	INSERT INTO drifts VALUES (new.sweep_id, 1, new.value_ns, new.value_ns, 1) ON CONFLICT DO UPDATE SET
	    timings = timings + 1, last_ns = excluded.last_ns, worst = iif(
	    max(excluded.last_ns / last_ns, last_ns / excluded.last_ns) > max(worst, 1 / worst),
	    excluded.last_ns / last_ns, worst);
END;
INSERT INTO yardsticks SELECT sweep_id, job_id, job_id, finished, 0, 0, value_ns, NULL, NULL, NULL, 'old', 1
    FROM old_yardsticks ORDER BY sweep_id, job_id;
DROP TABLE old_yardsticks;
-- The timed results of sweeps with a corrected ranking.  `at`: the cursor of the timing, of a repeat the original's.
CREATE TABLE ranks (
	cursor		INTEGER PRIMARY KEY,		-- the result's
	job_id		INTEGER NOT NULL UNIQUE,
	sweep_id	INTEGER NOT NULL,
	spec_id		INTEGER NOT NULL,
	submitter	INTEGER NOT NULL,
	status		TEXT NOT NULL,
	name		TEXT NOT NULL,
	routine		TEXT NOT NULL,
	finished	REAL NOT NULL,
	at		INTEGER NOT NULL,
	boot		INTEGER NOT NULL,		-- when it was timed, as in yardsticks
	ended		REAL NOT NULL,
	estimator	TEXT NOT NULL,
	value_ns	REAL NOT NULL,
	ranked_ns	REAL NOT NULL,			-- value_ns / factor, or value_ns
	factor		REAL,				-- NULL: it is not corrected
	how		TEXT NOT NULL			-- 'corrected', 'waiting', or why it is not
) STRICT;
CREATE INDEX ranks_waiting ON ranks (sweep_id, at) WHERE how = 'waiting';
CREATE INDEX ranks_sweep ON ranks (sweep_id, ranked_ns, cursor);
CREATE INDEX ranks_status ON ranks (sweep_id, status, ranked_ns, cursor);
CREATE INDEX ranks_cell ON ranks (sweep_id, spec_id, status, ranked_ns, cursor);
CREATE INDEX ranks_name ON ranks (sweep_id, name, ranked_ns, cursor);
CREATE INDEX ranks_routine ON ranks (sweep_id, routine, ranked_ns, cursor);
CREATE INDEX ranks_time ON ranks (sweep_id, finished, ranked_ns, cursor);
-- How many of a sweep's results are ranked how; least, most: factors so far.
CREATE TABLE corrections (
	sweep_id	INTEGER NOT NULL,
	how		TEXT NOT NULL,
	n		INTEGER NOT NULL,
	least		REAL,
	most		REAL,
	PRIMARY KEY (sweep_id, how)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER ranks_added AFTER INSERT ON ranks BEGIN
	INSERT INTO corrections VALUES (new.sweep_id, new.how, 1, new.factor, new.factor) ON CONFLICT DO UPDATE SET
	    n = n + 1, least = min(least, excluded.least), most = max(most, excluded.most);
END;
CREATE TRIGGER ranks_settled AFTER UPDATE OF how ON ranks BEGIN
	UPDATE corrections SET n = n - 1 WHERE sweep_id = old.sweep_id AND how = old.how;
	INSERT INTO corrections VALUES (new.sweep_id, new.how, 1, new.factor, new.factor) ON CONFLICT DO UPDATE SET
	    n = n + 1, least = min(least, excluded.least), most = max(most, excluded.most);
END;
CREATE TRIGGER ranks_removed AFTER DELETE ON ranks BEGIN
	UPDATE corrections SET n = n - 1 WHERE sweep_id = old.sweep_id AND how = old.how;
END;
CREATE TRIGGER ranks_of_results AFTER DELETE ON results BEGIN
	DELETE FROM ranks WHERE cursor = old.cursor;
END;
CREATE TRIGGER yardsticks_of_sweeps AFTER DELETE ON sweeps BEGIN
	DELETE FROM yardsticks WHERE sweep_id = old.id;
	DELETE FROM drifts WHERE sweep_id = old.id;
	DELETE FROM corrections WHERE sweep_id = old.id;
	DELETE FROM noise WHERE sweep_id = old.id;
END;
DELETE FROM noise WHERE sweep_id NOT IN (SELECT id FROM sweeps);
