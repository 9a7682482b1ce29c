-- What is given to no builder and no slot until it is resumed.
CREATE TABLE pauses (
	what		TEXT NOT NULL CHECK (what IN ('all', 'user', 'sweep')),
	id		INTEGER NOT NULL,		-- uid or sweep; 0 of all
	PRIMARY KEY (what, id)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER pauses_of_sweeps AFTER DELETE ON sweeps BEGIN
	DELETE FROM pauses WHERE what = 'sweep' AND id = old.id;
END;
