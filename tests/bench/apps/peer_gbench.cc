// SPDX-License-Identifier: Apache-2.0
// An application's routine in Google Benchmark, called again and again on one place.
#include <benchmark/benchmark.h>

extern "C" {
#include "app.h"
}

static void
routine(benchmark::State &state)
{
	void	*place = app_place();

	for (auto _ : state) {
		app_call(place);
		benchmark::ClobberMemory();
	}
}
BENCHMARK(routine)->MinTime(0.2);
BENCHMARK_MAIN();
