-- A cancel holds from its answer on, also when the daemon is killed before the jobs have ended.
ALTER TABLE jobs ADD COLUMN cancelled INTEGER NOT NULL DEFAULT 0;	-- 1: asked for; its result may be older
ALTER TABLE sweeps ADD COLUMN cancelled INTEGER NOT NULL DEFAULT 0;	-- 1: of all its jobs
