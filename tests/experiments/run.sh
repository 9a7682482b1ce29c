#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Run the experiments: tests/experiments/run.sh build/release [--quick] [exp1 …]
# Prints a table for each; leaves CSV and SVG in build/experiments.
set -eu
here=$(dirname "$0")
build=${1:?usage: run.sh BUILD_DIRECTORY [--quick] [NAME …]}
what=experiments
. "$here/../support/measuring.sh"
shift
ASSAY_BUILD=$build exec /usr/bin/python3 "$here/experiments.py" "$@"
