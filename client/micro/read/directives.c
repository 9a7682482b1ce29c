/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "client/micro/read/directives.h"

struct directive {
	const char	*word;
	const char	*does, *hint;
};

#define FILES	"opens a file"
#define NAMES	"can make names of directives that open files"

/* In any case of letters, as the assembler takes them. */
static const struct directive	refused[] = {
	{ ".incbin", FILES, "put the bytes there, with .byte" },
	{ ".include", FILES, "put its lines into the description, or name it in <file>" },
	{ ".secure_log_unique", FILES, "leave it out" },
	{ ".macro", NAMES, "write its lines out; .rept repeats lines" },
	{ ".irp", NAMES, "write its lines out; .rept repeats lines" },
	{ ".irpc", NAMES, "write its lines out; .rept repeats lines" },
	{ ".irep", NAMES, "write its lines out; .rept repeats lines" },
	{ ".irepc", NAMES, "write its lines out; .rept repeats lines" },
	{ ".altmacro", NAMES, "leave it out" },
	{ ".mri", "changes the assembler's language", "leave it out" },
};

enum { NREFUSED = sizeof refused / sizeof *refused };

static bool
begins_with(const char *at, const char *word)
{
	const size_t	n = strlen(word);

	return strncasecmp(at, word, n) == 0 && !isalnum((unsigned char)at[n]) && at[n] != '_';
}

static const struct directive *
directive_at(const char *at)
{
	for (unsigned i = 0; *at == '.' && i < NREFUSED; i++)
		if (begins_with(at, refused[i].word))
			return &refused[i];
	return NULL;
}

/* A name may stand in quotes, where "\151" and "\i" are an i. */
static bool
is_hidden_letter(const char *at)
{
	if (at[0] != '\\' || !isalnum((unsigned char)at[1]))
		return false;
	return strchr("nrt", at[1]) == NULL && (at[1] != '0' || isdigit((unsigned char)at[2]));
}

enum status
directives_check(const struct micro *m, struct place at, const char *text, struct fault *why)
{
	const struct directive	*d;

	for (const char *c = text; *c != '\0'; c++) {
		if ((d = directive_at(c)) != NULL) {
			(void)micro_refuse(m, at, why, "%s %s: code of a description may not",
			    d->word, d->does);
			fault_hint(why, "%s", d->hint);
			return ST_BAD_SPEC;
		}
		if (is_hidden_letter(c)) {
			(void)micro_refuse(m, at, why, "\\%c can hide a letter of a directive",
			    c[1]);
			fault_hint(why, "\\n, \\r, \\t, \\0, \\\\ and \\\" can be used; others "
			    "with .byte");
			return ST_BAD_SPEC;
		}
	}
	return ST_OK;
}
