/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <string.h>

#include "proto/base/name.h"
#include "worker/build/unit/read/unit_macros.h"
#include "worker/build/unit/read/unit_words.h"

enum { DEPTH_MOST = 64 };		/* of macros in macros */

bool
unit_macros_read(struct unit_macros *m, const struct job *job, const char *clean)
{
	m->job = job;
	m->n = m->looked_at = 0;
	for (const char *line = clean; *line != '\0'; line = unit_next_line(line)) {
		const char	*name = unit_directive(line, "define");

		if (name != NULL && m->n == UNIT_MACROS_MOST)
			return false;
		if (name != NULL)
			m->define[m->n++] = name;
	}
	return true;
}

static bool
is_param(const struct spec *spec, const char *at, size_t n)
{
	for (size_t i = 0; i < spec->nparams; i++)
		if (unit_is_word(at, n, spec->params[i].name))
			return !spec_param_is_argument(spec, &spec->params[i]);
	return false;
}

static bool
is_define(const char *define, const char *at, size_t n)
{
	return strncmp(define, at, n) == 0 && unit_word_bytes(define) == n;
}

bool
unit_macros_has(const struct unit_macros *m, const char *at, size_t n)
{
	const struct variant	*v = &m->job->variant;

	if (is_param(&m->job->spec, at, n))
		return true;
	for (size_t i = 0; i < v->ndefines; i++)
		if (unit_is_word(at, n, v->defines[i].name))
			return true;
	for (size_t i = 0; i < m->n; i++)
		if (is_define(m->define[i], at, n))
			return true;
	return false;
}

/* They stand in brackets right behind the macro's name. */
bool
unit_is_argument(const char *define, const char *at, size_t n)
{
	const char	*list = define + unit_word_bytes(define);
	char		 name[NAME_MAX_BYTES + 1];

	if (n > NAME_MAX_BYTES)
		return true;
	memcpy(name, at, n);
	name[n] = '\0';
	return *list == '(' && name_is_in(name, list, strcspn(list, ")\n"));
}

/* ---- what a word becomes ---- */

struct search {
	struct unit_macros		*macros;	/* borrowed */
	const struct unit_word		*wanted;	/* borrowed */
	size_t				 nwanted;
	unsigned			 depth;
	bool				 is_named;
	struct unit_macro_marks		 found;
};

static void	look_at_word(struct search *, const char *at, size_t n);

static void
expect_all(struct search *s)
{
	s->found.is_loud = s->found.has_comma = s->is_named = true;
}

/* What is pasted could be any word. */
static void
look_at_text(struct search *s, const char *text, size_t bytes)
{
	char	nest[NEST_MOST];
	size_t	depth = 0;

	s->found.is_macro = true;
	s->macros->looked_at += bytes;
	if (s->depth == DEPTH_MOST || s->macros->looked_at > UNIT_MACROS_LOOKED_AT) {
		expect_all(s);
		return;
	}
	s->depth++;
	for (size_t i = 0, n; i < bytes; i += n > 0 ? n : 1) {
		n = unit_word_bytes(text + i);
		s->found.has_comma |= text[i] == ',' && depth == 0;
		s->found.is_loud |= strchr(";{}#", text[i]) != NULL || unit_is_tag(text + i, n) ||
		    !unit_nest(nest, &depth, text[i]);
		s->is_named |= text[i] == '#';
		if (n > 0)
			look_at_word(s, text + i, n);
	}
	s->depth--;
}

static bool
is_wanted(const struct search *s, const char *at, size_t n)
{
	for (size_t i = 0; i < s->nwanted; i++)
		if (s->wanted[i].n == n && strncmp(s->wanted[i].at, at, n) == 0)
			return true;
	return false;
}

static void
look_at_word(struct search *s, const char *at, size_t n)
{
	const struct unit_macros	*m = s->macros;
	const struct variant		*v = &m->job->variant;

	if (isdigit((unsigned char)*at))
		return;
	s->is_named |= is_wanted(s, at, n);
	s->found.is_macro |= is_param(&m->job->spec, at, n);
	for (size_t i = 0; i < v->ndefines; i++)
		if (unit_is_word(at, n, v->defines[i].name))
			look_at_text(s, v->defines[i].text, strlen(v->defines[i].text));
	for (size_t i = 0; i < m->n; i++)
		if (is_define(m->define[i], at, n))
			look_at_text(s, m->define[i] + n, strcspn(m->define[i], "\n") - n);
}

struct unit_macro_marks
unit_macro_marks(struct unit_macros *m, const char *at, size_t n)
{
	struct search	s = { .macros = m };

	look_at_word(&s, at, n);
	return s.found;
}

bool
unit_macros_name(struct unit_macros *m, const char *at, size_t n, const struct unit_word *wanted,
    size_t nwanted)
{
	struct search	s = { .macros = m, .wanted = wanted, .nwanted = nwanted };

	look_at_word(&s, at, n);
	return s.is_named;
}
