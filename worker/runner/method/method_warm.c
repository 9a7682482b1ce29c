/* SPDX-License-Identifier: Apache-2.0 */
/* Nothing is flushed: all calls are on one set, which is where the last calls left it. */
#include "worker/runner/method/method.h"

static int
applies(const struct rt_timer *t, const struct runner_run *run)
{
	return t->image == NULL && run->walk == RUNNER_STAY && run->flush == RUNNER_FLUSH_NONE;
}

const struct rt_method	rt_method_warm = {
	.applies = applies, .aim = rt_aim_home, .restore = rt_timer_restore_inout,
};
