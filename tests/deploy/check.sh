# SPDX-License-Identifier: Apache-2.0
# Checks in a system of its own, with the packages in /debs: each prints a line.  LOUD=yes: also what
# was printed by those that end well, behind bars.
passed=0
failed=0

# check NAME COMMAND
check()
{
	name=$1
	shift
	if "$@" >/tmp/said 2>&1; then
		passed=$((passed + 1))
		[ "${LOUD:-no}" = no ] || sed 's/^/  | /' /tmp/said
		echo "ok $name"
	else
		failed=$((failed + 1))
		echo "not ok $name"
		tail -n 40 /tmp/said | sed 's/^/    /'
	fi
}

not() { ! "$@"; }

# within SECONDS COMMAND
within()
{
	left=$(($1 * 10))
	shift
	until "$@"; do
		[ $((left -= 1)) -gt 0 ] || return 1
		sleep 0.1
	done
}
