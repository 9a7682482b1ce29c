-- Jobs, the specs they share, sweeps, results.  Append-only: a change of format is a new file with the next number.
CREATE TABLE specs (
	id		INTEGER PRIMARY KEY,
	hash		INTEGER NOT NULL,		-- FNV-1a of text; equal texts share a row
	text		TEXT NOT NULL			-- the spec member of a job, sorted and compact
) STRICT;
CREATE INDEX specs_hash ON specs (hash);

CREATE TABLE sweeps (
	id		INTEGER PRIMARY KEY AUTOINCREMENT,
	name		TEXT NOT NULL UNIQUE,
	submitter	INTEGER NOT NULL,		-- uid
	submitted	REAL NOT NULL,			-- seconds since the epoch
	doc		TEXT NOT NULL			-- the submission without spec and variants
) STRICT;

CREATE TABLE jobs (
	id		INTEGER PRIMARY KEY AUTOINCREMENT,
	sweep_id	INTEGER REFERENCES sweeps,
	spec_id		INTEGER NOT NULL REFERENCES specs,
	submitter	INTEGER NOT NULL,
	submitted	REAL NOT NULL,
	name		TEXT NOT NULL,
	routine		TEXT NOT NULL,
	key		TEXT,				-- idempotency, per submitter
	priority	INTEGER NOT NULL,
	open		INTEGER NOT NULL DEFAULT 1,	-- 0 once it has a result
	doc		TEXT NOT NULL			-- the job without its spec
) STRICT;
CREATE UNIQUE INDEX jobs_key ON jobs (submitter, key) WHERE key IS NOT NULL;
CREATE INDEX jobs_sweep ON jobs (sweep_id) WHERE sweep_id IS NOT NULL;
CREATE INDEX jobs_open ON jobs (id) WHERE open = 1;

CREATE TABLE results (
	cursor		INTEGER PRIMARY KEY AUTOINCREMENT,	-- in the order in which they landed
	job_id		INTEGER NOT NULL UNIQUE REFERENCES jobs,	-- exactly one each
	sweep_id	INTEGER,
	submitter	INTEGER NOT NULL,
	status		TEXT NOT NULL,
	name		TEXT NOT NULL,
	routine		TEXT NOT NULL,
	finished	REAL NOT NULL,
	value_ns	REAL,				-- what rankings compare; NULL: not timed
	json		TEXT NOT NULL			-- the whole result
) STRICT;
CREATE INDEX results_sweep ON results (sweep_id, cursor);
CREATE INDEX results_fastest ON results (sweep_id, value_ns, cursor) WHERE value_ns IS NOT NULL;
CREATE INDEX results_name ON results (name, cursor);
CREATE INDEX results_finished ON results (finished);
