#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Run the experiments: tests/experiments/run.sh build/release [--quick] [exp1 …]
# Prints a table for each; leaves CSV and SVG in build/experiments.
set -eu
here=$(dirname "$0")
build=${1:?usage: run.sh BUILD_DIRECTORY [--quick] [NAME …]}

missing() {
	echo "experiments: $1 is missing; 'deploy/bootstrap --ci' installs it (apt-get install $2)" >&2
	exit 69
}
for program in assayd assay-worker assay-jail assay-runner; do
	[ -x "$build/$program" ] || { echo "experiments: $build/$program is not built; run make first" >&2; exit 69; }
done
command -v gcc >/dev/null || missing gcc gcc
command -v g++ >/dev/null || missing g++ g++
command -v taskset >/dev/null || missing taskset util-linux
echo '#include <benchmark/benchmark.h>' | g++ -E -x c++ - >/dev/null 2>&1 || missing "Google Benchmark" libbenchmark-dev
shift
ASSAY_BUILD=$build exec /usr/bin/python3 "$here/experiments.py" "$@"
