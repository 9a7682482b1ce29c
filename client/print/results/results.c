/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "client/print/results/results.h"

enum status
results_read_one(struct result *r, const json_t *document, struct fault *why)
{
	result_clear(r);
	if (!json_is_object(document))
		return fault_set(why, ST_IO,
		    "the daemon's reply has a result that is not an object");
	return result_get(r, document, SHAPE_LENIENT, why);
}

enum status
results_read(struct results *r, const json_t *array, struct fault *why)
{
	enum status	st = ST_OK;

	memset(r, 0, sizeof *r);
	if (!json_is_array(array))
		return fault_set(why, ST_IO, "the daemon's reply has no list of results");
	r->at = calloc(json_array_size(array) + 1, sizeof *r->at);
	if (r->at == NULL)
		return fault_set(why, ST_NOMEM, "results");
	r->documents = json_incref((json_t *)(uintptr_t)array);
	while (st == ST_OK && r->n < json_array_size(array)) {
		st = results_read_one(&r->at[r->n], json_array_get(array, r->n), why);
		r->n += st == ST_OK;
	}
	if (st != ST_OK)
		results_release(r);
	return st;
}

void
results_release(struct results *r)
{
	for (size_t i = 0; i < r->n; i++)
		result_release(&r->at[i]);
	free(r->at);
	json_decref(r->documents);
	memset(r, 0, sizeof *r);
}

enum status
results_outcome(const struct result *r)
{
	enum status	st;

	return r->status != NULL && status_from_word(&st, r->status) ? st : ST_INTERNAL;
}

double
results_correction(const struct result *r)
{
	return r->has_time && r->time.value_ns > 0 && !isnan(r->corrected_ns) ?
	    r->corrected_ns / r->time.value_ns : 1;
}

int
results_exit_code(const struct results *r)
{
	for (size_t i = 0; i < r->n; i++)
		if (results_outcome(&r->at[i]) != ST_OK)
			return status_exit_code(results_outcome(&r->at[i]));
	return 0;
}
