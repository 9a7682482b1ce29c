-- The job that was timed for a result whose code is the same; NULL: this one.
ALTER TABLE points ADD COLUMN repeat_of INTEGER;
UPDATE points SET repeat_of = (SELECT json_extract(r.json, '$.repeat_of') FROM results r
	WHERE r.cursor = points.cursor AND json_valid(r.json));
