/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tests/data/driver_gemm.c is a driver.  Identifiers of ours begin with drv_ or rt_, because a
 * param may be a macro of any other name.  For the same reason the names of the routine and its
 * arguments appear in strings only.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include "worker/build/driver.h"
#include "worker/build/mangle.h"

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

struct driver_text {
	FILE			*out;		/* owned */
	const struct spec	*spec;		/* borrowed */
	const char		*clock;		/* "cycle", "wall" or "cpu" */
	bool			 no_memory;
};

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

static void put(struct driver_text *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void
put(struct driver_text *t, const char *fmt, ...)
{
	va_list	ap;

	va_start(ap, fmt);
	vfprintf(t->out, fmt, ap);
	va_end(ap);
}

/*
 * Names become (NAME + 0LL): so an integer param is a long long, as in expr_eval, and a real one
 * stays a double.  Numbers may contain letters; functions begin with rt_.
 */
static void
put_names_widened(struct driver_text *t, const char *c)
{
	while (*c != '\0') {
		size_t	n = strspn(c,
			    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789.");

		if (n == 0)
			put(t, "%c", *c++);
		else if (isdigit((unsigned char)*c) || *c == '.' || strncmp(c, "rt_", 3) == 0)
			put(t, "%.*s", (int)n, c);
		else
			put(t, "(%.*s + 0LL)", (int)n, c);
		c += n;
	}
}

static void
put_expr(struct driver_text *t, const struct expr *e)
{
	size_t	 bytes = expr_put_c(e, NULL, 0) + 1;
	char	*text = malloc(bytes);

	if (text == NULL) {
		t->no_memory = true;
		return;
	}
	expr_put_c(e, text, bytes);
	put_names_widened(t, text);
	free(text);
}

/* A complex type's parts have this type; other types are their own. */
static const char *
real_name(enum ctype type)
{
	return ctype_name(type == CTYPE_CFLOAT ? CTYPE_FLOAT : type == CTYPE_CDOUBLE ?
	    CTYPE_DOUBLE : type);
}

/* A value of this type; a product with the unit would spoil infinities and signs of zeros. */
static void
put_number(struct driver_text *t, enum ctype type, const struct expr *real,
    const struct expr *imaginary)
{
	if (imaginary == NULL) {
		put(t, "(%s)", ctype_name(type));
		put_expr(t, real);
		return;
	}
	put(t, "__builtin_complex((%s)", real_name(type));
	put_expr(t, real);
	put(t, ", (%s)", real_name(type));
	put_expr(t, imaginary);
	put(t, ")");
}

/* The driver's number of the operand that argument `arg` is. */
static size_t
operand_number(const struct spec *s, size_t arg)
{
	size_t	n = 0;

	for (size_t i = 0; i < arg; i++)
		n += s->args[i].is_operand;
	return n;
}

static size_t
operand_count(const struct spec *s)
{
	return operand_number(s, s->routine.nparams);
}

static char
element_class(enum ctype type)
{
	return type == CTYPE_BOOL ? 'b' : ctype_class(type);
}

/* ---- RangeGuard (section 5.2): a sign that changes with every call or traversal ---- */

/* The type of an operand's elements, as the driver calls it. */
static void
put_element(struct driver_text *t, size_t arg)
{
	const struct operand	*o = &t->spec->args[arg].operand;

	if (o->record != NULL)
		put(t, "struct drv_record%zu", operand_number(t->spec, arg));
	else
		put(t, "%s", ctype_name(o->type));
}

static bool
is_turned_scalar(const struct spec *s, size_t arg)
{
	return s->timing.guard == GUARD_ALTERNATE && s->timing.guard_arg == arg;
}

static bool
sums_results(const struct spec *s)
{
	return is_turned_scalar(s, SPEC_RETURN);
}

static bool
turns(const struct spec *s)
{
	return s->timing.guard == GUARD_ALTERNATE || s->timing.guard == GUARD_PAIR;
}

static void
put_params(struct driver_text *t)
{
	for (size_t i = 0; i < t->spec->nparams; i++) {
		const char	*name = t->spec->params[i].name;

		put(t, "#ifndef %s\n#error \"%s is not defined\"\n#endif\n", name, name);
	}
	if (t->spec->nparams > 0)
		put(t, "\n");
}

static void
put_param_type(struct driver_text *t, size_t i)
{
	const struct proto_param	*p = &t->spec->routine.params[i];

	put(t, "%s%s%s", p->is_const && p->is_pointer && !p->is_rows ? "const " : "",
	    p->type == CTYPE_STRUCT ? "void" : ctype_name(p->type), p->is_rows ? " **" :
	    p->is_pointer ? " *" : "");
}

static void
put_list(struct driver_text *t, void (*each)(struct driver_text *, size_t))
{
	for (size_t i = 0; i < t->spec->routine.nparams; i++) {
		if (i > 0)
			put(t, ", ");
		each(t, i);
	}
}

static void
put_types(struct driver_text *t)
{
	const struct prototype	*r = &t->spec->routine;

	put(t, "typedef %s drv_routine(", ctype_name(r->result));
	put_list(t, put_param_type);
	put(t, "%s);\n\n", r->nparams == 0 ? "void" : "");
	if (operand_count(t->spec) > 0)
		put(t, "static struct rt_operand drv_operand[%zu];\n", operand_count(t->spec));
	if (r->result != CTYPE_VOID)
		put(t, "static volatile %s drv_result;\n", ctype_name(r->result));
	if (turns(t->spec))
		put(t, "static rt_u64 drv_turn;\n");
}

/* As string literals: compilers read those a hundred times faster than lists of numbers. */
static void
put_bytes(struct driver_text *t, const unsigned char *bytes, size_t n)
{
	enum { A_LINE = 24 };

	for (size_t i = 0; i < n; i++)
		put(t, "%s\\%03o%s", i % A_LINE == 0 ? "\t\"" : "", bytes[i],
		    i % A_LINE == A_LINE - 1 || i == n - 1 ? "\"\n" : "");
}

static void
put_count_from(struct driver_text *t, const struct operand *o, size_t first)
{
	for (size_t d = first; d < o->ndims; d++) {
		put(t, "%s(rt_u64)", d > first ? " * " : "");
		put_expr(t, o->dims[d]);
	}
}

static void
put_count(struct driver_text *t, const struct operand *o)
{
	put_count_from(t, o, 0);
}

/* A negated copy, if there is one, takes as much again. */
static void
put_home(struct driver_text *t, size_t arg)
{
	const struct operand	*o = &t->spec->args[arg].operand;
	const size_t		 k = operand_number(t->spec, arg);

	put(t, "static char drv_home%zu[RT_HOME_BYTES(2 * sizeof(", k);
	put_element(t, arg);
	put(t, ") * ");
	put_count(t, o);
	put(t, ", %zuu)] __attribute__((aligned(4096)));\n",
	    o->misalign > o->align ? o->misalign : o->align);
}

/* ---- structs: the compiler lays them out; it must agree with the decoder ---- */

static void
put_record_type(struct driver_text *t, const struct record *r, size_t k)
{
	put(t, "struct drv_record%zu {\n", k);
	for (size_t m = 0; m < r->nmembers; m++) {
		put(t, "\t%s drv_m%zu", ctype_name(r->member[m].type), m);
		if (r->member[m].count > 1)
			put(t, "[%zu]", r->member[m].count);
		put(t, ";\n");
	}
	put(t, "};\n_Static_assert(sizeof(struct drv_record%zu) == %zu, \"size\");\n", k, r->bytes);
}

static void
put_member(struct driver_text *t, const struct record_member *m, size_t k, size_t place)
{
	double	min, max;

	spec_random_range(m->type, &min, &max);
	put(t, "\t{ .rt_class = '%c', .rt_bytes = %zu, .rt_count = %zu, .rt_low = %.17g, "
	    ".rt_high = %.17g,\n\t\t.rt_offset = __builtin_offsetof(struct drv_record%zu, "
	    "drv_m%zu) },\n", element_class(m->type), ctype_bytes(m->type), m->count, min, max, k,
	    place);
}

static void
put_record(struct driver_text *t, const struct record *r, size_t k)
{
	put_record_type(t, r, k);
	put(t, "static const struct rt_member drv_member%zu[] = {\n", k);
	for (size_t m = 0; m < r->nmembers; m++)
		put_member(t, &r->member[m], k, m);
	put(t, "};\n");
}

/* ---- rows of pointers: a table for each working set, laid before the clock starts ---- */

static bool
has_rows(const struct spec *s, size_t arg)
{
	return s->args[arg].is_operand && s->routine.params[arg].is_rows;
}

/* The routine may change its pointers, so they are laid anew each time. */
static void
put_table(struct driver_text *t, size_t arg)
{
	const struct operand	*o = &t->spec->args[arg].operand;
	const size_t		 k = operand_number(t->spec, arg);

	put(t, "static void **drv_rows%zu;\nstatic rt_u64 drv_tables%zu;\n\nstatic void\n"
	    "drv_lay%zu(char *drv_from, rt_u64 drv_set)\n{\n\tconst rt_u64 drv_count = (rt_u64)",
	    k, k, k);
	put_expr(t, o->dims[0]);
	put(t, ";\n\tconst rt_u64 drv_bytes = sizeof(");
	put_element(t, arg);
	put(t, ") * ");
	put_count_from(t, o, 1);
	put(t, ";\n\n\tif (drv_set >= drv_tables%zu) {\n\t\tdrv_tables%zu = 2 * drv_set + 1;\n"
	    "\t\tdrv_rows%zu = __builtin_realloc(drv_rows%zu,\n"
	    "\t\t    drv_tables%zu * drv_count * sizeof(void *));\n"
	    "\t\tif (drv_rows%zu == 0)\n\t\t\t__builtin_trap();\n\t}\n", k, k, k, k, k, k);
	put(t, "\tfor (rt_u64 drv_n = 0; drv_n < drv_count; drv_n++)\n"
	    "\t\tdrv_rows%zu[drv_set * drv_count + drv_n] = drv_from + drv_n * drv_bytes;\n"
	    "}\n\n", k);
}

/* Before a call on one working set. */
static void
put_lay(struct driver_text *t)
{
	for (size_t i = 0; i < t->spec->routine.nparams; i++)
		if (has_rows(t->spec, i))
			put(t, "\tdrv_lay%zu(drv_at[%zu], 0);\n", operand_number(t->spec, i),
			    operand_number(t->spec, i));
}

/* Before calls on many.  A table moves while more are made. */
static void
put_lay_walk(struct driver_text *t)
{
	for (size_t i = 0; i < t->spec->routine.nparams; i++) {
		const size_t	k = operand_number(t->spec, i);

		if (!has_rows(t->spec, i))
			continue;
		put(t, "\tfor (rt_u64 drv_n = 0; drv_n < drv_calls; drv_n++)\n"
		    "\t\tdrv_lay%zu((char *)drv_at[%zu] + drv_walk[drv_n]%s * drv_step[%zu],\n"
		    "\t\t    drv_walk[drv_n]%s);\n", k, k, turns(t->spec) ? " % RT_TURNED" : "", k,
		    turns(t->spec) ? " % RT_TURNED" : "");
	}
}

static void
put_operand_data(struct driver_text *t, size_t arg)
{
	const struct operand	*o = &t->spec->args[arg].operand;
	const size_t		 k = operand_number(t->spec, arg);

	if (o->record != NULL)
		put_record(t, o->record, k);
	if (o->init.kind == INIT_VALUE)
		put(t, "static %s drv_data%zu;\n", ctype_name(o->type), k);
	if (has_rows(t->spec, arg))
		put_table(t, arg);
	if (o->memory == MEMORY_STATIC)
		put_home(t, arg);
	if (o->init.kind != INIT_DATA)
		return;
	put(t, "static const unsigned char drv_data%zu[%zu + 1] =\n", k, o->init.data_bytes);
	put_bytes(t, o->init.data, o->init.data_bytes);
	put(t, "%s;\n", o->init.data_bytes == 0 ? "\t\"\"" : "");
}

static void
put_data(struct driver_text *t)
{
	for (size_t i = 0; i < t->spec->routine.nparams; i++)
		if (t->spec->args[i].is_operand)
			put_operand_data(t, i);
	put(t, "\n");
}

/* What is not said is a plain random number. */
static void
put_random(struct driver_text *t, const struct init *init)
{
	static const char	orders[ORDER_N] = { 0, 's', 'n', 'r' };

	put(t, "\t\t.rt_init = 'r', .rt_seed = %lluu, .rt_low = %.17g, .rt_high = %.17g,\n",
	    (unsigned long long)init->seed, init->min, init->max);
	if (init->order != ORDER_RANDOM)
		put(t, "\t\t.rt_order = '%c', .rt_swaps = %.17g,\n", orders[init->order],
		    init->swaps);
	if (init->distinct != 0)
		put(t, "\t\t.rt_distinct = %u,\n", init->distinct);
	if (init->density < 1)
		put(t, "\t\t.rt_zeros = %.17g,\n", 1 - init->density);
}

static void
put_init(struct driver_text *t, const struct init *init, size_t k)
{
	switch (init->kind) {
	case INIT_RANDOM:
		put_random(t, init);
		break;
	case INIT_PERMUTATION:
	case INIT_TEXT:
		put(t, "\t\t.rt_init = '%c', .rt_seed = %lluu,\n",
		    init->kind == INIT_TEXT ? 't' : 'p', (unsigned long long)init->seed);
		break;
	case INIT_VALUE:
		put(t, "\t\t.rt_init = 'v', .rt_data = &drv_data%zu,\n", k);
		break;
	case INIT_DATA:
		put(t, "\t\t.rt_init = 'd', .rt_data = drv_data%zu, .rt_data_bytes = %zu,\n", k,
		    init->data_bytes);
		break;
	default:
		put(t, "\t\t.rt_init = 'n',\n");
		break;
	}
}

static void
put_operand(struct driver_text *t, size_t arg)
{
	const struct operand	*o = &t->spec->args[arg].operand;
	size_t			 k = operand_number(t->spec, arg);

	if (o->init.kind == INIT_VALUE) {
		put(t, "\tdrv_data%zu = ", k);
		put_number(t, o->type, o->init.value, o->init.imaginary);
		put(t, ";\n");
	}
	put(t, "\tdrv_operand[%zu] = (struct rt_operand){\n", k);
	put(t, "\t\t.rt_name = \"%s\", .rt_class = '%c', .rt_bytes = sizeof(",
	    t->spec->routine.params[arg].name, element_class(o->type));
	put_element(t, arg);
	put(t, "), .rt_access = '%c',\n", o->access == ACCESS_IN ? 'i' :
	    o->access == ACCESS_OUT ? 'o' : 'b');
	if (o->record != NULL)
		put(t, "\t\t.rt_member = drv_member%zu, .rt_members = %zu,\n", k,
		    o->record->nmembers);
	if (spec_is_paired(t->spec, arg))
		put(t, "\t\t.rt_paired = 1,\n");
	if (o->memory == MEMORY_STATIC)
		put(t, "\t\t.rt_home = drv_home%zu, .rt_home_bytes = sizeof drv_home%zu,\n", k, k);
	if (o->pages != PAGES_AUTO)
		put(t, "\t\t.rt_pages = '%c',\n", o->pages == PAGES_HUGE ? 'h' : 's');
	put(t, "\t\t.rt_count = ");
	put_count(t, o);
	put(t, ",\n\t\t.rt_stride = %zu, .rt_align = %zu, .rt_misalign = %zu,\n", o->stride,
	    o->align, o->misalign);
	if (o->offset != 0)
		put(t, "\t\t.rt_offset = %zu,\n", o->offset);
	put_init(t, &o->init, k);
	put(t, "\t};\n");
}

static void
put_describe(struct driver_text *t)
{
	put(t, "/* The operands, as large as the params make them. */\n"
	    "static void\ndrv_describe(void)\n{\n");
	for (size_t i = 0; i < t->spec->routine.nparams; i++)
		if (t->spec->args[i].is_operand)
			put_operand(t, i);
	put(t, "}\n\n");
}

static void
put_empty_param(struct driver_text *t, size_t i)
{
	put_param_type(t, i);
	put(t, "%sdrv_a%zu", t->spec->routine.params[i].is_pointer ? "" : " ", i);
}

/* It is called through a pointer like the routine, so its time is the cost of calling. */
static void
put_empty(struct driver_text *t)
{
	const struct prototype	*r = &t->spec->routine;

	put(t, "static __attribute__((noinline)) %s\ndrv_empty(", ctype_name(r->result));
	put_list(t, put_empty_param);
	put(t, "%s)\n{\n", r->nparams == 0 ? "void" : "");
	for (size_t i = 0; i < r->nparams; i++)
		put(t, "\t(void)drv_a%zu;\n", i);
	put(t, "\t__asm__ volatile(\"\" ::: \"memory\");\n%s}\n\n", r->result == CTYPE_VOID ? "" :
	    "\treturn 0;\n");
}

/* It takes the routine's place before a walk and reports the working sets of the calls. */
static void
put_witness(struct driver_text *t)
{
	const struct prototype	*r = &t->spec->routine;

	put(t, "/* Reports the operands that it is called with. */\n"
	    "static __attribute__((noinline)) %s\ndrv_witness(", ctype_name(r->result));
	put_list(t, put_empty_param);
	put(t, ")\n{\n");
	for (size_t i = 0; i < r->nparams; i++)
		if (t->spec->args[i].is_operand)
			put(t, "\trt_saw(%zu, (const void *)%sdrv_a%zu);\n",
			    operand_number(t->spec, i), has_rows(t->spec, i) ? "*" : "", i);
		else
			put(t, "\t(void)drv_a%zu;\n", i);
	put(t, "%s}\n\n", r->result == CTYPE_VOID ? "" : "\treturn 0;\n");
}

/* The argument that has the memory to which argument i points. */
static size_t
owner_of(const struct spec *s, size_t i)
{
	return s->args[i].is_shared ? s->args[i].shared.of : i;
}

static bool
has_memory(const struct spec *s, size_t i)
{
	return s->args[owner_of(s, i)].is_operand;
}

/* GNU C counts void pointers in bytes; the prototype converts them to the routine's types. */
static void
put_place(struct driver_text *t, size_t i)
{
	const size_t		 owner = owner_of(t->spec, i);
	const struct expr	*from = t->spec->args[i].shared.from;

	put(t, "drv_at[%zu]", operand_number(t->spec, owner));
	if (from == NULL)
		return;
	put(t, " + (rt_u64)");
	put_expr(t, from);
	put(t, " * sizeof(");
	put_element(t, owner);
	put(t, ")");
}

static void
put_scalar(struct driver_text *t, size_t i)
{
	put_number(t, t->spec->routine.params[i].type, t->spec->args[i].scalar,
	    t->spec->args[i].imaginary);
}

static void
put_call_arg(struct driver_text *t, size_t i)
{
	if (t->spec->args[i].is_null)
		put(t, "0");
	else if (has_rows(t->spec, i))
		put(t, "(void *)drv_rows%zu", operand_number(t->spec, i));
	else if (has_memory(t->spec, i))
		put_place(t, i);
	else
		put_scalar(t, i);
}

static const char *
keep(const struct driver_text *t)
{
	return t->spec->routine.result == CTYPE_VOID ? "" : "drv_result = ";
}

static void
put_call(struct driver_text *t)
{
	put(t, "static void\ndrv_call(rt_code *drv_code, void *const *drv_at)\n{\n");
	if (operand_count(t->spec) == 0)
		put(t, "\t(void)drv_at;\n");
	put_lay(t);
	put(t, "\t%s((drv_routine *)drv_code)(", keep(t));
	put_list(t, put_call_arg);
	put(t, ");\n}\n\n");
}

/* Scalars are computed before the clock starts. */
static void
put_timed_scalar(struct driver_text *t, size_t i)
{
	const char	*type = ctype_name(t->spec->routine.params[i].type);

	if (!is_turned_scalar(t->spec, i)) {
		put(t, "\tconst %s drv_a%zu = ", type, i);
		put_scalar(t, i);
		put(t, ";\n");
		return;
	}
	put(t, "\tconst %s drv_a%zu[2] = { ", type, i);
	put_scalar(t, i);
	put(t, ", -");
	put_scalar(t, i);
	put(t, " };\n");
}

static void
put_timed_scalars(struct driver_text *t)
{
	put(t, "\tdrv_routine *const drv_go = (drv_routine *)drv_code;\n");
	for (size_t i = 0; i < t->spec->routine.nparams; i++)
		if (t->spec->args[i].scalar != NULL)
			put_timed_scalar(t, i);
	if (sums_results(t->spec))
		put(t, "\tconst %s drv_sign[2] = { 1, -1 };\n\t%s drv_sum = 0;\n",
		    real_name(t->spec->routine.result), ctype_name(t->spec->routine.result));
}

/* Pointer i; of an operand with a negated copy, both. */
static void
put_timed_pointer(struct driver_text *t, size_t i)
{
	if (spec_is_paired(t->spec, i)) {
		put(t, "\tvoid *const drv_a%zu[2] = { drv_at[%zu], drv_at[%zu] };\n", i,
		    operand_number(t->spec, i), operand_count(t->spec));
		return;
	}
	put(t, "\tvoid *const drv_a%zu = ", i);
	put_call_arg(t, i);
	put(t, ";\n");
}

/* From one set's operand, or its table of rows, to the next. */
static void
put_step(struct driver_text *t, size_t i)
{
	put(t, "\tconst rt_u64 drv_step%zu = ", i);
	if (has_rows(t->spec, i)) {
		put(t, "sizeof(void *) * (rt_u64)");
		put_expr(t, t->spec->args[i].operand.dims[0]);
		put(t, ";\n");
		return;
	}
	put(t, "drv_step[%zu];\n", operand_number(t->spec, i));
}

static void
put_timed_pointers(struct driver_text *t, bool with_steps)
{
	for (size_t i = 0; i < t->spec->routine.nparams; i++) {
		if (!t->spec->routine.params[i].is_pointer)
			continue;
		put_timed_pointer(t, i);
		if (with_steps && t->spec->args[i].is_operand)
			put_step(t, i);
	}
}

static void
put_repeat_arg(struct driver_text *t, size_t i)
{
	put(t, "drv_a%zu%s", i, is_turned_scalar(t->spec, i) || spec_is_paired(t->spec, i) ?
	    "[drv_odd]" : "");
}

/* "drv_result = drv_go(…);" */
static void
put_timed_call(struct driver_text *t, void (*each)(struct driver_text *, size_t))
{
	put(t, "%sdrv_go(", sums_results(t->spec) ? "drv_sum += drv_sign[drv_odd] * " : keep(t));
	put_list(t, each);
	put(t, ");\n");
}

/*
 * Without a fence the calls of a region overlap: a core begins the next one while this one's last
 * results are under way.
 */
static void
put_repeat_calls(struct driver_text *t)
{
	const bool	turned = turns(t->spec), serialised = t->spec->timing.serialised;

	put(t, "\tfor (rt_u64 drv_n = 0; drv_n < drv_calls; drv_n++%s)%s\n\t\t",
	    turned ? ", drv_odd ^= 1" : "", serialised ? " {" : "");
	put_timed_call(t, put_repeat_arg);
	if (serialised)
		put(t, "\t\trt_fence();\n\t}\n");
}

/* A sum of results is stored after the clock has stopped. */
static void
put_timed_end(struct driver_text *t)
{
	if (!sums_results(t->spec)) {
		put(t, "\treturn rt_%s_stop() - drv_start;\n}\n\n", t->clock);
		return;
	}
	put(t, "\tconst rt_u64 drv_ticks = rt_%s_stop() - drv_start;\n\n\tdrv_result = drv_sum;\n"
	    "\treturn drv_ticks;\n}\n\n", t->clock);
}

static void
put_repeat(struct driver_text *t)
{
	put(t, "/* One sample: all calls on the same operands. */\nstatic rt_u64\n"
	    "drv_repeat(rt_code *drv_code, void *const *drv_at, rt_u64 drv_calls)\n{\n");
	put_lay(t);
	put_timed_scalars(t);
	put_timed_pointers(t, false);
	if (operand_count(t->spec) == 0)
		put(t, "\t(void)drv_at;\n");
	if (turns(t->spec))
		put(t, "\trt_u64 drv_odd = drv_turn;\n");
	put(t, "\tconst rt_u64 drv_start = rt_%s_start();\n\n", t->clock);
	put_repeat_calls(t);
	put_timed_end(t);
}

/* ---- checkpoint images make the calls (automated timer generation, section 3.2) ---- */

static void
put_given_arg(struct driver_text *t, size_t i)
{
	put(t, "drv_a%zu", i);
}

static void
put_nothing(struct driver_text *t, size_t i)
{
	(void)i;
	put(t, "0");
}

/*
 * The image calls this in the routine's place.  Clock readings enclose the call alone; the last
 * call counts.
 */
static void
put_between(struct driver_text *t)
{
	const struct prototype	*r = &t->spec->routine;
	const bool		 returns = r->result != CTYPE_VOID;

	put(t, "static drv_routine *drv_go;\nstatic rt_u64 drv_ticks;\n\n"
	    "/* The image calls this.  All of it but the call is outside of the time. */\n"
	    "static __attribute__((noinline)) %s\ndrv_between(", ctype_name(r->result));
	put_list(t, put_empty_param);
	put(t, "%s)\n{\n\tdrv_routine *const drv_code = drv_go;\n\n\trt_image_in();\n",
	    r->nparams == 0 ? "void" : "");
	put(t, "\tconst rt_u64 drv_start = rt_%s_start();\n\n\t", t->clock);
	if (returns)
		put(t, "const %s drv_given = ", ctype_name(r->result));
	put(t, "drv_code(");
	put_list(t, put_given_arg);
	put(t, ");\n\tdrv_ticks = rt_%s_stop() - drv_start;\n", t->clock);
	if (returns)
		put(t, "\tdrv_result = drv_given;\n");
	put(t, "\trt_image_out(%s);\n%s}\n\n", returns ? "&drv_result, sizeof drv_result" : "0, 0",
	    returns ? "\treturn drv_given;\n" : "");
}

/* The empty routine is timed without the image, which would take another path after it. */
static void
put_image_repeat(struct driver_text *t)
{
	put(t, "static rt_u64\n"
	    "drv_repeat(rt_code *drv_code, void *const *drv_at, rt_u64 drv_calls)\n{\n"
	    "\t(void)drv_at;\n\t(void)drv_calls;\n\tdrv_go = (drv_routine *)drv_code;\n"
	    "\tif (drv_go != drv_empty) {\n"
	    "\t\trt_image_run(drv_code, (rt_code *)drv_between);\n\t\treturn drv_ticks;\n\t}\n"
	    "\tconst rt_u64 drv_start = rt_%s_start();\n\n\t%sdrv_go(", t->clock, keep(t));
	put_list(t, put_nothing);
	put(t, ");\n\treturn rt_%s_stop() - drv_start;\n}\n\n", t->clock);
	put(t, "static void\ndrv_call(rt_code *drv_code, void *const *drv_at)\n{\n"
	    "\tdrv_repeat(drv_code, drv_at, 1);\n}\n\n");
}

static void
put_rotate_arg(struct driver_text *t, size_t i)
{
	put_repeat_arg(t, i);
	if (has_memory(t->spec, i))
		put(t, " + drv_set * drv_step%zu", owner_of(t->spec, i));
}

static void
put_rotate(struct driver_text *t, const char *name, bool fences)
{
	const struct spec	*s = t->spec;

	put(t, "/* One sample: each call on the next working set, %s. */\n"
	    "static rt_u64\n"
	    "drv_%s(rt_code *drv_code, void *const *drv_at, const rt_u64 *drv_step,\n"
	    "    const rt_u32 *drv_walk, rt_u64 drv_calls)\n{\n",
	    fences ? "a fence after each" : "without fences", name);
	put_lay_walk(t);
	put_timed_scalars(t);
	put_timed_pointers(t, true);
	put(t, "\tconst rt_u64 drv_start = rt_%s_start();\n\n", t->clock);
	put(t, "\tfor (rt_u64 drv_n = 0; drv_n < drv_calls; drv_n++) {\n"
	    "\t\tconst rt_u64 drv_set = drv_walk[drv_n]%s;\n",
	    turns(s) ? " % RT_TURNED, drv_odd = drv_walk[drv_n] / RT_TURNED" : "");
	put(t, "\n\t\t");
	put_timed_call(t, put_rotate_arg);
	put(t, "%s\t}\n", fences ? "\t\trt_fence();\n" : "");
	put_timed_end(t);
}

static void
put_other_names(struct driver_text *t)
{
	char	name[MANGLE_BYTES];

	mangle_cxx(&t->spec->routine, name);
	if (name[0] != '\0')
		put(t, "\t.rt_cxx = \"%s\",\n", name);
	mangle_fortran(&t->spec->routine, name);
	if (name[0] != '\0')
		put(t, "\t.rt_fortran = \"%s\",\n", name);
}

static void
put_export(struct driver_text *t)
{
	const struct prototype	*r = &t->spec->routine;
	size_t			 n = operand_count(t->spec);

	put(t, "const struct rt_driver assay_driver = {\n");
	put(t, "\t.rt_abi = RT_ABI, .rt_routine = \"%s\", .rt_clock = \"%s\",\n",
	    r->name, t->clock);
	put_other_names(t);
	if (n > 0)
		put(t, "\t.rt_operands = %zu, .rt_operand = drv_operand,\n", n);
	if (r->result != CTYPE_VOID)
		put(t, "\t.rt_result = &drv_result, .rt_result_bytes = sizeof drv_result, "
		    ".rt_result_class = '%c',\n", element_class(r->result));
	if (turns(t->spec))
		put(t, "\t.rt_turn = &drv_turn,\n");
	if (t->spec->checkpoint != NULL)
		put(t, "\t.rt_checkpoint = 1,\n");
	put(t, "\t.rt_empty = (rt_code *)drv_empty, .rt_describe = drv_describe, "
	    ".rt_call = drv_call,\n\t.rt_repeat = drv_repeat,%s\n};\n",
	    n > 0 ? " .rt_rotate = drv_rotate, .rt_stroll = drv_stroll,\n\t"
	    ".rt_witness = (rt_code *)drv_witness," : "");
}

static void
put_driver(struct driver_text *t)
{
	put(t, "/* The timing driver of %s; the params come as macros.  Written by Assay. */\n"
	    "#include \"rt.h\"\n\n", t->spec->routine.name);
	put_params(t);
	put_types(t);
	put_data(t);
	put_describe(t);
	put_empty(t);
	if (t->spec->checkpoint != NULL) {
		put_between(t);
		put_image_repeat(t);
	} else {
		put_call(t);
		put_repeat(t);
	}
	if (operand_count(t->spec) > 0) {
		put_witness(t);
		put_rotate(t, "rotate", true);
		put_rotate(t, "stroll", t->spec->timing.serialised);
	}
	put_export(t);
}

enum status
driver_generate(const struct spec *spec, char **text, struct fault *why)
{
	struct driver_text	t = { .spec = spec };
	enum clock_kind		clock = driver_clock(spec->timing.clock);
	size_t			bytes;

	*text = NULL;
	if (clock == CLK_CYCLE && !driver_has_cycle_clock())
		return fault_at(why, ST_BAD_SPEC, "spec.timing.clock",
		    "this machine has no cycle counter that runs at a constant rate");
	t.clock = clock == CLK_CYCLE ? "cycle" : clock == CLK_CPU ? "cpu" : "wall";

	if ((t.out = open_memstream(text, &bytes)) == NULL)
		return fault_set(why, ST_NOMEM, "driver");
	put_driver(&t);
	bool	bad = t.no_memory || ferror(t.out) != 0;
	if (fclose(t.out) != 0 || bad) {
		free(*text);
		*text = NULL;
		return fault_set(why, ST_NOMEM, "driver");
	}
	return ST_OK;
}
