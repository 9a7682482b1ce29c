-- What a job counts for in its submitter's quota-bytes: its document, a spec with the first job in a row that has it.
ALTER TABLE jobs ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
DROP INDEX jobs_open;
UPDATE jobs SET bytes = length(CAST(doc AS BLOB)) +
	iif(spec_id = (SELECT p.spec_id FROM jobs p WHERE p.id = jobs.id - 1), 0,
	    coalesce((SELECT length(CAST(text AS BLOB)) FROM specs WHERE specs.id = jobs.spec_id), 0))
WHERE open = 1;
CREATE INDEX jobs_open ON jobs (priority, id, sweep_id, submitter, submitted, not_before, deadline,
	window_from, window_to, threads, retries, cancelled, bytes, open) WHERE open = 1;
