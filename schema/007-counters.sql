-- Jobs and results by outcome, of each sweep and in all: counted as they are written, and not less after pruning.
CREATE TABLE counters (
	sweep_id	INTEGER NOT NULL,		-- 0: the whole database
	what		TEXT NOT NULL,			-- 'jobs', or an outcome: results that ended so
	n		INTEGER NOT NULL,
	PRIMARY KEY (sweep_id, what)
) STRICT, WITHOUT ROWID;
INSERT INTO counters SELECT 0, 'jobs', count(*) FROM jobs HAVING count(*) > 0;
INSERT INTO counters SELECT sweep_id, 'jobs', count(*) FROM jobs WHERE sweep_id IS NOT NULL GROUP BY sweep_id;
INSERT INTO counters SELECT 0, status, count(*) FROM results GROUP BY status;
INSERT INTO counters SELECT sweep_id, status, count(*) FROM results WHERE sweep_id IS NOT NULL GROUP BY sweep_id, status;
CREATE TRIGGER jobs_counted AFTER INSERT ON jobs BEGIN
	INSERT INTO counters VALUES (0, 'jobs', 1) ON CONFLICT DO UPDATE SET n = n + 1;
	INSERT INTO counters SELECT new.sweep_id, 'jobs', 1 WHERE new.sweep_id IS NOT NULL
	    ON CONFLICT DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER results_counted AFTER INSERT ON results BEGIN
	INSERT INTO counters VALUES (0, new.status, 1) ON CONFLICT DO UPDATE SET n = n + 1;
	INSERT INTO counters SELECT new.sweep_id, new.status, 1 WHERE new.sweep_id IS NOT NULL
	    ON CONFLICT DO UPDATE SET n = n + 1;
END;
