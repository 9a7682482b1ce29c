// SPDX-License-Identifier: Apache-2.0
// One kernel in Google Benchmark.  ROUTINE: the file that calls it, as for the independent timer; SIZE: its n.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <new>
#include <random>

extern "C" {
#include ROUTINE
}

static double *
random_vector(size_t n, unsigned seed)
{
	auto	*v = static_cast<double *>(std::aligned_alloc(64, (sizeof(double) * n + 63) / 64 * 64));
	std::mt19937_64				 engine(seed);
	std::uniform_real_distribution<double>	 uniform(-1.0, 1.0);

	if (v == nullptr)
		throw std::bad_alloc();
	for (size_t i = 0; i < n; i++)
		v[i] = uniform(engine);
	return v;
}

static void
kernel(benchmark::State &state)
{
	double	*at[ROUTINE_OPERANDS] = {};

	for (size_t k = 0; k < routine.operands; k++)
		at[k] = random_vector(routine.doubles(k, SIZE), static_cast<unsigned>(k) + 1);
	for (auto _ : state) {
		call(SIZE, at);
		benchmark::ClobberMemory();
	}
	for (double *v : at)
		std::free(v);
}
BENCHMARK(kernel);
BENCHMARK_MAIN();
