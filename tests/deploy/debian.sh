# SPDX-License-Identifier: Apache-2.0
# What check_deb.sh and check_systemd.sh have in common: a bare Debian 12, and the packages in it.

skip()
{
	echo "skipped: $1"
	exit 77
}

# make_root ROOT LOG: from $CHROOT, or $MIRROR.
make_root()
{
	if [ -n "${CHROOT:-}" ]; then
		cp -a "$CHROOT" "$1"
	else
		command -v debootstrap >/dev/null || skip "debootstrap is not installed"
		debootstrap --variant=minbase bookworm "$1" "$MIRROR" >"$2" 2>&1 ||
		    skip "debootstrap: $(tail -n 1 "$2")"
	fi
	cp /etc/resolv.conf "$1/etc/resolv.conf"
	# services of packages are not started where nothing is booted
	printf '#!/bin/sh\nexit 101\n' >"$1/usr/sbin/policy-rc.d"
	chmod 755 "$1/usr/sbin/policy-rc.d"
}

# two_versions PACKAGES TO SCRATCH: TO/1, and in TO/2 the next version with the same files.
two_versions()
{
	mkdir -p "$2/1" "$2/2"
	cp "$1"/*.deb "$2/1"
	for deb in "$1"/*.deb; do
		rm -rf "$3"
		dpkg-deb -R "$deb" "$3"
		sed -i 's/^Version: .*/&+next/; s/\(libassay0 (= [^)]*\))/\1+next)/' "$3/DEBIAN/control"
		dpkg-deb --root-owner-group -Zgzip --build "$3" "$2/2" >/dev/null
	done
}
