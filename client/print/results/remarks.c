/* SPDX-License-Identifier: Apache-2.0 */
#include <stdbool.h>
#include <stdio.h>

#include "client/print/member.h"
#include "client/print/results/remarks.h"

enum { COUNTS_BYTES = 512 };

static void
note_uncorrected(const json_t *results)
{
	static const char *const	corrected[] = { "corrected", NULL };
	char				counts[COUNTS_BYTES];

	if (member_counts(results, corrected, counts, sizeof counts)[0] != '\0')
		(void)fprintf(stderr, "assay: ranked as taken, without a correction: %s\n",
		    counts);
}

static void
note_correction(const json_t *correction)
{
	const json_t	*results = json_object_get(correction, "results");
	const double	 n = member_number(results, "corrected");

	if (n > 0)
		(void)fprintf(stderr, "assay: the ranking is corrected for drift: %.0f times were "
		    "divided by %.4f to %.4f\n", n, member_number(correction, "least"),
		    member_number(correction, "most"));
	note_uncorrected(results);
}

void
remarks_drift(const json_t *reply)
{
	const json_t	*drift = json_object_get(reply, "drift");
	const json_t	*correction = json_object_get(reply, "correction");
	const bool	 is_corrected = json_is_object(correction);

	if (json_is_object(drift))
		(void)fprintf(stderr, "assay: the sweep's yardstick drifted by %+.2f %% over %.0f "
		    "timings, at worst by %+.2f %% from one to the next%s\n",
		    100 * (member_number(drift, "drift") - 1), member_number(drift, "timings"),
		    100 * (member_number(drift, "worst_step") - 1), is_corrected ? "" :
		    "; the ranking is not corrected for that");
	if (is_corrected)
		note_correction(correction);
}

void
remarks_damaged(const json_t *reply)
{
	const json_t	*ids = json_object_get(reply, "damaged");
	const size_t	 n = json_array_size(ids);

	if (n > 0)
		(void)fprintf(stderr, "assay: %zu result%s left out, damaged in the database (job "
		    "%" JSON_INTEGER_FORMAT "%s): assay check lists all\n", n,
		    n == 1 ? " is" : "s are", json_integer_value(json_array_get(ids, 0)),
		    n == 1 ? "" : ", …");
}

void
remarks_page(const json_t *reply)
{
	if (json_is_string(json_object_get(reply, "ranked_by")))
		(void)fprintf(stderr, "assay: ranked without the drift of the sweep's yardstick, "
		    "as far as that is known: assay sweep show has the counts\n");
	remarks_damaged(reply);
}

void
remarks_collect(json_t *all, const json_t *reply)
{
	json_t	*damaged = json_object_get(reply, "damaged"), *so_far;

	if (json_object_get(reply, "ranked_by") != NULL)
		(void)json_object_set(all, "ranked_by", json_object_get(reply, "ranked_by"));
	if (damaged == NULL)
		return;
	if ((so_far = json_object_get(all, "damaged")) == NULL)
		(void)json_object_set(all, "damaged", damaged);
	else
		(void)json_array_extend(so_far, damaged);
}
