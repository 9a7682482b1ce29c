/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "worker/runner/sample/rt.h"
#include "worker/trust/audit.h"

static bool
draw(uint64_t (*seed)[2], uint32_t n)
{
	const size_t	bytes = n * sizeof seed[0];

	for (size_t done = 0; done < bytes;) {
		ssize_t	got = getrandom((char *)seed + done, bytes - done, 0);

		if (got <= 0)
			return false;
		done += (size_t)got;
	}
	return true;
}

static unsigned
log2_of(uint32_t n)
{
	unsigned	log = 0;

	while (n >>= 1)
		log++;
	return log;
}

/*
 * More than one only as far as the clock needs, and memory or cache have room.
 */
static uint32_t
calls_of(const struct audit_setting *with)
{
	double		n = with->call_ns > 0 ? AUDIT_REGION_NS / with->call_ns : RUNNER_BATCH;
	uint64_t	most = challenge_most_calls(with->challenge);
	uint64_t	cached = with->cached_bytes / with->challenge->bytes;

	if (with->call_ns >= AUDIT_FIRM_NS)
		return 1;
	if (with->cached_bytes != 0 && cached < most)
		most = cached;
	n = n > (double)most ? (double)most : n;
	return n < 1 ? 1 : (uint32_t)n;
}

enum status
audit_begin(struct audit *a, const struct audit_setting *with, struct fault *why)
{
	uint64_t	most;
	size_t		units;

	*a = (struct audit){ .with = *with, .calls = calls_of(with) };
	most = AUDIT_KEEP_BYTES / (with->output_bytes * a->calls + 1);
	a->room = with->room < most ? with->room : (unsigned)most;
	a->room = a->room == 0 ? 1 : a->room;
	units = (size_t)a->room * a->calls;
	a->round = calloc(a->room, sizeof *a->round);
	a->unit = calloc(units, sizeof *a->unit);
	a->outputs = calloc(units, with->output_bytes);
	if (a->round == NULL || a->unit == NULL || a->outputs == NULL) {
		audit_release(a);
		return fault_set(why, ST_INTERNAL, "no memory for audits");
	}
	return ST_OK;
}

void
audit_release(struct audit *a)
{
	free(a->round);
	free(a->unit);
	free(a->outputs);
	a->round = NULL;
	a->unit = NULL;
	a->outputs = NULL;
	a->rounds = a->room = 0;
}

/* ---- a round ---- */

static struct audit_blank *
blank_of(const struct audit *a)
{
	const uint64_t	pages = a->with.challenge->bytes / 4096;
	const unsigned	size = pages == 0 ? 0 : log2_of((uint32_t)pages);

	return &a->with.blanks->of[a->with.pollutes][size < AUDIT_BLANK_SIZES ? size :
	    AUDIT_BLANK_SIZES - 1];
}

uint64_t
audit_blank_ns(const struct audit *a)
{
	return blank_of(a)->least_ns;
}

static double
own_ns(const struct audit *a, uint64_t took_ns)
{
	const uint64_t	blank_ns = audit_blank_ns(a);

	return took_ns > blank_ns ? (double)(took_ns - blank_ns + AUDIT_HEAD_START_NS) : 0;
}

static void
note_blank(struct audit *a, uint64_t took_ns)
{
	struct audit_blank	*b = blank_of(a);

	if (b->readings++ == 0 || took_ns < b->least_ns)
		b->least_ns = took_ns;
	for (unsigned i = 0; i < a->rounds; i++)
		a->round[i].ns = own_ns(a, a->round[i].time.took_ns) / a->calls;
}

/* Until there are so many readings. */
static enum status
see_blanks(struct audit *a, const struct audit_lane *r, unsigned readings,
    struct bench_reply *reply)
{
	uint64_t		seed[1][2];
	struct challenge_time	t;
	enum status		st = ST_OK;

	while (st == ST_OK && blank_of(a)->readings < readings) {
		if (!draw(seed, 1))
			return reply->status = ST_INTERNAL;
		st = r->blank(r->arg, &a->with, seed, &t, reply);
		if (st == ST_OK)
			note_blank(a, t.took_ns);
	}
	return st;
}

/* The least comes near what is possible, as it does for rounds. */
static enum status
see_one_more(struct audit *a, const struct audit_lane *r, struct bench_reply *reply)
{
	const unsigned	readings = blank_of(a)->readings;

	return see_blanks(a, r, readings < AUDIT_MOST_BLANKS ? readings + 1 : readings, reply);
}

/* Challenges of the stock, or new ones for the reference to answer later. */
static bool
choose(struct audit *a, struct audit_unit *unit, uint64_t (*seed)[2])
{
	struct audit_stock	*s = a->with.stock;
	const bool		 stocked = s->n - s->used >= a->calls;

	if (!stocked && !draw(seed, a->calls))
		return false;
	for (uint32_t i = 0; i < a->calls; i++) {
		unit[i].want = NULL;
		if (stocked) {
			memcpy(seed[i], s->seed[s->used], sizeof seed[i]);
			unit[i].want = s->want + s->used++ * a->with.output_bytes;
		}
		memcpy(unit[i].seed, seed[i], sizeof seed[i]);
	}
	return true;
}

static enum status
challenge(const struct audit *a, const struct audit_setting *with, const struct audit_lane *r,
    uint64_t (*seed)[2], struct challenge_time *t, char *outputs, struct bench_reply *reply)
{
	enum status	st = r->challenge(r->arg, with, a->calls, seed, t, reply);

	for (uint32_t i = 0; st == ST_OK && i < a->calls; i++)
		r->outputs(r->arg, a->with.challenge, i, outputs + i * a->with.output_bytes);
	return st;
}

/* Making the caches' state takes longer than a call, and changes no answer. */
static struct audit_setting
as_it_is(const struct audit *a)
{
	struct audit_setting	untimed = a->with;

	untimed.flush = 0;
	untimed.pollutes = RUNNER_POLLUTE_NONE;
	return untimed;
}

/* The first brings code and pages in; its inputs are never used again. */
static enum status
begin(struct audit *a, const struct audit_lane *r, struct bench_reply *reply)
{
	const struct audit_setting	with = as_it_is(a);
	uint64_t			seed[RUNNER_BATCH][2];
	struct challenge_time		t;
	enum status			st;

	if (a->has_begun)
		return ST_OK;
	a->has_begun = true;
	if ((st = see_blanks(a, r, AUDIT_BLANKS, reply)) != ST_OK)
		return st;
	if (!draw(seed, a->calls))
		return reply->status = ST_INTERNAL;
	return r->challenge(r->arg, &with, a->calls, seed, &t, reply);
}

enum status
audit_round(struct audit *a, const struct audit_lane *r, struct bench_reply *reply)
{
	struct audit_round	*round = &a->round[a->rounds];
	struct audit_unit	*unit = a->unit + (size_t)a->rounds * a->calls;
	uint64_t		 seed[RUNNER_BATCH][2];
	enum status		 st;

	if (a->rounds == a->room)
		return ST_OK;
	if ((st = begin(a, r, reply)) != ST_OK || (st = see_one_more(a, r, reply)) != ST_OK)
		return st;
	if (!choose(a, unit, seed))
		return reply->status = ST_INTERNAL;
	st = challenge(a, &a->with, r, seed, &round->time,
	    a->outputs + (size_t)a->rounds * a->calls * a->with.output_bytes, reply);
	if (st != ST_OK)
		return st;
	round->ns = own_ns(a, round->time.took_ns) / a->calls;
	a->rounds++;
	a->early += round->time.early;
	a->disturbed += round->time.disturbed;
	a->visible |= !round->time.is_hidden;
	return ST_OK;
}

/* ---- answers ---- */

bool
audit_is_good(const struct audit_round *r)
{
	return !r->time.disturbed;
}

/* Good rounds come first. */
static bool
is_before(const struct audit_round *a, const struct audit_round *b)
{
	if (audit_is_good(a) != audit_is_good(b))
		return audit_is_good(a);
	return a->ns < b->ns || (a->ns == b->ns && a < b);
}

void
audit_ask_shortest(struct audit *a, unsigned n)
{
	for (unsigned i = 0; i < a->rounds; i++) {
		unsigned	before = 0;

		for (unsigned k = 0; k < a->rounds; k++)
			before += is_before(&a->round[k], &a->round[i]);
		a->round[i].is_unasked = before >= n;
	}
}

/* All of a round are, or none. */
bool
audit_is_answered(const struct audit *a)
{
	for (unsigned i = 0; i < a->rounds; i++)
		if (!a->round[i].is_unasked && a->unit[(size_t)i * a->calls].want == NULL)
			return false;
	return true;
}

static enum status
answer(const struct audit *a, const struct audit_lane *r, uint64_t (*seed)[2], char *want,
    struct bench_reply *reply)
{
	const struct audit_setting	with = as_it_is(a);
	struct challenge_time		t;

	return challenge(a, &with, r, seed, &t, want, reply);
}

/* The reference's answers to a round that was not of the stock. */
static enum status
ask(const struct audit *a, const struct audit_lane *r, const struct audit_unit *unit, char *want,
    struct bench_reply *reply)
{
	uint64_t	seed[RUNNER_BATCH][2];

	for (uint32_t i = 0; i < a->calls; i++)
		memcpy(seed[i], unit[i].seed, sizeof seed[i]);
	return answer(a, r, seed, want, reply);
}

static void
compare(struct audit *a, unsigned round, const char *asked, audit_verdict_fn *verdict, void *arg)
{
	const size_t	first = (size_t)round * a->calls;

	for (uint32_t i = 0; i < a->calls; i++) {
		const char		*want = a->unit[first + i].want;
		enum audit_verdict	 v = verdict(arg, a->outputs + (first + i) *
					    a->with.output_bytes,
					    want != NULL ? want : asked + i * a->with.output_bytes);

		a->compared++;
		a->wrong += v == AUDIT_WRONG;
		a->near += v == AUDIT_NEAR;
	}
}

enum status
audit_replay(struct audit *a, const struct audit_lane *r, audit_verdict_fn *verdict, void *arg,
    struct bench_reply *reply)
{
	char		*asked = calloc(a->calls, a->with.output_bytes);
	enum status	 st = asked != NULL ? ST_OK : (reply->status = ST_INTERNAL);

	a->compared = a->wrong = a->near = 0;
	for (unsigned i = 0; st == ST_OK && i < a->rounds; i++) {
		const struct audit_unit	*unit = a->unit + (size_t)i * a->calls;

		if (a->round[i].is_unasked)
			continue;
		if (unit->want == NULL && (st = ask(a, r, unit, asked, reply)) != ST_OK)
			break;
		compare(a, i, asked, verdict, arg);
	}
	free(asked);
	return st;
}

/* ---- answers in advance ---- */

void
audit_stock_release(struct audit_stock *s)
{
	free(s->seed);
	free(s->want);
	*s = (struct audit_stock){ 0 };
}

static uint64_t
stock_room(const struct audit *a)
{
	uint64_t	most = AUDIT_STOCK_BYTES / (a->with.output_bytes + 1);
	uint64_t	writes = AUDIT_STOCK_WRITES / (a->with.challenge->bytes + 1);

	most = most < writes ? most : writes;
	most = most < AUDIT_STOCK_MOST ? most : AUDIT_STOCK_MOST;
	return most / a->calls * a->calls;
}

static bool
make_room(struct audit *a, uint64_t most)
{
	struct audit_stock	*s = a->with.stock;

	audit_stock_release(s);
	s->seed = calloc(most, sizeof *s->seed);
	s->want = calloc(most, a->with.output_bytes);
	return s->seed != NULL && s->want != NULL;
}

/* Another will fit, at the pace of those so far; and all of them will do for a few jobs. */
static bool
is_quick(const struct audit *a, uint64_t spent_ns)
{
	const uint64_t	rounds = a->with.stock->n / a->calls;
	const uint64_t	each_ns = rounds != 0 ? spent_ns / rounds : 0;
	const unsigned	of_job = a->calls > 1 ? 1 : AUDIT_LOOK;

	return spent_ns + each_ns <= AUDIT_STOCK_NS &&
	    of_job * each_ns <= AUDIT_STOCK_NS / AUDIT_STOCK_JOBS;
}

enum status
audit_restock(struct audit *a, const struct audit_lane *r, struct bench_reply *reply)
{
	struct audit_stock	*s = a->with.stock;
	const uint64_t		 most = stock_room(a), left_ns = r->left_ns(r->arg);
	enum status		 st = ST_OK;

	if (!make_room(a, most == 0 ? 1 : most))
		return reply->status = ST_INTERNAL;
	while (st == ST_OK && s->n < most && is_quick(a, left_ns - r->left_ns(r->arg))) {
		if (!draw(s->seed + s->n, a->calls))
			return reply->status = ST_INTERNAL;
		st = answer(a, r, s->seed + s->n, s->want + s->n * a->with.output_bytes, reply);
		s->n += st == ST_OK ? a->calls : 0;
	}
	return st;
}
