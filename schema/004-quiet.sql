-- What each timing slot's gate knows of quiet, for the worker and the daemon after this one.
CREATE TABLE quiet (
	machine		TEXT NOT NULL,			-- as in calibrations
	cpu		INTEGER NOT NULL,		-- the slot's first
	taken		REAL NOT NULL,			-- when it was last met, seconds since the epoch
	fitness		TEXT,				-- hash of the host's state then; NULL: unknown
	json		TEXT NOT NULL,			-- as the worker told it
	PRIMARY KEY (machine, cpu)
) STRICT, WITHOUT ROWID;
