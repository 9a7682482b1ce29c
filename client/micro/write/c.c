/* SPDX-License-Identifier: Apache-2.0 */
/*
 * C around the same instructions: one asm statement whose operands are the arguments, in the
 * registers that the instructions name.  The compiler has nothing to choose.
 */
#include <stdlib.h>
#include <string.h>

#include "client/micro/write/c_parts.h"
#include "client/micro/write/write.h"

/* ---- what C and OpenMP share ---- */

void
c_string(FILE *to, const char *text)
{
	const char	*end;

	for (; *text != '\0'; text = end + (*end == '\n')) {
		end = strchrnul(text, '\n');
		(void)fputs("\t    \"", to);
		for (const char *c = text; c < end; c++) {
			if (*c == '"' || *c == '\\')
				(void)fputc('\\', to);
			/* %= numbers labels; all others are registers */
			(void)fputs(*c == '%' && c[1] != '=' ? "%%" : (char[]){ *c, '\0' }, to);
		}
		(void)fputs("\\n\"\n", to);
	}
}

static bool
is_operand(struct reg r, const struct c_operand *operands, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (operands[i].reg.class == r.class && operands[i].reg.number == r.number)
			return true;
	return false;
}

struct clobbers {
	FILE			*to;
	const struct c_operand	*operands;
	unsigned		 n;
	bool			 is_put[REG_NCLASSES][32];
};

static void
clobber(struct clobbers *c, struct reg r)
{
	const unsigned	class = r.class == REG_YMM || r.class == REG_ZMM ? REG_XMM : r.class;
	char		name[REGISTER_NAME_BYTES];

	if (c->is_put[class][r.number % 32] || is_operand(r, c->operands, c->n))
		return;
	c->is_put[class][r.number % 32] = true;
	register_name((struct reg){ class, r.number, 64 }, name);
	(void)fprintf(c->to, "\"%s\", ", name + 1);
}

static bool
clobber_pattern(void *arg, struct pattern *p)
{
	for (size_t i = 0; i < p->nslots; i++)
		if (p->slots[i].kind == SLOT_REGISTER)
			clobber(arg, p->slots[i].base.reg);
	return true;
}

void
c_operands(FILE *to, const struct kernel *k, const struct c_operand *operands, unsigned n)
{
	struct clobbers	c = { .to = to, .operands = operands, .n = n };

	(void)fprintf(to, "\t    :");
	for (unsigned i = 0; i < n; i++)
		(void)fprintf(to, "%s \"+%c\" (%s)", i > 0 ? "," : "",
		    operands[i].reg.class == REG_GENERAL ? 'r' : 'x', operands[i].name);
	(void)fprintf(to, "\n\t    :\n\t    : ");
	(void)kernel_each_pattern(k, clobber_pattern, &c);
	(void)fprintf(to, "\"cc\", \"memory\");\n");
}

enum status
c_check(const struct program *of, struct fault *why)
{
	if (of->micro->target.machine == MACHINE_X86_64)
		return ST_OK;
	(void)fault_at(why, ST_BAD_REQUEST, "--machine", "C is written for x86_64 alone");
	fault_hint(why, "without --c programs are assembly");
	return ST_BAD_REQUEST;
}

/* ---- a program of its own ---- */

/* n, the arrays, and the value that is returned. */
static unsigned
find_operands(const struct program *of, const struct arguments *a,
    struct c_operand operands[ARGUMENTS_MAX_ARRAYS + 2])
{
	unsigned	n = 0;

	for (unsigned i = 0; i <= a->narrays; i++)
		if (argument_register(&of->micro->target, i, &operands[n].reg))
			(void)snprintf(operands[n++].name, C_NAME_BYTES, "r%u", i);
	(void)register_parse("%rax", &operands[n].reg);
	(void)snprintf(operands[n++].name, C_NAME_BYTES, "result");
	return n;
}

static void
put_declarations(FILE *to, const struct c_operand *operands, unsigned n)
{
	char	name[REGISTER_NAME_BYTES];

	for (unsigned i = 0; i < n; i++) {
		register_name(operands[i].reg, name);
		if (i == 0)
			(void)fprintf(to, "\tregister long r0 __asm__(\"%s\") = n;\n", name + 1);
		else if (i + 1 < n)
			(void)fprintf(to, "\tregister void *r%u __asm__(\"%s\") = a%u;\n", i,
			    name + 1, i);
		else
			(void)fprintf(to, "\tregister long result __asm__(\"%s\") = 0;\n\n",
			    name + 1);
	}
}

/* The instructions, as assembly has them. */
static const char *
body(const struct program *of, const struct arguments *a, enum status *st, struct fault *why)
{
	struct lines	 l = { .of = of, .behind_label = "_%=", .why = why, .st = ST_OK };
	const char	*result;
	char		*text;
	size_t		 bytes;

	l.to = lines_open(&text, &bytes);
	lines_prepare(&l, a);
	lines_kernel(&l, of->root);
	lines_end_label(&l);
	result = lines_close(of->arena, l.to, &text, &bytes);
	*st = l.st;
	return result;
}

const char *
c_function(const struct program *of)
{
	return of->micro->is_joined ? of->name : of->micro->function;
}

void
c_signature(FILE *to, const struct program *of, unsigned narrays)
{
	(void)fprintf(to, "/* %s */\n__attribute__((noinline))\nint\n%s(int n", of->name,
	    c_function(of));
	for (unsigned i = 1; i <= narrays; i++)
		(void)fprintf(to, ", void *a%u", i);
	(void)fprintf(to, ")\n{\n");
}

static void
put_statement(FILE *to, const struct program *of, const char *text,
    const struct c_operand *operands, unsigned n)
{
	(void)fprintf(to, "\t__asm__ volatile (\n");
	c_string(to, text);
	c_operands(to, of->root, operands, n);
	(void)fprintf(to, "\treturn (int)result;\n}\n");
}

/* They stand around a function of assembly. */
static enum status
check_frame(const struct program *of, struct fault *why)
{
	const struct micro	*m = of->micro;

	if (m->prologue == NULL && m->epilogue == NULL)
		return ST_OK;
	(void)micro_refuse(m, m->prologue != NULL ? m->prologue_at : m->epilogue_at, why,
	    "%s: C is written with a function of its own", m->prologue != NULL ? "prologue" :
	    "epilogue");
	fault_hint(why, "leave out --c, or the node");
	return ST_BAD_SPEC;
}

enum status
write_c(struct program *of, struct fault *why)
{
	struct c_operand	 operands[ARGUMENTS_MAX_ARRAYS + 2];
	struct arguments	 a;
	const char		*text;
	char			*file;
	size_t			 bytes;
	unsigned		 n;
	FILE			*to;
	enum status		 st;

	if ((st = c_check(of, why)) != ST_OK || (st = check_frame(of, why)) != ST_OK)
		return st;
	arguments_find(of, &a);
	text = body(of, &a, &st, why);
	n = find_operands(of, &a, operands);
	to = lines_open(&file, &bytes);
	c_signature(to, of, a.narrays);
	put_declarations(to, operands, n);
	put_statement(to, of, text, operands, n);
	of->text = lines_close(of->arena, to, &file, &bytes);
	of->language = "c";
	return st;
}
