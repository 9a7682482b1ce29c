-- By which estimators a sweep's results are ranked, without reading the results.
CREATE INDEX results_estimator ON results (sweep_id, json_extract(json, '$.time.estimator')) WHERE status = 'ok';
