-- The daemon writes a result's point itself: the trigger parsed the result's JSON, which took a third of its INSERT.
DROP TRIGGER results_points;
