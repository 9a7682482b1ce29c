/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "daemon/judge/stats.h"
#include "daemon/upkeep/upkeep_impl.h"
#include "daemon/upkeep/yardstick.h"
#include "proto/base/clock.h"

enum { WORD_BYTES = 80, ENOUGH_FOR_SPREAD = 3 };

/* ---- the task ---- */

static json_t *
next_job(struct upkeep *u, size_t step)
{
	if (step == 0)
		u->yardstick_failed[0] = '\0';
	return yardstick_job((enum yardstick)step);
}

static enum status
took(struct upkeep *u, size_t step, const struct news *n, bool *more, struct fault *why)
{
	struct yardstick_row	row = {
		.kernel = yardstick_name((enum yardstick)step), .taken = clock_wall_s(),
		.job_id = n->job_id, .estimator = n->estimator != NULL ? n->estimator : "",
		.fitness = n->fitness != NULL ? n->fitness : "",
	};
	enum status		st;

	if ((st = upkeep_value(n, &row.value_ns, why)) != ST_OK ||
	    (st = store_add_yardstick(u->env.store, u->machine, &row, why)) != ST_OK)
		return st;
	*more = step + 1 < YARDSTICK_N;
	return ST_OK;
}

static void
end(struct upkeep *u)
{
	log_info("upkeep=reference done machine=\"%s\"", u->machine);
}

const struct upkeep_task	upkeep_yardstick_task = { "reference", next_job, took, end };

enum status
upkeep_yardstick(struct upkeep *u, struct fault *why)
{
	return upkeep_start(u, &upkeep_yardstick_task, why);
}

/* ---- reports ---- */

struct history {
	size_t	 n, alike;	/* alike: the first ones of n, with one estimator and fitness */
	bool	 other;
	double	 ns[UPKEEP_HISTORY], taken;	/* newest first */
	char	 estimator[WORD_BYTES], fitness[WORD_BYTES];	/* of the newest */
	json_t	*list;				/* borrowed; NULL: not wanted */
};

static enum status
add(void *arg, const struct yardstick_row *r)
{
	struct history	*h = arg;

	if (h->n == 0) {
		h->taken = r->taken;
		(void)strncpy(h->estimator, r->estimator, WORD_BYTES - 1);
		(void)strncpy(h->fitness, r->fitness, WORD_BYTES - 1);
	}
	h->other = h->other || strcmp(h->estimator, r->estimator) != 0 ||
	    strcmp(h->fitness, r->fitness) != 0;
	h->alike += !h->other;
	h->ns[h->n++] = r->value_ns;
	if (h->list != NULL)
		(void)json_array_append_new(h->list,
		    json_pack("{s:f, s:f, s:I, s:s, s:s}", "taken", r->taken, "value_ns",
		    r->value_ns, "job", (json_int_t)r->job_id, "estimator", r->estimator,
		    "fitness", r->fitness));
	return ST_OK;
}

/* The times of one yardstick that are comparable with the newest, and their spread. */
static void
summarise(struct upkeep *u, enum yardstick y, struct history *h, struct yardstick_summary *s)
{
	struct stats	stats;
	struct fault	why;

	*s = (struct yardstick_summary){ .kernel = yardstick_name(y), .cv = NAN };
	if (store_yardsticks(u->env.store, u->machine, s->kernel, UPKEEP_HISTORY, add, h,
	    &why) != ST_OK)
		log_error("upkeep=reference %s", why.text);
	if (h->n == 0)
		return;
	s->count = h->alike;
	s->last_ns = h->ns[0];
	stats_of(h->ns, h->alike, &stats);
	s->median_ns = stats.median;
	if (h->alike >= ENOUGH_FOR_SPREAD)
		s->cv = stats.cv;
}

void
upkeep_summary(struct upkeep *u, struct yardstick_summary s[UPKEEP_KERNELS])
{
	_Static_assert((int)UPKEEP_KERNELS == (int)YARDSTICK_N, "one summary for each kernel");

	for (unsigned y = 0; y < YARDSTICK_N; y++) {
		struct history	h = { 0 };

		summarise(u, y, &h, &s[y]);
	}
}

static json_t *
kernel_json(struct upkeep *u, enum yardstick y)
{
	struct history			h = { .list = json_array() };
	struct yardstick_summary	s;
	json_t				*o;

	summarise(u, y, &h, &s);
	o = json_pack("{s:s, s:s, s:I}", "kernel", s.kernel, "words", yardstick_words(y), "count",
	    (json_int_t)s.count);
	if (s.count > 0) {
		(void)json_object_set_new(o, "last_ns", json_real(s.last_ns));
		(void)json_object_set_new(o, "median_ns", json_real(s.median_ns));
		(void)json_object_set_new(o, "cv", isnan(s.cv) ? json_null() : json_real(s.cv));
		(void)json_object_set_new(o, "taken", json_real(h.taken));
		(void)json_object_set_new(o, "estimator", json_string(h.estimator));
		(void)json_object_set_new(o, "fitness",
		    h.fitness[0] != '\0' ? json_string(h.fitness) : json_null());
	}
	(void)json_object_set_new(o, "history", h.list);
	return o;
}

json_t *
upkeep_yardstick_report(struct upkeep *u)
{
	json_t	*kernels = json_array();

	for (unsigned y = 0; y < YARDSTICK_N; y++)
		(void)json_array_append_new(kernels, kernel_json(u, y));
	return json_pack("{s:b, s:i, s:o, s:o}", "running", u->task == &upkeep_yardstick_task,
	    "minutes", (int)u->env.yardstick_minutes, "failed", u->yardstick_failed[0] != '\0' ?
	    json_string(u->yardstick_failed) : json_null(), "kernels", kernels);
}
