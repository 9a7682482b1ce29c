-- The daemon counts jobs, once a call. A trigger made SQLite journal all pages that each row of a call changed.
DROP TRIGGER jobs_counted;
