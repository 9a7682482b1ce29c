// SPDX-License-Identifier: Apache-2.0
// The dot product in Google Benchmark: the same kernel, compiled to an object of its own with the same flags, on
// operands of the same size, alignment and distribution as the spec's.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <new>
#include <random>

extern "C" double dotprod(const int N, const double *X, const double *Y);

static double *
random_vector(int n, unsigned seed)
{
	auto	*v = static_cast<double *>(std::aligned_alloc(64, sizeof(double) * n));
	std::mt19937_64				 engine(seed);
	std::uniform_real_distribution<double>	 uniform(-1.0, 1.0);

	if (v == nullptr)
		throw std::bad_alloc();
	for (int i = 0; i < n; i++)
		v[i] = uniform(engine);
	return v;
}

static void
dot(benchmark::State &state)
{
	const int	 n = static_cast<int>(state.range(0));
	double		*x = random_vector(n, 1), *y = random_vector(n, 2);

	for (auto _ : state)
		benchmark::DoNotOptimize(dotprod(n, x, y));
	std::free(x);
	std::free(y);
}
BENCHMARK(dot)->Arg(20000);
BENCHMARK_MAIN();
