#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What check_deb.sh does in the bare system: packages in /debs/1 and, of a higher version, /debs/2.
set -u
EXAMPLES=/usr/share/doc/assay/examples
CONF=/etc/assay/assayd.conf
. /check.sh

apt() { apt-get -q -y --no-install-recommends "$@"; }

# ---- the daemon, as an operator without systemd runs it ----

pid_of_daemon() { pgrep -u assay -x assayd; }
is_gone() { ! pid_of_daemon; }
answers() { assay -s /run/assay/assay.sock host; }

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

# The program of assay(3) has two variants timed, and prints the reply and each result.
manuals_program()
{
	zcat /usr/share/man/man3/assay.3.gz |
	    awk '/^[.]Ed/ && inside { exit } inside { print } /^[.]Bd -literal/ { inside = 1 }' |
	    sed 's/\\e/\\/g' >/tmp/lib.c
	gcc -Wall -Werror /tmp/lib.c -o /tmp/lib "$@" && chmod 755 /tmp/lib &&
	    su -s /bin/sh you -c '/tmp/lib /run/assay/assay.sock' | tee /tmp/lines &&
	    [ "$(grep -c '"status": *"\(ok\|too_noisy\)"' /tmp/lines)" -eq 2 ]
}
links_shared() { manuals_program $(pkg-config --cflags --libs libassay); }
links_static()
{
	manuals_program $(pkg-config --cflags libassay) \
	    "$(pkg-config --variable=libdir libassay)/libassay.a" $(pkg-config --libs libcurl)
}

writes_a_spec()
{
	su -s /bin/sh you -c 'set -e; cd; cp "$0"/dot_plain.c kernel.c; rm -f kernel.spec.json
		assay init kernel.c; assay time --context warm kernel.spec.json kernel.c' $EXAMPLES
}

# ---- completion, as each shell finds it ----

bash_completes()
{
	bash -c '. /usr/share/bash-completion/bash_completion; _completion_loader assay
		COMP_WORDS=(assay tim) COMP_CWORD=1; _assay; echo "${COMPREPLY[@]}"' | grep -qx 'time *'
}
zsh_completes()
{
	zsh -fc 'autoload -U compinit; compinit -u -D; print $_comps[assay]; autoload +X _assay' |
	    grep -qx _assay
}
fish_completes() { fish -c 'complete -C "assay tim"' | grep -q '^time'; }

files_are_there()
{
	for f in share/man/man8/assayd.8.gz share/man/man1/assay.1.gz share/man/man3/assay.3.gz \
	    bin/assay-ca libexec/assay/assay-notify lib/sysusers.d/assay.conf lib/tmpfiles.d/assay.conf \
	    share/assay/schema/job.schema.json share/doc/assay/examples/axpy.c; do
		[ -s /usr/$f ] || { echo "no /usr/$f"; return 1; }
	done
	for f in assayd.service assay-hostd.service assay-hostd.socket; do
		[ -s /lib/systemd/system/$f ] || { echo "no unit $f"; return 1; }
	done
}

# The same version again.
reinstalled() { apt install --reinstall /debs/1/*.deb && grep -q '^share-cpus = yes$' $CONF; }

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
check "manuals, units, schemas and examples are there" files_are_there
printf 'share-cpus = yes\ncalibration-wait = 0\n' >>$CONF
useradd -m you && adduser --quiet you assay
useradd -m stranger
apt install procps pkg-config bash-completion zsh fish >/tmp/said 2>&1 || cat /tmp/said
check "the daemon starts with the installed settings" start
check "a user of the group times a kernel" time_kernel
check "another user is refused" stranger_is_refused
check "Python finds its module" python_asks
check "the program of assay(3) runs with the shared library" links_shared
check "and with the static one" links_static
check "assay init writes a spec that can be timed" writes_a_spec
check "bash completes" bash_completes
check "zsh completes" zsh_completes
check "fish completes" fish_completes
check "the daemon stops" stop
check "it starts again" start
check "and has its results" results_are 6
check "the same version installs over itself" reinstalled
check "and starts" start
check "a higher version replaces it, and keeps changed settings" upgraded
check "no daemon of the old version runs on" is_gone
check "the new one starts" start
check "and has the results" results_are 6
check "it times" time_kernel
check "its scripts do the same a second time" scripts_again
check "the daemon starts once more" start
check "removal stops it, and keeps settings and state" removed
check "what was removed installs again" apt install /debs/2/*.deb
check "and starts" start
check "with its results" results_are 7
check "a purge ends well" purged
check "and leaves nothing" nothing_is_left
check "a purge of nothing ends well" dpkg --purge assay libassay0 libassay-dev python3-assay
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
