/* SPDX-License-Identifier: Apache-2.0 */
/* Facts about a lane that are known without asking its runner. */
#include "worker/bench/bench.h"

const char *
bench_phase_words(enum runner_phase phase)
{
	static const char *const	words[RUNNER_NPHASES] = {
		[RUNNER_IDLE] = "between calls", [RUNNER_LOADING] = "load",
		[RUNNER_CHECKING] = "check", [RUNNER_WARMING] = "warm-up",
		[RUNNER_TIMING] = "timed phase",
	};

	return words[phase];
}
