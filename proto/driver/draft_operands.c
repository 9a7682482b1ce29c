/* SPDX-License-Identifier: Apache-2.0 */
/* The operands: their own data and static memory, and the descriptions that the runner fills. */
#include "proto/driver/draft.h"
#include "proto/driver/driver.h"

/* As string literals: compilers read those a hundred times faster than lists of numbers. */
static void
put_bytes(struct draft *t, const unsigned char *bytes, size_t n)
{
	enum { A_LINE = 24 };

	for (size_t i = 0; i < n; i++)
		draft(t, "%s\\%03o%s", i % A_LINE == 0 ? "\t\"" : "", bytes[i],
		    i % A_LINE == A_LINE - 1 || i == n - 1 ? "\"\n" : "");
}

static void
put_count(struct draft *t, const struct operand *o)
{
	draft_count_from(t, o, 0);
}

/* A negated copy, if there is one, takes as much again. */
static void
put_home(struct draft *t, size_t arg)
{
	const struct operand	*o = &t->spec->args[arg].operand;
	const size_t		 k = draft_operand(t->spec, arg);

	draft(t, "static char drv_home%zu[RT_HOME_BYTES(2 * sizeof(", k);
	draft_element(t, arg);
	draft(t, ") * ");
	put_count(t, o);
	draft(t, ", %zuu)] __attribute__((aligned(4096)));\n",
	    o->misalign > o->align ? o->misalign : o->align);
}

/* Its part of the bytes that the spec's functions have written (setup.h). */
static void
put_filled(struct draft *t, size_t arg)
{
	const size_t	k = draft_operand(t->spec, arg);
	size_t		before = 0;

	for (size_t i = 0; i < arg; i++)
		if (spec_is_filled(t->spec, i))
			before += spec_filled_bytes(t->spec, i);
	draft(t, "extern const unsigned char drv_data%zu[] "
	    "__attribute__((__visibility__(\"hidden\")));\n"
	    "__asm__(\"\\t.pushsection .rodata\\n\\t.balign 64\\n\\t.globl drv_data%zu\\n\"\n"
	    "    \"drv_data%zu:\\n\\t.incbin \\\"" DRIVER_FILLED "\\\", %zu, %zu\\n"
	    "\\t.popsection\\n\");\n", k, k, k, before, spec_filled_bytes(t->spec, arg));
}

static void
put_operand_data(struct draft *t, size_t arg)
{
	const struct operand	*o = &t->spec->args[arg].operand;
	const size_t		 k = draft_operand(t->spec, arg);

	if (o->record != NULL)
		draft_record(t, o->record, k);
	if (o->init.kind == INIT_VALUE)
		draft(t, "static %s drv_data%zu;\n", ctype_name(o->type), k);
	if (draft_has_rows(t->spec, arg))
		draft_table(t, arg);
	if (o->memory == MEMORY_STATIC)
		put_home(t, arg);
	if (o->init.kind == INIT_FUNCTION)
		put_filled(t, arg);
	if (o->init.kind != INIT_DATA)
		return;
	draft(t, "static const unsigned char drv_data%zu[%zu + 1] =\n", k, o->init.data_bytes);
	put_bytes(t, o->init.data, o->init.data_bytes);
	draft(t, "%s;\n", o->init.data_bytes == 0 ? "\t\"\"" : "");
}

void
draft_data(struct draft *t)
{
	for (size_t i = 0; i < t->spec->routine.nparams; i++)
		if (t->spec->args[i].is_operand)
			put_operand_data(t, i);
	draft(t, "\n");
}

/* What is not said is a plain random number. */
static void
put_random(struct draft *t, const struct init *init)
{
	static const char	orders[ORDER_N] = { 0, 's', 'n', 'r' };

	draft(t, "\t\t.rt_init = 'r', .rt_seed = %lluu, .rt_low = %.17g, .rt_high = %.17g,\n",
	    (unsigned long long)init->seed, init->min, init->max);
	if (init->order != ORDER_RANDOM)
		draft(t, "\t\t.rt_order = '%c', .rt_swaps = %.17g,\n", orders[init->order],
		    init->swaps);
	if (init->distinct != 0)
		draft(t, "\t\t.rt_distinct = %u,\n", init->distinct);
	if (init->density < 1)
		draft(t, "\t\t.rt_zeros = %.17g,\n", 1 - init->density);
}

static void
put_init(struct draft *t, const struct init *init, size_t k, size_t filled_bytes)
{
	switch (init->kind) {
	case INIT_RANDOM:
		put_random(t, init);
		break;
	case INIT_PERMUTATION:
	case INIT_TEXT:
		draft(t, "\t\t.rt_init = '%c', .rt_seed = %lluu,\n",
		    init->kind == INIT_TEXT ? 't' : 'p', (unsigned long long)init->seed);
		break;
	case INIT_VALUE:
		draft(t, "\t\t.rt_init = 'v', .rt_data = &drv_data%zu,\n", k);
		break;
	case INIT_DATA:
	case INIT_FUNCTION:
		draft(t, "\t\t.rt_init = 'd', .rt_data = drv_data%zu, .rt_data_bytes = %zu,\n", k,
		    init->kind == INIT_DATA ? init->data_bytes : filled_bytes);
		break;
	default:
		draft(t, "\t\t.rt_init = 'n',\n");
		break;
	}
}

static void
put_operand(struct draft *t, size_t arg)
{
	const struct operand	*o = &t->spec->args[arg].operand;
	size_t			 k = draft_operand(t->spec, arg);

	if (o->init.kind == INIT_VALUE) {
		draft(t, "\tdrv_data%zu = ", k);
		draft_number(t, o->type, o->init.value, o->init.imaginary);
		draft(t, ";\n");
	}
	draft(t, "\tdrv_operand[%zu] = (struct rt_operand){\n", k);
	draft(t, "\t\t.rt_name = \"%s\", .rt_class = '%c', .rt_bytes = sizeof(",
	    t->spec->routine.params[arg].name, draft_class(o->type));
	draft_element(t, arg);
	draft(t, "), .rt_access = '%c',\n", o->access == ACCESS_IN ? 'i' :
	    o->access == ACCESS_OUT ? 'o' : 'b');
	if (o->record != NULL)
		draft(t, "\t\t.rt_member = drv_member%zu, .rt_members = %zu,\n", k,
		    o->record->nmembers);
	if (spec_is_paired(t->spec, arg))
		draft(t, "\t\t.rt_paired = 1,\n");
	if (o->memory == MEMORY_STATIC)
		draft(t, "\t\t.rt_home = drv_home%zu, .rt_home_bytes = sizeof drv_home%zu,\n", k,
		    k);
	if (o->pages != PAGES_AUTO)
		draft(t, "\t\t.rt_pages = '%c',\n", o->pages == PAGES_HUGE ? 'h' : 's');
	draft(t, "\t\t.rt_count = ");
	put_count(t, o);
	draft(t, ",\n\t\t.rt_stride = %zu, .rt_align = %zu, .rt_misalign = %zu,\n", o->stride,
	    o->align, o->misalign);
	if (o->offset != 0)
		draft(t, "\t\t.rt_offset = %zu,\n", o->offset);
	put_init(t, &o->init, k, spec_filled_bytes(t->spec, arg));
	draft(t, "\t};\n");
}

void
draft_describe(struct draft *t)
{
	draft(t, "/* The operands, as large as the params make them. */\n"
	    "static void\ndrv_describe(void)\n{\n");
	for (size_t i = 0; i < t->spec->routine.nparams; i++)
		if (t->spec->args[i].is_operand)
			put_operand(t, i);
	draft(t, "}\n\n");
}
