-- Numbers of users whom only users.conf knows: each name keeps its own for ever.
CREATE TABLE user_numbers (
	name		TEXT PRIMARY KEY,
	uid		INTEGER NOT NULL UNIQUE		-- from 0x80000000 on
) STRICT, WITHOUT ROWID;
-- Who may read a job's sources, beside its submitter and operators: NULL nobody, else JSON: "all", or a list of names.
ALTER TABLE jobs ADD COLUMN visibility TEXT;
ALTER TABLE results ADD COLUMN visibility TEXT;		-- its job's
