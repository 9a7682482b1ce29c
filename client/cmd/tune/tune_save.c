/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "client/cmd/tune/tune_save.h"
#include "client/page/search_page.h"

/* The winner's job, as any user could have written it; NULL: there is none.  New reference. */
static json_t *
winner_job(const struct finish *f, const struct tuner *t)
{
	json_t		*job = NULL;
	struct fault	 none;

	for (size_t c = 0; job == NULL && f->overall < t->ledger.n && c < t->field->ncells; c++)
		if (field_has(t->field, &t->ledger.at[f->overall].point, c))
			(void)field_job(t->field, &t->ledger.at[f->overall].point, c, &job, &none);
	if (job != NULL && t->flight.common != NULL)
		(void)json_object_update_missing(job, (json_t *)(uintptr_t)t->flight.common);
	return job;
}

static enum status
save_winner(const char *path, const json_t *job, struct fault *why)
{
	if (job == NULL)
		return ST_OK;
	if (json_dump_file(job, path, JSON_INDENT(1)) != 0)
		return fault_set(why, ST_IO, "%s: %s", path, strerror(errno));
	return ST_OK;
}

enum status
tune_save(const struct tune_save *s, const struct finish *f, const struct tuner *t,
    const json_t *document, struct fault *why)
{
	json_t		*job = winner_job(f, t);
	enum status	 st = ST_OK;

	if (s->winner != NULL)
		st = save_winner(s->winner, job, why);
	if (st == ST_OK && s->html != NULL)
		st = search_page(s->html, document, job, why);
	json_decref(job);
	return st;
}
