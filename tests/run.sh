#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Run the tests of a build.  usage: tests/run.sh BUILD [check | timing], from the top of the tree.
#
# check, the default: the rules of the tree, unit and integration programs.  Their verdicts are
# the same on every machine, however slow or busy.  timing: programs that judge measured times,
# which a busy machine spoils; it prints each verdict.
#
# The last line is "N passed, N failed"; the exit status is 0 if none failed.  Before it stand the
# twenty slowest programs, and "failed: PROGRAM: TEST: why" for each test that failed.
# JOBS: programs side by side; otherwise two for each CPU, at most 8.  PYTHON: another interpreter.
set -u
: "${1:?usage: tests/run.sh BUILD [check | timing]}"
PYTHON=${PYTHON:-/usr/bin/python3}
ASAN_OPTIONS=${ASAN_OPTIONS:-detect_stack_use_after_return=0}
UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}
# Databases of tests lie in memory where possible: hundreds of daemons would wait for one disk.
if [ -z "${TMPDIR:-}" ] && [ -d /dev/shm ] && [ -w /dev/shm ]; then
	TMPDIR=/dev/shm
	export TMPDIR
fi
export ASAN_OPTIONS UBSAN_OPTIONS
exec "$PYTHON" -B tests/support/run.py "$@"
