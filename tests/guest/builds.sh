# SPDX-License-Identifier: Apache-2.0
# What assayd's builders are given, on a real kernel: a cgroup as systemd delegates one, divided, and builds in a cell of it.
. /ok.sh
SVC=$CG/service
built() { grep -q "^$1\$" /tmp/log; }
divided() {	# divided [as-user]: all of it the user's, and nobody else in it
	[ -z "$1" ] || chown 65534 $SVC $SVC/cgroup.procs $SVC/cgroup.subtree_control
	sh -c "echo \$\$ > $SVC/cgroup.procs; exec build $1" > /tmp/log 2>&1
}
nothing_left() { [ -z "$(find $SVC -mindepth 1 -type d)" ] && [ -z "$(cat $SVC/cgroup.procs)" ]; }

echo +memory > $CG/cgroup.subtree_control
echo +pids > $CG/cgroup.subtree_control
for who in "" as-user; do
	mkdir $SVC
	divided $who
	ok "assayd divides its cgroup ${who:-as-root}" built "here: 0::/service/supervisor"
	ok "a builder's jail starts in its cell" built "jail: 0::/service/build1"
	ok "which limits it" built "namespaces: yes, limits: cgroup"
	ok "a build that is modest succeeds" built "fine: ok"
	ok "one that eats memory is stopped by the cgroup" built "hog: build_limit, stopped: a build may have [0-9]* MiB of memory"
	ok "one that forks without end is stopped by the cgroup" built "forks: build_limit, a build may have [0-9]* processes"
	ok "who is left in the cell is killed after a build" built "left behind: killed"
	ok "nobody is in the cell then" built 'in the cell: ""'
	ok "in the end assayd is where it was" built "back: 0::/service"
	ok "and nothing is left" nothing_left
	rmdir $SVC
done
mkdir $SVC
sleep 1000 &
echo $! > $SVC/cgroup.procs
divided
ok "a cgroup with others in it is not divided" built "not divided: $SVC has other processes in it"
mkdir $SVC/build0
echo $! > $SVC/build0/cgroup.procs
divided
swept() { ! kill -0 $! 2>/dev/null && built "fine: ok" && nothing_left; }
ok "who an earlier assayd left in a cell is killed at the start" swept
rmdir $SVC
echo "guest: $passed passed, $failed failed"
