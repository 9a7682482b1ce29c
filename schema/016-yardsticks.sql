-- The times of each sweep's yardstick, which are not ranked among its results.
CREATE TABLE yardsticks (
	sweep_id	INTEGER NOT NULL,
	finished	REAL NOT NULL,			-- seconds since the epoch
	job_id		INTEGER NOT NULL,
	value_ns	REAL NOT NULL,
	PRIMARY KEY (sweep_id, job_id)
) STRICT, WITHOUT ROWID;
