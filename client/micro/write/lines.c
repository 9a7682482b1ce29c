/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "client/micro/machine/instruction.h"
#include "client/micro/write/lines.h"

FILE *
lines_open(char **text, size_t *bytes)
{
	FILE	*to = open_memstream(text, bytes);

	if (to == NULL)
		abort();
	return to;
}

const char *
lines_close(struct arena *a, FILE *to, char **text, size_t *bytes)
{
	const char	*copy;

	if (fclose(to) != 0)
		abort();
	copy = arena_text(a, *text, *bytes);
	free(*text);
	return copy;
}

/* ---- instructions ---- */

static struct operand
operand(const struct slot *s)
{
	struct operand	o = { .kind = OPERAND_IMMEDIATE, .immediate = s->value };

	if (s->kind == SLOT_IMMEDIATE)
		return o;
	if (s->kind == SLOT_REGISTER)
		return (struct operand){ .kind = OPERAND_REGISTER, .reg = s->base.reg };
	o = (struct operand){ .kind = OPERAND_MEMORY, .memory = { .base = s->base.reg,
	    .offset = s->offset } };
	if (s->kind == SLOT_INDIRECT) {
		o.memory.index = s->index.reg;
		o.memory.multiplier = (unsigned)s->multiplier;
	}
	return o;
}

/* The fault is at the instruction, not at the mnemonic that the machine's tables name. */
static void
blame(struct lines *l, struct place at)
{
	const struct fault	found = *l->why;

	l->st = micro_refuse(l->of->micro, at, l->why, "%s: %s", found.member, found.text);
	fault_hint(l->why, "%s", found.hint);
}

static void
write_instruction(struct lines *l, const struct instruction *in, struct place at)
{
	if (l->st == ST_OK && instruction_write(&l->of->micro->target, in, l->to, l->why) != ST_OK)
		blame(l, at);
}

static bool
has_marks(const struct lines *l)
{
	return l->of->micro->has_marks && l->is_assembly;
}

/* A path that a string cannot hold as it is gets no marks. */
static void
mark_line(const struct lines *l, struct place at)
{
	const char	*path = l->of->micro->path;

	if ((l->of->micro->has_lines || has_marks(l)) && at.line > 0 &&
	    strpbrk(path, "\"\\\n\r") == NULL)
		(void)fprintf(l->to, "# %u \"%s\"\n", at.line, path);
}

void
lines_mark(struct lines *l, struct place at)
{
	if (has_marks(l))
		mark_line(l, at);
}

/* The comment stands behind the instruction, in its line. */
static void
write_commented(struct lines *l, const struct instruction *in, const struct pattern *p)
{
	char		*text;
	size_t		 bytes;
	struct lines	 aside = *l;

	aside.to = lines_open(&text, &bytes);
	write_instruction(&aside, in, p->at);
	(void)fclose(aside.to);
	l->st = aside.st;
	(void)fprintf(l->to, "%.*s %s %s\n", (int)strcspn(text, "\n"), text,
	    machine_comment(l->of->micro->target.machine), p->comment);
	free(text);
}

static bool
has_register(struct lines *l, const struct pattern *p, const struct described *d)
{
	if (described_name(d)[0] == '\0' || d->is_allocated)
		return true;
	l->st = micro_refuse(l->of->micro, p->at, l->why, "%s: %s has no register of the machine",
	    pattern_operation(p), described_name(d));
	fault_hint(l->why, "register_allocation gives it one: that pass has to be on");
	return false;
}

void
lines_pattern(struct lines *l, const struct pattern *p)
{
	struct instruction	in = { .operation = pattern_operation(p),
				    .n = (unsigned)p->nslots };

	for (size_t i = 0; i < p->nslots; i++) {
		if (!has_register(l, p, &p->slots[i].base) ||
		    !has_register(l, p, &p->slots[i].index))
			return;
		in.operand[i] = operand(&p->slots[i]);
	}
	mark_line(l, p->at);
	if (p->comment == NULL)
		write_instruction(l, &in, p->at);
	else
		write_commented(l, &in, p);
}

void
lines_instruction(struct lines *l, const char *operation, unsigned n, struct reg first,
    struct reg second)
{
	const struct instruction	in = { .operation = operation, .n = n, .operand = {
	    { .kind = OPERAND_REGISTER, .reg = first },
	    { .kind = OPERAND_REGISTER, .reg = second },
	    { .kind = OPERAND_REGISTER, .reg = second } } };

	write_instruction(l, &in, (struct place){ 0, 0 });
}

/* ---- kernels ---- */

/* ".L6", and of copies of a kernel ".L6_1". */
static const char *
label_of(const struct lines *l, const struct kernel *k)
{
	if (k->clone == 0)
		return arena_format(l->of->arena, ".%s%s", k->label, l->behind_label);
	return arena_format(l->of->arena, ".%s_%u%s", k->label, k->clone, l->behind_label);
}

static void
write_jump(struct lines *l, const struct kernel *k)
{
	const struct instruction	in = { .operation = k->test, .n = 1, .operand = {
	    { .kind = OPERAND_LABEL, .label = label_of(l, k) } } };

	mark_line(l, k->branch_at);
	write_instruction(l, &in, k->branch_at);
}

void
lines_code(struct lines *l, const char *text, struct place at)
{
	size_t	n;

	do {
		n = strcspn(text, "\n");
		mark_line(l, at);
		(void)fprintf(l->to, "%.*s\n", (int)n, text);
		text += n + (text[n] == '\n');
	} while (*text != '\0');
}

static void
write_statement(struct lines *l, const struct statement *s)
{
	switch (s->kind) {
	case STATEMENT_PATTERN:
		lines_pattern(l, s->pattern);
		break;
	case STATEMENT_KERNEL:
		lines_kernel(l, s->kernel);
		break;
	case STATEMENT_CODE:
		lines_code(l, s->text, s->at);
		break;
	case STATEMENT_COMMENT:
		(void)fprintf(l->to, "%s%s\n", machine_comment(l->of->micro->target.machine),
		    s->text);
		break;
	}
}

void
lines_kernel(struct lines *l, const struct kernel *k)
{
	if (k->alignment > 1)
		(void)fprintf(l->to, ".balign %" PRIu64 "\n", k->alignment);
	if (kernel_is_loop(k)) {
		lines_mark(l, k->branch_at);	/* a jump that is too far may be found here */
		(void)fprintf(l->to, "%s:\n", label_of(l, k));
	}
	for (size_t i = 0; i < k->nstatements && l->st == ST_OK; i++)
		write_statement(l, &k->statements[i]);
	if (kernel_is_loop(k) && l->st == ST_OK)
		write_jump(l, k);
}
