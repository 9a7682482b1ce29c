/* SPDX-License-Identifier: Apache-2.0 */
#include <unistd.h>

#include "daemon/upkeep/upkeep_impl.h"
#include "daemon/upkeep/yardstick.h"
#include "proto/base/clock.h"
#include "proto/base/log.h"

static void
on_admitted(void *arg, const struct admitted *a)
{
	struct upkeep	*u = arg;

	dispatch_use_trial(u->env.dispatch, a->status == ST_OK ? a->ids[0] : 0);
}

bool
upkeep_trial(void *arg)
{
	struct upkeep	*u = arg;
	json_t		*jobs;
	struct fault	 why;
	enum status	 st;

	if (u->stopped)
		return false;
	jobs = json_pack("[o]", yardstick_job_trial((uint64_t)(clock_wall_s() * 1000)));
	st = jobs != NULL ? intake_jobs(u->env.intake, geteuid(), jobs, on_admitted, u, &why) :
	    fault_set(&why, ST_NOMEM, "out of memory");
	json_decref(jobs);
	if (st != ST_OK)
		log_warn("upkeep=trial failed: %s", why.text);
	return st == ST_OK;
}
