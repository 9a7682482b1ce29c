# SPDX-License-Identifier: Apache-2.0
# One check after another, in the guest.
CG=/sys/fs/cgroup
passed=0 failed=0

ok() {		# ok NAME COMMAND...: what went before a failure is in /tmp/log
	name=$1
	shift
	if "$@"; then
		passed=$((passed + 1)); echo "ok - $name"
	else
		failed=$((failed + 1)); echo "not ok - $name"; tail -n 15 /tmp/log 2>/dev/null | sed 's/^/  | /'
	fi
}
is() { [ "$(cat "$1" 2>&1)" = "$2" ] || { echo "  $1 is \"$(cat "$1" 2>&1)\", not \"$2\""; false; }; }

# Of an assay-hostd --apply in the background, $hostd, that tells /tmp/log.
holding() {
	while kill -0 $hostd 2>/dev/null; do
		grep -q '^holding' /tmp/log && return 0
		usleep 20000
	done
	return 1
}
stop() { kill $hostd; wait $hostd; }
