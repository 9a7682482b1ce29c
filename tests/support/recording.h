/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_TESTS_SUPPORT_RECORDING_H
#define ASSAY_TESTS_SUPPORT_RECORDING_H

/*
 * Samples that were recorded, at the end of the chain of an order.  A recorder stands before the
 * last link of a lane and notes each order with its reply; a replayer stands in place of that link,
 * answers the same orders with the same replies, and fails where another order comes.  Time is what
 * the orders took.  Included once, after cmocka.
 *
 * A recording is text, a line for each thing, in the order in which it happened on both lanes:
 *
 *	job TEXT			the document, in one line
 *	expect NAME VALUE		of the take that it led to
 *	seed N				of the coins of a comparison
 *	tick HZ RESOLUTION_NS CANARY_RESOLUTION_TICKS
 *	order LANE KIND CALLS SAMPLES TOOK_NS REALTIME PINNED HOT NEAR FAR SETS_SEEN
 *	sample TICKS FAULTS SWITCHES CANARY CANARY PACE PACE SENTINEL MIGRATIONS MEMORY_CANARY
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/fake_clock.h"
#include "worker/chain/link.h"

/* ---- noting ---- */

struct recorder {
	struct link	 next;
	FILE		*to;			/* borrowed */
	unsigned	 lane;
};

static inline void
recorder_put_sample(FILE *to, const struct runner_sample *s)
{
	fprintf(to, "sample %" PRIu64 " %u %u %u %u %u %u %u %u %u\n", s->ticks, s->faults,
	    s->switches, s->canary_before, s->canary_after, s->pace_before, s->pace_after,
	    s->sentinel, s->migrations, s->memory_canary);
}

static inline enum status
recorder_run(void *arg, const struct runner_run *run, struct bench_reply *a)
{
	const struct recorder	*r = arg;
	const enum status	 st = link_run(&r->next, run, a);

	if (st != ST_OK)
		return st;
	fprintf(r->to, "order %u %u %" PRIu64 " %u %" PRIu64 " %d %d %u %u %u %" PRIu64 "\n",
	    r->lane, run->kind, run->calls, run->samples, a->took_ns, a->realtime, a->pinned,
	    a->sentinel.hot, a->sentinel.near, a->sentinel.far, a->sets_seen);
	for (uint32_t i = 0; i < a->samples; i++)
		recorder_put_sample(r->to, &a->sample[i]);
	return st;
}

/* ---- answering ---- */

struct recording {
	FILE		*from;			/* owned */
	struct fake_clock clock;		/* moves by what orders take */
	unsigned	 orders;		/* answered */
	char		 job[4096];
	uint64_t	 seed;
	double		 hz, resolution_ns, resolution_ticks;
	long		 first_order;		/* where orders begin */
};

/* Those lines before the first order that begin with a word: its text, or NULL. */
static inline const char *
recording_line(struct recording *r, const char *word, char *line, size_t bytes)
{
	const size_t	length = strlen(word);

	rewind(r->from);
	while (fgets(line, (int)bytes, r->from) != NULL)
		if (strncmp(line, word, length) == 0 && line[length] == ' ') {
			line[strcspn(line, "\n")] = '\0';
			return line + length + 1;
		}
	return NULL;
}

static inline void
recording_open(struct recording *r, const char *path)
{
	char		 line[sizeof r->job];
	const char	*text;

	memset(r, 0, sizeof *r);
	if ((r->from = fopen(path, "r")) == NULL)
		fail_msg("%s: it cannot be read", path);
	assert_non_null(text = recording_line(r, "job", line, sizeof line));
	snprintf(r->job, sizeof r->job, "%s", text);
	assert_non_null(text = recording_line(r, "tick", line, sizeof line));
	assert_int_equal(sscanf(text, "%lf %lf %lf", &r->hz, &r->resolution_ns,
	    &r->resolution_ticks), 3);
	if ((text = recording_line(r, "seed", line, sizeof line)) != NULL)
		r->seed = strtoull(text, NULL, 10);
	rewind(r->from);
	do
		r->first_order = ftell(r->from);
	while (fgets(line, sizeof line, r->from) != NULL && strncmp(line, "order ", 6) != 0);
	fseek(r->from, r->first_order, SEEK_SET);
	r->clock.now_ns = 1000;
}

/* What the recorded take came to: "samples", "calls", "ended_by"; the answer is in `line`. */
static inline const char *
recording_expects(struct recording *r, const char *name, char *line, size_t bytes)
{
	const long	at = ftell(r->from);
	char		word[64];
	const char	*text;

	snprintf(word, sizeof word, "expect %s", name);
	text = recording_line(r, word, line, bytes);
	fseek(r->from, at, SEEK_SET);
	if (text == NULL)
		fail_msg("the recording does not say what %s was", name);
	return text;
}

static inline void
recording_close(struct recording *r)
{
	fclose(r->from);
}

struct replayer {
	struct recording	*recording;	/* borrowed */
	unsigned		 lane;
};

static inline void
replayer_get_sample(FILE *from, struct runner_sample *s)
{
	assert_int_equal(fscanf(from, "sample %" SCNu64 " %u %u %u %u %u %u %u %u %u\n", &s->ticks,
	    &s->faults, &s->switches, &s->canary_before, &s->canary_after, &s->pace_before,
	    &s->pace_after, &s->sentinel, &s->migrations, &s->memory_canary), 10);
}

static inline enum status
replayer_run(void *arg, const struct runner_run *run, struct bench_reply *a)
{
	const struct replayer	*r = arg;
	struct recording	*from = r->recording;
	unsigned		 lane, kind, samples;
	uint64_t		 calls;
	int			 realtime, pinned;

	memset(a, 0, sizeof *a);
	if (fscanf(from->from, "order %u %u %" SCNu64 " %u %" SCNu64 " %d %d %u %u %u %"
	    SCNu64 "\n",
	    &lane, &kind, &calls, &samples, &a->took_ns, &realtime, &pinned, &a->sentinel.hot,
	    &a->sentinel.near, &a->sentinel.far, &a->sets_seen) != 11)
		fail_msg("the recording ends after %u orders", from->orders);
	from->orders++;
	if (lane != r->lane || kind != run->kind || calls != run->calls || samples != run->samples)
		fail_msg("order %u was %u samples of %"
		    PRIu64 " calls of kind %u to lane %u, not %u of %"
		    PRIu64 " of %u to %u", from->orders, samples, calls, kind, lane, run->samples,
		    run->calls, run->kind, r->lane);
	for (a->samples = 0; kind <= RUNNER_EMPTY && a->samples < samples; a->samples++)
		replayer_get_sample(from->from, &a->sample[a->samples]);
	a->realtime = realtime != 0;
	a->pinned = pinned != 0;
	from->clock.now_ns += a->took_ns;
	return a->status = ST_OK;
}

#endif
