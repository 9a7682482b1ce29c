/* SPDX-License-Identifier: Apache-2.0 */
/*
 * C with OpenMP.  A kernel with <loop_info> has no jump: the loops of C count, and its registers
 * point to the data of an iteration.  Its arrays are the function's; where a description counts
 * with r0 as the first array, all are one further on.
 *
 *	static inline void f_part0(char **to_r1, float *to_x0) { register char *r1 …; asm (…); }
 *	#pragma omp parallel for schedule(static, 2) firstprivate(x0)
 *	for (long i = 0; i < 20; i += 4) { char *r1 = a1 + i * 4; f_part0(&r1, &x0); }
 *
 * Variables with a register of their own are in functions, which are always inlined: gcc forgets
 * the registers of those that stand in a parallel region itself.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "client/micro/write/c_parts.h"
#include "client/micro/write/write.h"

enum { NVECTORS = 16 };

struct page {
	struct lines		 l;
	FILE			*to, *parts;	/* the routine; functions in front of it */
	unsigned		 nparts;
	const struct kernel	*kernel;	/* with the loop */
	unsigned		 depth;		/* of braces that are open */
	bool			 is_variable[NVECTORS];	/* x0, x1 … */
};

static void
indent(const struct page *p)
{
	for (unsigned i = 0; i <= p->depth; i++)
		(void)fputc('\t', p->to);
}

/* ---- registers and variables ---- */

/* The array that a register of <count_iteration> walks over; 0: it is none of r0 to r8. */
static unsigned
array_of(const struct kernel *k, const char *reg)
{
	const bool	has_r0 = k->loop->ncounts > 0;
	unsigned	shift = 0, n;

	for (size_t i = 0; has_r0 && i < k->loop->ncounts; i++)
		if (k->loop->counts[i].reg != NULL && strcmp(k->loop->counts[i].reg, "r0") == 0)
			shift = 1;
	if (reg == NULL || reg[0] != 'r' || reg[1] < '0' || reg[1] > '8' || reg[2] != '\0')
		return 0;
	n = (unsigned)(reg[1] - '0') + shift;
	return n <= ARGUMENTS_MAX_ARRAYS ? n : 0;
}

/* Vectors x0 to x15 of which C has a variable: clauses and inserted code name them. */
static void
find_in_clauses(struct page *p)
{
	const struct loop	*l = p->kernel->loop;

	for (size_t i = 0; i < l->nclauses; i++) {
		const struct clause	*c = &l->clauses[i];
		const int64_t		 from = c->numbers.is_given ? c->numbers.min :
					    strtol(c->name + 1, NULL, 10);
		const int64_t		 to = c->numbers.is_given ? c->numbers.max : from;

		for (int64_t n = from; c->name[0] == 'x' && n <= to && n < NVECTORS; n++)
			p->is_variable[n] = true;
	}
}

static void
find_in_code(struct page *p, const char *text)
{
	unsigned long	n;

	for (const char *c = strchr(text, 'x'); c != NULL; c = strchr(c + 1, 'x')) {
		if ((c > text && (isalnum((unsigned char)c[-1]) || c[-1] == '_')) ||
		    !isdigit((unsigned char)c[1]))
			continue;
		n = strtoul(c + 1, NULL, 10);
		if (n < NVECTORS)
			p->is_variable[n] = true;
	}
}

static void
find_variables(struct page *p)
{
	find_in_clauses(p);
	for (size_t i = 0; i < p->kernel->nstatements; i++)
		if (p->kernel->statements[i].kind == STATEMENT_CODE)
			find_in_code(p, p->kernel->statements[i].text);
}

/* ---- loops ---- */

static const char *
bound(const struct page *p, const char *variable, int64_t number)
{
	return variable != NULL ? variable : arena_format(p->l.of->arena, "%" PRId64, number);
}

static void
put_clauses(const struct page *p)
{
	const struct loop	*l = p->kernel->loop;

	for (size_t i = 0; i < l->nclauses; i++) {
		const struct clause	*c = &l->clauses[i];

		/* registers are variables of the body: no thread sees another's */
		if (c->name[0] == 'r')
			continue;
		(void)fprintf(p->to, " %s(", sharing_word(c->sharing));
		for (int64_t n = c->numbers.min; n <= c->numbers.max; n++) {
			(void)fprintf(p->to, "%s%s", n > c->numbers.min ? ", " : "", c->name);
			if (c->numbers.is_given)
				(void)fprintf(p->to, "%" PRId64, n);
		}
		(void)fputc(')', p->to);
	}
}

static void
put_pragma(struct page *p)
{
	const struct loop	*l = p->kernel->loop;

	if (l->is_parallel)
		(void)fprintf(p->to, "\t#pragma omp parallel\n");
	(void)fprintf(p->to, "\t#pragma omp %sfor", l->is_parallel ? "" : "parallel ");
	if (l->schedule != NULL && l->chunk > 0)
		(void)fprintf(p->to, " schedule(%s, %" PRId64 ")", l->schedule, l->chunk);
	else if (l->schedule != NULL)
		(void)fprintf(p->to, " schedule(%s)", l->schedule);
	put_clauses(p);
	(void)fputc('\n', p->to);
}

/* Copies of one iteration's kernel are a whole number of the loop's: none is beyond the end. */
static const char *
last_bound(const struct page *p, const struct count *c, uint64_t copies)
{
	const char	*end = bound(p, c->max_variable, c->max);

	if (copies == 1)
		return end;
	return arena_format(p->l.of->arena, "%s - %" PRId64, end,
	    c->increment * (int64_t)(copies - 1));
}

/* The innermost one is unrolled. */
static void
open_loops(struct page *p)
{
	const struct loop	*l = p->kernel->loop;

	for (size_t i = 0; i < l->ncounts; i++) {
		const struct count	*c = &l->counts[i];
		const uint64_t		 copies = i + 1 == l->ncounts ? p->kernel->unroll : 1;

		indent(p);
		(void)fprintf(p->to, "for (long %s = %s; %s < %s; %s += %" PRId64 ") {\n",
		    c->variable, bound(p, c->min_variable, c->min), c->variable,
		    last_bound(p, c, copies), c->variable,
		    c->increment * (int64_t)copies);
		p->depth++;
	}
}

static void
close_loops(struct page *p)
{
	while (p->depth > 0) {
		p->depth--;
		indent(p);
		(void)fprintf(p->to, "}\n");
	}
}

/* ---- the body ---- */

static unsigned
bind_arrays(struct page *p, struct c_operand *operands)
{
	const struct loop	*l = p->kernel->loop;
	unsigned		 n = 0;

	for (size_t i = 0; i < l->ncounts && n < ARGUMENTS_MAX_ARRAYS; i++) {
		const struct count	*c = &l->counts[i];
		const unsigned		 array = array_of(p->kernel, c->reg);

		if (array == 0 || !argument_register(&p->l.of->micro->target,
		    (unsigned)(c->reg[1] - '0'), &operands[n].reg))
			continue;
		indent(p);
		(void)fprintf(p->to, "char *%s = (char *)a%u + %s * %" PRId64 ";\n", c->reg, array,
		    c->variable, c->offset);
		(void)snprintf(operands[n++].name, C_NAME_BYTES, "%s", c->reg);
	}
	return n;
}

static unsigned
bind_vectors(const struct page *p, struct c_operand *operands)
{
	unsigned	n = 0;

	for (unsigned i = 0; i < NVECTORS; i++) {
		if (!p->is_variable[i])
			continue;
		operands[n].reg = (struct reg){ .class = REG_XMM, .number = i };
		(void)snprintf(operands[n++].name, C_NAME_BYTES, "x%u", i);
	}
	return n;
}

static const char *
type_of(const struct c_operand *o)
{
	return o->reg.class == REG_GENERAL ? "char *" : "float ";
}

/* Instructions that stand in a row are one asm statement; inserted code is C between them. */
static const char *
asm_text(struct page *p, const struct kernel *part)
{
	char	*text;
	size_t	 bytes;

	p->l.to = lines_open(&text, &bytes);
	lines_kernel(&p->l, part);
	return lines_close(p->l.of->arena, p->l.to, &text, &bytes);
}

/* A function with the instructions; it takes its operands by their addresses. */
static void
put_part(struct page *p, const struct kernel *part, const char *text,
    const struct c_operand *operands, unsigned n)
{
	char	name[REGISTER_NAME_BYTES];

	(void)fprintf(p->parts, "static inline __attribute__((always_inline)) void\n%s_part%u(",
	    c_function(p->l.of), p->nparts);
	for (unsigned i = 0; i < n; i++)
		(void)fprintf(p->parts, "%s%s*to_%s", i > 0 ? ", " : "", type_of(&operands[i]),
		    operands[i].name);
	(void)fprintf(p->parts, "%s)\n{\n", n == 0 ? "void" : "");
	for (unsigned i = 0; i < n; i++) {
		register_name(operands[i].reg, name);
		(void)fprintf(p->parts, "\tregister %s%s __asm__(\"%s\") = *to_%s;\n",
		    type_of(&operands[i]), operands[i].name, name + 1, operands[i].name);
	}
	(void)fprintf(p->parts, "\t__asm__ volatile (\n");
	c_string(p->parts, text);
	c_operands(p->parts, part, operands, n);
	for (unsigned i = 0; i < n; i++)
		(void)fprintf(p->parts, "\t*to_%s = %s;\n", operands[i].name, operands[i].name);
	(void)fprintf(p->parts, "}\n\n");
}

static void
put_asm(struct page *p, size_t from, size_t to, struct c_operand *operands, unsigned n)
{
	struct kernel	 part = *p->kernel;
	const char	*text;

	part.statements += from;
	part.nstatements = to - from;
	part.label = NULL;
	if (*(text = asm_text(p, &part)) == '\0')
		return;
	n += bind_vectors(p, operands + n);
	put_part(p, &part, text, operands, n);
	indent(p);
	(void)fprintf(p->to, "%s_part%u(", c_function(p->l.of), p->nparts++);
	for (unsigned i = 0; i < n; i++)
		(void)fprintf(p->to, "%s&%s", i > 0 ? ", " : "", operands[i].name);
	(void)fprintf(p->to, ");\n");
}

static void
put_body(struct page *p)
{
	struct c_operand	 operands[ARGUMENTS_MAX_ARRAYS + NVECTORS];
	const struct kernel	*k = p->kernel;
	const unsigned		 n = bind_arrays(p, operands);
	size_t			 from = 0;

	for (size_t i = 0; i <= k->nstatements; i++) {
		if (i < k->nstatements && k->statements[i].kind != STATEMENT_CODE)
			continue;
		put_asm(p, from, i, operands, n);
		from = i + 1;
		if (i < k->nstatements) {
			indent(p);
			(void)fprintf(p->to, "%s\n", k->statements[i].text);
		}
	}
}

/* ---- the whole ---- */

static void
put_kernel(struct page *p)
{
	find_variables(p);
	for (unsigned i = 0; i < NVECTORS; i++)
		if (p->is_variable[i])
			(void)fprintf(p->to, "\tfloat x%u = 0;\n", i);
	put_pragma(p);
	open_loops(p);
	put_body(p);
	close_loops(p);
}

/* The kernel with <loop_info>; one program has one. */
static bool
find_loop(void *arg, struct kernel *k)
{
	const struct kernel	**to = arg;

	if (k->loop != NULL && *to == NULL)
		*to = k;
	return *to == NULL;
}

static unsigned
count_arrays(const struct page *p)
{
	unsigned	most = 0;

	for (size_t i = 0; i < p->kernel->loop->ncounts; i++) {
		const unsigned	n = array_of(p->kernel, p->kernel->loop->counts[i].reg);

		most = n > most ? n : most;
	}
	return most;
}

static enum status
check(const struct page *p, struct fault *why)
{
	const struct micro	*m = p->l.of->micro;

	if (p->kernel->loop->ncounts == 0)
		return micro_refuse(m, p->kernel->loop->at, why,
		    "loop_info: there is no <count_iteration> in it");
	if (kernel_is_loop(p->kernel))
		return micro_refuse(m, p->kernel->branch_at, why,
		    "branch_information: the loop of the kernel is that of its <loop_info>");
	return c_check(p->l.of, why);
}

static void
put_function(struct page *p)
{
	const struct micro	*m = p->l.of->micro;

	if (m->prologue != NULL)
		(void)fprintf(p->to, "%s\n\t{\n", m->prologue);
	else
		c_signature(p->to, p->l.of, count_arrays(p));
	put_kernel(p);
	(void)fputs(m->prologue != NULL ? "\t}\n" : "\treturn n;\n}\n", p->to);
	if (m->epilogue != NULL || m->prologue != NULL)
		(void)fprintf(p->to, "%s\n", m->epilogue != NULL ? m->epilogue : "");
}

enum status
write_openmp(struct program *of, struct fault *why)
{
	struct page	 p = { .l = { .of = of, .behind_label = "_%=", .why = why, .st = ST_OK } };
	char		*text, *parts;
	const char	*head;
	size_t		 bytes, parts_bytes;
	enum status	 st;

	(void)kernel_each(of->root, find_loop, &p.kernel);
	if ((st = check(&p, why)) != ST_OK)
		return st;
	p.to = lines_open(&text, &bytes);
	p.parts = lines_open(&parts, &parts_bytes);
	put_function(&p);
	head = lines_close(of->arena, p.parts, &parts, &parts_bytes);
	of->text = arena_format(of->arena, "#include <omp.h>\n\n%s%s", head,
	    lines_close(of->arena, p.to, &text, &bytes));
	of->language = "c";
	return p.l.st;
}
