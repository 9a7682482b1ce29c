/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/transform/tree/text.h"
#include "proto/base/status.h"

enum { LEVEL_COMMA, LEVEL_ASSIGN, LEVEL_COND, LEVEL_OR, LEVEL_UNARY = 13, LEVEL_POSTFIX };

static const struct {
	const char	*op;
	int		 level;
} binary_levels[] = {
	{ ",", LEVEL_COMMA }, { "||", LEVEL_OR }, { "&&", 4 }, { "|", 5 }, { "^", 6 }, { "&", 7 },
	{ "==", 8 }, { "!=", 8 }, { "<", 9 }, { "<=", 9 }, { ">", 9 }, { ">=", 9 },
	{ "<<", 10 }, { ">>", 10 }, { "+", 11 }, { "-", 11 }, { "*", 12 }, { "/", 12 },
	{ "%", 12 },
};

static int
level_of(const struct term *t)
{
	switch (t->kind) {
	case TERM_INT:
		return t->value < 0 ? LEVEL_UNARY : LEVEL_POSTFIX;
	case TERM_UNARY:
	case TERM_CAST:
		return LEVEL_UNARY;
	case TERM_COND:
		return LEVEL_COND;
	case TERM_OPAQUE:
		return LEVEL_COMMA;
	case TERM_BINARY:
		break;
	default:
		return LEVEL_POSTFIX;
	}
	for (size_t i = 0; i < sizeof binary_levels / sizeof *binary_levels; i++)
		if (strcmp(binary_levels[i].op, t->op) == 0)
			return binary_levels[i].level;
	return LEVEL_ASSIGN;
}

static void
put_within(FILE *to, const struct term *t, int least)
{
	bool	closed = level_of(t) < least;

	if (closed)
		(void)fputc('(', to);
	text_put(to, t);
	if (closed)
		(void)fputc(')', to);
}

static void
put_binary(FILE *to, const struct term *t)
{
	int	level = level_of(t);
	bool	assigns = level == LEVEL_ASSIGN;

	put_within(to, t->a[0], assigns ? LEVEL_UNARY : level);
	(void)fprintf(to, strcmp(t->op, ",") == 0 ? "%s " : " %s ", t->op);
	put_within(to, t->a[1], assigns ? level : level + 1);
}

static void
put_unary(FILE *to, const struct term *t)
{
	const struct term	*of = t->a[0];
	bool			 signs = (of->kind == TERM_UNARY && of->op[0] == t->op[0]) ||
				    (of->kind == TERM_INT && of->value < 0);

	(void)fprintf(to, signs ? "%s(" : "%s", t->op);
	put_within(to, of, signs ? LEVEL_COMMA : LEVEL_UNARY);
	if (signs)
		(void)fputc(')', to);
}

static void
put_call(FILE *to, const struct term *t)
{
	put_within(to, t->a[0], LEVEL_POSTFIX);
	(void)fputc('(', to);
	for (size_t i = 1; i < t->n; i++) {
		if (i > 1)
			(void)fputs(", ", to);
		put_within(to, t->a[i], LEVEL_ASSIGN);
	}
	(void)fputc(')', to);
}

static void
put_cond(FILE *to, const struct term *t)
{
	put_within(to, t->a[0], LEVEL_OR);
	(void)fputs(" ? ", to);
	put_within(to, t->a[1], LEVEL_ASSIGN);
	(void)fputs(" : ", to);
	put_within(to, t->a[2], LEVEL_COND);
}

static void
put_leaf(FILE *to, const struct term *t)
{
	if (t->kind == TERM_NAME)
		(void)fputs(t->symbol->name, to);
	else if (t->text != NULL)
		(void)fputs(t->text, to);
	else
		(void)fprintf(to, "%" PRId64, t->value);
}

void
text_put(FILE *to, const struct term *t)
{
	switch (t->kind) {
	case TERM_INDEX:
		put_within(to, t->a[0], LEVEL_POSTFIX);
		(void)fputc('[', to);
		text_put(to, t->a[1]);
		(void)fputc(']', to);
		return;
	case TERM_UNARY:
		put_unary(to, t);
		return;
	case TERM_POSTFIX:
		put_within(to, t->a[0], LEVEL_POSTFIX);
		(void)fputs(t->op, to);
		return;
	case TERM_BINARY:
		put_binary(to, t);
		return;
	case TERM_COND:
		put_cond(to, t);
		return;
	case TERM_CALL:
		put_call(to, t);
		return;
	case TERM_CAST:
		(void)fprintf(to, "(%s)", t->text);
		put_within(to, t->a[0], LEVEL_UNARY);
		return;
	case TERM_MEMBER:
		put_within(to, t->a[0], LEVEL_POSTFIX);
		(void)fprintf(to, "%s%s", t->op, t->text);
		return;
	default:
		put_leaf(to, t);
	}
}

FILE *
text_open(char **text, size_t *bytes)
{
	FILE	*to = open_memstream(text, bytes);

	if (to == NULL)
		exit(status_exit_code(ST_NOMEM));
	return to;
}

char *
text_close(struct arena *a, FILE *to, char **text, size_t *bytes)
{
	char	*copy;

	if (fclose(to) != 0)
		exit(status_exit_code(ST_NOMEM));
	copy = arena_text(a, *text, *bytes);
	free(*text);
	return copy;
}

char *
text_of(struct arena *a, const struct term *t)
{
	char	*text = NULL;
	size_t	 bytes = 0;
	FILE	*to = text_open(&text, &bytes);

	text_put(to, t);
	return text_close(a, to, &text, &bytes);
}
