#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Run every test of a build: include rules, unit programs, integration programs.  usage: run.sh BUILD, from the top.
#
# A test program gets 60 s; one whose source has a line "time limit: N s" gets N.  What fails is shown with its output,
# and is named once more at the end, a line for each test: "failed: PROGRAM: TEST: why".
# The last line is "N passed, N failed"; the exit status is 0 if none failed.  PYTHON names another interpreter.
set -u
B=${1:?usage: tests/run.sh BUILD}
PYTHON=${PYTHON:-/usr/bin/python3}
ASSAY_BUILD=$(cd "$B" && pwd) || exit 2
ASAN_OPTIONS=${ASAN_OPTIONS:-detect_stack_use_after_return=0}
UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}
# Databases of tests live in memory where that can be had: hundreds of daemons that sync their commits to one disk wait.
if [ -z "${TMPDIR:-}" ] && [ -d /dev/shm ] && [ -w /dev/shm ]; then
	TMPDIR=/dev/shm
	export TMPDIR
fi
export ASSAY_BUILD ASAN_OPTIONS UBSAN_OPTIONS
out=$(mktemp) || exit 2
failures=$(mktemp) || exit 2
trap 'rm -f "$out" "$failures"' EXIT
passed=0
failed=0
skipped=0
programs=0

# limit SOURCE: its time limit in seconds.
limit()
{
	n=$(sed -n 's/.*time limit: \([0-9][0-9]*\) s.*/\1/p' "$1" | head -1)
	echo "${n:-60}"
}

# account NAME STATUS PASSED FAILED [SKIPPED]: a program that ends badly without a failed test has failed as a whole.
account()
{
	f=$4
	s=${5:-0}
	[ "$2" -ne 0 ] && [ "$f" -eq 0 ] && f=1
	passed=$((passed + $3))
	failed=$((failed + f))
	skipped=$((skipped + s))
	programs=$((programs + 1))
	printf '  %-40s %4d passed %3d failed' "$1" "$3" "$f"
	[ "$s" -eq 0 ] || printf ' %3d skipped' "$s"
	echo
	[ "$f" -eq 0 ] && return
	[ "$2" -eq 124 ] && echo "    it ran into its time limit"
	sed 's/^/    /' "$out"
	awk -v program="$1" -v status="$2" -f tests/failures.awk "$out" >>"$failures"
}

rules()
{
	tests/include_rules.sh "$B" >"$out" 2>&1
	status=$?
	account include_rules $status "$(grep -c '^ok ' "$out")" "$(grep -c '^not ok ' "$out")"
}

# cmocka lists failed and skipped tests once more after "N test(s) run."; only the first mention counts.
unit()
{
	name=$(basename "$1" .c)
	timeout -k 5 "$(limit "$1")" "$B/tests/$name" >"$out" 2>&1 </dev/null
	status=$?
	account "unit/$name" $status $(awk '
		/^\[==========\] Running/ { listing = 0 }
		/^\[==========\] .* run\.$/ { listing = 1 }
		/^\[       OK \]/ { passed++ }
		/^\[  FAILED  \]/ && !listing { failed++ }
		/^\[  SKIPPED \]/ && !listing { skipped++ }
		END { print passed + 0, failed + 0, skipped + 0 }' "$out")
}

# unittest's summary: "Ran N tests in …", then "OK (…)" or "FAILED (failures=N, errors=N, skipped=N, …)".
integration()
{
	timeout -k 5 "$(limit "$1")" "$PYTHON" "$1" >"$out" 2>&1 </dev/null
	status=$?
	set -- "$1" $(awk '
		function count(word) {
			if (!match($0, word "=[0-9]+"))
				return 0
			return substr($0, RSTART + length(word) + 1, RLENGTH - length(word) - 1) + 0
		}
		/^Ran [0-9]+ tests? in / { ran = $2; failed = skipped = 0 }
		/^(OK|FAILED)( \(.*\))?$/ && ran != "" {
			failed = count("failures") + count("errors")
			skipped = count("skipped")
		}
		END { left = ran - failed - skipped; if (left < 0) left = 0; print left, failed + 0, skipped + 0 }' "$out")
	account "integration/$(basename "$1" .py)" $status "$2" "$3" "$4"
}

# Read whole before it runs: a change to this file meanwhile does not matter.
{
rules
for source in tests/unit/test_*.c; do
	[ -f "$source" ] && unit "$source"
done
for source in tests/integration/test_*.py; do
	[ -f "$source" ] && integration "$source"
done
echo "$programs programs of $B"
[ "$skipped" -eq 0 ] || echo "$skipped skipped: something is not installed or not permitted here;" \
    "a program run by hand with -v says what"
cat "$failures"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
exit
}
