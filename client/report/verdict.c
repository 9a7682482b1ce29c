/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdbool.h>

#include "client/print/format.h"
#include "client/print/results/entry.h"
#include "client/report/verdict.h"

enum { MOST_NAMES = 8, NAME_BYTES = 80 };

static void
append_name(struct entry *e, const struct row *r)
{
	char	name[NAME_BYTES];

	(void)snprintf(name, sizeof name, "%s", r->name[0] != '\0' ? r->name : "(no name)");
	entry_append(e, "%s", format_clean(name, false));
}

/* ---- the fastest ---- */

static size_t
count_ok(const struct ranking *k)
{
	size_t	n = 0;

	while (n < k->n && row_is_ranked(k->rows[n]))
		n++;
	return n;
}

/* The first row that is certainly slower; `ok`: there is none. */
static size_t
first_slower(const struct ranking *k, size_t ok, double noise)
{
	size_t	i = 1;

	while (i < ok && ranking_is_tied(k, i, noise))
		i++;
	return i;
}

static size_t
count_ties(const struct ranking *k, size_t ok, double noise)
{
	size_t	n = 0;

	for (size_t i = 1; i < ok; i++)
		n += ranking_is_tied(k, i, noise);
	return n;
}

static void
append_ties(struct entry *e, const struct ranking *k, size_t ok, double noise)
{
	size_t	n = 0;

	for (size_t i = 1; i < ok; i++) {
		if (!ranking_is_tied(k, i, noise) || n++ >= MOST_NAMES)
			continue;
		entry_append(e, "%s", n > 1 ? ", " :
		    ". By these times it cannot be told apart from ");
		append_name(e, k->rows[i]);
	}
	if (n > MOST_NAMES)
		entry_append(e, " and %zu more", n - MOST_NAMES);
}

static void
append_fastest(struct entry *e, const struct ranking *k, size_t ok, double noise)
{
	const size_t	slower = first_slower(k, ok, noise);
	const bool	is_sure = count_ties(k, ok, noise) == 0;

	append_name(e, k->rows[0]);
	entry_append(e, is_sure ? " is fastest" : " has the shortest time");
	if (slower < ok) {
		entry_append(e, ", %.2f times as fast as ",
		    ranking_speedup(k, k->rows[slower], k->rows[0]));
		append_name(e, k->rows[slower]);
	}
	if (!is_sure)
		append_ties(e, k, ok, noise);
	entry_append(e, ".");
}

/* ---- the rest ---- */

static void
append_left_out(struct entry *e, const struct ranking *k, size_t ok)
{
	for (size_t i = ok; i < k->n && i < ok + MOST_NAMES; i++) {
		entry_append(e, "%s", i == ok ? " Left out: " : ", ");
		append_name(e, k->rows[i]);
		entry_append(e, " (%s)", k->rows[i]->raced ? "given up" : k->rows[i]->word);
	}
	if (k->n > ok + MOST_NAMES)
		entry_append(e, " and %zu more", k->n - ok - MOST_NAMES);
	if (k->n > ok)
		entry_append(e, ".");
}

static void
append_noise(struct entry *e, double noise)
{
	char	a[FORMAT_BYTES];

	if (!isnan(noise))
		entry_append(e, " On this host today, differences below %s mean nothing.",
		    format_percent(noise, a));
}

void
verdict_put(FILE *to, size_t columns, const struct ranking *k, double noise)
{
	const size_t	ok = count_ok(k);
	struct page	page;
	struct entry	e;

	page_init(&page, to, columns, 0, 0);
	entry_begin(&e, &page, "");
	if (ok == 0)
		entry_append(&e, "No variant is ok, so none is fastest.");
	else if (ok == 1) {
		append_name(&e, k->rows[0]);
		entry_append(&e, " alone is ok: there is no time to compare with.");
	} else
		append_fastest(&e, k, ok, noise);
	append_left_out(&e, k, ok);
	if (ok > 1)
		append_noise(&e, noise);
	if (k->is_mixed)
		entry_append(&e, " The medians rank, since the times have different estimators.");
	entry_end(&e);
}
