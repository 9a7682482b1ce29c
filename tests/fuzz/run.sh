#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh BUILD SECONDS: every fuzzer of BUILD for so long, one after another, on a copy of its corpus.  What is found goes
# to BUILD/finds/; ends with 1 if anything was.
set -u

[ $# -eq 2 ] || { echo "usage: tests/fuzz/run.sh BUILD SECONDS" >&2; exit 64; }
build=$1
seconds=$2
here=$(cd "$(dirname "$0")" && pwd)
failed=0
ran=0

# Run one fuzzer and print its line.
fuzz() {
	name=${1##*/fuzz_}
	corpus=$build/corpus/$name
	log=$build/finds/$name.log
	mkdir -p "$corpus" "$build/finds"
	[ -d "$here/corpus/$name" ] && cp "$here/corpus/$name"/* "$corpus"/
	set -- "$1" -max_total_time="$seconds" -max_len=16384 -timeout=10 -rss_limit_mb=1024 \
	    -artifact_prefix="$build/finds/$name-" -print_final_stats=1
	[ -f "$here/dict/$name.dict" ] && set -- "$@" -dict="$here/dict/$name.dict"
	if "$@" "$corpus" >"$log" 2>&1; then
		result=ok
	else
		result="FOUND, see $log"
		failed=1
	fi
	runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
	printf '  %-10s %ss  %s runs  %s\n' "$name" "$seconds" "${runs:-?}" "$result"
}

for program in "$build"/fuzz_*; do
	[ -f "$program" ] && [ -x "$program" ] || continue
	fuzz "$program"
	ran=$((ran + 1))
done
[ "$ran" -gt 0 ] || { echo "there are no fuzzers in $build: make MODE=fuzz fuzzers" >&2; exit 1; }
exit $failed
