/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "proto/base/status.h"

static const struct row {
	int		 exit_code;
	const char	*word, *t4, *text;
} rows[ST_N] = {
#define X(name, code, word, t4, text) [ST_##name] = { code, word, t4, text },
	STATUS_LIST(X)
#undef X
};

static const struct row *
row_of(enum status st)
{
	return &rows[(unsigned)st < ST_N ? st : ST_INTERNAL];
}

const char *
status_word(enum status st)
{
	return row_of(st)->word;
}

const char *
status_t4(enum status st)
{
	return row_of(st)->t4;
}

const char *
status_text(enum status st)
{
	return row_of(st)->text;
}

int
status_exit_code(enum status st)
{
	return row_of(st)->exit_code;
}

bool
status_is_outcome(enum status st)
{
	return (unsigned)st <= ST_INTERNAL;
}

bool
status_from_word(enum status *out, const char *word)
{
	for (unsigned st = 0; st < ST_N; st++) {
		if (strcmp(rows[st].word, word) == 0) {
			*out = st;
			return true;
		}
	}
	return false;
}
