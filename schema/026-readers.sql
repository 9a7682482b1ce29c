-- Who may read what the jobs of a sweep were made of, since it was shared anew: this overrides the visibility of each.
CREATE TABLE sweep_readers (
	sweep_id	INTEGER PRIMARY KEY,
	visibility	TEXT NOT NULL			-- JSON: "private", "all", or a list of names
) STRICT;
CREATE TRIGGER readers_of_sweeps AFTER DELETE ON sweeps BEGIN
	DELETE FROM sweep_readers WHERE sweep_id = old.id;
END;
