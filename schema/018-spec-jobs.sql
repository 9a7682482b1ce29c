-- Which jobs have a spec: one without any is removed with the last of them.
CREATE INDEX jobs_spec ON jobs (spec_id);
