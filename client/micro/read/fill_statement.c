/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of descriptions, kernels and what stands in them. */
#include <string.h>

#include "client/micro/read/directives.h"
#include "client/micro/read/fill.h"
#include "client/micro/read/inserted.h"

enum { MAX_ALIGNMENT = 4096 };

/* ---- the description and kernels ---- */

enum status
open_description(struct reading *r, struct open *o, struct fault *why)
{
	(void)why;
	o->object = r->micro->root = kernel_new(r->micro->arena, o->at);
	return ST_OK;
}

enum status
open_kernel(struct reading *r, struct open *o, struct fault *why)
{
	struct kernel	*k = kernel_new(r->micro->arena, o->at);

	(void)why;
	kernel_add_kernel(r->micro->arena, o->parent->object, k);
	o->object = k;
	return ST_OK;
}

enum status
close_kernel(struct reading *r, struct open *o, struct fault *why)
{
	const struct kernel	*k = o->object;
	unsigned		 last = 0;

	if (k->unrolling.linked != NULL && range_count(&k->repetition) * (uint64_t)k->repetition.max
	    != 1)
		return refuse(r, o, why, "its unrolling is linked, so it cannot be repeated");
	for (size_t i = 0; i < k->ninductions; i++)
		last += k->inductions[i].is_last;
	if (last > 1)
		return refuse(r, o, why, "%u of its inductions are <last_induction/>", last);
	return ST_OK;
}

enum status
set_kernel_name(struct reading *r, struct open *o, struct fault *why)
{
	((struct kernel *)o->parent->object)->name = o->text;
	return check_word(r, o, "-.", why);
}

enum status
set_random(struct reading *r, struct open *o, struct fault *why)
{
	(void)r;
	(void)why;
	((struct kernel *)o->parent->object)->is_random = true;
	return ST_OK;
}

enum status
set_alignment(struct reading *r, struct open *o, struct fault *why)
{
	if (o->number < 1 || o->number > MAX_ALIGNMENT || (o->number & (o->number - 1)) != 0)
		return refuse(r, o, why, "%s is no power of two from 1 to %d", o->text,
		    MAX_ALIGNMENT);
	((struct kernel *)o->parent->object)->alignment = (uint64_t)o->number;
	return ST_OK;
}

enum status
set_label(struct reading *r, struct open *o, struct fault *why)
{
	struct kernel	*k = o->parent->object;

	k->label = o->text + (*o->text == '.');
	k->branch_at = o->parent->at;
	if (*k->label == '\0')
		return refuse(r, o, why, "\"%s\" is no label", o->text);
	return check_word(r, o, ".", why);
}

enum status
set_test(struct reading *r, struct open *o, struct fault *why)
{
	((struct kernel *)o->parent->object)->test = o->text;
	return check_word(r, o, "", why);
}

enum status
close_branch(struct reading *r, struct open *o, struct fault *why)
{
	const struct kernel	*k = o->object;

	return k->label == NULL ? miss(r, o, "label", why) :
	    k->test == NULL ? miss(r, o, "test", why) : ST_OK;
}

enum status
set_amount(struct reading *r, struct open *o, struct fault *why)
{
	if (o->number < 1)
		return refuse(r, o, why, "%s programs cannot be kept: 1 or more can", o->text);
	r->micro->amount = (uint64_t)o->number;
	return ST_OK;
}

enum status
set_verbose(struct reading *r, struct open *o, struct fault *why)
{
	(void)o;
	(void)why;
	r->micro->is_verbose = true;
	return ST_OK;
}

enum status
set_ignored(struct reading *r, struct open *o, struct fault *why)
{
	(void)why;
	r->micro->ignored = o->node->name;
	r->micro->ignored_at = o->at;
	return ST_OK;
}

/* ---- instructions ---- */

static struct pattern *
add_pattern(struct reading *r, struct open *o)
{
	struct pattern	*p = pattern_new(r->micro->arena, o->at);

	kernel_add_pattern(r->micro->arena, o->parent->object, p);
	o->object = p;
	return p;
}

enum status
open_instruction(struct reading *r, struct open *o, struct fault *why)
{
	(void)why;
	(void)add_pattern(r, o);
	return ST_OK;
}

static enum status
check_swap(struct reading *r, const struct open *o, struct fault *why)
{
	const struct pattern	*p = o->object;

	if (p->swap != WHEN_NEVER && p->nslots < 2)
		return refuse(r, o, why, "a swap needs two operands, and it has %zu", p->nslots);
	return ST_OK;
}

enum status
close_instruction(struct reading *r, struct open *o, struct fault *why)
{
	const struct pattern	*p = o->object;

	if (p->ncandidates == 0)
		return miss(r, o, "operation", why);
	return check_swap(r, o, why);
}

enum status
open_move(struct reading *r, struct open *o, struct fault *why)
{
	(void)why;
	add_pattern(r, o)->is_move = true;
	return ST_OK;
}

enum status
close_move(struct reading *r, struct open *o, struct fault *why)
{
	const struct pattern	*p = o->object;

	if (p->wish.bytes == 0)
		return miss(r, o, "bytes", why);
	if (p->nslots != 2 || pattern_memory(p) == NULL)
		return refuse(r, o, why, "it moves between a register and memory, and has %zu "
		    "operand%s", p->nslots, p->nslots == 1 ? "" : "s");
	return check_swap(r, o, why);
}

enum status
set_operation(struct reading *r, struct open *o, struct fault *why)
{
	enum status	st = directives_check(r->micro, o->at, o->text, why);

	if (st != ST_OK)
		return st;
	pattern_add_candidate(r->micro->arena, o->parent->object,
	    (struct candidate){ .operation = o->text, .pieces = 1 });
	return check_word(r, o, ". {}", why);
}

enum status
set_pattern_name(struct reading *r, struct open *o, struct fault *why)
{
	((struct pattern *)o->parent->object)->name = o->text;
	return check_word(r, o, "-.", why);
}

/* The two nodes of a choice exclude each other; which one it is, its name says. */
static enum status
set_when(struct reading *r, const struct open *o, enum when *to, struct fault *why)
{
	if (*to != WHEN_NEVER)
		return refuse(r, o, why, "it cannot be before unrolling and after it");
	*to = strstr(o->node->name, "before") != NULL ? WHEN_BEFORE : WHEN_AFTER;
	return ST_OK;
}

enum status
set_swap(struct reading *r, struct open *o, struct fault *why)
{
	return set_when(r, o, &((struct pattern *)o->parent->object)->swap, why);
}

enum status
set_choose(struct reading *r, struct open *o, struct fault *why)
{
	return set_when(r, o, &((struct pattern *)o->parent->object)->choose, why);
}

enum status
set_immediate_when(struct reading *r, struct open *o, struct fault *why)
{
	return set_when(r, o, &((struct pattern *)o->parent->object)->immediate, why);
}

enum status
set_move_bytes(struct reading *r, struct open *o, struct fault *why)
{
	if (o->number < 1 || o->number > 64 || (o->number & (o->number - 1)) != 0)
		return refuse(r, o, why, "%s bytes cannot be moved: 1, 2, 4, 8, 16, 32 or 64 can",
		    o->text);
	((struct pattern *)o->parent->object)->wish.bytes = (unsigned)o->number;
	return ST_OK;
}

enum status
set_move_alignment(struct reading *r, struct open *o, struct fault *why)
{
	static const char *const	words[] = { "aligned", "unaligned", NULL };
	size_t				which;
	enum status			st = one_of(r, o, words, &which, why);

	if (st == ST_OK)
		((struct pattern *)o->parent->object)->wish.alignment =
		    which == 0 ? MOVE_ALIGNED : MOVE_UNALIGNED;
	return st;
}

enum status
set_move_kind(struct reading *r, struct open *o, struct fault *why)
{
	static const char *const	words[] = { "vector", "scalar", NULL };
	size_t				which;
	enum status			st = one_of(r, o, words, &which, why);

	if (st == ST_OK)
		((struct pattern *)o->parent->object)->wish.kind =
		    which == 0 ? MOVE_VECTOR : MOVE_SCALAR;
	return st;
}

/* ---- inserted code ---- */

enum status
open_insert(struct reading *r, struct open *o, struct fault *why)
{
	(void)r;
	(void)why;
	o->object = o->parent->object;
	return ST_OK;
}

enum status
close_insert(struct reading *r, struct open *o, struct fault *why)
{
	for (size_t i = 0; i < NODES_MAX; i++)
		if (o->seen[i])
			return ST_OK;
	return refuse(r, o, why, "it has no <instruction>, <file>, <prologue> or <epilogue>");
}

static void
add_code(struct reading *r, const struct open *o, const char *text, bool is_file)
{
	kernel_add(r->micro->arena, o->parent->object, (struct statement){
	    .kind = STATEMENT_CODE, .text = text, .at = o->at, .is_file = is_file });
}

enum status
set_code(struct reading *r, struct open *o, struct fault *why)
{
	enum status	st = directives_check(r->micro, o->at, o->text, why);

	if (st == ST_OK)
		add_code(r, o, o->text, false);
	return st;
}

enum status
set_file(struct reading *r, struct open *o, struct fault *why)
{
	const char	*text;
	enum status	 st = inserted_read(r->micro, o->at, o->text, &text, why);

	if (st == ST_OK)
		add_code(r, o, text, true);
	return st;
}

enum status
set_prologue(struct reading *r, struct open *o, struct fault *why)
{
	if (r->micro->prologue != NULL)
		return refuse(r, o, why, "the description has one already");
	r->micro->prologue_at = o->at;
	return inserted_read(r->micro, o->at, o->text, &r->micro->prologue, why);
}

enum status
set_epilogue(struct reading *r, struct open *o, struct fault *why)
{
	if (r->micro->epilogue != NULL)
		return refuse(r, o, why, "the description has one already");
	r->micro->epilogue_at = o->at;
	return inserted_read(r->micro, o->at, o->text, &r->micro->epilogue, why);
}
