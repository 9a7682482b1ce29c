/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "worker/runner/sample/fill.h"
#include "worker/trust/audit.h"

/* Beyond any core: more than ten times the fastest at the time of writing. */
#define FLOPS_PER_NS	16384.0
#define BYTES_PER_NS	4096.0

static const struct runner_run	challenge_order = { .kind = RUNNER_CHALLENGE, .samples = 1,
    .calls = 1, .realtime = 1 };
static const struct runner_run	handoff_order = { .kind = RUNNER_HANDOFF, .samples = 1, .calls = 1,
    .realtime = 1 };

static bool
draw(uint64_t *number)
{
	return getrandom(number, sizeof *number, 0) == sizeof *number;
}

enum status
audit_begin(struct audit *a, const struct challenge *c, const char *first, uint64_t output_bytes,
    unsigned room, struct audit_stock *stock, struct fault *why)
{
	uint64_t	most = AUDIT_KEEP_BYTES / (output_bytes != 0 ? output_bytes : 1);

	memset(a, 0, sizeof *a);
	a->challenge = c;
	a->first = first;
	a->stock = stock;
	a->output_bytes = output_bytes;
	a->unclaimed_ns = -1;
	a->room = room < most ? room : (unsigned)most;
	a->room = a->room == 0 ? 1 : a->room;
	a->round = calloc(a->room, sizeof *a->round);
	a->outputs = calloc(a->room, output_bytes);
	if (a->round == NULL || a->outputs == NULL || !draw(&a->secret)) {
		audit_release(a);
		return fault_set(why, ST_INTERNAL, "no memory for audits");
	}
	return ST_OK;
}

void
audit_release(struct audit *a)
{
	free(a->round);
	free(a->outputs);
	a->round = NULL;
	a->outputs = NULL;
	a->rounds = a->room = 0;
}

void
audit_forget_rounds(struct audit *a)
{
	a->rounds = a->early = a->disturbed = a->late = 0;
}

/* Also wakes the child, so that the next order meets it awake. */
static enum status
hand_over(struct audit *a, const struct audit_lane *r, struct bench_reply *reply)
{
	enum status	st = link_run(&r->link, &handoff_order, reply);

	if (st == ST_OK && (a->handoff_ns == 0 || reply->took_ns < a->handoff_ns))
		a->handoff_ns = reply->took_ns;
	return st;
}

/* One call on a challenge; its outputs, as worker/check/answer.h lays them out, to `outputs`. */
static enum status
call(struct audit *a, const struct audit_lane *r, struct audit_round *round, char *outputs,
    struct bench_reply *reply)
{
	struct challenge_glance	glance;
	uint64_t		delay, own_delay;
	enum status		st;

	challenge_write(a->challenge, r->area, a->first, round->seed);
	if (a->is_cold)
		challenge_flush(a->challenge, r->area);
	if ((st = hand_over(a, r, reply)) != ST_OK)
		return st;
	delay = r->delay_ns(r->arg);
	challenge_finish(a->challenge, r->area, round->seed);
	own_delay = r->own_delay_ns(r->arg);
	if ((st = link_run(&r->link, &challenge_order, reply)) != ST_OK)
		return st;
	round->late = r->own_delay_ns(r->arg) - own_delay > AUDIT_LATE_NS;
	challenge_glance(a->challenge, r->area, round->seed, &glance);
	round->took_ns = reply->took_ns;
	round->disturbed = round->late || r->delay_ns(r->arg) != delay;
	memcpy(outputs, r->result, RT_MAX_RESULT);
	challenge_read(a->challenge, r->area, outputs);
	round->early = !challenge_glance_holds(&glance, r->area);
	return ST_OK;
}

/* It cannot be inferred from others.  The kinds of challenges take turns, wherever that begins. */
static bool
draw_seed(uint64_t turn, uint64_t *seed)
{
	if (!draw(seed))
		return false;
	*seed = *seed / CHALLENGE_KINDS * CHALLENGE_KINDS + turn % CHALLENGE_KINDS;
	return true;
}

/* A challenge of the stock, or a new one for the reference to answer later. */
static bool
choose(const struct audit *a, struct audit_round *round)
{
	struct audit_stock	*s = a->stock;

	*round = (struct audit_round){ .seed = 0 };
	if (s->used == s->n)
		return draw_seed(a->secret + a->rounds, &round->seed);
	round->seed = s->seed[s->used];
	round->want = s->want + s->used * a->output_bytes;
	s->used++;
	return true;
}

enum status
audit_round(struct audit *a, const struct audit_lane *r, struct bench_reply *reply)
{
	struct audit_round	*round = &a->round[a->rounds];
	enum status		 st;

	if (a->rounds == a->room)
		return ST_OK;
	if (a->handoff_ns == 0)
		for (int i = 0; i < AUDIT_HANDOFFS; i++)
			if ((st = hand_over(a, r, reply)) != ST_OK)
				return st;
	if (!choose(a, round))
		return reply->status = ST_INTERNAL;
	if ((st = call(a, r, round, a->outputs + a->rounds * a->output_bytes, reply)) != ST_OK)
		return st;
	a->rounds++;
	a->early += round->early;
	a->disturbed += round->disturbed;
	a->late += round->late;
	return ST_OK;
}

bool
audit_is_answered(const struct audit *a)
{
	for (unsigned i = 0; i < a->rounds; i++)
		if (a->round[i].want == NULL)
			return false;
	return true;
}

enum status
audit_replay(struct audit *a, const struct audit_lane *r, audit_verdict_fn *verdict, void *arg,
    struct bench_reply *reply)
{
	char		*want = calloc(1, a->output_bytes);
	enum status	 st = want != NULL ? ST_OK : (reply->status = ST_INTERNAL);

	a->wrong = a->near = 0;
	for (unsigned i = 0; st == ST_OK && i < a->rounds; i++) {
		struct audit_round	again = a->round[i];
		enum audit_verdict	v;

		if (again.want == NULL && (st = call(a, r, &again, want, reply)) != ST_OK)
			break;
		v = verdict(arg, a->outputs + i * a->output_bytes,
		    again.want != NULL ? again.want : want);
		a->wrong += v == AUDIT_WRONG;
		a->near += v == AUDIT_NEAR;
	}
	free(want);
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

/* The last challenge and its answer are for a variant that may see what the area still holds. */
static void
wipe(const struct audit *a, const struct audit_lane *r)
{
	memcpy(r->area, a->first, a->challenge->bytes);
	memset(r->result, 0, RT_MAX_RESULT);
}

enum status
audit_restock(struct audit *a, const struct audit_lane *r, struct bench_reply *reply)
{
	struct audit_stock	*s = a->stock;
	uint64_t		 most = AUDIT_STOCK_BYTES / (a->output_bytes != 0 ?
				    a->output_bytes : 1);
	uint64_t		 writes = AUDIT_STOCK_WRITES / (a->challenge->bytes != 0 ?
				    a->challenge->bytes : 1);
	uint64_t		 spent_ns = 0;
	enum status		 st = ST_OK;

	most = most < writes ? most : writes;
	most = most < AUDIT_STOCK_MOST ? most : AUDIT_STOCK_MOST;
	audit_stock_release(s);
	if (most == 0)
		return ST_OK;
	s->seed = calloc(most, sizeof *s->seed);
	s->want = calloc(most, a->output_bytes);
	if (s->seed == NULL || s->want == NULL)
		return reply->status = ST_INTERNAL;
	while (s->n < most && spent_ns + reply->took_ns <= AUDIT_STOCK_NS) {
		struct audit_round	round = { .seed = 0 };

		if (!draw_seed(s->n, &round.seed))
			return reply->status = ST_INTERNAL;
		s->seed[s->n] = round.seed;
		if ((st = call(a, r, &round, s->want + s->n * a->output_bytes, reply)) != ST_OK)
			break;
		spent_ns += reply->took_ns;
		s->n++;
	}
	wipe(a, r);
	return st;
}

bool
audit_can_judge(const struct audit *a)
{
	return a->rounds > a->late;
}

double
audit_least_ns(const struct audit *a)
{
	uint64_t	least = UINT64_MAX;

	for (unsigned i = 0; i < a->rounds; i++)
		if (a->round[i].took_ns < least && !(a->round[i].late && audit_can_judge(a)))
			least = a->round[i].took_ns;
	if (a->rounds == 0 || least <= a->handoff_ns)
		return 0;
	return (double)(least - a->handoff_ns);
}

/*
 * An order takes the time that its samples claim, and time before and after each: as much as for a
 * sample of empty calls.  It takes more if operands are flushed or restored, or something else is
 * called, in between.
 */
bool
audit_see_order(struct audit *a, const struct runner_run *run, const struct bench_reply *reply,
    const struct tick *tick, uint64_t own_delay_ns)
{
	double		claimed_ns = 0, rest_ns;

	if (reply->status != ST_OK || reply->samples == 0 || run->restore != RUNNER_KEEP ||
	    run->flush != RUNNER_FLUSH_NONE || run->pollute || run->awake || run->memory_canary ||
	    run->warm_calls > 1)
		return false;
	if (own_delay_ns > (uint64_t)AUDIT_LATE_NS * reply->samples)
		return true;
	for (uint32_t i = 0; i < reply->samples; i++)
		claimed_ns += tick_ns(tick, reply->sample[i].ticks);
	rest_ns = ((double)reply->took_ns - claimed_ns) / reply->samples;
	if (run->kind == RUNNER_EMPTY && (a->empty_ns == 0 || rest_ns < a->empty_ns))
		a->empty_ns = rest_ns;
	if (run->kind == RUNNER_SAMPLE && (a->unclaimed_ns < 0 || rest_ns < a->unclaimed_ns))
		a->unclaimed_ns = rest_ns > 0 ? rest_ns : 0;
	return true;
}

const char *
audit_doubt(const struct audit *a, const struct audit_claim *c, char *words, size_t bytes)
{
	double	audit_ns = audit_least_ns(a);
	double	most_ns = AUDIT_TIMES * (c->ns + c->extra_ns) + AUDIT_SLACK_NS;
	double	threads = c->threads > 1 ? c->threads : 1, ns = c->ns > 0 ? c->ns : 1e-3;

	if (c->flops / ns > FLOPS_PER_NS * threads || c->bytes / ns > BYTES_PER_NS * threads) {
		snprintf(words, bytes,
		    "it claims %.3g ns a call, faster than any machine: %.3g flops, %.3g bytes",
		    c->ns, c->flops, c->bytes);
		return words;
	}
	if (audit_can_judge(a) && audit_ns > most_ns) {
		snprintf(words, bytes,
		    "it claims %.4g ns a call, but by the supervisor's clock no call on fresh "
		    "operands took less than %.4g ns", c->ns, audit_ns);
		return words;
	}
	if (a->unclaimed_ns >= 0 && a->empty_ns > 0 &&
	    a->unclaimed_ns > AUDIT_TIMES * (a->empty_ns + c->region_ns) + AUDIT_SLACK_NS) {
		snprintf(words, bytes,
		    "its samples claim %.4g ns each, but by the supervisor's clock there were "
		    "%.4g ns more", c->region_ns, a->unclaimed_ns - a->empty_ns);
		return words;
	}
	if (2 * a->early > a->rounds) {
		snprintf(words, bytes,
		    "its outputs changed after it had reported the end, in %u of %u "
		    "audits", a->early, a->rounds);
		return words;
	}
	return NULL;
}

const char *
audit_trust_word(enum trust t)
{
	static const char *const	words[TRUST_N] = { "claimed", "audited",
	    "verified", "suspect" };

	return words[t];
}
