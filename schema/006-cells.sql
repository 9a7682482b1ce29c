-- The spec of each result: those of a sweep under one spec are of one cell, and the fastest is asked for cell by cell.
ALTER TABLE results ADD COLUMN spec_id INTEGER;
UPDATE results SET spec_id = (SELECT spec_id FROM jobs WHERE jobs.id = results.job_id);
CREATE INDEX results_cell ON results (sweep_id, spec_id, value_ns, cursor) WHERE value_ns IS NOT NULL;
