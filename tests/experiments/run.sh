#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Run the experiments: tests/experiments/run.sh build/release [--quick] [exp1 …]
# Prints a table for each, and what the papers claim: holds, does not hold, or cannot be judged, and
# why; all verdicts again at the end.  Leaves CSV and SVG in build/experiments.  Exit status: how
# many claims do not hold; 69 if a program is missing.
set -eu
here=$(dirname "$0")
build=${1:?usage: run.sh BUILD_DIRECTORY [--quick] [NAME …]}
what=experiments
. "$here/../support/measuring.sh"
shift
ASSAY_BUILD=$build exec /usr/bin/python3 "$here/experiments.py" "$@"
