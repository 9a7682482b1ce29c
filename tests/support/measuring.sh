# SPDX-License-Identifier: Apache-2.0
# What benches and experiments need; sourced, with $build and $what set.  Where something is missing the script ends
# with 69.
missing() {
	echo "$what: $1 is missing; 'deploy/bootstrap --ci' installs it (apt-get install $2)" >&2
	exit 69
}
for program in assayd assay-worker assay-jail assay-runner; do
	[ -x "$build/$program" ] || { echo "$what: $build/$program is not built; run make first" >&2; exit 69; }
done
command -v gcc >/dev/null || missing gcc gcc
command -v g++ >/dev/null || missing g++ g++
command -v taskset >/dev/null || missing taskset util-linux
echo '#include <benchmark/benchmark.h>' | g++ -E -x c++ - >/dev/null 2>&1 || missing "Google Benchmark" libbenchmark-dev
