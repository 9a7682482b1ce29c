#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Measure the project's figures: tests/bench/run.sh build/release [figure …]
# Prints "name value unit goal ok|short" for each and leaves them in build/bench/figures.json.
set -eu
here=$(dirname "$0")
build=${1:?usage: run.sh BUILD_DIRECTORY [FIGURE …]}
what=bench
. "$here/../support/measuring.sh"
shift
ASSAY_BUILD=$build exec /usr/bin/python3 "$here/bench.py" "$@"
