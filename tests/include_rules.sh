#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Who may include whom, and what the link lines promise.  Prints "ok RULE" or "not ok RULE" with the places; the exit
# status is that of the worst.  usage: include_rules.sh [BUILD], from the top of the tree.
set -u
B=${1:-build/release}
CC=${CC:-cc}
failed=0

# verdict RULE VIOLATIONS: the violations are lines; none is good.
verdict()
{
	if [ -z "$2" ]; then
		echo "ok $1"
	else
		echo "not ok $1"
		echo "$2" | sed 's/^/    /'
		failed=1
	fi
}

# "FILE TARGET" for each include, TARGET with its quotes or brackets.
includes=$(find proto daemon worker client -name '*.[ch]' -exec \
    sed -n 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*\([<"][^>"]*[>"]\).*/\1/;t found;d;:found;F;p' {} + |
    awk 'NR % 2 { file = $0; next } { print file, $0 }')

verdict 'includes name their file from the root of the tree' "$(echo "$includes" |
    awk '$2 ~ /^"/ && $2 !~ /^"(proto|daemon|worker|client)\// { print $1 " includes " $2 }')"

verdict 'everybody may include proto/, nobody a sibling program' "$(echo "$includes" | awk '
$2 ~ /^"/ {
	split($1, from, "/"); split(substr($2, 2), to, "/")
	if (to[1] != "proto" && to[1] != from[1])
		print $1 " includes " $2
}')"

# A file may include headers of its own module and of those on lower rungs.  A file x_y.c belongs to module x.
verdict 'inside daemon/ includes go down the ladder' "$(echo "$includes" | awk '
BEGIN {
	n = split("knee 0 yardstick 0 config 10 line 10 params 10 events 10 " \
	    "queue 20 child 20 store 20 host 20 judge 25 quiet 25 " \
	    "intake 30 dispatch 30 query 30 door 30 upkeep 35 api 40 session 50 http 50 server 60 main 70", t, " ")
	for (i = 1; i < n; i += 2)
		rung[t[i]] = t[i + 1]
	part["lane"] = "dispatch"; part["stats"] = "judge"; part["placement"] = "judge"; part["ttest"] = "judge"
	part["comparison"] = "judge"; part["difference"] = "judge"; part["migrations"] = "store"; part["share"] = "line"
}
function module(path) {
	if (path ~ /^daemon\/(host|hold|hostd)\/|topology/)
		return "host"
	sub(/^daemon\/([a-z]+\/)?/, "", path); sub(/[._].*/, "", path)
	return path in part ? part[path] : path
}
$1 ~ /^daemon\// && $2 ~ /^"daemon\// {
	from = module($1); to = module(substr($2, 2))
	if (!(from in rung) || !(to in rung))
		print $1 " includes " $2 ": give \"" (from in rung ? to : from) "\" a rung in tests/include_rules.sh"
	else if (from != to && rung[to] >= rung[from])
		print $1 " includes " $2
}')"

verdict 'libassay sees nothing of the command line' "$(echo "$includes" |
    awk '$1 ~ /^client\/lib\// && $2 ~ /^"client\// && $2 !~ /^"client\/lib\// { print $1 " includes " $2 }')"

verdict 'the runner sees libc, libm and itself, the jail libc, libseccomp and itself' "$(echo "$includes" | awk '
BEGIN { library = "^<(jansson|openssl|event2|sqlite3|hwloc|curl|seccomp|perfmon)" }
$1 ~ /^worker\/runner\// && ($2 ~ /^"/ ? $2 !~ /^"(worker\/runner\/|proto\/wire\/(image|runner_(shm|desk))\.h)/ : $2 ~ library) ||
$1 ~ /^worker\/jail\// && $2 ~ /^"/ && $2 !~ /^"worker\/jail\// { print $1 " includes " $2 }')"

# Each library has one home: a pattern of files for a pattern of headers.
verdict 'each library has one home' "$(echo "$includes" | awk '
BEGIN {
	home["<sqlite3\\.h>"] = "^daemon/store/"
	home["<hwloc"] = "^daemon/(host|setup)/"
	home["<jansson\\.h>"] = "^(proto|daemon|client|worker)/"
	home["<curl/"] = "^client/lib/"
	home["<event2/"] = "^daemon/(main|server|(doors|api|dispatch)/(session|http|door|api|query|child))[._]"
	home["<openssl/"] = "^(worker/cache/digest|daemon/server|daemon/doors/(http|door))[._]"
	home["<seccomp\\.h>"] = "^worker/jail/"
	home["<perfmon/"] = "^worker/take/counter[.]"
	home["<nlopt"] = "^client/search/"
}
{
	for (lib in home)
		if ($2 ~ "^" lib && $1 !~ home[lib])
			print $1 " includes " $2
}')"

verdict 'each header compiles alone' "$(for h in $(find proto daemon worker client -name '*.h' | sort); do
	$CC -std=c11 -D_GNU_SOURCE -I. -Wall -Wextra -fsyntax-only -x c "$h" 2>&1 | head -5
done)"

# needs PROGRAM PATTERN: libraries it is linked with beyond the pattern.
needs()
{
	[ -f "$B/$1" ] || { echo "$B/$1 is not built"; return; }
	readelf -d "$B/$1" 2>/dev/null | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
	    grep -Ev "^($2)\.so|^ld-linux|^(libasan|libubsan)\." | sed "s,^,$1 is linked with ,"
}
system='libc|libm|libdl|libpthread|librt|libgcc_s'
verdict 'a runner is linked with libc and libm, a jail with libc and libseccomp' "$(
	needs assay-runner 'libc|libm|libdl'
	needs assay-jail 'libc|libseccomp')"
verdict 'each program is linked with what it needs only' "$(
	needs assayd "$system|libevent[a-z_]*-2.1|libevent[a-z_]*|libsqlite3|libjansson|libhwloc|libcrypto|libssl"
	needs assay-worker "$system|libjansson|libcrypto|libpfm"
	needs assay "$system|libjansson|libcurl[a-z-]*")"

# The sanitizers add variables of their own.
pure()
{
	size -A "$1" | awk -v o="$1" '($1 == ".data" || $1 == ".bss") && $2 > 0 { print o " has " $2 " bytes of " $1 }'
	nm -u "$1" | awk -v o="$1" '
	$2 ~ /^(f?open(at)?(64)?|(__)?f?printf(_chk)?|f?puts|fwrite|fread|read|write|socket|connect|getenv|system)$/ ||
	$2 ~ /^std(in|out|err)$/ { print o " uses " $2 }'
}
verdict 'proto/ has no variables and does no input or output but for logs, settings and clock' "$(case $B in */release | */clang)
	for o in "$B"/proto/*/*.o; do
		case $o in */log.o | */settings.o | */clock.o) ;; *) pure "$o" ;; esac
	done ;;
esac)"

exit $failed
