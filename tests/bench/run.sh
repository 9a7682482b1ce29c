#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Measure the project's figures: tests/bench/run.sh build/release [figure …]
# Prints "name value unit goal ok|short[: why]" for each, all of them again at the end, and leaves
# them in build/bench/figures.json.  Exit status: how many are short, at most 63; 69 if a program is
# missing.
set -eu
here=$(dirname "$0")
build=${1:?usage: run.sh BUILD_DIRECTORY [FIGURE …]}
what=bench
. "$here/../support/measuring.sh"
shift
ASSAY_BUILD=$build exec /usr/bin/python3 "$here/bench.py" "$@"
