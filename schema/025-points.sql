-- What a page draws of a result, of sweeps (no yardsticks), and of those with a revision.  Read without the results' documents.
CREATE TABLE points (
	cursor		INTEGER PRIMARY KEY,		-- the result's
	job_id		INTEGER NOT NULL,
	sweep_id	INTEGER,
	spec_id		INTEGER,			-- its cell
	status		TEXT NOT NULL,
	name		TEXT NOT NULL,
	routine		TEXT NOT NULL,
	finished	REAL NOT NULL,			-- seconds since the epoch
	value_ns	REAL,				-- what rankings compare; NULL: not timed, raced
	low_ns		REAL,				-- the 95 % interval of its median; NULL: it has none
	high_ns		REAL,
	bound_ns	REAL,				-- raced: it takes longer; else NULL
	host_class	TEXT,				-- NULL: unknown
	revision	TEXT,				-- meta.revision; NULL: it has none
	meta		TEXT				-- the job's own
) STRICT;
CREATE INDEX points_sweep ON points (sweep_id, cursor) WHERE sweep_id IS NOT NULL;
CREATE INDEX points_history ON points (routine, name, spec_id, cursor) WHERE revision IS NOT NULL;
INSERT INTO points SELECT cursor, job_id, sweep_id, spec_id, status, name, routine, finished,
	value_ns, json_extract(json, '$.time.ci95_ns[0]'), json_extract(json, '$.time.ci95_ns[1]'),
	json_extract(json, '$.time.bound_ns'), json_extract(json, '$.host_class'),
	json_extract(json, '$.meta.revision'), json_extract(json, '$.meta')
    FROM results WHERE json_valid(json) AND json_extract(json, '$.yardstick') IS NOT 1 AND
	(sweep_id IS NOT NULL OR json_extract(json, '$.meta.revision') IS NOT NULL);
CREATE TRIGGER results_points AFTER INSERT ON results
    WHEN (new.sweep_id IS NOT NULL OR json_extract(new.json, '$.meta.revision') IS NOT NULL)
    AND json_extract(new.json, '$.yardstick') IS NOT 1 BEGIN
	INSERT INTO points VALUES (new.cursor, new.job_id, new.sweep_id, new.spec_id, new.status, new.name, new.routine,
	    new.finished, new.value_ns,
	    json_extract(new.json, '$.time.ci95_ns[0]'), json_extract(new.json, '$.time.ci95_ns[1]'),
	    json_extract(new.json, '$.time.bound_ns'), json_extract(new.json, '$.host_class'),
	    json_extract(new.json, '$.meta.revision'), json_extract(new.json, '$.meta'));
END;
CREATE TRIGGER points_of_results AFTER DELETE ON results BEGIN
	DELETE FROM points WHERE cursor = old.cursor;
END;
