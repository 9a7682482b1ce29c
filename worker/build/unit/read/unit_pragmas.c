/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "proto/base/name.h"
#include "worker/build/unit/read/unit_attributes.h"
#include "worker/build/unit/read/unit_clean.h"
#include "worker/build/unit/read/unit_include.h"
#include "worker/build/unit/read/unit_macros.h"
#include "worker/build/unit/read/unit_paste.h"
#include "worker/build/unit/read/unit_pragmas.h"

#define OPERATOR	"_Pragma"

size_t
unit_pragma_words(const char *at)
{
	static const char *const	of_loops[] = { "unroll", "nounroll", "unroll_and_jam",
					    "nounroll_and_jam", "ivdep", "vector", NULL };
	static const char *const	of_gcc[] = { "unroll", "ivdep", NULL };
	const char			*first = unit_skip_blanks(at), *second;
	const size_t			 n = unit_word_bytes(first);
	size_t				 m;

	if (unit_is_one_of(first, n, of_loops))
		return 1;
	second = unit_skip_blanks(first + n);
	m = unit_word_bytes(second);
	if (unit_is_word(first, n, "GCC"))
		return unit_is_one_of(second, m, of_gcc) ? 2 : 0;
	return (unit_is_word(first, n, "clang") && unit_is_word(second, m, "loop")) ||
	    (unit_is_word(first, n, "omp") && unit_is_word(second, m, "simd")) ? 2 : 0;
}

/* ---- macros that make a string or a pragma of their argument ---- */

enum { MAKERS_MOST = 16 };

enum makes { MAKES_OTHER, MAKES_NOTHING, MAKES_STRING, MAKES_PRAGMA };

struct maker {
	struct unit_word	name;
	enum makes		makes;
};

struct pragmas {
	struct unit_macros	macros;
	size_t			n;
	struct maker		maker[MAKERS_MOST];
};

static bool
is_operator(const char *at, size_t n)
{
	return unit_is_word(at, n, OPERATOR);
}

static enum makes
made_by(const struct pragmas *p, const char *at, size_t n)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->maker[i].name.n == n && strncmp(p->maker[i].name.at, at, n) == 0)
			return p->maker[i].makes;
	return MAKES_OTHER;
}

/* Behind the mark and the blanks around it; NULL: it is not there, or `at` is NULL. */
static const char *
skip_mark(const char *at, char mark)
{
	if (at == NULL || *(at = unit_skip_blanks(at)) != mark)
		return NULL;
	return unit_skip_blanks(at + 1);
}

static const char *
skip_word(const char *at, const struct unit_word *word)
{
	if (at == NULL || unit_word_bytes(at) != word->n || strncmp(at, word->at, word->n) != 0)
		return NULL;
	return unit_skip_blanks(at + word->n);
}

/* "NAME(x)" of a macro that makes this of its argument x. */
static const char *
skip_call(const struct pragmas *p, const char *at, const struct unit_word *x, enum makes makes)
{
	const size_t	n = unit_word_bytes(at);

	if (n == 0 || made_by(p, at, n) != makes)
		return NULL;
	return skip_mark(skip_word(skip_mark(at + n, '('), x), ')');
}

/* "#x", or that by another macro. */
static const char *
skip_string(const struct pragmas *p, const char *at, const struct unit_word *x)
{
	if (at == NULL)
		return NULL;
	return *at == '#' ? skip_word(skip_mark(at, '#'), x) : skip_call(p, at, x, MAKES_STRING);
}

static bool
is_end(const char *at)
{
	return at != NULL && *at == '\n';
}

static enum makes
made_by_text(const struct pragmas *p, const char *text, const struct unit_word *x)
{
	const size_t	n = unit_word_bytes(text);

	if (*text == '\n')
		return MAKES_NOTHING;
	if (is_end(skip_string(p, text, x)))
		return MAKES_STRING;
	return is_end(skip_call(p, text, x, MAKES_PRAGMA)) || (is_operator(text, n) &&
	    is_end(skip_mark(skip_string(p, skip_mark(text + n, '('), x), ')'))) ?
	    MAKES_PRAGMA : MAKES_OTHER;
}

/* The text of a macro with one argument; NULL: it has none, or more. */
static const char *
text_of(const char *define, struct unit_word *x)
{
	static const char	rest[] = "...", all[] = "__VA_ARGS__";
	const char		*at = define + unit_word_bytes(define);

	if (*at != '(')
		return NULL;
	at = unit_skip_blanks(at + 1);
	*x = (struct unit_word){ at, unit_word_bytes(at) };
	if (strncmp(at, rest, strlen(rest)) == 0) {
		*x = (struct unit_word){ all, strlen(all) };
		return skip_mark(at + strlen(rest), ')');
	}
	return x->n > 0 ? skip_mark(at + x->n, ')') : NULL;
}

static enum makes
made_by_define(const struct pragmas *p, const char *define)
{
	struct unit_word	x;
	const char		*text = text_of(define, &x);

	return text != NULL ? made_by_text(p, text, &x) : MAKES_OTHER;
}

/* One may be made of another behind it.  False: they are too many. */
static bool
find_makers(struct pragmas *p)
{
	size_t	before;

	do {
		before = p->n;
		for (size_t i = 0; i < p->macros.n; i++) {
			const char		*define = p->macros.define[i];
			const size_t		 n = unit_word_bytes(define);
			const enum makes	 makes = made_by_define(p, define);

			if (makes < MAKES_STRING || made_by(p, define, n) != MAKES_OTHER)
				continue;
			if (p->n == MAKERS_MOST)
				return false;
			p->maker[p->n++] = (struct maker){ { define, n }, makes };
		}
	} while (p->n > before);
	return true;
}

/* Under another condition it may make nothing. */
static bool
are_defined_alike(const struct pragmas *p)
{
	for (size_t i = 0; i < p->macros.n; i++) {
		const char		*define = p->macros.define[i];
		const enum makes	 made = made_by(p, define, unit_word_bytes(define));
		const enum makes	 makes = made_by_define(p, define);

		if (made != MAKES_OTHER && makes != MAKES_NOTHING && makes != made)
			return false;
	}
	return true;
}

/* ---- who names them ---- */

static bool
has_maker(const struct pragmas *p, const char *text, size_t bytes)
{
	for (size_t i = 0, n; i < bytes; i += n > 0 ? n : 1) {
		n = unit_word_bytes(text + i);
		if (made_by(p, text + i, n) != MAKES_OTHER)
			return true;
	}
	return false;
}

static bool
is_param_fit(const struct pragmas *p, const struct param *param)
{
	return !has_maker(p, param->name, strlen(param->name)) &&
	    (param->value.kind != VALUE_TEXT ||
	    !has_maker(p, param->value.text, strlen(param->value.text)));
}

/* The submitter's macros are none of them, and name none. */
static bool
are_given_none(const struct pragmas *p, const struct job *job)
{
	const struct variant	*v = &job->variant;

	for (size_t i = 0; i < v->ndefines; i++)
		if (has_maker(p, v->defines[i].name, strlen(v->defines[i].name)) ||
		    has_maker(p, v->defines[i].text, strlen(v->defines[i].text)))
			return false;
	for (size_t i = 0; i < job->spec.nparams; i++)
		if (!is_param_fit(p, &job->spec.params[i]))
			return false;
	return true;
}

static bool
are_pasted_none(const struct pragmas *p, const char *clean)
{
	for (size_t i = 0; i < p->n; i++)
		if (unit_pastes_make(clean, p->maker[i].name.at, p->maker[i].name.n))
			return false;
	return true;
}

/* ---- uses ---- */

/* A word that stays as it is; `define`, NULL: none, has it in its text. */
static bool
is_plain_word(const struct pragmas *p, const char *define, const char *at)
{
	const size_t	n = unit_word_bytes(at);

	return (p->macros.job == NULL || !unit_macros_has(&p->macros, at, n)) &&
	    (define == NULL || !unit_is_argument(define, at, n));
}

/* What is said in a use, up to `end`. */
static bool
is_pragma_fit(const struct pragmas *p, const char *define, const char *at, const char *end)
{
	const char	*second = unit_skip_blanks(at + unit_word_bytes(at));
	const size_t	 bytes = (size_t)(end - at), words = unit_pragma_words(at);

	return words > 0 && !has_maker(p, at, bytes) && !name_is_in(OPERATOR, at, bytes) &&
	    memchr(at, '#', bytes) == NULL &&
	    (define == NULL || memchr(at, '\n', bytes) == NULL) &&
	    is_plain_word(p, define, at) && (words < 2 || is_plain_word(p, define, second));
}

/* From the first word in them to the bracket that closes. */
struct brackets {
	const char	*in, *close;
};

/* Those that follow a word; false: none do. */
static bool
find_brackets(const char *behind, struct brackets *b)
{
	const char	*open = unit_skip_blanks(behind);
	const size_t	 bytes = *open == '(' ? unit_attributes_bytes(open) : 0;

	if (bytes == 0)
		return false;
	*b = (struct brackets){ unit_skip_blanks(open + 1), open + bytes - 1 };
	return true;
}

/* `_Pragma`, or a macro that makes one, at `at`: behind its argument.  NULL: that is another. */
static const char *
end_of_use(const struct pragmas *p, const char *define, const char *at, size_t n)
{
	struct brackets	all, said;
	size_t		word;

	if (!find_brackets(at + n, &all))
		return NULL;
	said = all;
	word = unit_word_bytes(all.in);
	if (is_operator(at, n) && made_by(p, all.in, word) == MAKES_STRING) {
		if (!find_brackets(all.in + word, &said) ||
		    unit_skip_blanks(said.close + 1) != all.close)
			return NULL;
	} else if (!is_operator(at, n) && made_by(p, at, n) != MAKES_PRAGMA)
		return NULL;
	return is_pragma_fit(p, define, said.in, said.close) ? all.close + 1 : NULL;
}

/* Up to `end`; lines stay. */
static char *
blank(char *at, const char *end)
{
	for (; at < end; at++)
		if (*at != '\n')
			*at = ' ';
	return at;
}

/* What of a line, or of several, names them, from `at` on.  NULL: it may not. */
static char *
take_out_word(const struct pragmas *p, const char *line, char *at, size_t n)
{
	const char	*define = unit_directive(line, "define"), *end;

	if (at == define)
		return blank(at + n + unit_attributes_bytes(at + n), at + strcspn(at, "\n"));
	if (define == NULL && *unit_skip_blanks(line) == '#')
		return NULL;
	end = end_of_use(p, define, at, n);
	return end != NULL ? blank(at, end) : NULL;
}

static bool
take_out(const struct pragmas *p, char *clean)
{
	const char	*line = clean;

	for (char *at = clean; *at != '\0';) {
		const size_t	n = unit_word_bytes(at);

		if (is_operator(at, n) || made_by(p, at, n) != MAKES_OTHER) {
			if ((at = take_out_word(p, line, at, n)) == NULL)
				return false;
			continue;
		}
		at += n > 0 ? n : 1;
		if (at[-1] == '\n')
			line = at;
	}
	return true;
}

static bool
take_out_of_source(char *clean, const struct job *job)
{
	struct pragmas	p = { .n = 0 };

	return strstr(clean, OPERATOR) == NULL || (unit_macros_read(&p.macros, job, clean) &&
	    find_makers(&p) && are_defined_alike(&p) && are_given_none(&p, job) &&
	    are_pasted_none(&p, clean) && take_out(&p, clean));
}

char *
unit_clean_source(const struct job *job)
{
	char	*clean = unit_with_files(job);

	if (clean == NULL || take_out_of_source(clean, job))
		return clean;
	free(clean);
	return NULL;
}

char *
unit_clean_macro(const char *text)
{
	const struct pragmas	 none = { .n = 0 };
	char			*clean = unit_clean(text);

	if (clean == NULL || take_out(&none, clean))
		return clean;
	free(clean);
	return NULL;
}
