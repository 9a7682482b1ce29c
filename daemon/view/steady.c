/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "daemon/store/store_correct.h"
#include "daemon/view/steady.h"

json_t *
steady_noise(struct store *store, int64_t sweep_id)
{
	struct store_noise	n;

	store_noise(store, sweep_id, &n);
	return n.identities == 0 ? json_null() : json_pack("{s:f, s:I, s:I}", "spread", n.spread,
	    "identities", (json_int_t)n.identities, "timings", (json_int_t)n.timings);
}

json_t *
steady_drift(struct store *store, int64_t sweep_id)
{
	struct store_drift	d;

	store_drift(store, sweep_id, &d);
	return d.timings < 2 ? json_null() : json_pack("{s:I, s:f, s:f, s:f, s:f}", "timings",
	    (json_int_t)d.timings, "first_ns", d.first_ns, "last_ns", d.last_ns, "drift",
	    d.last_ns / d.first_ns, "worst_step", d.worst);
}

static json_t *
factor(double x)
{
	return isnan(x) ? json_null() : json_real(x);
}

json_t *
steady_correction(struct store *store, int64_t sweep_id)
{
	struct store_corrections	 c;
	json_t				*results;

	if (!store_corrections(store, sweep_id, &c))
		return json_null();
	results = json_object();
	for (enum correction i = 0; i < CORRECTION_N; i++)
		if (c.n[i] != 0)
			(void)json_object_set_new(results, correction_word(i),
			    json_integer(c.n[i]));
	return json_pack("{s:o, s:o, s:o}", "results", results, "least", factor(c.least), "most",
	    factor(c.most));
}
