/* SPDX-License-Identifier: Apache-2.0 */
/* Facts about a lane that are known without asking its runner. */
#include "worker/bench/bench.h"
#include "worker/bench/schedstat.h"

uint64_t
bench_delay_ns(const struct bench *b, unsigned lane)
{
	pid_t	pid = bench_pid(b, lane);

	return pid > 0 ? schedstat_waited_ns(pid) : 0;
}

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
