#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Real kernels through the whole of Assay: tests/kernels/demo.sh build/release
# Leaves the database and the sweep documents in build/demo.
exec /usr/bin/python3 "$(dirname "$0")/demo.py" "${1:?usage: demo.sh BUILD_DIRECTORY}"
