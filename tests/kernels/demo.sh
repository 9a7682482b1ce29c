#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Real kernels through the whole of Assay: demo.sh BUILD_DIRECTORY [STATE_DIRECTORY]
# Leaves the database and the sweep documents in the state directory, build/demo beside build/release when none is given.
: "${1:?usage: demo.sh BUILD_DIRECTORY [STATE_DIRECTORY]}"
exec /usr/bin/python3 "$(dirname "$0")/demo.py" "$@"
