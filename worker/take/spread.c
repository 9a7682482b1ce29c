/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "worker/chain/join.h"
#include "worker/take/spread.h"

struct spreading {
	struct spread			*spread;
	struct plan			 plan;		/* of each process */
	const struct spread_worker	*worker;
	uint64_t			 longest_ns;	/* that a process took */
};

void
spread_release(struct spread *s)
{
	for (unsigned i = 0; s->point != NULL && i < s->points; i++)
		for (unsigned r = 0; r < SPREAD_ROUNDS; r++)
			free(s->point[i].sample[r]);
	free(s->point);
	memset(s, 0, sizeof *s);
}

/* As many samples as without layouts, shared out, but enough in each for a meaningful median. */
static void
share_out(struct spreading *w, const struct timing *t)
{
	const unsigned	processes = t->layout == LAYOUT_SWEEP ? SPREAD_ROUNDS : t->layouts;
	unsigned	samples = (w->plan.samples + processes - 1) / processes;

	w->plan.samples = samples < SPREAD_LEAST ? SPREAD_LEAST : samples;
	w->plan.budget_ns /= t->layouts;
	w->plan.interval = 0;	/* of the default layout's time; no process goes on for one */
	w->spread->samples = w->plan.samples;
}

static enum status
init(struct spreading *w, const struct job *j)
{
	struct layout	layouts[SPEC_MAX_LAYOUTS];

	w->spread->points = j->spec.timing.layouts;
	if ((w->spread->point = calloc(w->spread->points, sizeof *w->spread->point)) == NULL)
		return ST_NOMEM;
	layout_points(layouts, j);
	for (unsigned i = 0; i < w->spread->points; i++)
		w->spread->point[i].layout = layouts[i];
	share_out(w, &j->spec.timing);
	return ST_OK;
}

/* Keep what was kept of the samples; there was room for many more. */
static enum status
keep(struct spread_point *p, struct take *k)
{
	struct take_sample	*copy = malloc((k->samples + 1) * sizeof *copy);

	if (copy == NULL)
		return ST_NOMEM;
	memcpy(copy, k->sample, k->samples * sizeof *copy);
	p->sample[p->rounds] = copy;
	p->samples[p->rounds++] = k->samples;
	return ST_OK;
}

/* Summary of all together; samples are kept apart. */
static void
add_up(struct take *sum, const struct take *k)
{
	if (sum->taken == 0) {
		*sum = *k;
		sum->sample = NULL;
		sum->samples = 0;
		return;
	}
	join_proofs(&sum->proof, &k->proof);
	sum->strayed = sum->strayed != NULL ? sum->strayed : k->strayed;
	sum->wanted += k->wanted;
	sum->taken += k->taken;
	sum->rejected += k->rejected;
	sum->disturbed += k->disturbed;
	sum->loud += k->loud;
	sum->memory_loud += k->memory_loud;
	sum->clean += k->clean;
	sum->kept_unfit += k->kept_unfit;
	sum->gate_failed |= k->gate_failed;
	sum->memory_failed |= k->memory_failed;
	sum->memory_ticks = k->memory_ticks > sum->memory_ticks ? k->memory_ticks :
	    sum->memory_ticks;
	sum->slow_clock |= k->slow_clock;
	sum->clock = k->clock > sum->clock ? k->clock : sum->clock;
	sum->own_clock = k->own_clock > sum->own_clock ? k->own_clock : sum->own_clock;
	sum->patience_ns += k->patience_ns;
	sum->waited_ns += k->waited_ns;
	sum->faults += k->faults;
	sum->switches += k->switches;
	sum->within_noise |= k->within_noise;
	sum->cut_short |= k->cut_short;
	sum->realtime &= k->realtime;
	sum->pinned &= k->pinned;
	sum->canary_off = sum->canary_off != NULL ? sum->canary_off : k->canary_off;
	sum->memory_off = sum->memory_off != NULL ? sum->memory_off : k->memory_off;
}

static enum status
take_point(struct spreading *w, struct spread_point *p)
{
	const struct spread_worker	*r = w->worker;
	struct take			 k = { .samples = 0 };
	uint64_t			 code_at = 0, began_ns = r->left_ns(r->arg), took_ns;
	enum status			 st;

	w->plan.run.stack_offset = p->layout.stack_offset;
	if ((st = r->take(r->arg, &p->layout, &w->plan, &k, &code_at)) == ST_OK)
		st = keep(p, &k);
	add_up(&w->spread->total, &k);
	take_release(&k);
	w->plan.calls_given = true;
	p->code_offset = (unsigned)(code_at % LAYOUT_LINE_BYTES);
	took_ns = began_ns - r->left_ns(r->arg);
	if (took_ns > w->longest_ns && took_ns <= began_ns)
		w->longest_ns = took_ns;
	return st;
}

/* Would another process be over before the limit?  No estimate is exact. */
static bool
has_time(const struct spreading *w)
{
	return w->worker->left_ns(w->worker->arg) > 2 * w->longest_ns;
}

enum status
spread_take(struct spread *s, const struct job *j, struct plan *plan,
    const struct spread_worker *worker, unsigned *at)
{
	struct spreading	w = { .spread = s, .plan = *plan, .worker = worker };
	const bool		is_sweep = j->spec.timing.layout == LAYOUT_SWEEP;
	unsigned		rounds = is_sweep ? SPREAD_ROUNDS : 1;
	enum status		st;

	memset(s, 0, sizeof *s);
	*at = 0;
	w.plan.calls_given |= is_sweep;		/* by the time's own samples, before */
	if ((st = init(&w, j)) != ST_OK)
		return st;
	for (unsigned n = 0; n < rounds * s->points; n++) {
		if (n > 0 && !has_time(&w)) {
			s->cut_short = true;
			break;
		}
		*at = n < s->points ? n : 2 * s->points - 1 - n;
		if ((st = take_point(&w, &s->point[*at])) != ST_OK)
			return st;
	}
	plan->run.calls = w.plan.run.calls;
	return ST_OK;
}

static int
by_ns(const void *a, const void *b)
{
	const struct take_sample	*x = a, *y = b;

	return (x->ns > y->ns) - (x->ns < y->ns);
}

enum status
spread_medians(const struct spread *s, struct take *k)
{
	*k = s->total;
	k->cut_short |= s->cut_short;
	if (s->cut_short)
		k->ended_by = "wall limit";
	if ((k->sample = calloc(s->points + 1, sizeof *k->sample)) == NULL)
		return ST_NOMEM;
	for (unsigned i = 0; i < s->points; i++) {
		struct spread_point	*p = &s->point[i];

		if (p->samples[0] == 0)
			continue;
		qsort(p->sample[0], p->samples[0], sizeof *p->sample[0], by_ns);
		k->sample[k->samples++] = p->sample[0][(p->samples[0] - 1) / 2];
	}
	return ST_OK;
}

/* ---- the report ---- */

static bool
put_round(const struct take_sample *s, size_t n, struct layout_round *out)
{
	bool	known = true;

	if (!shape_reals_make(&out->ns, n) || !shape_reals_make(&out->slowness, n) ||
	    !shape_sizes_make(&out->loud, n))
		return false;
	out->loud.n = 0;
	for (size_t i = 0; i < n; i++) {
		out->ns.x[i] = s[i].ns;
		out->slowness.x[i] = s[i].slowness;
		known &= s[i].slowness > 0;
		if (s[i].loud)
			out->loud.x[out->loud.n++] = i;
	}
	if (!known)
		out->slowness.n = 0;
	return true;
}

static bool
put_shifts(const struct layout *l, const struct spec *s, struct shape_sizes *out)
{
	size_t	operands = 0;

	for (size_t i = 0; i < s->routine.nparams; i++)
		operands += s->args[i].is_operand;
	if (!shape_sizes_make(out, operands))
		return false;
	for (size_t k = 0; k < operands; k++)
		out->x[k] = l->shift[k];
	return true;
}

static bool
put_point(const struct spread_point *p, const struct spec *s, struct layout_point *out)
{
	struct layout_round	*round;

	out->varied = layout_factor_name(p->layout.varied);
	out->code_offset = p->code_offset;
	out->stack_offset = p->layout.stack_offset;
	if (!put_shifts(&p->layout, s, &out->operand_shift) ||
	    !shape_list_make(&out->rounds, p->rounds, sizeof *round))
		return false;
	round = out->rounds.at;
	for (unsigned r = 0; r < p->rounds; r++)
		if (!put_round(p->sample[r], p->samples[r], &round[r]))
			return false;
	return true;
}

/* The layouts that were taken. */
static bool
put_points(const struct spread *s, const struct spec *spec, struct shape_list *out)
{
	struct layout_point	*point;
	size_t			 n = 0;

	if (!shape_list_make(out, s->points, sizeof *point))
		return false;
	point = out->at;
	for (unsigned i = 0; i < s->points; i++)
		if (s->point[i].rounds > 0 && !put_point(&s->point[i], spec, &point[n++]))
			return false;
	out->n = n;
	return true;
}

/*
 * Behind another pad it began at the same offset: its section is aligned to more than pads are
 * multiples of.
 */
static bool
code_stayed(const struct spread *s)
{
	bool	padded = false;

	for (unsigned i = 1; i < s->points; i++) {
		if (s->point[i].rounds > 0 && s->point[i].code_offset != s->point[0].code_offset)
			return false;
		padded |= s->point[i].rounds > 0 &&
		    s->point[i].layout.pad != s->point[0].layout.pad;
	}
	return padded;
}

static bool
put_stays(const struct spread *s, const struct job *j, struct shape_list *out)
{
	struct shape_note	*note;
	size_t			 n = 0;

	if (!shape_list_make(out, FACTOR_N, sizeof *note))
		return false;
	note = out->at;
	for (enum layout_factor f = FACTOR_CODE; f <= FACTOR_STACK; f++) {
		const char	*why = layout_stays(j, f);

		if (f == FACTOR_CODE && why == NULL && code_stayed(s))
			why = "its own alignment keeps the routine where it is";
		if (why != NULL)
			note[n++] = (struct shape_note){ layout_factor_name(f), why };
	}
	out->n = n;
	return true;
}

bool
spread_report(const struct spread *s, const struct job *j, uint64_t code_at,
    struct layout_report *out)
{
	const struct timing	*t = &j->spec.timing;

	out->mode = layout_kind_name(t->layout);
	if (s == NULL) {
		out->code_offset = code_at % LAYOUT_LINE_BYTES;
		out->stack_offset = 0;
		return true;
	}
	out->seed = t->layout_seed;
	out->samples = s->samples;
	out->cut_short = s->cut_short;
	return put_stays(s, j, &out->stays) && put_points(s, &j->spec, &out->points);
}
