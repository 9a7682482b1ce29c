-- The estimator of each result in a column of its own: an index over json_extract read every result as it was stored.
DROP INDEX results_estimator;
ALTER TABLE results ADD COLUMN estimator TEXT;
UPDATE results SET estimator = json_extract(json, '$.time.estimator');
CREATE INDEX results_estimator ON results (sweep_id, estimator) WHERE status = 'ok';
