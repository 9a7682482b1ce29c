#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The packages of "make deb" in a bare Debian 12: installed, run, upgraded, removed, purged.
# usage: tests/deploy/check_deb.sh DIRECTORY, as root; make check-deb calls it
# The last line is "N passed, N failed"; without debootstrap, root's rights or a mirror, it says so
# and ends with 77.
# MIRROR: of Debian (http://deb.debian.org/debian).  CHROOT: a directory that debootstrap has made;
# it is copied, and saves half a minute.
set -u
: "${1:?usage: tests/deploy/check_deb.sh DIRECTORY}"
packages=$(realpath "$1")
here=$(dirname "$0")
MIRROR=${MIRROR:-http://deb.debian.org/debian}
work=$(mktemp -d /var/tmp/assay-deb.XXXXXX)
trap 'rm -rf --one-file-system "$work"' EXIT
trap 'exit 130' INT TERM
root=$work/root

. "$here/debian.sh"

if command -v lintian >/dev/null && ! lintian --fail-on error "$packages"/*.deb; then
	echo "0 passed, 1 failed"
	exit 1
fi
[ "$(id -u)" -eq 0 ] || skip "only root can make a root directory for Debian"
make_root "$root" "$work/log"
two_versions "$packages" "$root/debs" "$work/next"
cp "$here/inside.sh" "$here/check.sh" "$root"

# A root of its own, not a chroot's: the kernel forbids user namespaces in those, which jails need.
unshare --mount --pid --fork --kill-child --propagation private sh -eu -c '
	mount --bind "$0" "$0"
	mount -t proc proc "$0/proc"
	mount --rbind /sys "$0/sys"
	mount --rbind /dev "$0/dev"
	mount -t tmpfs none "$0/run"
	cd "$0"
	pivot_root . mnt
	umount -l /mnt
	exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 HOME=/root \
	    DEBIAN_FRONTEND=noninteractive sh /inside.sh' "$root"
