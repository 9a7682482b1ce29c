/* SPDX-License-Identifier: Apache-2.0 */
/* tests/data/driver_gemm.c is a driver. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include "proto/base/name.h"
#include "proto/driver/draft.h"
#include "proto/driver/driver.h"
#include "proto/driver/mangle.h"

/* The bytes of rt.h, as they are in the tree. */
__asm__(
    "	.section .rodata\n"
    "	.global rt_header\n"
    "	.type rt_header, %object\n"
    "rt_header:\n"
    "	.incbin \"worker/runner/sample/rt.h\"\n"
    "	.byte 0\n"
    "	.size rt_header, . - rt_header\n"
    "	.previous\n");

bool
driver_has_cycle_clock(void)
{
#if defined(__x86_64__) || defined(__i386__)
	unsigned	a, b, c, d;

	return __get_cpuid(0x80000007u, &a, &b, &c, &d) && (d & 1u << 8);	/* invariant TSC */
#elif defined(__aarch64__)
	return true;
#else
	return false;
#endif
}

enum clock_kind
driver_clock(enum clock_kind asked)
{
	if (asked != CLK_AUTO)
		return asked;
	return driver_has_cycle_clock() ? CLK_CYCLE : CLK_WALL;
}

/* Of the params those that the driver depends on. */
static void
put_params(struct draft *t)
{
	const size_t	bytes = strlen(t->body);
	bool		any = false;

	for (size_t i = 0; i < t->spec->nparams; i++) {
		const char	*name = t->spec->params[i].name;

		if (!name_is_in(name, t->body, bytes))
			continue;
		draft(t, "#ifndef %s\n#error \"%s is not defined\"\n#endif\n", name, name);
		any = true;
	}
	if (any)
		draft(t, "\n");
}

static void
put_types(struct draft *t)
{
	const struct prototype	*r = &t->spec->routine;

	draft(t, "typedef %s drv_routine(", ctype_name(r->result));
	draft_list(t, draft_param_type);
	draft(t, "%s);\n\n", r->nparams == 0 ? "void" : "");
	if (draft_operands(t->spec) > 0)
		draft(t, "static struct rt_operand drv_operand[%zu];\n", draft_operands(t->spec));
	if (r->result != CTYPE_VOID)
		draft(t, "static volatile %s drv_result;\n", ctype_name(r->result));
	if (draft_turns(t->spec))
		draft(t, "static rt_u64 drv_turn;\n");
}

static void
put_other_names(struct draft *t)
{
	char	name[MANGLE_BYTES];

	mangle_cxx(&t->spec->routine, name);
	if (name[0] != '\0')
		draft(t, "\t.rt_cxx = \"%s\",\n", name);
	mangle_fortran(&t->spec->routine, name);
	if (name[0] != '\0')
		draft(t, "\t.rt_fortran = \"%s\",\n", name);
}

static void
put_export(struct draft *t)
{
	const struct prototype	*r = &t->spec->routine;
	size_t			 n = draft_operands(t->spec);

	draft(t, "const struct rt_driver assay_driver = {\n");
	draft(t, "\t.rt_abi = RT_ABI, .rt_routine = \"%s\", .rt_clock = \"%s\",\n",
	    r->name, t->clock);
	put_other_names(t);
	if (n > 0)
		draft(t, "\t.rt_operands = %zu, .rt_operand = drv_operand,\n", n);
	if (r->result != CTYPE_VOID)
		draft(t, "\t.rt_result = &drv_result, .rt_result_bytes = sizeof drv_result, "
		    ".rt_result_class = '%c',\n", draft_class(r->result));
	if (draft_turns(t->spec))
		draft(t, "\t.rt_turn = &drv_turn,\n");
	if (t->spec->checkpoint != NULL)
		draft(t, "\t.rt_checkpoint = 1,\n");
	draft(t, "\t.rt_empty = (rt_code *)drv_empty, .rt_describe = drv_describe, "
	    ".rt_call = drv_call,\n\t.rt_repeat = drv_repeat,%s\n};\n",
	    n > 0 ? " .rt_rotate = drv_rotate, .rt_stroll = drv_stroll,\n\t"
	    ".rt_witness = (rt_code *)drv_witness," : "");
}

static void
put_whole(struct draft *t)
{
	draft(t, "/* The timing driver of %s; the params come as macros.  Written by Assay. */\n"
	    "#include \"rt.h\"\n\n", t->spec->routine.name);
	put_params(t);
	draft(t, "%s", t->body);
}

static void
put_body(struct draft *t)
{
	put_types(t);
	draft_data(t);
	draft_describe(t);
	draft_empty(t);
	if (t->spec->checkpoint != NULL) {
		draft_image(t);
	} else {
		draft_call(t);
		draft_repeat(t);
	}
	if (draft_operands(t->spec) > 0) {
		draft_witness(t);
		draft_rotate(t, "rotate", true);
		draft_rotate(t, "stroll", t->spec->timing.serialised);
	}
	put_export(t);
}

static enum status
put_out(struct draft *t, void (*put)(struct draft *), char **text, struct fault *why)
{
	size_t	bytes;
	bool	bad;

	if ((t->out = open_memstream(text, &bytes)) == NULL)
		return fault_set(why, ST_NOMEM, "driver");
	put(t);
	bad = t->no_memory || ferror(t->out) != 0;
	if (fclose(t->out) != 0 || bad) {
		free(*text);
		*text = NULL;
		return fault_set(why, ST_NOMEM, "driver");
	}
	return ST_OK;
}

enum status
driver_generate(const struct spec *spec, char **text, struct fault *why)
{
	struct draft	 t = { .spec = spec };
	enum clock_kind	 clock = driver_clock(spec->timing.clock);
	char		*body = NULL;
	enum status	 st;

	*text = NULL;
	if (clock == CLK_CYCLE && !driver_has_cycle_clock())
		return fault_at(why, ST_BAD_SPEC, "spec.timing.clock",
		    "this machine has no cycle counter that runs at a constant rate");
	t.clock = clock == CLK_CYCLE ? "cycle" : clock == CLK_CPU ? "cpu" : "wall";

	if ((st = put_out(&t, put_body, &body, why)) != ST_OK)
		return st;
	t.body = body;
	st = put_out(&t, put_whole, text, why);
	free(body);
	return st;
}
