#!/bin/busybox sh
# SPDX-License-Identifier: Apache-2.0
# The guest's first process: brings the machine up, runs the tests, switches it off.
export PATH=/bin
/bin/busybox --install -s /bin
mkdir -p /proc /sys /dev /run /tmp
mount -t proc none /proc
mount -t sysfs none /sys
mount -t devtmpfs none /dev
mount -t cgroup2 none /sys/fs/cgroup
mount -t tmpfs none /run
insmod /mods/acpi-cpufreq.ko
sh /tests.sh
poweroff -f
