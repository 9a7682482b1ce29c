/* SPDX-License-Identifier: Apache-2.0 */
/* The member `timing` of a spec.  Its conflicts are in spec_timing_check.c. */
#include <string.h>

#include "proto/spec/spec_parts.h"
#include "proto/spec/words.h"

/* ---- counters ---- */

/* As libpfm spells them: "PERF_COUNT_HW_CPU_CYCLES", "clx::INSTRUCTION_RETIRED:u". */
#define LETTERS	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_:.=-"

/* "power/energy-pkg/" */
static bool
is_energy_well_formed(const char *name)
{
	const char	*event = name + sizeof SPEC_ENERGY - 1;
	const size_t	 n = strspn(event, "abcdefghijklmnopqrstuvwxyz-");

	return n > 0 && strcmp(event + n, "/") == 0;
}

static bool
is_event(const char *name)
{
	return spec_is_energy(name) ? is_energy_well_formed(name) :
	    name[0] != '\0' && name[strspn(name, LETTERS)] == '\0';
}

static enum status
add_counter(struct timing *t, const struct node *n, struct fault *why)
{
	const char	*name = json_string_value(n->value);
	size_t		 length;

	if (name == NULL)
		return decode_refuse(n, NULL, why, "must be a string: the name of an event");
	length = strlen(name);
	if (length >= SPEC_COUNTER_BYTES || !is_event(name))
		return decode_refuse(n, NULL, why,
		    "must be an event's name of 1 to %d letters, digits and _ : . = -, "
		    "or as power/energy-pkg/", SPEC_COUNTER_BYTES - 1);
	for (unsigned i = 0; i < t->ncounters; i++)
		if (strcmp(t->counters[i], name) == 0)
			return decode_refuse(n, NULL, why, "\"%s\" is named twice", name);
	memcpy(t->counters[t->ncounters++], name, length + 1);
	return ST_OK;
}

static enum status
get_counters(void *out, const struct node *n, struct fault *why)
{
	size_t		count = json_array_size(n->value);
	enum status	st = ST_OK;

	if (!json_is_array(n->value) || count == 0 || count > SPEC_MAX_COUNTERS)
		return decode_refuse(n, NULL, why, "must be a list of 1 to %d events",
		    SPEC_MAX_COUNTERS);
	for (size_t i = 0; i < count && st == ST_OK; i++) {
		struct node	element = decode_element(n, i);

		st = add_counter(out, &element, why);
	}
	return st;
}

/* ---- gate, TLB ---- */

static enum status
get_gate(void *out, const struct node *n, struct fault *why)
{
	const char	*word = json_string_value(n->value);
	enum gating	*gate = out;

	if (json_is_boolean(n->value))
		*gate = json_is_true(n->value) ? GATING_ON : GATING_OFF;
	else if (word != NULL && strcmp(word, "auto") == 0)
		*gate = GATING_AUTO;
	else
		return decode_refuse(n, NULL, why, "must be \"auto\", true or false");
	return ST_OK;
}

static enum status
get_tlb(void *out, const struct node *n, struct fault *why)
{
	enum tlb_kind	*tlb = out;

	if (!json_is_boolean(n->value))
		return decode_refuse_type(n, "true or false", why);
	*tlb = json_is_true(n->value) ? TLB_COLD : TLB_WARM;
	return ST_OK;
}

/* ---- range guard: the form; spec_find_guard looks which argument it is about ---- */

static enum status
get_named_guard(enum range_guard guard, struct timing *t, const struct node *n, struct fault *why)
{
	t->guard = guard;
	if (json_is_string(n->value))
		return ST_OK;
	return decode_refuse(n, NULL, why, "must be a string that names an argument");
}

static enum status
get_alternate(void *out, const struct node *n, struct fault *why)
{
	return get_named_guard(GUARD_ALTERNATE, out, n, why);
}

static enum status
get_pair(void *out, const struct node *n, struct fault *why)
{
	return get_named_guard(GUARD_PAIR, out, n, why);
}

static const struct shape_row	guard_rows[] = {
	SPEC_ROW(0, "alternate", SHAPE_OWN, .get = get_alternate, .forms = FORM_TEXT),
	SPEC_ROW(0, "pair", SHAPE_OWN, .get = get_pair, .forms = FORM_TEXT),
};
static const struct shape	guard_shape = SHAPE_OF(struct timing, guard_rows);

static enum status
get_guard(void *out, const struct node *n, struct fault *why)
{
	struct timing	*t = out;
	enum status	 st;

	if (json_is_object(n->value) && json_object_size(n->value) == 1)
		return shape_get(&guard_shape, t, n, SHAPE_WRITTEN, why);
	if (json_is_string(n->value))
		return decode_enum(n, words_guard, &t->guard, why);
	st = decode_refuse(n, NULL, why, "must be a string or an object of one member");
	fault_hint(why, "\"restore\", { \"alternate\": \"alpha\" } or { \"pair\": \"X\" }");
	return st;
}

/* ---- the tables ---- */

#define ROW(member, ...) SHAPE_ROW(struct timing, member, __VA_ARGS__)
#define AT(member) offsetof(struct timing, member)
static const struct shape_row	flush_rows[] = {
	ROW(method, SHAPE_WORD, .words = words_flush, SHAPE_DEFAULT(FLUSH_AUTO)),
	SPEC_ROW(AT(flush_bytes), "bytes", SHAPE_SIZE, .least = 1, .most = SPEC_MAX_FLUSH_BYTES),
	ROW(walk, SHAPE_WORD, .words = words_walk, SHAPE_DEFAULT(WALK_AUTO)),
	ROW(tlb, SHAPE_OWN_PART, .get = get_tlb, .forms = FORM_FLAG),
	ROW(page_tables, SHAPE_WORD, .words = words_tables, SHAPE_DEFAULT(TABLES_AUTO)),
};
static const struct shape	flush_shape = SHAPE_OF(struct timing, flush_rows);

static const char *const	words_gate[] = { "auto", NULL };
static const struct shape_row	counter_row = { .kind = SHAPE_OWN, .forms = FORM_TEXT, .least = 1,
	.most = SPEC_COUNTER_BYTES - 1 };
static const struct shape_row	timing_rows[] = {
	ROW(clock, SHAPE_WORD, .words = words_clock, SHAPE_DEFAULT(CLK_AUTO)),
	ROW(samples, SHAPE_COUNT, .least = 1, .most = SPEC_MAX_SAMPLES),
	ROW(processes, SHAPE_COUNT, .least = 1, .most = SPEC_MAX_PROCESSES),
	ROW(calls, SHAPE_COUNT, .least = 1, .most = SPEC_MAX_CALLS),
	ROW(interval, SHAPE_REAL, .low = 1e-6, .high = 1),
	ROW(max_samples, SHAPE_COUNT, .least = 1, .most = SPEC_MAX_SAMPLES),
	ROW(serialised, SHAPE_FLAG, SHAPE_DEFAULT(false)),
	ROW(difference, SHAPE_FLAG, SHAPE_DEFAULT(false)),
	ROW(counters, SHAPE_OWN, .get = get_counters, .forms = FORM_LIST, .least = 1,
	    .most = SPEC_MAX_COUNTERS, .each = &counter_row),
	ROW(metric, SHAPE_OWN_PART, .get = spec_get_metric, .of = &metric_shape),
	ROW(gate, SHAPE_OWN_PART, .get = get_gate, .words = words_gate, .forms = FORM_FLAG,
	    SHAPE_DEFAULT(GATING_AUTO)),
	ROW(budget_ms, SHAPE_COUNT, .most = SPEC_MAX_BUDGET_MS, .has = AT(has_budget),
	    SHAPE_DEFAULT(1000)),
	SPEC_ROW(0, "flush", SHAPE_OBJECT, .of = &flush_shape, SHAPE_DEFAULT(0)),
	ROW(estimator, SHAPE_WORD, .words = words_estimator, SHAPE_DEFAULT(EST_AUTO)),
	ROW(layout, SHAPE_WORD, .words = words_layout, SHAPE_DEFAULT(LAYOUT_FIXED)),
	ROW(layouts, SHAPE_COUNT, .least = 2, .most = SPEC_MAX_LAYOUTS,
	    SHAPE_DEFAULT(8)),
	ROW(layout_seed, SHAPE_SIZE, SHAPE_DEFAULT(1)),
	SPEC_ROW(AT(guard), "range_guard", SHAPE_OWN, .get = get_guard, .words = words_guard,
	    .of = &guard_shape, .least = 1, .most = 1, SHAPE_DEFAULT(GUARD_AUTO)),
	ROW(frequency_khz, SHAPE_COUNT, .least = 1000, .most = SPEC_MAX_KHZ),
	ROW(trust, SHAPE_WORD, .words = words_trust_asked, SHAPE_DEFAULT(TRUST_ASKED_AUTO)),
};
const struct shape		timing_shape = SHAPE_OF(struct timing, timing_rows);
