-- A sweep whose jobs come in many transactions: none of them counts before the last.
ALTER TABLE sweeps ADD COLUMN arriving INTEGER NOT NULL DEFAULT 0;	-- 1: its jobs are coming; 2: they are being removed
CREATE INDEX sweeps_arriving ON sweeps (id) WHERE arriving <> 0;
DROP TRIGGER jobs_counted;
CREATE TRIGGER jobs_counted AFTER INSERT ON jobs
    WHEN new.sweep_id IS NULL OR (SELECT arriving FROM sweeps WHERE id = new.sweep_id) = 0 BEGIN
	INSERT INTO counters (sweep_id, what, n) VALUES (0, 'jobs', 1) ON CONFLICT DO UPDATE SET n = n + 1;
	INSERT INTO counters (sweep_id, what, n) SELECT new.sweep_id, 'jobs', 1 WHERE new.sweep_id IS NOT NULL
	    ON CONFLICT DO UPDATE SET n = n + 1;
END;
DROP TRIGGER jobs_pruned;
CREATE TRIGGER jobs_pruned AFTER DELETE ON jobs
    WHEN old.sweep_id IS NULL OR (SELECT arriving FROM sweeps WHERE id = old.sweep_id) = 0 BEGIN
	UPDATE counters SET pruned = pruned + 1
	    WHERE sweep_id IN (0, coalesce(old.sweep_id, 0)) AND what = 'jobs';
END;
