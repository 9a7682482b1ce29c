/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of a lane without asking its runner. */
#include <stdio.h>

#include "worker/bench.h"

uint64_t
bench_delay_ns(const struct bench *b, unsigned lane)
{
	char			 path[64];
	unsigned long long	 ran, waited = 0;
	FILE			*f;

	snprintf(path, sizeof path, "/proc/%d/schedstat", (int)bench_pid(b, lane));
	if ((f = fopen(path, "re")) == NULL)
		return 0;
	if (fscanf(f, "%llu %llu", &ran, &waited) != 2)
		waited = 0;
	fclose(f);
	return waited;
}

const char *
bench_phase_words(enum runner_phase phase)
{
	static const char *const	words[RUNNER_NPHASES] = {
		[RUNNER_IDLE] = "between calls", [RUNNER_LOADING] = "load", [RUNNER_CHECKING] = "check",
		[RUNNER_WARMING] = "warm-up", [RUNNER_TIMING] = "timed phase",
	};

	return words[phase];
}
