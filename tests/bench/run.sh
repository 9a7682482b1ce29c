#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Measure the project's figures: tests/bench/run.sh build/release [figure …]
# Prints "name value unit goal ok|short" for each and leaves them in build/bench/figures.json.
set -eu
here=$(dirname "$0")
build=${1:?usage: run.sh BUILD_DIRECTORY [FIGURE …]}

missing() {
	echo "bench: $1 is missing; 'deploy/bootstrap --ci' installs it (apt-get install $2)" >&2
	exit 69
}
for program in assayd assay-worker assay-jail assay-runner; do
	[ -x "$build/$program" ] || { echo "bench: $build/$program is not built; run make first" >&2; exit 69; }
done
command -v gcc >/dev/null || missing gcc gcc
command -v g++ >/dev/null || missing g++ g++
command -v taskset >/dev/null || missing taskset util-linux
echo '#include <benchmark/benchmark.h>' | g++ -E -x c++ - >/dev/null 2>&1 || missing "Google Benchmark" libbenchmark-dev
shift
ASSAY_BUILD=$build exec /usr/bin/python3 "$here/bench.py" "$@"
