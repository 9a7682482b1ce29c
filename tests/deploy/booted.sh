#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What check_systemd.sh does once the guest has booted: a lab server with the commands of README.md,
# used by its users, here and from another host; then restarts, an upgrade, and the end.
set -u
EXAMPLES=/usr/share/doc/assay/examples
LOUD=yes
. /check.sh
export LC_ALL=C.UTF-8

# ---- the commands of the README, by number ----

command_of()
{
	awk '/^## / { inside = /lab server/ } inside && sub(/^ *[$] /, "")' /README.md | sed -n "$1p"
}

# as USER NUMBER: the command, in USER's home
as()
{
	line=$(command_of "$2")
	echo "$1 \$ $line"
	su -s /bin/sh "$1" -c "cd && $line"
}

# from_afar NUMBER: alice's command, on another host
from_afar() { ip netns exec far su -s /bin/sh alice -c "cd && $(command_of "$1")"; }

# ---- what systemd knows ----

is_active() { systemctl is-active "$@"; }
main_pid() { systemctl show -p MainPID --value assayd; }
answers() { assay -s /run/assay/assay.sock queue; }
mode_of() { stat -c %U:%G:%a "$1"; }

none_runs() { ! pgrep -u assay -x assayd && ! pgrep -x assay-hostd; }

# ---- what is tried ----

make_people()
{
	for user in admin you alice stranger; do
		useradd -m -s /bin/sh $user || return
	done
	echo 'admin ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/admin
	cp /debs/1/*.deb /home/admin
}

# lab1 at 192.0.2.1, and a host of its own at 192.0.2.2.
make_network()
{
	ip netns add far && ip link add lab type veth peer name eth0 netns far &&
	    ip addr add 192.0.2.1/24 dev lab && ip link set lab up &&
	    ip -n far addr add 192.0.2.2/24 dev eth0 && ip -n far link set eth0 up &&
	    ip -n far link set lo up
}

installed() { as admin 1 && [ "$(mode_of /var/lib/assay)" = assay:assay:700 ]; }
nothing_is_enabled() { not systemctl is-enabled assayd && none_runs; }
units_are_good() { systemd-analyze verify --man=no assayd.service assay-hostd.service assay-hostd.socket; }

secrets_are_kept()
{
	[ "$(mode_of /etc/assay/tls/ca.key)" = root:root:600 ] &&
	    [ "$(mode_of /etc/assay/tls/server.key)" = root:assay:640 ] &&
	    [ "$(mode_of /etc/assay/users.conf)" = root:assay:640 ]
}

gives_token()
{
	as admin 3 | tee /tmp/token && grep -q '^alice role=submit' /etc/assay/users.conf || return
	install -d -o alice -g alice -m 700 /home/alice/.config /home/alice/.config/assay
	sed -n 's/^token: //p' /tmp/token >/home/alice/.config/assay/token
	chmod 600 /home/alice/.config/assay/token
	cp /etc/assay/tls/ca.crt $EXAMPLES/dotprod.spec.json $EXAMPLES/dot_plain.c /home/alice
	chown -R alice:alice /home/alice
}

starts()
{
	as admin 5 && within 120 answers && is_active assayd assay-hostd assay-hostd.socket
}

directories_are_good()
{
	systemd-tmpfiles --create /usr/lib/tmpfiles.d/assay.conf &&
	    [ "$(mode_of /run/assay)" = assay:assay:755 ] &&
	    [ "$(mode_of /run/assay-hostd)" = root:root:755 ] &&
	    [ "$(mode_of /run/assay/assay.sock)" = assay:assay:660 ] &&
	    [ "$(mode_of /run/assay-hostd/hostd.sock)" = assay:assay:600 ]
}

host_is_set_up()
{
	as admin 6 && [ "$(cat /sys/fs/cgroup/assay/cpuset.cpus.partition)" = isolated ]
}

jails_are_whole()
{
	assay host --json | python3 -c '
import json, sys
r = json.load(sys.stdin)
print(json.dumps({k: r[k] for k in r if "jail" in k}))
for name in ("user", "mount", "pid", "net"):
    assert r["jail"][name] is True, name
assert r["jail"]["limits"] == "cgroup", r["jail"]["limits"]
assert r["build_jail"]["limits"] == "cgroup", r["build_jail"]["limits"]'
}

stranger_is_refused() { not su -s /bin/sh stranger -c 'assay -s /run/assay/assay.sock queue'; }

member_times()
{
	adduser --quiet you assay &&
	    su -s /bin/sh you -c "assay time -p N=1000 --context warm $EXAMPLES/dotprod.spec.json \
	    $EXAMPLES/dot_plain.c" && su -s /bin/sh you -c 'assay results' | grep -q dot_plain
}

page_comes()
{
	ip netns exec far curl -sS --cacert /etc/assay/tls/ca.crt https://lab1:8024/ | grep -i '<title>'
}

without_token_is_refused()
{
	said=$(ip netns exec far su -s /bin/sh stranger -c \
	    'assay -H https://lab1:8024 --ca /etc/assay/tls/ca.crt queue' 2>&1) && return 1
	echo "$said" | grep token
}

comes_by_ssh()
{
	adduser --quiet alice assay && systemctl start ssh &&
	    su -s /bin/sh alice -c 'mkdir -pm 700 ~/.ssh && ssh-keygen -qt ed25519 -N "" -f ~/.ssh/id_ed25519 &&
	    cat ~/.ssh/id_ed25519.pub >~/.ssh/authorized_keys' &&
	    ip netns exec far ssh-keyscan -t ed25519 lab1 >/home/alice/.ssh/known_hosts && from_afar 9
}

python_searches()
{
	su -s /bin/sh you -c "$(command_of 10); $(command_of 11)" | tee /tmp/search && grep -q '^best:' /tmp/search
}

# Signals reach it, and a crash is no end.
reloads() { systemctl reload assayd && sleep 1 && is_active assayd; }
restarts() { systemctl restart assayd && within 120 answers && is_active assayd assay-hostd; }
is_another() { [ "$(main_pid)" != 0 ] && [ "$(main_pid)" != "$1" ] && answers; }
survives_a_kill()
{
	old=$(main_pid)
	kill -KILL "$old" && within 120 is_another "$old"
}
# jobs FILE: the numbers of those with results
jobs()
{
	su -s /bin/sh you -c 'assay results --ndjson' |
	    python3 -c 'import json, sys; [print(json.loads(line)["job"]) for line in sys.stdin]' | sort >"$1"
}
has_results()
{
	jobs /tmp/after
	[ -s /tmp/jobs ] && [ -z "$(comm -23 /tmp/jobs /tmp/after)" ]
}

upgraded()
{
	old=$(main_pid)
	apt-get -q install /debs/2/*.deb && dpkg-query -W -f '${Version}' assay | grep '+next$' &&
	    within 120 is_another "$old" && is_active assayd assay-hostd
}

stops()
{
	systemctl stop assayd && [ "$(systemctl is-active assayd)" = inactive ] && [ ! -e /run/assay/assay.sock ]
}

host_is_put_back()
{
	systemctl stop assay-hostd.socket assay-hostd.service && [ ! -e /sys/fs/cgroup/assay ] &&
	    [ ! -e /run/assay-hostd/host.journal ] && none_runs
}

removed()
{
	systemctl start assayd && within 120 answers &&
	    apt-get -q remove assay libassay0 libassay-dev python3-assay && none_runs &&
	    [ ! -e /sys/fs/cgroup/assay ] && [ -e /etc/assay/users.conf ] && [ -e /var/lib/assay/assay.db ] &&
	    not systemctl cat assayd
}

purged()
{
	dpkg --purge assay libassay0 libassay-dev python3-assay || return
	find / -xdev -iname '*assay*' ! -path '/debs/*' ! -path '/proc/*' ! -path '/tmp/*' \
	    ! -path '/var/log/*' ! -path '/home/*' | tee /tmp/left
	[ ! -s /tmp/left ] && [ ! -e /run/assay ] && [ ! -e /run/assay-hostd ] && not getent passwd assay &&
	    not getent group assay && not systemctl is-failed assayd
}

check "there are users" make_people
check "there is a network" make_network
check "the packages install" installed
check "nothing is started that was not asked for" nothing_is_enabled
check "systemd finds no fault in the units" units_are_good
check "an authority and the server's certificate are made" as admin 2
check "a token is made" gives_token
check "keys and users are not for everybody" secrets_are_kept
check "a network is let in" as admin 4
check "the daemon starts, and the one that sets up the host with it" starts
check "directories and sockets have their owners and modes" directories_are_good
check "the timing CPUs are a partition" host_is_set_up
check "a member of the group times a kernel" member_times
# a worker that has built or timed has reported its jail
check "jails have all namespaces, and cgroups" jails_are_whole
check "another user is refused" stranger_is_refused
check "from another host, a user with a token times a kernel" from_afar 7
check "and has the result" from_afar 8
check "without a token nothing is answered" without_token_is_refused
check "the dashboard comes" page_comes
check "ssh needs no token" comes_by_ssh
check "an engine in Python searches" python_searches
jobs /tmp/jobs
check "settings are read again" reloads
check "it restarts" restarts
check "a daemon that was killed comes back" survives_a_kill
check "with its results" has_results
check "an upgrade restarts it" upgraded
check "with its results" has_results
check "it stops" stops
check "and the host is put back" host_is_put_back
check "removal stops what runs, and keeps settings and state" removed
check "a purge leaves nothing" purged
echo "the end"
