/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs of assembly as one text.  Only what it takes to find words is known of the assembler's
 * language: comments, strings, statements.  A program that needs more is assembled alone.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "client/micro/decode/join.h"

struct word {
	const char	*at;
	size_t		 n;
};

/* Where a text is being read. */
struct reader {
	const char	*at;
	bool		 is_slashes;	/* comments begin with two slashes, not with # */
	bool		 is_first;	/* the next word is the first of its statement */
};

struct labels {
	struct word	*at;		/* owned */
	size_t		 n, room;
};

static bool
is_of_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$';
}

/* Bytes of the comment or string that begins here; 0: none does. */
static size_t
length_of_other(const struct reader *r)
{
	const char	*end;
	size_t		 n = 1;

	if (strncmp(r->at, "/*", 2) == 0)
		return (end = strstr(r->at + 2, "*/")) != NULL ? (size_t)(end - r->at) + 2 :
		    strlen(r->at);
	if (r->is_slashes ? strncmp(r->at, "//", 2) == 0 : *r->at == '#')
		return strcspn(r->at, "\n");
	if (*r->at != '"')
		return 0;
	while (r->at[n] != '\0' && r->at[n] != '"')
		n += r->at[n] == '\\' && r->at[n + 1] != '\0' ? 2 : 1;
	return r->at[n] == '"' ? n + 1 : n;
}

/* The next piece: a word, a comment, a string, or one other character.  false: the end. */
static bool
next_piece(struct reader *r, struct word *piece, bool *is_word, bool *is_first)
{
	size_t	n = length_of_other(r);

	if (*r->at == '\0')
		return false;
	*is_first = r->is_first;
	*is_word = n == 0 && is_of_word(*r->at) && *r->at != '$';
	if (*is_word)
		while (is_of_word(r->at[n]))
			n++;
	*piece = (struct word){ r->at, n > 0 ? n : 1 };
	if (n == 0 && strchr("\n;:", *r->at) != NULL)
		r->is_first = true;
	else if (*is_word)
		r->is_first = false;
	r->at += piece->n;
	return true;
}

static struct reader
reader_of(enum machine m, const char *text)
{
	return (struct reader){ text, m == MACHINE_AARCH64, true };
}

static bool
is_same(const struct word *a, const char *text, size_t n)
{
	return a->n == n && memcmp(a->at, text, n) == 0;
}

static bool
is_label(const struct labels *l, const struct word *w)
{
	for (size_t i = 0; i < l->n; i++)
		if (is_same(&l->at[i], w->at, w->n))
			return true;
	return false;
}

static bool
add(struct labels *l, struct word w)
{
	struct word	*more;

	if (l->n == l->room) {
		l->room = l->room * 2 + 8;
		if ((more = realloc(l->at, l->room * sizeof *more)) == NULL)
			return false;
		l->at = more;
	}
	l->at[l->n++] = w;
	return true;
}

/* Labels of digits may be defined many times, and the nearest is meant. */
static bool
collect(enum machine m, const char *text, struct labels *l)
{
	struct reader	r = reader_of(m, text);
	struct word	w;
	bool		is_word, is_first;

	while (next_piece(&r, &w, &is_word, &is_first))
		if (is_word && is_first && *r.at == ':' && !isdigit((unsigned char)*w.at) &&
		    !is_label(l, &w) && !add(l, w))
			return false;
	return true;
}

void
join_suffix(size_t program, char to[JOIN_SUFFIX_BYTES])
{
	(void)snprintf(to, JOIN_SUFFIX_BYTES, "_p%u", (unsigned)program);
}

static void
write_section(const char *suffix, FILE *to)
{
	(void)fprintf(to, ".section .text.%s,\"ax\",%%progbits", suffix + 1);
}

/* A register's name is no label's, nor is that of an instruction. */
static void
write_piece(const struct word *w, bool is_name, const struct labels *l, const char *suffix,
    FILE *to)
{
	(void)fwrite(w->at, 1, w->n, to);
	if (is_name && is_label(l, w))
		(void)fputs(suffix, to);
}

enum status
join_program(enum machine m, size_t program, const char *name, const char *text, FILE *to)
{
	struct reader	r = reader_of(m, text);
	struct labels	l = { NULL, 0, 0 };
	struct word	w;
	bool		is_word, is_first, was_percent = false;
	char		suffix[JOIN_SUFFIX_BYTES];

	if (!collect(m, text, &l)) {
		free(l.at);
		return ST_NOMEM;
	}
	join_suffix(program, suffix);
	(void)fputc('\t', to);
	write_section(suffix, to);
	(void)fprintf(to, "\n# 1 \"%s\"\n", name);
	while (next_piece(&r, &w, &is_word, &is_first)) {
		if (is_word && is_first && is_same(&w, ".text", 5))
			write_section(suffix, to);
		else
			write_piece(&w, is_word && !was_percent && (!is_first || *r.at == ':'), &l,
			    suffix, to);
		was_percent = *w.at == '%';
	}
	(void)fputc('\n', to);
	free(l.at);
	return ST_OK;
}
