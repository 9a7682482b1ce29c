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
MIRROR=${MIRROR:-http://deb.debian.org/debian}
work=$(mktemp -d /var/tmp/assay-deb.XXXXXX)
trap 'rm -rf --one-file-system "$work"' EXIT
trap 'exit 130' INT TERM
root=$work/root

skip()
{
	echo "skipped: $1"
	exit 77
}

if command -v lintian >/dev/null && ! lintian --fail-on error "$packages"/*.deb; then
	echo "0 passed, 1 failed"
	exit 1
fi
[ "$(id -u)" -eq 0 ] || skip "only root can make a root directory for Debian"
if [ -n "${CHROOT:-}" ]; then
	cp -a "$CHROOT" "$root"
else
	command -v debootstrap >/dev/null || skip "debootstrap is not installed"
	debootstrap --variant=minbase bookworm "$root" "$MIRROR" >"$work/log" 2>&1 ||
	    skip "debootstrap: $(tail -n 1 "$work/log")"
fi

# the next version has the same files
mkdir -p "$root/debs/1" "$root/debs/2"
cp "$packages"/*.deb "$root/debs/1"
for deb in "$packages"/*.deb; do
	rm -rf "$work/next"
	dpkg-deb -R "$deb" "$work/next"
	sed -i 's/^Version: .*/&+next/; s/\(libassay0 (= [^)]*\))/\1+next)/' "$work/next/DEBIAN/control"
	dpkg-deb --root-owner-group -Zgzip --build "$work/next" "$root/debs/2" >/dev/null
done
cp "$(dirname "$0")/inside.sh" "$root/inside.sh"
cp /etc/resolv.conf "$root/etc/resolv.conf"
# services of packages are not started where nothing is booted
printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
chmod 755 "$root/usr/sbin/policy-rc.d"

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
