-- Checksums of texts as they were written (daemon/store/store_sum.c).  NULL: written by an older version.
ALTER TABLE jobs ADD COLUMN sum INTEGER;
ALTER TABLE results ADD COLUMN sum INTEGER;
-- Counters keep rows that were pruned: of n, so many are no longer in their table.
ALTER TABLE counters ADD COLUMN pruned INTEGER NOT NULL DEFAULT 0;
DROP TRIGGER jobs_counted;
DROP TRIGGER results_counted;
CREATE TRIGGER jobs_counted AFTER INSERT ON jobs BEGIN
	INSERT INTO counters (sweep_id, what, n) VALUES (0, 'jobs', 1) ON CONFLICT DO UPDATE SET n = n + 1;
	INSERT INTO counters (sweep_id, what, n) SELECT new.sweep_id, 'jobs', 1 WHERE new.sweep_id IS NOT NULL
	    ON CONFLICT DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER results_counted AFTER INSERT ON results BEGIN
	INSERT INTO counters (sweep_id, what, n) VALUES (0, new.status, 1) ON CONFLICT DO UPDATE SET n = n + 1;
	INSERT INTO counters (sweep_id, what, n) SELECT new.sweep_id, new.status, 1 WHERE new.sweep_id IS NOT NULL
	    ON CONFLICT DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER jobs_pruned AFTER DELETE ON jobs BEGIN
	UPDATE counters SET pruned = pruned + 1
	    WHERE sweep_id IN (0, coalesce(old.sweep_id, 0)) AND what = 'jobs';
END;
CREATE TRIGGER results_pruned AFTER DELETE ON results BEGIN
	UPDATE counters SET pruned = pruned + 1
	    WHERE sweep_id IN (0, coalesce(old.sweep_id, 0)) AND what = old.status;
END;
