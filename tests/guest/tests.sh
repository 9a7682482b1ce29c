# SPDX-License-Identifier: Apache-2.0
# What assay-hostd does to a real kernel: 4 CPUs, 2 cores of 2 threads; CPU 2 is for timing, CPU 3 shares its core.
CPU=/sys/devices/system/cpu
. /ok.sh

# Every file that assay-hostd may touch, and the whole tree of cgroups.
snapshot() {
	for f in $CPU/online $CPU/cpu*/online $CPU/cpufreq/policy*/scaling_governor $CPU/cpufreq/policy*/scaling_m*_freq \
	    $CPU/cpufreq/boost $CPU/smt/control /proc/irq/default_smp_affinity /proc/irq/*/smp_affinity \
	    /sys/devices/virtual/workqueue/cpumask /sys/devices/virtual/workqueue/writeback/cpumask \
	    /proc/sys/kernel/*watchdog* /proc/sys/kernel/timer_migration /proc/sys/kernel/numa_balancing \
	    /proc/sys/vm/stat_interval /proc/sys/kernel/sched_rt_runtime_us $CG/cgroup.subtree_control; do
		[ -r "$f" ] && echo "$f $(cat "$f" 2>&1)"
	done
	find $CG -type d | sort
	hexdump /dev/cpu_dma_latency 2>/dev/null
}
same_as_before() { snapshot > /tmp/after; cmp -s /tmp/before /tmp/after || { diff /tmp/before /tmp/after; false; }; }
restored() { same_as_before && [ ! -e /run/assay-hostd/host.journal ]; }

start() {	# start FLAGS...: assay-hostd --apply in the background
	: > /tmp/log
	assay-hostd --apply --timing-cpus 2 "$@" > /tmp/log 2>&1 &
	hostd=$!
}
fitness() { assay-hostd --report --timing-cpus 2 --probe-ms 20 > /tmp/report; tr -d '\n ' < /tmp/report; }
knob() { fitness | grep -q "\"name\":\"$1\",[^}]*\"status\":\"$2\""; }

usleep 300000
snapshot > /tmp/before

start --tune yes
ok "apply holds" holding
ok "the partition is isolated" is $CG/assay/cpuset.cpus.partition isolated
ok "the slot has the timing CPU alone" is $CG/assay/slot2/cpuset.cpus.effective 2
ok "the governor is performance" is $CPU/cpufreq/policy2/scaling_governor performance
ok "the lowest frequency is the highest" is $CPU/cpufreq/policy2/scaling_min_freq 3000000
ok "other cores' governors are left alone" grep -q "$CPU/cpufreq/policy0/scaling_governor $(cat $CPU/cpufreq/policy0/scaling_governor)" /tmp/before
ok "the sibling thread is off" is $CPU/cpu3/online 0
ok "interrupts start elsewhere" is /proc/irq/default_smp_affinity 3
ok "workqueues stay elsewhere" is /sys/devices/virtual/workqueue/cpumask 3
may_not_run_there() { ! taskset -c 2 true 2>/dev/null; }
ok "nobody else may run on the timing CPU" may_not_run_there
in_slot() { sh -c "echo \$\$ > $CG/assay/slot2/cgroup.procs && taskset -p \$\$" | grep -q 'mask: 4$'; }
ok "who is in the slot runs there" in_slot
ok "the report says set" knob governor set
ok "the report says that the partition is set" knob partition set
one_only() { ! assay-hostd --apply --timing-cpus 2 > /tmp/second 2>&1 && grep -q 'another assay-hostd' /tmp/second; }
ok "a second one is refused" one_only
no_theft() { ! assay-hostd --restore > /tmp/second 2>&1; }
ok "nobody restores what is held" no_theft
ok "SIGTERM ends it well" stop
ok "everything is as before" restored

# SIGKILL in the middle, wherever that happens to be; the last one while it holds.
for entries in 2 5 8 12 16 20 24 999; do
	start --tune yes
	while kill -0 $hostd 2>/dev/null && ! grep -q '^holding' /tmp/log; do
		[ "$(grep '^[wom]' /run/assay-hostd/host.journal 2>/dev/null | wc -l)" -ge $entries ] && break
	done
	[ $entries = 999 ] && holding
	kill -9 $hostd
	wait $hostd 2>/dev/null
	n=$(grep -c '^[wom]' /run/assay-hostd/host.journal)
	ok "killed after $n changes, restores" assay-hostd --restore
	ok "killed after $n changes, everything is as before" restored
done

start --tune yes
holding
kill -9 $hostd; wait $hostd 2>/dev/null
refused() { ! assay-hostd --apply --timing-cpus 2 > /tmp/second 2>&1 && grep -q -e '--restore' /tmp/second; }
ok "refuses to start on an earlier run's journal" refused
echo 2000000 > $CPU/cpufreq/policy2/scaling_min_freq
echo 7 > /proc/sys/vm/stat_interval
ok "the report tells who changed it" knob stat_interval foreign
assay-hostd --restore > /tmp/log
ok "somebody else's change is left alone" is /proc/sys/vm/stat_interval 7
ok "so is another" is $CPU/cpufreq/policy2/scaling_min_freq 2000000
echo 1000000 > $CPU/cpufreq/policy2/scaling_min_freq
echo 1 > /proc/sys/vm/stat_interval
usleep 100000
ok "and the rest is as before" restored

start
holding
jailed() {	# jailed [as-user]: a jail around a program that wants more than its slot has, all told
	cell $CG/assay/slot2/cgroup.procs $1 > /tmp/cell 2>&1
	grep -q '^left over: killed$' /tmp/cell && grep -q '^cgroup: 0::/assay/slot2$' /tmp/cell &&
	    grep -q '^namespaces: yes, limits: cgroup$' /tmp/cell && grep -q '^ended: 1 0 , killed for memory: yes$' /tmp/cell &&
	    return 0
	sed 's/^/  | /' /tmp/cell
	false
}
ok "a jail is in the slot, and the slot limits it" jailed
ok "its limit on processes is the jail's" grep -q '^[56][0-9]$' $CG/assay/slot2/pids.max
for f in cgroup.kill memory.max memory.swap.max pids.max; do
	chown 65534 $CG/assay/slot2/$f			# as assay-hostd does for assayd's user
done
ok "for an ordinary user, too" jailed as-user
ok "nobody is left in the slot" is $CG/assay/slot2/cgroup.procs ""
ok "without tune the sibling stays" is $CPU/cpu3/online 1
ok "without tune the governor stays" grep -q "$CPU/cpufreq/policy2/scaling_governor $(cat $CPU/cpufreq/policy2/scaling_governor)" /tmp/before
ok "without tune there is a partition" is $CG/assay/cpuset.cpus.partition isolated
mkdir $CG/other
echo 2 > $CG/other/cpuset.cpus 2>/tmp/second
broken() { grep -q invalid $CG/assay/cpuset.cpus.partition && fitness | grep -q '"grade":"unfit"'; }
ok "a partition that becomes invalid makes the host unfit" broken
stop
echo +cpuset > $CG/cgroup.subtree_control	# somebody who uses cpusets, and claims our CPU
echo 2 > $CG/other/cpuset.cpus
start
holding
ok "no partition beside somebody else's claim" grep -q '^not_taken  partition' /tmp/log
ok "and nothing of it stays" [ ! -d $CG/assay ]
stop
rmdir $CG/other
ok "their controller stays on" is $CG/cgroup.subtree_control cpuset
echo -cpuset > $CG/cgroup.subtree_control
ok "everything is as before again" restored

for cpus in 0 1 0-3 1-3 7; do
	no() { ! assay-hostd --apply --timing-cpus $cpus > /tmp/log 2>&1; }
	ok "CPUs $cpus are refused" no
done
ok "and nothing was touched" restored

assay-hostd --serve --socket /run/assay-hostd/hostd.sock --tune yes > /tmp/log 2>&1 &
hostd=$!
while [ ! -S /run/assay-hostd/hostd.sock ]; do usleep 20000; done
lease() { client /run/assay-hostd/hostd.sock 2 > /tmp/client; grep -q '^partition isolated, cpus 2$' /tmp/client || { cat /tmp/client; false; }; }
ok "a client without rights enters its slot" lease
given_back() { for i in 1 2 3 4 5 6 7 8 9 10; do [ ! -e /run/assay-hostd/host.journal ] && return 0; usleep 500000; done; false; }
ok "when the client leaves, the host is given back" given_back
ok "to the byte" same_as_before
ok "and can be taken again" lease
ok "SIGTERM ends serving" stop
ok "everything is as before, at last" restored
echo "guest: $passed passed, $failed failed"
