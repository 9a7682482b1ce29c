-- What a host knows about itself.  `machine` tells hosts apart: a database may move to another one.
CREATE TABLE calibrations (
	id		INTEGER PRIMARY KEY,
	machine		TEXT NOT NULL,
	taken		REAL NOT NULL,			-- seconds since the epoch
	flush_bytes	INTEGER,			-- NULL: none was found, the default stays
	json		TEXT NOT NULL			-- the whole calibration, with its curve
) STRICT;
CREATE INDEX calibrations_machine ON calibrations (machine, id);

CREATE TABLE reference_times (
	id		INTEGER PRIMARY KEY,
	machine		TEXT NOT NULL,
	kernel		TEXT NOT NULL,
	taken		REAL NOT NULL,
	value_ns	REAL NOT NULL,
	estimator	TEXT NOT NULL,			-- that value_ns is of
	fitness		TEXT,				-- hash of the host's state then; NULL: unknown
	job_id		INTEGER NOT NULL
) STRICT;
CREATE INDEX reference_times_kernel ON reference_times (machine, kernel, id);
