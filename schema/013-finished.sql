-- Few results of a range of times, in any order.
CREATE INDEX results_finished ON results (finished, cursor);
