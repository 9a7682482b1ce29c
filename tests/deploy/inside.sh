#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What check_deb.sh does in the bare system: packages in /debs/1 and, of a higher version, /debs/2.
set -u
EXAMPLES=/usr/share/doc/assay/examples
CONF=/etc/assay/assayd.conf
passed=0
failed=0

# check NAME COMMAND
check()
{
	name=$1
	shift
	if "$@" >/tmp/said 2>&1; then
		passed=$((passed + 1))
		echo "ok $name"
	else
		failed=$((failed + 1))
		echo "not ok $name"
		tail -n 40 /tmp/said | sed 's/^/    /'
	fi
}

not() { ! "$@"; }
apt() { apt-get -q -y --no-install-recommends "$@"; }

# ---- the daemon, as an operator without systemd runs it ----

pid_of_daemon() { pgrep -u assay -x assayd; }
is_gone() { ! pid_of_daemon; }
answers() { assay -s /run/assay/assay.sock host; }

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

start()
{
	install -d -o assay -g assay /run/assay
	start-stop-daemon --start --background --chuid assay:assay --exec /usr/bin/assayd \
	    --output /tmp/assayd.log -- --config $CONF || return
	within 60 answers || { cat /tmp/assayd.log; return 1; }
}

stop() { start-stop-daemon --stop --user assay --exec /usr/bin/assayd --retry TERM/60/KILL/5; }

# ---- what is tried ----

installed()
{
	for p in assay libassay0 libassay-dev python3-assay; do
		[ "$(dpkg-query -W -f '${db:Status-Status}' $p)" = installed ] || return
	done
	[ "$(stat -c %U:%G:%a /var/lib/assay)" = assay:assay:700 ]
}

# As an ordinary user of the group: the answer is right, and the time is there.
time_kernel()
{
	su -s /bin/sh you -c "assay time --context warm --json $EXAMPLES/dotprod.spec.json \
	    $EXAMPLES/dot_plain.c" >/tmp/result.json || return
	cat /tmp/result.json
	grep -Eq '"status": ?"(ok|too_noisy)"' /tmp/result.json &&
	    grep -Eq '"passed": ?true' /tmp/result.json
}

stranger_is_refused()
{
	not su -s /bin/sh stranger -c "assay -s /run/assay/assay.sock queue"
}

results_are() { [ "$(su -s /bin/sh you -c 'assay results --ndjson' | wc -l)" -eq "$1" ]; }

python_asks()
{
	su -s /bin/sh you -c "python3 -c 'import assay, sys; print(assay.__file__)'" |
	    grep -q '^/usr/lib/python3/dist-packages/assay.py$'
}

library_links()
{
	printf '#include <assay/assay.h>\nint main(void) { return 0; }\n' >/tmp/lib.c
	gcc /tmp/lib.c -o /tmp/lib $(pkg-config --cflags --libs libassay) && /tmp/lib
}

manual_is_there() { [ -e /usr/share/man/man8/assayd.8.gz ] && [ -e /usr/share/man/man1/assay.1.gz ]; }

upgraded()
{
	apt install /debs/2/*.deb && dpkg-query -W -f '${Version}' assay | grep -q '+next$' &&
	    grep -q '^share-cpus = yes$' $CONF
}

scripts_again()
{
	for p in assay python3-assay; do
		sh /var/lib/dpkg/info/$p.postinst configure 0 || return
	done
	sh /var/lib/dpkg/info/assay.prerm upgrade 0 && sh /var/lib/dpkg/info/assay.prerm upgrade 0
}

removed()
{
	apt remove assay libassay0 libassay-dev python3-assay && is_gone &&
	    [ ! -e /usr/bin/assay ] && [ -e $CONF ] && [ -e /var/lib/assay/assay.db ]
}

purged() { apt purge assay libassay0 libassay-dev python3-assay; }

nothing_is_left()
{
	find / -xdev -iname '*assay*' ! -path '/debs/*' ! -path '/proc/*' ! -path '/tmp/*' \
	    ! -path '/var/log/*' ! -path '/home/*' | tee /tmp/left
	[ ! -s /tmp/left ] && [ ! -e /run/assay ] && [ ! -e /run/assay-hostd ] &&
	    ! getent passwd assay && ! getent group assay
}

mount -o remount,rw / 2>/dev/null
if ! apt-get -qq update >/tmp/said 2>&1; then
	echo "skipped: apt: $(tail -n 1 /tmp/said)"
	exit 77
fi
check "the packages install into a bare system" apt install /debs/1/*.deb
check "each is there, and the state is the daemon's alone" installed
check "nothing is started that was not asked for" is_gone
check "the manual pages are there" manual_is_there
printf 'share-cpus = yes\ncalibration-wait = 0\n' >>$CONF
useradd -m you && adduser --quiet you assay
useradd -m stranger
apt install procps pkg-config >/tmp/said 2>&1 || cat /tmp/said
check "the daemon starts with the installed settings" start
check "a user of the group times a kernel" time_kernel
check "another user is refused" stranger_is_refused
check "Python finds its module" python_asks
check "a program in C finds the library" library_links
check "the daemon stops" stop
check "it starts again" start
check "and has its results" results_are 1
check "a higher version replaces it, and keeps changed settings" upgraded
check "no daemon of the old version runs on" is_gone
check "the new one starts" start
check "and has the results" results_are 1
check "it times" time_kernel
check "its scripts do the same a second time" scripts_again
check "the daemon starts once more" start
check "removal stops it, and keeps settings and state" removed
check "what was removed installs again" apt install /debs/2/*.deb
check "and starts" start
check "with its results" results_are 2
check "a purge ends well" purged
check "and leaves nothing" nothing_is_left
check "a purge of nothing ends well" dpkg --purge assay libassay0 libassay-dev python3-assay
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
