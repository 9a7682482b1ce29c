/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of a report's technique: how a variant was timed. */
#include "proto/wire/report.h"
#include "proto/wire/report_parts.h"

#define ROW(member, ...) SHAPE_ROW(struct guard_report, member, __VA_ARGS__)
static const char *const	form_words[] = {
	"restore", "alternate", "pair", "separate", "none", NULL
};
static const char *const	at_words[] = {
	"every call", "every sample", "every traversal", NULL
};
static const struct shape_row	guard_rows[] = {
	ROW(form, SHAPE_TEXT, .words = form_words),
	ROW(of, SHAPE_TEXT, .none = SHAPE_LEFT_OUT),
	ROW(at, SHAPE_TEXT, .none = SHAPE_LEFT_OUT, .words = at_words),
};
static const struct shape	guard_shape = SHAPE_OF(struct guard_report, guard_rows);
#undef ROW

#define ROW(member, ...) SHAPE_ROW(struct image_report, member, __VA_ARGS__)
static const struct shape_row	image_rows[] = {
	ROW(image, SHAPE_TEXT),
	ROW(sha256, SHAPE_TEXT),
	ROW(bytes, SHAPE_SIZE),
	ROW(calls, SHAPE_SIZE),
};
static const struct shape	image_shape = SHAPE_OF(struct image_report, image_rows);
#undef ROW

#define ROW(member, ...) SHAPE_ROW(struct interval_report, member, __VA_ARGS__)
static const struct shape_row	interval_rows[] = {
	ROW(asked, SHAPE_REAL),
	ROW(reached, SHAPE_REAL, .none = SHAPE_NULL),
};
static const struct shape	interval_shape = SHAPE_OF(struct interval_report, interval_rows);
#undef ROW

static enum status
read_node(int *out, const struct node *n, struct fault *why)
{
	static const char *const	words[] = { "unknown", "mixed", NULL };
	int64_t				 node = 0;
	unsigned			 word = 0;
	enum status			 st;

	*out = NODE_UNKNOWN;
	if (json_is_string(n->value)) {
		st = decode_word(n, words, &word, why);
		*out = word == 0 ? NODE_UNKNOWN : NODE_MIXED;
		return st;
	}
	st = decode_integer(n, 0, INT32_MAX, &node, why);
	if (st == ST_OK)
		*out = (int)node;
	return st;
}

static void
write_node(struct text *t, int node)
{
	if (node >= 0)
		text_integer(t, node);
	else
		text_string(t, node == NODE_MIXED ? "mixed" : "unknown");
}

static enum status
get_node(void *out, const struct node *n, struct fault *why)
{
	return read_node(&((struct sample_technique *)out)->numa_node, n, why);
}

static void
put_node(struct text *t, const void *in)
{
	write_node(t, ((const struct sample_technique *)in)->numa_node);
}

static enum status
get_home(void *out, const struct node *n, struct fault *why)
{
	return read_node(&((struct operand_report *)out)->node, n, why);
}

static void
put_home(struct text *t, const void *in)
{
	write_node(t, ((const struct operand_report *)in)->node);
}

#define ROW(member, ...) SHAPE_ROW(struct shared_report, member, __VA_ARGS__)
static const struct shape_row	shared_rows[] = {
	ROW(from, SHAPE_SIZE),
};
static const struct shape	shared_shape = SHAPE_OF(struct shared_report, shared_rows);
#undef ROW

#define ROW(member, ...) SHAPE_ROW(struct operand_report, member, __VA_ARGS__)
static const char *const	init_words[] = {
	"random", "value", "index", "permutation", "data", "text", "function", NULL
};
static const char *const	order_words[] = { "sorted", "nearly_sorted", "reversed", NULL };
static const char *const	access_words[] = { "in", "out", "inout", NULL };
static const char *const	place_words[] = { "cold", "part", "warm", "L1", "L2", "L3", NULL };
static const char *const	state_words[] = { "clean", "dirty", NULL };
static const char *const	memory_words[] = { "heap", "static", NULL };
static const char *const	pages_words[] = { "small", "huge", "mixed", NULL };
static const struct shape_row	operand_rows[] = {
	ROW(type, SHAPE_TEXT),
	ROW(dims, SHAPE_SIZES),
	ROW(init, SHAPE_TEXT, .words = init_words),
	ROW(order, SHAPE_TEXT, .none = SHAPE_LEFT_OUT, .words = order_words),
	ROW(seed, SHAPE_SIZE, .none = SHAPE_LEFT_OUT),
	ROW(access, SHAPE_TEXT, .words = access_words),
	ROW(cache, SHAPE_TEXT, .words = place_words),
	ROW(state, SHAPE_TEXT, .words = state_words),
	ROW(align, SHAPE_SIZE),
	ROW(misalign, SHAPE_SIZE, .none = SHAPE_LEFT_OUT),
	ROW(offset, SHAPE_SIZE, .none = SHAPE_LEFT_OUT),
	ROW(stride, SHAPE_SIZE),
	ROW(memory, SHAPE_TEXT, .words = memory_words),
	ROW(pages, SHAPE_TEXT, .none = SHAPE_LEFT_OUT, .words = pages_words),
	ROW(node, SHAPE_OWN, .get = get_home, .put = put_home),
	ROW(shared, SHAPE_MAP, .of = &shared_shape, .none = SHAPE_LEFT_OUT),
};
static const struct shape	operand_shape = SHAPE_OF(struct operand_report, operand_rows);
#undef ROW

#define ROW(member, ...) SHAPE_ROW(struct flush_technique, member, __VA_ARGS__)
static const char *const	tlb_words[] = { "cold", "kept", NULL };
static const char *const	tables_words[] = { "cached", "memory", NULL };
static const char *const	code_words[] = { "in cache", "cold", NULL };
static const struct shape_row	flush_rows[] = {
	ROW(tlb, SHAPE_TEXT, .words = tlb_words),
	ROW(page_tables, SHAPE_TEXT, .none = SHAPE_NULL, .words = tables_words),
	ROW(code, SHAPE_TEXT, .none = SHAPE_LEFT_OUT, .words = code_words),
	ROW(flush_cpus, SHAPE_SIZE),
	ROW(working_sets_touched, SHAPE_SIZE, .none = SHAPE_NULL),
	ROW(memory_canary, SHAPE_TEXT),
};
static const struct shape	flush_shape = SHAPE_OF(struct flush_technique, flush_rows);
#undef ROW

#define ROW(member, ...) SHAPE_ROW(struct sample_technique, member, __VA_ARGS__)
static const char *const	sampling_words[] = { "MultTimingSamples", "one sample", "median",
	"medians of processes", NULL };
const char *const		report_end_words[] = {
	"samples", "interval", "max_samples", "budget", "wall limit", "max_pairs", "race", NULL
};
static const char *const	scheduling_words[] = { "fifo", "other", NULL };
static const struct shape_row	sample_technique_rows[] = {
	ROW(sampling, SHAPE_TEXT, .words = sampling_words),
	ROW(numa_node, SHAPE_OWN, .get = get_node, .put = put_node),
	ROW(awake, SHAPE_FLAG),
	ROW(overhead_ns, SHAPE_REAL),
	ROW(overhead_subtracted, SHAPE_FLAG),
	ROW(empty_call_ns, SHAPE_REAL),
	ROW(serialised, SHAPE_FLAG, .none = SHAPE_LEFT_OUT,
	    .has = offsetof(struct sample_technique, has_serialised)),
	ROW(difference, SHAPE_FLAG),
	ROW(edge_ns, SHAPE_REAL, .none = SHAPE_NULL),
	ROW(bias_bound, SHAPE_REAL, .none = SHAPE_NULL),
	ROW(within_noise, SHAPE_FLAG),
	ROW(ended_by, SHAPE_TEXT, .words = report_end_words),
	ROW(interval, SHAPE_OBJECT, .of = &interval_shape, .none = SHAPE_NULL,
	    .has = offsetof(struct sample_technique, has_interval)),
	ROW(canary, SHAPE_TEXT),
	ROW(scheduling, SHAPE_TEXT, .words = scheduling_words),
	ROW(cpu, SHAPE_INTEGER, .none = SHAPE_NULL),
	ROW(cpus, SHAPE_SIZES, .none = SHAPE_NULL),
	ROW(copies, SHAPE_SIZE, .none = SHAPE_LEFT_OUT),
};
static const struct shape	sample_technique_shape =
    SHAPE_OF(struct sample_technique, sample_technique_rows);
#undef ROW

#define ROW(member, ...) SHAPE_ROW(struct technique, member, __VA_ARGS__)
static const char *const	context_words[] = {
	"cold", "warm", "flush_bytes", "flush_level", NULL
};
static const char *const	method_words[] = {
	"none", "OneCallFlushX86", "OneCallFlushLRU", "MultiCallFlushLRU", "ChallengeResponse",
	"Checkpoint", "Program", NULL
};
static const char *const	in_force_words[] = {
	"Page0Guard", "InstLdGuard", "MemAlign", "RangeGuard", NULL
};
static const char *const	clock_words[] = { "wall", "cycle", "cpu", NULL };
static const char *const	walk_words[] = { "backward", "forward", "random", "again", "stroll",
	NULL };
static const char *const	size_words[] = { "given", "calibrated", "default", NULL };
static const char *const	data_words[] = { "captured", "given", "generated", NULL };
static const char *const	rotation_words[] = { "none", "asked", "learned", NULL };
static const char *const	inout_words[] = {
	"kept", "restored per call", "restored per sample", NULL
};
static const struct shape_row	technique_rows[] = {
	ROW(context, SHAPE_TEXT, .words = context_words),
	ROW(method, SHAPE_TEXT, .words = method_words),
	ROW(clock, SHAPE_TEXT, .words = clock_words),
	ROW(counter, SHAPE_TEXT),
	ROW(tick_hz, SHAPE_REAL),
	ROW(resolution_ns, SHAPE_REAL),
	ROW(clock_overhead_ns, SHAPE_REAL),
	ROW(samples, SHAPE_SIZE),
	ROW(calls, SHAPE_SIZE),
	ROW(working_sets, SHAPE_SIZE),
	ROW(walk, SHAPE_TEXT, .none = SHAPE_LEFT_OUT, .words = walk_words),
	ROW(flush_bytes, SHAPE_SIZE),
	ROW(flush_size, SHAPE_TEXT, .none = SHAPE_LEFT_OUT, .words = size_words),
	ROW(flush, SHAPE_INLINE, .of = &flush_shape, .none = SHAPE_LEFT_OUT,
	    .has = offsetof(struct technique, is_flushed)),
	ROW(timer, SHAPE_TEXT),
	ROW(checkpoint, SHAPE_OBJECT, .of = &image_shape, .none = SHAPE_LEFT_OUT,
	    .has = offsetof(struct technique, has_checkpoint)),
	ROW(data, SHAPE_TEXT, .words = data_words),
	ROW(operands, SHAPE_MAP, .of = &operand_shape, .none = SHAPE_LEFT_OUT),
	ROW(inputs, SHAPE_SIZE, .none = SHAPE_LEFT_OUT),
	ROW(rotation, SHAPE_TEXT, .none = SHAPE_LEFT_OUT, .words = rotation_words),
	ROW(guards, SHAPE_TEXTS, .words = in_force_words),
	ROW(inout, SHAPE_TEXT, .none = SHAPE_LEFT_OUT, .words = inout_words),
	ROW(range_guard, SHAPE_OBJECT, .of = &guard_shape),
	ROW(sample, SHAPE_INLINE, .of = &sample_technique_shape, .none = SHAPE_LEFT_OUT,
	    .has = offsetof(struct technique, is_sampled)),
};
const struct shape		technique_shape = SHAPE_OF(struct technique, technique_rows);
#undef ROW
