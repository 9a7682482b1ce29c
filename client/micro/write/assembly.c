/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>

#include "client/micro/write/lines.h"
#include "client/micro/write/write.h"

enum { NGENERAL = 16, WORD_BYTES = 8 };

static struct reg
general(unsigned number)
{
	return (struct reg){ REG_GENERAL, number, 64 };
}

/* ---- around the kernel ---- */

/* Programs that share a file differ in their names. */
static const char *
function_of(const struct program *of)
{
	return of->micro->is_joined ? of->name : of->micro->function;
}

static void
put_head(struct lines *l)
{
	const char	*f = function_of(l->of);
	const char	*type = l->of->micro->target.machine == MACHINE_AARCH64 ? "%" : "@";

	(void)fprintf(l->to, "\t.text\n\t.globl %s\n\t.type %s, %sfunction\n\t.balign 16\n%s:\n",
	    f, f, type, f);
}

static void
put_tail(struct lines *l)
{
	const struct micro	*m = l->of->micro;
	const char		*f = function_of(l->of);

	(void)fprintf(l->to, "\t.size %s, .-%s\n", f, f);
	if (m->epilogue != NULL)
		lines_code(l, m->epilogue, m->epilogue_at);
	(void)fprintf(l->to, "\t.section .note.GNU-stack,\"\",%sprogbits\n",
	    m->target.machine == MACHINE_AARCH64 ? "%" : "@");
}

/* Registers that the caller wants back, in their order or in the opposite one. */
static unsigned
put_saved(struct lines *l, const struct arguments *a, const char *operation, bool is_backward)
{
	unsigned	n = 0;

	if (l->of->micro->target.machine != MACHINE_X86_64)
		return 0;
	for (unsigned i = 0; i < NGENERAL; i++) {
		const unsigned	number = is_backward ? NGENERAL - 1 - i : i;

		if (a->is_saved[number]) {
			lines_instruction(l, operation, 1, general(number), general(number));
			n++;
		}
	}
	return n;
}

/* Arrays that come on the stack, behind the return address and what was saved. */
static void
put_loaded(struct lines *l, const struct arguments *a, unsigned saved)
{
	const struct target	*t = &l->of->micro->target;
	char			 name[REGISTER_NAME_BYTES];
	struct reg		 r;

	for (unsigned i = 1; i <= a->narrays; i++) {
		if (!argument_is_loaded(t, i) || !argument_register(t, i, &r))
			continue;
		register_name(r, name);
		(void)fprintf(l->to, "mov %u(%%rsp), %s\n",
		    WORD_BYTES * (saved + 1 + i - register_arguments(t)), name);
	}
}

static void
put_count(struct lines *l)
{
	if (l->of->micro->target.machine == MACHINE_AARCH64)
		(void)fprintf(l->to, "sxtw x0, w0\n");
	else
		(void)fprintf(l->to, "movslq %%edi, %%rdi\n");
}

/* ---- the whole ---- */

static void
put_function(struct lines *l)
{
	struct arguments	a;
	unsigned		saved;

	arguments_find(l->of, &a);
	put_head(l);
	saved = put_saved(l, &a, "push", false);
	put_loaded(l, &a, saved);
	put_count(l);
	lines_prepare(l, &a);
	lines_kernel(l, l->of->root);
	lines_end_label(l);
	(void)put_saved(l, &a, "pop", true);
	(void)fputs(machine_return(l->of->micro->target.machine), l->to);
	put_tail(l);
}

/* A file of the user's stands where ours would: the first or last code that <file> names, too. */
static bool
has_own_frame(const struct program *of)
{
	const struct kernel	*k = of->root;

	for (; k->nstatements > 0 && k->statements[0].kind == STATEMENT_KERNEL;
	    k = k->statements[0].kernel)
		continue;
	return of->micro->prologue != NULL ||
	    (k->nstatements > 0 && k->statements[0].kind == STATEMENT_CODE &&
	    k->statements[0].is_file);
}

static void
put_own(struct lines *l)
{
	const struct micro	*m = l->of->micro;

	if (m->prologue != NULL)
		lines_code(l, m->prologue, m->prologue_at);
	lines_kernel(l, l->of->root);
	if (m->epilogue != NULL)
		lines_code(l, m->epilogue, m->epilogue_at);
}

enum status
write_assembly(struct program *of, struct fault *why)
{
	struct lines	 l = { .of = of, .behind_label = "", .is_assembly = true, .why = why,
			    .st = ST_OK };
	char		*text;
	size_t		 bytes;

	if (of->micro->is_joined)
		l.behind_label = arena_format(of->arena, "_%" PRIu64, of->index);
	l.to = lines_open(&text, &bytes);
	(void)fprintf(l.to, "%s %s\n", machine_comment(of->micro->target.machine), of->name);
	if (has_own_frame(of))
		put_own(&l);
	else
		put_function(&l);
	of->text = lines_close(of->arena, l.to, &text, &bytes);
	of->language = "asm";
	return l.st;
}
