/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "worker/runner/sample/memalign.h"
#include "worker/runner/sample/census.h"
#include "worker/runner/sample/fill.h"
#include "worker/runner/sample/sets.h"

#define PAGE_BYTES	4096u
#define SENTINEL_TRIES	3
#define NWALKS		3u		/* backward, forward, random */
#define TIMES		3u		/* that each is written: two traversals, and what begins in the second */

static void
keep_least(uint32_t *least, uint32_t x)
{
	if (*least == 0 || x < *least)
		*least = x;
}

static int
is_written(const struct rt_live *l)
{
	return l->operand->rt_access != 'i';
}

/* What a call touches of an operand that lies at `at`, or, with `twin`, of its negated copy. */
static struct rt_range
range_at(const struct rt_live *l, char *at, int twin)
{
	return rt_range_of(at + (twin ? l->twin_bytes : 0), l->operand->rt_count, l->operand->rt_bytes,
	    l->operand->rt_stride);
}

static int
twins(const struct rt_live *l)
{
	return l->twin_bytes != 0;
}

/* Bytes from one copy of an operand to the next, as aligned as itself. */
static uint64_t
step_of(const struct rt_live *l, uint32_t line_bytes)
{
	uint64_t	unit = line_bytes;

	if (unit < l->operand->rt_align)
		unit = l->operand->rt_align;
	if (unit < l->operand->rt_misalign)
		unit = l->operand->rt_misalign;
	return (l->bytes + unit - 1) / unit * unit;
}

static void
count_numbers(const struct rt_live *l, const char *at, struct runner_census *c)
{
	const struct rt_operand	*o = l->operand;

	rt_census(o->rt_class, o->rt_bytes, at, o->rt_count, o->rt_stride, c);
}

/* For one set or many: an area as long as they and the operand's shift, of which they take the lower part. */
static char *
shifted_area(const struct rt_live *l, uint64_t bytes)
{
	return rt_memalign_like(bytes + l->shift, l->operand->rt_align, l->operand->rt_misalign,
	    l->bytes);
}

static void
fill_first(struct rt_live *l)
{
	rt_fill(l->operand, l->first);
	if (twins(l))
		rt_fill_negated(l->operand, l->first + l->twin_bytes, l->first);
	l->census = (struct runner_census){ 0, 0, 0, 0 };
	count_numbers(l, l->first, &l->census);
}

/* Its home; one that is only read has its first contents there. */
static const char *
make_home(struct rt_live *l)
{
	if ((l->home = shifted_area(l, l->bytes)) == NULL)
		return "no memory for an operand";
	if (is_written(l))
		return NULL;
	l->first = l->home;
	fill_first(l);
	return NULL;
}

static const char *
make_live(struct rt_live *l, const struct rt_operand *o, uint32_t line_bytes)
{
	const char	*why;

	l->operand = o;
	if (__builtin_mul_overflow(o->rt_count, (uint64_t)o->rt_bytes, &l->bytes))
		return "an operand is larger than the address space";
	if (o->rt_paired) {
		l->twin_bytes = step_of(l, line_bytes);
		l->bytes += l->twin_bytes;
	}
	if ((why = make_home(l)) != NULL || !is_written(l))
		return why;
	if ((l->first = rt_memalign(l->bytes, o->rt_align, 0)) == NULL)
		return "no memory for an operand's first contents";
	fill_first(l);
	return NULL;
}

const char *
rt_sets_make(struct rt_sets *s, const struct rt_driver *d, const struct runner_setup *setup)
{
	const char	*why = NULL;

	memset(s, 0, sizeof *s);
	s->driver = d;
	s->setup = *setup;
	for (uint32_t k = 0; k < d->rt_operands && why == NULL; k++)
		why = make_live(&s->live[k], &d->rt_operand[k], setup->line_bytes);
	if (why == NULL)
		why = rt_pollution_make(&s->pollution, s->setup.l1_bytes + s->setup.l2_bytes,
		    s->setup.line_bytes);
	return why;
}

/* Pages that were never written are all the same page of zeros, and reading that flushes nothing. */
const char *
rt_sets_make_flush(struct rt_sets *s, uint64_t bytes)
{
	if (bytes <= s->flush_bytes)
		return NULL;
	rt_memalign_free(s->flush);
	s->flush_bytes = 0;
	if ((s->flush = rt_memalign(bytes, PAGE_BYTES, 0)) == NULL)
		return "no memory for the flush area";
	memset(s->flush, 1, bytes);
	s->flush_bytes = bytes;
	return NULL;
}

static void
free_far(struct rt_sets *s)
{
	for (uint32_t k = 0; k < RT_MAX_OPERANDS; k++) {
		rt_memalign_free(s->live[k].far);
		s->live[k].far = NULL;
	}
	free(s->walk);
	free(s->seen);
	s->walk = NULL;
	s->seen = NULL;
	s->sets = s->moving = s->position = 0;
}

/*
 * The area's length is that of so many whole sets: no call ever gets a shorter one (section 4).  Its pages are as small
 * as those of the one set that other methods use, or each set would come with fewer translations to look up.
 */
static const char *
make_far_area(struct rt_live *l, uint64_t sets, uint32_t line_bytes)
{
	uint64_t	bytes;

	l->step_bytes = step_of(l, line_bytes);
	if (__builtin_mul_overflow(l->step_bytes, sets - 1, &bytes) || __builtin_add_overflow(bytes, l->bytes, &bytes))
		return "the working sets are larger than the address space";
	if ((l->far = shifted_area(l, bytes)) == NULL)
		return "no memory for the working sets";
	return NULL;
}

/* From the last set to the first, so that the ones the walk begins with are the longest out of cache (section 4). */
static void
fill_far(struct rt_sets *s, int written)
{
	for (uint64_t n = s->sets; n-- > 0;)
		for (uint32_t k = 0; k < s->driver->rt_operands; k++) {
			struct rt_live	*l = &s->live[k];

			if (l->far != NULL && is_written(l) == written)
				memcpy(l->far + n * l->step_bytes, l->first, l->bytes);
		}
}

/* Fisher and Yates. */
static void
shuffle(uint32_t *order, uint64_t n)
{
	for (uint64_t i = n; i > 1; i--) {
		uint64_t	j = rt_number(n, i) % i;
		uint32_t	spare = order[i - 1];

		order[i - 1] = order[j];
		order[j] = spare;
	}
}

static const char *
make_walk(struct rt_sets *s)
{
	uint64_t	 n = s->sets;
	uint32_t	*back, *forth, *drunk, turned = s->driver->rt_turn != NULL ? RT_TURNED : 0;

	if ((s->walk = calloc(n, TIMES * NWALKS * sizeof *s->walk)) == NULL)
		return "no memory for the order of the working sets";
	back = s->walk;
	forth = back + TIMES * n;
	drunk = forth + TIMES * n;
	for (uint64_t i = 0; i < n; i++) {
		back[i] = (uint32_t)(n - 1 - i);
		forth[i] = drunk[i] = (uint32_t)i;
	}
	shuffle(drunk, n);
	for (uint32_t w = 0; w < NWALKS; w++) {
		uint32_t	*order = s->walk + TIMES * w * n;

		for (uint64_t i = 0; i < n; i++)
			order[n + i] = order[i] | turned;
		memcpy(order + 2 * n, order, n * sizeof *order);
	}
	return NULL;
}

const char *
rt_sets_make_far(struct rt_sets *s, uint64_t sets, uint64_t moving)
{
	const char	*why = NULL;

	if (sets == s->sets && moving == s->moving)
		return NULL;
	free_far(s);
	if (sets == 0 || sets > RT_TURNED)
		return sets == 0 ? NULL : "too many working sets";
	for (uint32_t k = 0; k < s->driver->rt_operands && why == NULL; k++)
		if (moving >> k & 1)
			why = make_far_area(&s->live[k], sets, s->setup.line_bytes);
	s->sets = sets;
	s->moving = moving;
	if (why == NULL)
		why = make_walk(s);
	if (why != NULL) {
		free_far(s);
		return why;
	}
	fill_far(s, 0);
	return NULL;
}

static const char *
move_home(struct rt_live *l, uint32_t shift)
{
	rt_memalign_free(l->home);
	l->home = NULL;
	if (!is_written(l))
		l->first = NULL;
	l->shift = shift;
	return make_home(l);
}

const char *
rt_sets_shift(struct rt_sets *s, const uint32_t *shift)
{
	const uint64_t	 sets = s->sets, moving = s->moving;
	const char	*why = NULL;
	int		 moved = 0;

	for (uint32_t k = 0; k < s->driver->rt_operands && why == NULL; k++) {
		struct rt_live	*l = &s->live[k];

		if (shift[k] > RT_MAX_SHIFT)
			return "an operand would be too far from its place";
		if (shift[k] == l->shift && l->home != NULL)
			continue;
		moved = 1;
		why = move_home(l, shift[k]);
	}
	if (!moved || why != NULL || sets == 0)
		return why;
	free_far(s);
	return rt_sets_make_far(s, sets, moving);
}

void
rt_sets_release(struct rt_sets *s)
{
	free_far(s);
	for (uint32_t k = 0; k < RT_MAX_OPERANDS; k++) {
		if (s->live[k].first != s->live[k].home)
			rt_memalign_free(s->live[k].first);
		rt_memalign_free(s->live[k].home);
		rt_memalign_free(s->live[k].shade);
	}
	rt_pollution_free(&s->pollution);
	rt_sentinel_free(&s->sentinel);
	rt_memalign_free(s->flush);
	rt_memalign_free(s->scratch);
	memset(s, 0, sizeof *s);
}

static void
read_pages(const char *at, uint64_t bytes)
{
	for (uint64_t i = 0; i < bytes; i += PAGE_BYTES)
		(void)*(const volatile char *)(at + i);
}

/* Page0Guard, section 5.3. */
void
rt_sets_enter(struct rt_sets *s)
{
	for (uint32_t k = 0; k < s->driver->rt_operands; k++)
		if (!is_written(&s->live[k]))
			read_pages(s->live[k].home, s->live[k].bytes);
	if (s->image != NULL)
		rt_image_enter(s->image);
	rt_sets_restore(s);
}

void
rt_sets_enter_far(struct rt_sets *s)
{
	for (uint32_t k = 0; k < s->driver->rt_operands; k++) {
		struct rt_live	*l = &s->live[k];

		if (l->far != NULL && !is_written(l))
			read_pages(l->far, (s->sets - 1) * l->step_bytes + l->bytes);
	}
	fill_far(s, 1);
	s->position = 0;
}

void
rt_sets_restore(struct rt_sets *s)
{
	if (s->image != NULL)
		rt_image_restore(s->image);
	for (uint32_t k = 0; k < s->driver->rt_operands; k++)
		if (is_written(&s->live[k]))
			memcpy(s->live[k].home, s->live[k].first, s->live[k].bytes);
}

void
rt_sets_restore_inout(struct rt_sets *s)
{
	if (s->image != NULL)
		rt_image_restore(s->image);
	for (uint32_t k = 0; k < s->driver->rt_operands; k++)
		if (s->live[k].operand->rt_access == 'b')
			memcpy(s->live[k].home, s->live[k].first, s->live[k].bytes);
}

/* Where an operand is for an entry of a walk. */
static char *
far_at(const struct rt_live *l, uint32_t entry)
{
	return l->far + (entry & ~RT_TURNED) * l->step_bytes;
}

void
rt_sets_restore_far(struct rt_sets *s, const uint32_t *walk, uint64_t calls)
{
	for (uint64_t i = 0; i < calls; i++)
		for (uint32_t k = 0; k < s->driver->rt_operands; k++) {
			struct rt_live	*l = &s->live[k];

			if (l->far != NULL && l->operand->rt_access == 'b')
				memcpy(far_at(l, walk[i]), l->first, l->bytes);
		}
}

int
rt_walk_is_cold(uint32_t walk)
{
	return walk != RUNNER_STAY && walk != RUNNER_AGAIN;
}

const uint32_t *
rt_sets_walk(struct rt_sets *s, enum runner_walk walk, uint64_t calls)
{
	const uint32_t	*order;

	if (walk == RUNNER_AGAIN)
		return s->walk + TIMES * (RUNNER_FORWARD - RUNNER_BACKWARD) * s->sets;
	order = s->walk + TIMES * (walk - RUNNER_BACKWARD) * s->sets + s->position;
	s->position = (s->position + calls) % (2 * s->sets);
	return order;
}

void
rt_sets_home(const struct rt_sets *s, void **at)
{
	for (uint32_t k = 0; k < s->driver->rt_operands; k++) {
		at[k] = s->live[k].home;
		if (twins(&s->live[k]))
			at[s->driver->rt_operands] = s->live[k].home + s->live[k].twin_bytes;
	}
}

void
rt_sets_far(const struct rt_sets *s, void **at, uint64_t *step)
{
	for (uint32_t k = 0; k < s->driver->rt_operands; k++) {
		const struct rt_live	*l = &s->live[k];
		char			*to = l->far != NULL ? l->far : l->home;

		at[k] = to;
		step[k] = l->far != NULL ? l->step_bytes : 0;
		if (twins(l))
			at[s->driver->rt_operands] = to + l->twin_bytes;
	}
}

void
rt_sets_census(const struct rt_sets *s, const uint32_t *walk, uint64_t calls, struct runner_census *census)
{
	for (uint32_t k = 0; k < s->driver->rt_operands; k++) {
		const struct rt_live	*l = &s->live[k];
		int			 moves = walk != NULL && l->far != NULL;

		census[k] = is_written(l) ? (struct runner_census){ 0, 0, 0, 0 } : l->census;
		if (is_written(l) && !moves)
			count_numbers(l, l->home, &census[k]);
		for (uint64_t i = 0; is_written(l) && moves && i < calls; i++)
			count_numbers(l, far_at(l, walk[i]), &census[k]);
	}
}

static void
touch_place(struct rt_sets *s, const struct runner_run *run, enum runner_place place)
{
	for (uint32_t k = 0; k < s->driver->rt_operands; k++)
		for (int twin = 0; run->place[k] == place && twin <= twins(&s->live[k]); twin++) {
			struct rt_range	r = range_at(&s->live[k], s->live[k].home, twin);

			rt_touch(&r, s->setup.line_bytes);
		}
}

void
rt_sets_place_far(struct rt_sets *s, const uint32_t *walk, uint64_t calls)
{
	for (uint64_t i = 0; i < calls; i++)
		for (uint32_t k = 0; k < s->driver->rt_operands; k++)
			if (s->live[k].far != NULL) {
				struct rt_range	r = range_at(&s->live[k], far_at(&s->live[k], walk[i]), 0);

				rt_touch(&r, s->setup.line_bytes);
			}
}

static int
wants_place(const struct rt_sets *s, const struct runner_run *run, enum runner_place place)
{
	for (uint32_t k = 0; k < s->driver->rt_operands; k++)
		if (run->place[k] == place)
			return 1;
	return 0;
}

static int
make_shade(struct rt_sets *s)
{
	for (uint32_t k = 0; k < s->driver->rt_operands; k++) {
		struct rt_live	*l = &s->live[k];

		if (l->shade != NULL)
			continue;
		if ((l->shade = rt_memalign(l->bytes, l->operand->rt_align,
		    l->operand->rt_misalign)) == NULL)
			return 0;
		memcpy(l->shade, l->first, l->bytes);
	}
	return 1;
}

static struct rt_range
range_of_sentinel(const struct rt_sets *s)
{
	return (struct rt_range){ s->sentinel.home, RT_SENTINEL_LINES + 1, 1, RT_SENTINEL_STEP };
}

/* Once; what a reading takes from each place is the least of a few. */
static void
know_sentinel(struct rt_sets *s)
{
	struct rt_range	r = range_of_sentinel(s);

	rt_pollution_enter(&s->pollution);
	for (int i = 0; i < SENTINEL_TRIES; i++) {
		rt_sentinel_touch(&s->sentinel);
		keep_least(&s->known.hot, rt_sentinel_read(&s->sentinel));
		rt_pollute(&s->pollution);
		keep_least(&s->known.near, rt_sentinel_read(&s->sentinel));
		if (rt_flush_lines(&r, s->setup.line_bytes))
			keep_least(&s->known.far, rt_sentinel_read(&s->sentinel));
	}
}

static int
is_cold(const struct runner_run *run)
{
	return run->kind == RUNNER_SAMPLE && (run->flush != RUNNER_FLUSH_NONE || rt_walk_is_cold(run->walk));
}

static int
make_sentinel(struct rt_sets *s, const struct runner_run *run)
{
	if (!rt_sentinel_make(&s->sentinel, rt_walk_is_cold(run->walk) ? s->sets : s->sentinel.far_sets))
		return 0;
	if (s->known.hot == 0)
		know_sentinel(s);
	return 1;
}

void
rt_sets_look(const struct rt_sets *s, const uint32_t *walk, const struct runner_run *run, struct runner_sample *out)
{
	out->sentinel = 0;
	if (!is_cold(run) || s->sentinel.home == NULL)
		return;
	out->sentinel = walk != NULL ? rt_sentinel_read_far(&s->sentinel, walk, run->calls) :
	    rt_sentinel_read(&s->sentinel);
}

int
rt_sets_ready_to_place(struct rt_sets *s, const struct runner_run *run)
{
	uint64_t	bytes = 2 * (s->setup.l1_bytes + s->setup.l2_bytes);

	if (run->awake && !make_shade(s))
		return 0;
	if (is_cold(run) && !make_sentinel(s, run))
		return 0;
	if (!wants_place(s, run, RUNNER_IN_L2) && !wants_place(s, run, RUNNER_IN_L3))
		return 1;
	if (s->scratch != NULL || bytes == 0)
		return 1;
	if ((s->scratch = rt_memalign(bytes, PAGE_BYTES, 0)) == NULL)
		return 0;
	memset(s->scratch, 1, bytes);
	return 1;
}

/*
 * A sweep shorter than the caches leaves part of the operands in them, so the cold ones are brought in first: what is
 * left then depends on the size of the sweep alone (section 3.1).
 */
struct sweep {
	const struct rt_sets	*sets;
	const struct runner_run	*run;
};

/* Each CPU has a part of the area for itself: what one has read would come from the shared cache to the next. */
static void
sweep_part(void *arg, uint32_t part)
{
	const struct sweep	*w = arg;

	rt_read_area(w->sets->flush + part * w->run->flush_bytes, w->run->flush_bytes,
	    w->sets->setup.line_bytes);
}

static void
surround_part(void *arg, uint32_t part)
{
	const struct sweep	*w = arg;

	(void)part;
	rt_pollute(&w->sets->pollution);
}

/* Where operand k is for a call; walk: its entry, NULL: at home. */
static char *
place_of(const struct rt_live *l, const uint32_t *walk)
{
	return walk != NULL && l->far != NULL ? far_at(l, *walk) : l->home;
}

static void
look_up_cold(const struct rt_sets *s, const struct runner_run *run, const uint32_t *walk)
{
	for (uint32_t k = 0; k < s->driver->rt_operands; k++)
		for (int twin = 0; run->place[k] == RUNNER_COLD && twin <= twins(&s->live[k]); twin++) {
			struct rt_range	r = range_at(&s->live[k], place_of(&s->live[k], walk), twin);

			rt_look_up(&r, s->setup.line_bytes);
		}
}

static void
flush_cold(struct rt_sets *s, const struct runner_run *run)
{
	struct rt_range	sentinel = range_of_sentinel(s);

	if (run->flush == RUNNER_FLUSH_LRU) {
		if (s->sentinel.home != NULL)
			rt_sentinel_touch(&s->sentinel);
		touch_place(s, run, RUNNER_COLD);
		return;
	}
	for (uint32_t k = 0; run->flush == RUNNER_FLUSH_LINES && k < s->driver->rt_operands; k++)
		for (int twin = 0; run->place[k] == RUNNER_COLD && twin <= twins(&s->live[k]); twin++) {
			struct rt_range	r = range_at(&s->live[k], s->live[k].home, twin);

			rt_flush_lines(&r, s->setup.line_bytes);
		}
	if (run->flush == RUNNER_FLUSH_LINES && s->sentinel.home != NULL)
		rt_flush_lines(&sentinel, s->setup.line_bytes);
}

/*
 * What looks up translations comes before the TLB is emptied.  It is done twice, because a last cache may not keep a
 * line that came from memory and leaves the inner ones without having been asked for again.
 */
static void
surround(struct rt_sets *s, const struct runner_run *run, const uint32_t *walk, uint64_t calls)
{
	struct sweep	sweep = { s, run };

	for (unsigned times = run->look_up ? 2 : 1; times-- > 0;) {
		for (uint64_t i = 0; run->look_up && i < calls; i++)
			look_up_cold(s, run, walk != NULL ? &walk[i] : NULL);
		if (run->pollute)
			rt_crew_run(s->crew, surround_part, &sweep);
	}
}

void
rt_sets_flush(struct rt_sets *s, const struct runner_run *run)
{
	struct sweep	sweep = { s, run };

	if (s->image != NULL && run->flush == RUNNER_FLUSH_LINES)
		rt_image_flush(s->image, s->setup.line_bytes);
	flush_cold(s, run);
	if (run->flush == RUNNER_FLUSH_LRU)
		rt_crew_run(s->crew, sweep_part, &sweep);
	surround(s, run, NULL, 1);
}

void
rt_sets_flush_far(struct rt_sets *s, const struct runner_run *run, const uint32_t *walk)
{
	surround(s, run, walk, run->calls);
}

void
rt_sets_awake(struct rt_sets *s, rt_code *code, const struct runner_run *run)
{
	const uint64_t	 began = rt_wall_ns();
	void		*at[RT_MAX_OPERANDS];

	if (!run->awake)
		return;
	do {
		for (uint32_t k = 0; k < s->driver->rt_operands; k++) {
			at[k] = s->live[k].shade;
			if (s->live[k].operand->rt_access == 'b')
				memcpy(at[k], s->live[k].first, s->live[k].bytes);
		}
		s->driver->rt_call(code, at);
	} while (rt_wall_ns() - began < RUNNER_AWAKE_NS);
}

/* From the outermost cache inwards: each sweep drives what was touched before it one level out. */
void
rt_sets_place(struct rt_sets *s, const struct runner_run *run)
{
	if (wants_place(s, run, RUNNER_IN_L3)) {
		touch_place(s, run, RUNNER_IN_L3);
		rt_read_area(s->scratch, 2 * s->setup.l2_bytes, s->setup.line_bytes);
	}
	if (wants_place(s, run, RUNNER_IN_L2)) {
		touch_place(s, run, RUNNER_IN_L2);
		rt_read_area(s->scratch, 2 * s->setup.l1_bytes, s->setup.line_bytes);
	}
	touch_place(s, run, RUNNER_WARM);
	touch_place(s, run, RUNNER_IN_L1);
}
