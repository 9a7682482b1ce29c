#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The packages of "make deb" on Debian 12 with systemd and a kernel of its own, under QEMU without
# KVM: booted.sh does there what deploy/README.md says of a lab server.
# usage: tests/deploy/check_systemd.sh DIRECTORY, as root; make check-systemd calls it
# The last line is "N passed, N failed"; without root's rights, debootstrap, QEMU, mke2fs or a
# mirror, it says so and ends with 77.  All that the guest printed is in DIRECTORY/systemd.log.
# It takes some minutes and 2 GB in /var/tmp.  MIRROR and CHROOT are those of check_deb.sh.
set -u
: "${1:?usage: tests/deploy/check_systemd.sh DIRECTORY}"
packages=$(realpath "$1")
here=$(dirname "$0")
MIRROR=${MIRROR:-http://deb.debian.org/debian}
LIMIT_S=${GUEST_SECONDS:-1500}
BOOTED='systemd-sysv dbus udev kmod adduser sudo linux-image-cloud-amd64 initramfs-tools
    openssh-server openssh-client openssl curl iproute2 procps python3 libjs-chart.js'
work=$(mktemp -d /var/tmp/assay-systemd.XXXXXX)
trap 'rm -rf --one-file-system "$work"' EXIT
trap 'exit 130' INT TERM
root=$work/root

. "$here/debian.sh"

# in_root COMMAND: with the devices that installations need.
in_root()
{
	unshare --mount --pid --fork --kill-child --propagation private sh -eu -c '
		mount -t proc proc "$0/proc"
		mount --rbind /dev "$0/dev"
		exec chroot "$0" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
		    DEBIAN_FRONTEND=noninteractive sh -euc "$1"' "$root" "$1" >>"$work/log" 2>&1
}

# What the packages depend on is installed here, where that is quick.
make_system()
{
	needs=$(for deb in "$packages"/*.deb; do dpkg-deb -f "$deb" Depends; done |
	    tr ',' '\n' | grep -v libassay0 | paste -sd,)
	printf 'APT::Install-Recommends "0";\nAPT::Get::Assume-Yes "1";\n' >"$root/etc/apt/apt.conf.d/90check"
	in_root "apt-get -q update
		apt-get -q install $(echo $BOOTED)
		apt-get -q satisfy '$needs'
		apt-get clean
		systemd-machine-id-setup
		systemctl mask serial-getty@ttyS0.service"
}

add_tests()
{
	cp "$here/booted.sh" "$here/check.sh" "$root"
	cp "$here/../../deploy/README.md" "$root/README.md"
	rm "$root/usr/sbin/policy-rc.d"
	echo lab1 >"$root/etc/hostname"
	printf '127.0.0.1 localhost\n192.0.2.1 lab1\n' >"$root/etc/hosts"
	cat >"$root/etc/systemd/system/check.service" <<-END
	[Unit]
	After=multi-user.target
	[Service]
	Type=oneshot
	ExecStart=/bin/sh /booted.sh
	StandardOutput=file:/dev/ttyS1
	StandardError=inherit
	ExecStopPost=/bin/systemctl poweroff
	[Install]
	WantedBy=multi-user.target
	END
	in_root "systemctl enable check.service"
}

boot()
{
	timeout "$LIMIT_S" qemu-system-x86_64 -nodefaults -no-user-config -M q35 \
	    -accel tcg,thread=multi -cpu Haswell-noTSX,-cx16 -smp 4 -m 1536 -display none \
	    -monitor none -no-reboot -serial "file:$work/console" -serial stdio \
	    -drive "file=$work/image,format=raw,if=virtio,cache=unsafe" \
	    -kernel "$work/vmlinuz" -initrd "$work/initrd" \
	    -append 'root=/dev/vda rw console=ttyS0 quiet panic=-1' </dev/null 2>&1 |
	    tr -d '\r' | tee "$packages/systemd.log" | grep -a '^ok\|^not ok\|^    '
}

[ "$(id -u)" -eq 0 ] || skip "only root can make a root directory for Debian"
[ "$(uname -m)" = x86_64 ] || skip "only for x86_64"
for program in qemu-system-x86_64 mke2fs; do
	command -v $program >/dev/null || skip "$program is not installed"
done
make_root "$root" "$work/log"
two_versions "$packages" "$root/debs" "$work/next"
make_system || skip "apt: $(tail -n 1 "$work/log")"
add_tests || exit 1
cp "$root"/boot/vmlinuz-* "$work/vmlinuz"
cp "$root"/boot/initrd.img-* "$work/initrd"
mke2fs -q -t ext4 -E root_owner=0:0 -d "$root" "$work/image" 2560M || exit 1
rm -rf --one-file-system "$root"
boot
passed=$(grep -ac '^ok' "$packages/systemd.log")
failed=$(grep -ac '^not ok' "$packages/systemd.log")
if ! grep -aq '^the end$' "$packages/systemd.log"; then
	echo "not ok the guest comes to the end within $LIMIT_S s"
	tail -n 40 "$work/console" | tr -d '\r'
	failed=$((failed + 1))
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
