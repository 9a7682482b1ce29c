/* SPDX-License-Identifier: Apache-2.0 */
/* spec.c: what the timer has to know of a spec beside its driver (worker/runner/alone/alone.h). */
#include <ctype.h>
#include <string.h>

#include "client/driver/package.h"

/* A string literal. */
static void
put_string(struct draft *t, const char *s)
{
	draft(t, "\"");
	for (; *s != '\0'; s++)
		draft(t, isalnum((unsigned char)*s) || strchr(" _-+=.,:/()", *s) != NULL ? "%c" :
		    "\\%03o", (unsigned char)*s);
	draft(t, "\"");
}

static void
put_operands(struct draft *t)
{
	draft(t, "/* Of each operand: is it cold, is it checked, its NUMA node. */\n"
	    "const struct rt_alone_operand rt_alone_operand[] = {\n");
	for (size_t i = 0; i < t->spec->routine.nparams; i++) {
		const struct operand	*o = &t->spec->args[i].operand;

		if (t->spec->args[i].is_operand)
			draft(t, "\t{ %d, %d, %d },\t/* %zu */\n", o->cache == CACHE_COLD,
			    o->checked, o->home == HOME_NUMBER ? (int)o->node : -1,
			    draft_operand(t->spec, i));
	}
	draft(t, "\t{ 0, 0, -1 }\n};\n\n");
}

static void
put_variants(struct draft *t, const struct package *p)
{
	char	folder[PACKAGE_FOLDER_BYTES];

	draft(t, "const struct rt_alone_variant rt_alone_variant[] = {\n");
	for (size_t i = 0; i < p->n; i++) {
		const char	*name = p->jobs[i].variant.name;

		package_folder(i, folder);
		draft(t, "\t{ ");
		put_string(t, name[0] != '\0' ? name : folder);
		draft(t, ", \"./%s.so\" },\n", folder);
	}
	draft(t, "\t{ 0, 0 }\n};\n\n");
}

static void
put_member(struct draft *t, const char *member, double value)
{
	draft(t, "\trt_to->%s = %.17g;\n", member, value);
}

static void
put_description(struct draft *t)
{
	const struct spec	*s = t->spec;
	const bool		 by_reading = s->context == CONTEXT_FLUSH_BYTES ||
				    s->timing.method == FLUSH_ONE_CALL_LRU ||
				    s->timing.flush_bytes != 0;

	draft(t, "void\nrt_alone_describe(struct rt_alone *rt_to)\n{\n");
	if (s->flops != NULL) {
		draft(t, "\trt_to->rt_flops = (double)(");
		draft_expr(t, s->flops);
		draft(t, ");\n");
	}
	put_member(t, "rt_rtol", s->check.rtol);
	put_member(t, "rt_atol", s->check.atol);
	draft(t, "\trt_to->rt_samples = %u;\n\trt_to->rt_calls = %u;\n", s->timing.samples,
	    s->timing.calls);
	draft(t, "\trt_to->rt_by_reading = %d;\n\trt_to->rt_flush_bytes = %lluu;\n", by_reading,
	    (unsigned long long)(s->context == CONTEXT_FLUSH_BYTES ? s->context_flush_bytes :
	    s->timing.flush_bytes));
	draft(t, "\trt_to->rt_restores = %d;\n\trt_to->rt_reference = %s;\n}\n",
	    spec_restores(s), s->check.present ? "\"./reference.so\"" : "0");
}

void
spec_text(struct draft *t, const struct package *p)
{
	draft(t, "/* What the spec of %s says beside the driver.  Written by Assay. */\n"
	    "#include \"alone.h\"\n\n", t->spec->routine.name);
	put_operands(t);
	put_variants(t, p);
	put_description(t);
}
