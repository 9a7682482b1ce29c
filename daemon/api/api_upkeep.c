/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "daemon/api/api_impl.h"
#include "daemon/upkeep/upkeep.h"

enum status
api_host_calibrate(struct call *c, const json_t *params, struct fault *why)
{
	enum status	st = upkeep_calibrate(c->api->env.upkeep, why);

	(void)params;
	return st != ST_OK ? st : call_answer(c, upkeep_calibration(c->api->env.upkeep));
}

enum status
api_host_yardstick(struct call *c, const json_t *params, struct fault *why)
{
	enum status	st = upkeep_yardstick(c->api->env.upkeep, why);

	(void)params;
	return st != ST_OK ? st : call_answer(c, upkeep_yardstick_report(c->api->env.upkeep));
}

/* ---- metrics ---- */

static void
put_gauge(struct evbuffer *out, const char *name, const char *help)
{
	(void)evbuffer_add_printf(out, "# HELP %s %s\n# TYPE %s gauge\n", name, help, name);
}

void
api_put_upkeep_metrics(const struct api *api, struct evbuffer *out)
{
	struct yardstick_summary	s[UPKEEP_KERNELS];

	upkeep_summary(api->env.upkeep, s);
	put_gauge(out, "assay_flush_bytes",
	    "Bytes read to flush, by calibration; 0: not calibrated.");
	(void)evbuffer_add_printf(out, "assay_flush_bytes %.17g\n",
	    (double)upkeep_flush_bytes(api->env.upkeep));
	put_gauge(out, "assay_reference_seconds", "Last time of a reference kernel.");
	for (unsigned i = 0; i < UPKEEP_KERNELS; i++)
		if (s[i].count > 0)
			(void)evbuffer_add_printf(out,
			    "assay_reference_seconds{kernel=\"%s\"} %.17g\n", s[i].kernel,
			    s[i].last_ns * 1e-9);
	put_gauge(out, "assay_reference_cv",
	    "Spread of its last times: the host's noise floor.");
	for (unsigned i = 0; i < UPKEEP_KERNELS; i++)
		if (!isnan(s[i].cv))
			(void)evbuffer_add_printf(out,
			    "assay_reference_cv{kernel=\"%s\"} %.17g\n", s[i].kernel, s[i].cv);
}
