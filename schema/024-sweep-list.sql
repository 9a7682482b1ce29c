-- Sweeps are listed and searched without their documents: all that a page shows or filters by, but the counters.
CREATE INDEX sweeps_list ON sweeps (id, submitter, name, submitted, cancelled, arriving);
