-- An index for each filter and order of results.query: daemon/store/store_query.c chooses among them by name.
-- Those with value_ns are of timed results, for the order "fastest".
CREATE INDEX results_status ON results (status, cursor);
CREATE INDEX results_routine ON results (routine, cursor);
CREATE INDEX results_sweep_status ON results (sweep_id, status, cursor);
CREATE INDEX results_value ON results (value_ns, cursor, finished) WHERE value_ns IS NOT NULL;
CREATE INDEX results_status_value ON results (status, value_ns, cursor) WHERE value_ns IS NOT NULL;
CREATE INDEX results_name_value ON results (name, value_ns, cursor) WHERE value_ns IS NOT NULL;
CREATE INDEX results_routine_value ON results (routine, value_ns, cursor) WHERE value_ns IS NOT NULL;
CREATE INDEX results_sweep_status_value ON results (sweep_id, status, value_ns, cursor) WHERE value_ns IS NOT NULL;
CREATE INDEX results_time_value ON results (finished, value_ns, cursor) WHERE value_ns IS NOT NULL;
DROP INDEX results_finished;
DROP INDEX results_cell;
CREATE INDEX results_cell ON results (sweep_id, spec_id, status, value_ns, cursor) WHERE value_ns IS NOT NULL;
-- Cursors are given in the order of time, but for clocks that were set back: a range of times is a range of blocks.
CREATE TABLE spans (
	block		INTEGER PRIMARY KEY,		-- cursor / 1024
	first		REAL NOT NULL,			-- least and greatest results.finished in it
	last		REAL NOT NULL
) STRICT;
INSERT INTO spans SELECT cursor / 1024, min(finished), max(finished) FROM results GROUP BY cursor / 1024;
CREATE TRIGGER results_spanned AFTER INSERT ON results BEGIN
	INSERT INTO spans VALUES (new.cursor / 1024, new.finished, new.finished)
	    ON CONFLICT DO UPDATE SET first = min(first, excluded.first), last = max(last, excluded.last);
END;
