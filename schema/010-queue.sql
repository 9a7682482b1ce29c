-- What scheduling needs of a job, so that the queue is read again without its documents.
ALTER TABLE jobs ADD COLUMN not_before INTEGER NOT NULL DEFAULT 0;	-- seconds since the epoch; 0: none
ALTER TABLE jobs ADD COLUMN deadline INTEGER NOT NULL DEFAULT 0;	-- the same
ALTER TABLE jobs ADD COLUMN window_from INTEGER NOT NULL DEFAULT -1;	-- minutes of the day; -1: none
ALTER TABLE jobs ADD COLUMN window_to INTEGER NOT NULL DEFAULT -1;
ALTER TABLE jobs ADD COLUMN threads INTEGER NOT NULL DEFAULT 1;
ALTER TABLE jobs ADD COLUMN retries INTEGER NOT NULL DEFAULT 2;
UPDATE jobs SET
	not_before = coalesce(CAST(CASE json_type(doc, '$.not_before')
	    WHEN 'text' THEN strftime('%s', json_extract(doc, '$.not_before'))
	    ELSE json_extract(doc, '$.not_before') END AS INTEGER), 0),
	deadline = coalesce(CAST(CASE json_type(doc, '$.deadline')
	    WHEN 'text' THEN strftime('%s', json_extract(doc, '$.deadline'))
	    ELSE json_extract(doc, '$.deadline') END AS INTEGER), 0),
	threads = coalesce(CAST(json_extract(doc, '$.threads') AS INTEGER), 1),
	retries = coalesce(CAST(json_extract(doc, '$.retries') AS INTEGER), 2)
WHERE open = 1 AND json_valid(doc);
UPDATE jobs SET
	window_from = 60 * substr(json_extract(doc, '$.window'), 1, 2) + substr(json_extract(doc, '$.window'), 4, 2),
	window_to = 60 * substr(json_extract(doc, '$.window'), 7, 2) + substr(json_extract(doc, '$.window'), 10, 2)
WHERE open = 1 AND CASE WHEN json_valid(doc)
    THEN json_extract(doc, '$.window') GLOB '[0-9][0-9]:[0-9][0-9]-[0-9][0-9]:[0-9][0-9]' END;
-- It has all that a restart reads.
DROP INDEX jobs_open;
CREATE INDEX jobs_open ON jobs (priority, id, sweep_id, submitter, submitted, not_before, deadline,
	window_from, window_to, threads, retries, cancelled, open) WHERE open = 1;

-- How much of the timing slots each user has had.
CREATE TABLE users (
	uid		INTEGER PRIMARY KEY,
	timed_s		REAL NOT NULL,			-- in all
	virtual_s	REAL NOT NULL,			-- where its share stands: whose turn it is
	day		INTEGER NOT NULL,		-- since the epoch, of its last result
	day_s		REAL NOT NULL			-- on that day
) STRICT;
