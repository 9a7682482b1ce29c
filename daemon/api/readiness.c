/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>

#include "daemon/api/api_impl.h"
#include "daemon/api/readiness.h"
#include "daemon/hold/hold.h"
#include "daemon/store/store_files.h"
#include "daemon/store/store_lock.h"

static void
add(json_t *reasons, const char *word, const char *fmt, const char *what)
{
	char	text[1200];

	(void)snprintf(text, sizeof text, fmt, what);
	(void)json_array_append_new(reasons, json_pack("{s:s, s:s}", "word", word, "reason", text));
}

/* ---- the disk ---- */

static void
check_store(const struct store *s, json_t *reasons)
{
	struct store_files	f;
	struct fault		why;

	if (store_is_locked(s)) {
		add(reasons, "locked", "another process holds the write lock of %s", store_path(s));
		return;
	}
	if (!store_takes_commits(s, &why)) {
		add(reasons, "commits", "the last commit failed: %s", why.text);
		return;
	}
	if (!store_is_there(s, &why)) {
		add(reasons, "database", "%s", why.text);
		return;
	}
	store_files(s, &f);
	if (f.free_bytes >= 0 && f.free_bytes < READINESS_ROOM_BYTES)
		add(reasons, "disk", "less than 1 MiB is free beside %s", store_path(s));
}

static void
check_cache(const char *state_dir, json_t *reasons)
{
	char		path[1000];
	struct statvfs	fs;

	(void)snprintf(path, sizeof path, "%.900s/cache", state_dir);
	if (statvfs(path, &fs) != 0)
		add(reasons, "cache", "there is no %s", path);
	else if ((uint64_t)fs.f_bavail * fs.f_frsize < READINESS_ROOM_BYTES)
		add(reasons, "cache", "less than 1 MiB is free in %s", path);
}

/* ---- the workers ---- */

/* One reason for each place that is paused; returns the places whose worker has greeted. */
static unsigned
check_places(const json_t *places, const char *noun, json_t *reasons)
{
	unsigned	 ready = 0;
	size_t		 i;
	json_t		*place;
	char		 fmt[100];

	json_array_foreach(places, i, place) {
		const char	*paused = json_string_value(json_object_get(place, "paused"));

		ready += json_is_true(json_object_get(place, "ready"));
		if (paused == NULL)
			continue;
		(void)snprintf(fmt, sizeof fmt, "the %s on CPU %d is paused: %%s", noun,
		    (int)json_integer_value(json_object_get(place, "cpu")));
		add(reasons, "paused", fmt, paused);
	}
	return ready;
}

static void
check_workers(const struct dispatch *d, json_t *reasons)
{
	json_t	*report = dispatch_report(d);

	if (check_places(json_object_get(report, "slots"), "timing slot", reasons) == 0)
		add(reasons, "slots", "no worker of a %s has greeted", "timing slot");
	if (check_places(json_object_get(report, "builders"), "builder", reasons) == 0)
		add(reasons, "builders", "no worker of a %s has greeted", "builder");
	if (!hold_may_time(dispatch_host(d)))
		add(reasons, "host", "%s allows no timing now", "assay-hostd");
	json_decref(report);
}

json_t *
api_readiness(const struct api *api)
{
	json_t	*reasons = json_array();

	if (api->begins_nothing != NULL)
		add(reasons, "draining", "%s", api->begins_nothing);
	check_store(api->env.store, reasons);
	check_cache(api->env.config->state_dir, reasons);
	if (api->begins_nothing == NULL)
		check_workers(api->env.dispatch, reasons);
	return json_pack("{s:b, s:o}", "ready", json_array_size(reasons) == 0, "reasons", reasons);
}

bool
api_is_ready(const json_t *readiness)
{
	return json_is_true(json_object_get(readiness, "ready"));
}
