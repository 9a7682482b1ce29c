# SPDX-License-Identifier: Apache-2.0
# Routines with threads in a slot of CPUs 2 and 3, whose partition balances nothing: left to themselves, on this kernel,
# both threads of a team would stay on one.
. /ok.sh
SLOT=$CG/assay/slot2

assay-hostd --apply --slots 2-3 > /tmp/log 2>&1 &
hostd=$!
ok "a slot of two CPUs is held" holding
ok "it has both" is $SLOT/cpuset.cpus.effective 2-3
ok "its partition is isolated" is $CG/assay/cpuset.cpus.partition isolated
team time /team $SLOT/cgroup.procs 2-3 > /tmp/log 2>&1
ok "each thread of a team is timed on a CPU of its own" grep -q '^threads 2: \(ok\|too_noisy\), cpus \[2,3\]' /tmp/log
ok "a routine without threads is on the first" grep -q '^threads 1: \(ok\|too_noisy\), cpus \[2\]' /tmp/log
ok "nobody is left in the slot" is $SLOT/cgroup.procs ""
stop
ok "the host is given back" [ ! -d $CG/assay ]
echo "guest: $passed passed, $failed failed"
