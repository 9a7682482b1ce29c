/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "worker/chain/copies.h"
#include "worker/chain/join.h"

static enum status
run_on_bench(void *arg, const struct runner_run *run, uint64_t deadline_ns,
    const struct bench_copies *to, struct bench_reply *a)
{
	return bench_run_copies(arg, run, deadline_ns, to, a);
}

struct copies_source
copies_of_bench(struct bench *b)
{
	return (struct copies_source){ run_on_bench, b };
}

enum status
copies_begin(struct copies *c, struct copies_source source, const uint64_t *deadline_ns,
    unsigned n, struct fault *why)
{
	memset(c, 0, sizeof *c);
	c->source = source;
	c->deadline_ns = deadline_ns;
	c->n = n;
	c->one = calloc((size_t)RUNNER_SAMPLES * n, sizeof *c->one);
	return c->one != NULL ? ST_OK : fault_set(why, ST_NOMEM, "times of %u copies", n);
}

void
copies_release(struct copies *c)
{
	free(c->one);
	free(c->ticks);
	free(c->when);
	memset(c, 0, sizeof *c);
}

/* ---- of one order ---- */

static void
see_times(struct copies_sample *to, const struct runner_sample *s, bool is_first)
{
	if (is_first || s->ready_ns > to->ready_ns)
		to->ready_ns = s->ready_ns;
	if (is_first || s->began_ns < to->began_first_ns)
		to->began_first_ns = s->began_ns;
	if (is_first || s->began_ns > to->began_last_ns)
		to->began_last_ns = s->began_ns;
	if (is_first || s->ended_ns < to->ended_first_ns)
		to->ended_first_ns = s->ended_ns;
	if (is_first || s->ended_ns > to->ended_last_ns)
		to->ended_last_ns = s->ended_ns;
}

static uint64_t
least_ticks(const struct bench_reply *a)
{
	uint64_t	least = UINT64_MAX;

	for (uint32_t i = 0; i < a->samples; i++)
		if (a->sample[i].ticks < least)
			least = a->sample[i].ticks;
	return least;
}

static void
see_copy(void *arg, unsigned copy, const struct bench_reply *a)
{
	struct copies	*c = arg;

	if (c->run->kind == RUNNER_EMPTY) {
		c->empty[copy] = least_ticks(a);
		if (c->run->calls == 1)
			c->single[copy] = c->empty[copy];
	}
	for (uint32_t i = 0; i < a->samples; i++) {
		c->one[(size_t)i * c->n + copy] = a->sample[i].ticks;
		see_times(&c->met[i], &a->sample[i], copy == 0);
		if (copy != 0)
			join_samples(&c->whole.sample[i], &a->sample[i]);
	}
	if (copy == 0)
		c->whole = *a;
	else
		join_proofs(&c->whole.proof, &a->proof);
	c->pinned = (copy == 0 || c->pinned) && a->pinned;
}

static int
by_value(const void *a, const void *b)
{
	const uint64_t	*x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static uint64_t
median(const uint64_t *x, unsigned n)
{
	uint64_t	sorted[RUNNER_MOST_COPIES];

	memcpy(sorted, x, n * sizeof *x);
	qsort(sorted, n, sizeof *sorted, by_value);
	return (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
}

/* A copy can only have begun once all were ready: else what it was timed beside is not known. */
static enum status
check_beginnings(const struct copies *c, struct bench_reply *a)
{
	for (uint32_t i = 0; i < a->samples; i++)
		if (c->met[i].began_first_ns < c->met[i].ready_ns) {
			snprintf(a->words, sizeof a->words,
			    "a copy began %llu ns before the last one was ready",
			    (unsigned long long)(c->met[i].ready_ns - c->met[i].began_first_ns));
			return a->status = ST_SUSPECT;
		}
	return ST_OK;
}

static enum status
run_all(void *arg, const struct runner_run *run, struct bench_reply *a)
{
	struct copies			*c = arg;
	const struct bench_copies	 to = { see_copy, c };
	enum status			 st;

	c->run = run;
	if ((st = c->source.run(c->source.arg, run, *c->deadline_ns, &to, a)) != ST_OK)
		return st;
	c->whole.took_ns = a->took_ns;
	*a = c->whole;
	a->pinned = c->pinned;
	for (uint32_t i = 0; i < a->samples; i++)
		a->sample[i].ticks = median(&c->one[(size_t)i * c->n], c->n);
	return run->kind == RUNNER_SAMPLE ? check_beginnings(c, a) : ST_OK;
}

struct link
copies_link(struct copies *c)
{
	return (struct link){ run_all, c };
}

/* ---- kept ---- */

static bool
make_room(struct copies *c, size_t more)
{
	const size_t		 room = c->samples + more > 2 * c->room ? c->samples + more :
				    2 * c->room;
	uint64_t		*ticks;
	struct copies_sample	*when;

	if (c->samples + more <= c->room)
		return true;
	if ((ticks = realloc(c->ticks, room * c->n * sizeof *ticks)) != NULL)
		c->ticks = ticks;
	if ((when = realloc(c->when, room * sizeof *when)) != NULL)
		c->when = when;
	if (ticks == NULL || when == NULL)
		return false;
	c->room = room;
	return true;
}

static enum status
run_and_keep(void *arg, const struct runner_run *run, struct bench_reply *a)
{
	struct copies	*c = arg;
	enum status	 st = run_all(c, run, a);

	if (st != ST_OK)
		return st;
	if (!make_room(c, a->samples)) {
		snprintf(a->words, sizeof a->words, "no memory for the times of the copies");
		return a->status = ST_INTERNAL;
	}
	memcpy(&c->ticks[c->samples * c->n], c->one, a->samples * c->n * sizeof *c->one);
	memcpy(&c->when[c->samples], c->met, a->samples * sizeof *c->met);
	c->samples += a->samples;
	return ST_OK;
}

struct link
copies_kept_link(struct copies *c)
{
	return (struct link){ run_and_keep, c };
}

uint64_t
copies_ticks(const struct copies *c, unsigned copy, size_t nth)
{
	return nth < c->samples && copy < c->n ? c->ticks[nth * c->n + copy] : 0;
}

uint64_t
copies_overhead(const struct copies *c, unsigned copy, bool with_all_calls)
{
	return with_all_calls ? c->empty[copy] : c->single[copy];
}

uint64_t
copies_skew_ns(const struct copies *c, size_t nth)
{
	return nth < c->samples ? c->when[nth].began_last_ns - c->when[nth].began_first_ns : 0;
}

double
copies_window(const struct copies *c, size_t nth)
{
	const struct copies_sample	*w = &c->when[nth < c->samples ? nth : 0];
	const uint64_t			 whole = w->ended_last_ns - w->began_first_ns;

	if (nth >= c->samples || w->ended_first_ns <= w->began_last_ns || whole == 0)
		return 0;
	return (double)(w->ended_first_ns - w->began_last_ns) / (double)whole;
}
