-- What is to be told of a sweep's end (daemon/notify/).  The rows of a sweep come with it.
CREATE TABLE notices (
	id		INTEGER PRIMARY KEY AUTOINCREMENT,	-- the receiver's: the same in each try
	sweep_id	INTEGER NOT NULL,
	what		TEXT NOT NULL CHECK (what IN ('webhook', 'command')),
	target		TEXT NOT NULL,			-- the address; '' of a command
	state		TEXT NOT NULL DEFAULT 'waiting'	-- for the sweep's end
	    CHECK (state IN ('waiting', 'due', 'sent', 'failed', 'refused')),
	ended		REAL NOT NULL DEFAULT 0,	-- the sweep's end, seconds since the epoch
	tries		INTEGER NOT NULL DEFAULT 0,
	next		REAL NOT NULL DEFAULT 0,	-- due: when it is tried, seconds since the epoch
	reason		TEXT,				-- of the last try that failed
	UNIQUE (sweep_id, what)
) STRICT;
CREATE INDEX notices_waiting ON notices (sweep_id) WHERE state = 'waiting';
CREATE INDEX notices_due ON notices (next, id) WHERE state = 'due';
CREATE TRIGGER sweeps_notices AFTER INSERT ON sweeps BEGIN
	INSERT INTO notices (sweep_id, what, target) VALUES (new.id, 'command', '');
	INSERT INTO notices (sweep_id, what, target)
	    SELECT new.id, 'webhook', json_extract(new.doc, '$.notify.webhook')
	    WHERE json_type(new.doc, '$.notify.webhook') = 'text';
END;
CREATE TRIGGER notices_of_sweeps AFTER DELETE ON sweeps BEGIN
	DELETE FROM notices WHERE sweep_id = old.id;
END;
