/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Plain assembly (plain.h) as a part of a unit.  The labels that a program defines get its number
 * behind their names, wherever they are named.  A program is built alone if it has a directive that
 * is not listed here, a symbol that is set, a label that is a number or in quotes, or a name with
 * the mark of versions.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/json/text.h"
#include "worker/build/split/split_mark.h"
#include "worker/build/unit/unit_fits.h"
#include "worker/build/unit/unit_text.h"

enum { LABELS_MOST = 256 };

struct word {
	const char	*at;
	size_t		 n;
};

/* A program as it is written anew. */
struct assembled {
	struct text	*to;			/* borrowed */
	const char	*routine;		/* borrowed */
	unsigned	 k;
	size_t		 nlabels;
	struct word	 label[LABELS_MOST];
};

static bool
is_of_symbol(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.';
}

static struct word
word_at(const char *at)
{
	struct word	w = { at, 0 };

	while (is_of_symbol(at[w.n]))
		w.n++;
	return w;
}

static bool
is_word(struct word w, const char *text)
{
	return strlen(text) == w.n && strncmp(w.at, text, w.n) == 0;
}

static const char *
skip_blanks(const char *at)
{
	return at + strspn(at, " \t");
}

/* ---- what a program may have ---- */

static bool
is_directive_known(struct word w)
{
	static const char *const	known[] = {
		".text", ".globl", ".global", ".type", ".size", ".p2align", ".align", ".balign",
		".byte", ".long", ".int", ".quad", ".nops", ".skip", ".cfi_startproc",
		".cfi_endproc", ".cfi_def_cfa", ".cfi_def_cfa_offset", ".cfi_def_cfa_register",
		".cfi_adjust_cfa_offset", ".cfi_offset", ".cfi_rel_offset", ".cfi_restore",
		".cfi_undefined", ".cfi_same_value", ".cfi_remember_state",
		".cfi_restore_state", ".cfi_escape", NULL
	};

	for (const char *const *k = known; *k != NULL; k++)
		if (is_word(w, *k))
			return true;
	return false;
}

/* Of this statement: the section that says that the stack holds no code. */
static bool
is_stack_note(const char *at)
{
	const struct word	w = word_at(at);
	const char		*rest = skip_blanks(w.at + w.n);

	return is_word(w, ".section") && is_word(word_at(rest), ".note.GNU") &&
	    strncmp(rest, ".note.GNU-stack", 15) == 0;
}

/* "f__assay3": it could be a version's label. */
static bool
has_mark(struct word w)
{
	return memmem(w.at, w.n, SPLIT_MARK, strlen(SPLIT_MARK)) != NULL;
}

/*
 * A name in quotes could be a label.  What stands behind ';' in a comment is no statement, and what
 * begins a comment differs among assemblers.
 */
static bool
is_line_fit(const char *line)
{
	const size_t	 n = strcspn(line, "\n");
	const char	*comment = memchr(line, '#', n), *slash = memchr(line, '/', n);

	if (comment == NULL || (slash != NULL && slash < comment))
		comment = slash;
	if (comment != NULL && memchr(comment, ';', n - (size_t)(comment - line)) != NULL)
		return false;
	return memchr(line, '"', n) == NULL ||
	    (is_stack_note(skip_blanks(line)) && memchr(line, ';', n) == NULL);
}

static bool
has_fit_lines(const char *source)
{
	for (const char *line = source; *line != '\0';) {
		if (!is_line_fit(line))
			return false;
		line += strcspn(line, "\n");
		line += *line == '\n';
	}
	return true;
}

/* "1b" and "1f" mean the nearest label that is this number. */
static bool
is_near(struct word w)
{
	return w.n > 1 && isdigit((unsigned char)w.at[0]) && (w.at[w.n - 1] == 'b' ||
	    w.at[w.n - 1] == 'f') && strspn(w.at, "0123456789") == w.n - 1;
}

/* A statement's label, or its directive. */
static bool
take_start(struct assembled *p, const char *at)
{
	const struct word	w = word_at(at);

	if (w.n == 0)
		return true;
	if (*skip_blanks(at + w.n) == ':') {
		if (isdigit((unsigned char)*at) || p->nlabels == LABELS_MOST)
			return false;
		p->label[p->nlabels++] = w;
		return take_start(p, skip_blanks(skip_blanks(at + w.n) + 1));
	}
	return *at != '.' || is_directive_known(w) || is_stack_note(at);
}

static bool
take_labels(struct assembled *p, const char *source)
{
	bool	starts = true, fits = has_fit_lines(source);

	for (const char *at = source; *at != '\0' && fits;) {
		const struct word	w = word_at(at);

		if (starts && *at != ' ' && *at != '\t') {
			fits = take_start(p, at);
			starts = false;
		}
		starts = starts || *at == '\n' || *at == ';';
		fits = fits && *at != '=' && !is_near(w) && !has_mark(w) &&
		    (w.n == 0 || (at[w.n] != '$' && at[w.n] != '\\'));
		at += w.n > 0 ? w.n : 1;
	}
	return fits;
}

bool
unit_asm_fits(const char *source)
{
	struct assembled	*p = calloc(1, sizeof *p);
	const bool		 fits = p != NULL && take_labels(p, source);

	free(p);
	return fits;
}

/* ---- writing it ---- */

static bool
is_label(const struct assembled *p, struct word w)
{
	for (size_t i = 0; i < p->nlabels; i++)
		if (p->label[i].n == w.n && strncmp(p->label[i].at, w.at, w.n) == 0)
			return true;
	return is_word(w, p->routine);
}

static void
put_section(const struct assembled *p)
{
	char	line[512];

	(void)snprintf(line, sizeof line, UNIT_SECTION "%s" SPLIT_MARK "%u,\"ax\",%%progbits",
	    p->routine, p->k);
	text_raw(p->to, line, strlen(line));
}

static void
put_program(const struct assembled *p, const char *source)
{
	char	number[sizeof SPLIT_MARK + 10];

	(void)snprintf(number, sizeof number, SPLIT_MARK "%u", p->k);
	put_section(p);
	text_char(p->to, '\n');
	for (const char *at = source; *at != '\0';) {
		const struct word	w = word_at(at);

		if (is_word(w, ".text"))
			put_section(p);
		else
			text_raw(p->to, at, w.n > 0 ? w.n : 1);
		if (w.n > 0 && is_label(p, w) && (at == source || at[-1] != '%'))
			text_raw(p->to, number, strlen(number));
		at += w.n > 0 ? w.n : 1;
	}
	text_char(p->to, '\n');
}

char *
unit_text_asm(const char *routine, const struct recipe *const *recipes, unsigned n)
{
	struct assembled	*p = malloc(sizeof *p);
	struct text	 t = { .at = NULL };
	bool		 fits = p != NULL;

	for (unsigned k = 0; k < n && fits; k++) {
		*p = (struct assembled){ .to = &t, .routine = routine, .k = k };
		if ((fits = take_labels(p, recipes[k]->source)))
			put_program(p, recipes[k]->source);
	}
	free(p);
	if (fits)
		return text_take(&t);
	free(t.at);
	return NULL;
}
