#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Which room may include which, and what the link lines promise.  Prints "ok RULE" or "not ok RULE"
# with the places; the exit status is 1 if a rule does not hold.
# usage: include_rules.sh [BUILD], from the top of the tree.
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

verdict 'all may include proto/, none a sibling program' "$(echo "$includes" | awk '
$2 ~ /^"/ {
	split($1, from, "/"); split(substr($2, 2), to, "/")
	if (to[1] != "proto" && to[1] != from[1])
		print $1 " includes " $2
}')"

verdict 'lines of code have at most 100 columns' "$(find proto daemon worker client '(' -name '*.[ch]' -o -name '*.cc' ')' -exec env LC_ALL=C awk '{
	width = 0
	parts = split($0, part, "\t")
	for (i = 1; i <= parts; i++) {
		gsub(/[\200-\277]/, "", part[i])	# of a character of UTF-8 all bytes but the first
		width += length(part[i])
		if (i < parts)
			width += 8 - width % 8
	}
	if (width > 100)
		print FILENAME ":" FNR
}' {} +)"

# The rooms of each program from the bottom up; rooms of one row do not know each other.  A file may include headers of
# its own room and of lower rows; the program's own folder stands above all.
ladder='
proto/base
proto/json proto/text
proto/spec
proto/driver proto/sweep proto/wire

daemon/host daemon/store
daemon/setup
daemon/hold daemon/hostd daemon/queue
daemon/judge
daemon/dispatch/station
daemon/dispatch daemon/export
daemon/notify daemon/upkeep daemon/usage daemon/view daemon/web
daemon/notify/program
daemon/api
daemon/doors
daemon/http
daemon

worker/cache worker/jail worker/runner/sample
worker/runner/alone worker/runner/image
worker/runner/method
worker/check worker/runner worker/spawn
worker/plan worker/starter
worker/bench/proc
worker/bench worker/build/recipe worker/build/split worker/quiet
worker/build/unit/read
worker/build/unit
worker/build
worker/chain
worker/evidence
worker/taken
worker/stop
worker/take
worker/trust
worker/trial
worker

client/arena
client/transform/tree
client/transform/script client/transform/source
client/transform/model
client/transform/work
client/transform/legality client/transform/write
client/transform/steps
client/micro/machine
client/micro/model
client/micro/decode client/micro/write
client/micro/pass
client/micro/read client/micro/space
client/micro/plugin
client/micro
client/agent client/lib client/print client/search/strategy client/transform
client/print/results
client/connect client/driver client/import client/report
client/derive
client/runs client/search
client/tune client/page
client/cmd/job client/cmd/host client/cmd/complete
client/cmd/best client/cmd/launch client/cmd/queue client/cmd/sweep client/cmd/tune
client/cmd/micro
client/cmd
client
'
verdict 'a header that is installed includes nothing of ours, and no library' "$(echo "$includes" | awk '
$1 ~ /^client\/(lib\/assay|agent\/checkpoint|micro\/plugin\/assay-micro)\.h$/ && $2 !~ /^<std(bool|def|int)\.h>$/ { print $1 " includes " $2 }')"

verdict 'includes go down the ladder of rooms' "$( (echo "$ladder"; echo; echo "$includes") | awk '
function room(path) { sub(/^"/, "", path); sub(/\/[^\/]*$/, "", path); return path }
NF == 0 || $2 !~ /^["<]/ { row++; for (i = 1; i <= NF; i++) rung[$i] = row; next }
$2 ~ /^"/ {
	from = room($1); to = room($2)
	if (!(from in rung) || !(to in rung))
		print $1 " includes " $2 ": give \"" (from in rung ? to : from) "\" a row in tests/include_rules.sh"
	else if (from != to && rung[to] >= rung[from])
		print $1 " includes " $2
}')"

verdict 'the runner sees libc, libm and itself, the jail libc, libseccomp and itself' "$(echo "$includes" | awk '
BEGIN { library = "^<(jansson|openssl|event2|sqlite3|hwloc|curl|seccomp|perfmon)" }
$1 ~ /^worker\/starter\// && ($2 ~ /^"/ ? $2 !~ /^"(worker\/(starter|runner)\/|proto\/(wire\/(program_shm|runner_desk)|base\/clock)\.h)/ : $2 ~ library) ||
$1 ~ /^worker\/runner\// && ($2 ~ /^"/ ? $2 !~ /^"(worker\/runner\/|proto\/(wire\/(image|runner_(shm|desk))|base\/clock)\.h)/ : $2 ~ library) ||
$1 ~ /^worker\/jail\// && $2 ~ /^"/ && $2 !~ /^"worker\/jail\// { print $1 " includes " $2 }')"

# Each library has one home: a pattern of files for a pattern of headers.
verdict 'each library has one home' "$(echo "$includes" | awk '
BEGIN {
	home["<sqlite3\\.h>"] = "^daemon/store/"
	home["<hwloc"] = "^daemon/(host|setup)/"
	home["<jansson\\.h>"] = "^(proto|daemon|client|worker)/"
	home["<curl/"] = "^(client/lib|daemon/notify/program)/"
	home["<event2/"] = "^daemon/(main|server|signals|event_drop|http/.*|(doors|api|usage|view|dispatch|dispatch/station|notify)/(session|errand|door|turns|hangup|peer|api|columns|query|view|child|cancels|histogram|tls))[._]"
	home["<openssl/"] = "^(worker/cache/digest|daemon/(queue/spec_hash|notify/sign|setup/users|doors/tls|web/packed))[._]"
	home["<seccomp\\.h>"] = "^worker/jail/"
	home["<perfmon/"] = "^worker/take/counter[.]"
	home["<clang-c/"] = "^client/(transform/source/|derive/clang)"
	home["<expat\\.h>"] = "^client/micro/read/(reader|launch_config)[.]"
	home["<elfutils/"] = "^client/derive/binary[.]"
	home["<isl/"] = "^client/transform/"
	home["<Zydis/"] = "^client/micro/decode/decode[.]"
	home["<nlopt"] = "^client/search/"
}
{
	for (lib in home)
		if ($2 ~ "^" lib && $1 !~ home[lib])
			print $1 " includes " $2
}')"

# which is the same for each build
case $B in */asan) ;; *)
verdict 'each header compiles alone' "$(for h in $(find proto daemon worker client -name '*.h' | sort); do
	$CC -std=c11 -D_GNU_SOURCE -I. -isystem "${LLVM:-/usr/lib/llvm-19}/include" -Wall -Wextra -fsyntax-only -x c "$h" 2>&1 | head -5
done)" ;;
esac

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
	needs assay-starter 'libc'
	needs assay-jail 'libc|libseccomp')"
verdict 'each program is linked with what it needs only' "$(
	needs assayd "$system|libevent[a-z_]*-2.1|libevent[a-z_]*|libsqlite3|libjansson|libhwloc|libcrypto|libssl|libz"
	needs assay-notify "$system|libjansson|libcurl[a-z-]*"
	needs assay-worker "$system|libjansson|libcrypto|libpfm"
	needs assay-spec "$system|libclang-19|libdw|libelf|libjansson"
	needs assay-micro "$system|libexpat|libjansson|libZydis|libZycore"
	needs assay-transform "$system|libclang-19|libisl|libgmp|libjansson"
	needs assay "$system|libjansson|libcurl[a-z-]*|libnlopt")"

pure()
{
	size -A "$@" | awk '$2 == ":" { o = $1 }
	$1 ~ /^\.t?(data|bss)$/ && $2 > 0 { print o " has " $2 " bytes of " $1 }'
	nm -A -u "$@" | awk '
	$3 ~ /^(f?open(at)?(64)?|(__)?f?printf(_chk)?|f?puts|fwrite|fread|read|write|socket|connect|getenv|system)$/ ||
	$3 ~ /^std(in|out|err)$/ { print $1 " uses " $3 }'
}
# The sanitizers add variables of their own.
case $B in */release | */clang)
verdict 'proto/ has no variables and does no input or output but for logs, settings, paths' "$(
	pure $(ls "$B"/proto/*/*.o | grep -v '/\(log\|settings\|path\)\.o$'))" ;;
esac

exit $failed
