/* SPDX-License-Identifier: Apache-2.0 */
/* assay-micro.h: a plugin's changes to the list of passes. */
#include <stdio.h>

#include "client/micro/pass/passes.h"
#include "client/micro/plugin/assay-micro.h"

static const enum pass_kind	kinds[] = {
	[ASSAY_MICRO_KERNEL]  = PASS_KERNEL,
	[ASSAY_MICRO_BEFORE]  = PASS_BEFORE,
	[ASSAY_MICRO_AFTER]   = PASS_AFTER,
	[ASSAY_MICRO_PROGRAM] = PASS_PROGRAM,
};

/* A plugin has no fault to fill: its user reads the words. */
static bool
said(enum status st, const struct fault *why)
{
	char	line[1400];

	if (st != ST_OK)
		(void)fprintf(stderr, "assay-micro: plugin: %s\n",
		    fault_line(why, line, sizeof line));
	return st == ST_OK;
}

static bool
has_its_functions(const struct assay_micro_pass *p)
{
	switch (p->kind) {
	case ASSAY_MICRO_KERNEL:
		return p->kernel_ways != NULL && p->kernel_apply != NULL;
	case ASSAY_MICRO_BEFORE:
	case ASSAY_MICRO_AFTER:
		return p->ways != NULL && p->apply != NULL;
	case ASSAY_MICRO_PROGRAM:
		return p->run != NULL;
	}
	return false;
}

static enum status
convert(const struct assay_micro_pass *from, struct pass *to, struct fault *why)
{
	if (from->version != ASSAY_MICRO_VERSION)
		return fault_set(why, ST_BAD_SPEC, "a pass of version %u: this is %u",
		    from->version, ASSAY_MICRO_VERSION);
	if (from->name == NULL || from->text == NULL)
		return fault_set(why, ST_BAD_SPEC, "a pass without a name or a text");
	if (!has_its_functions(from))
		return fault_at(why, ST_BAD_SPEC, from->name, "the pass lacks a function that its "
		    "kind must have");
	*to = (struct pass){
		.name = from->name, .text = from->text, .kind = kinds[from->kind],
		.gate = from->gate, .kernel_ways = from->kernel_ways,
		.kernel_apply = from->kernel_apply, .ways = from->ways, .apply = from->apply,
		.change = from->run
	};
	return ST_OK;
}

typedef enum status	 place_fn(struct passes *, const char *name, const struct pass *,
			    struct fault *);

static bool
place(struct micro *m, place_fn *how, const char *name, const struct assay_micro_pass *one)
{
	struct fault	why;
	struct pass	pass;
	enum status	st = convert(one, &pass, &why);

	return said(st == ST_OK ? how(m->passes, name, &pass, &why) : st, &why);
}

bool
assay_micro_insert_before(struct micro *m, const char *name, const struct assay_micro_pass *one)
{
	return place(m, passes_insert_before, name, one);
}

bool
assay_micro_insert_after(struct micro *m, const char *name, const struct assay_micro_pass *one)
{
	return place(m, passes_insert_after, name, one);
}

bool
assay_micro_replace(struct micro *m, const char *name, const struct assay_micro_pass *one)
{
	return place(m, passes_replace, name, one);
}

bool
assay_micro_remove(struct micro *m, const char *name)
{
	struct fault	why;

	return said(passes_remove(m->passes, name, &why), &why);
}

bool
assay_micro_move_after(struct micro *m, const char *name, const char *other)
{
	struct fault	why;

	return said(passes_move_after(m->passes, name, other, &why), &why);
}

bool
assay_micro_set_gate(struct micro *m, const char *name, bool (*gate)(const struct micro *))
{
	struct fault	why;

	return said(passes_set_gate(m->passes, name, gate, &why), &why);
}
