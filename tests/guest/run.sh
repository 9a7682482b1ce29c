#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tests/guest/run.sh BUILD: assay-hostd and a jail in a slot of its (tests.sh), builds in a cell (builds.sh), teams of threads in a
# slot of two CPUs (slots.sh), each on a real kernel of their own, Debian's cloud kernel under QEMU without KVM.
# GUEST_TESTS=builds: those alone.
#
# Needs the packages in tests/guest/packages (as root they are installed) and Debian's linux-image-cloud-amd64, which is
# fetched and unpacked, not installed.  Where they are not to be had, nothing is tested and that is said.
set -eu
build=$1
here=$(dirname "$0")
work=$build/guest
limit_s=${GUEST_SECONDS:-600}	# for each of the three, on however slow a machine
stall_s=90			# without a word: a virtual CPU has stopped
end_s=10			# behind the last word

skip() {
	echo "guest: $*"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
}

have() { command -v qemu-system-x86_64 && command -v busybox && command -v cpio && command -v iasl; } > /dev/null
have_packages() {
	have && return 0
	[ "$(id -u)" = 0 ] || return 1
	apt-get update > "$work/apt.log" 2>&1
	DEBIAN_FRONTEND=noninteractive xargs apt-get install -y --no-install-recommends < "$here/packages" >> "$work/apt.log" 2>&1
	have
}

# Kernel and driver, once per build directory.
have_kernel() {
	[ -s "$work/vmlinuz" ] && [ -s "$work/acpi-cpufreq.ko" ] && return 0
	name=$(apt-cache depends linux-image-cloud-amd64 2>/dev/null | awk '/Depends: linux-image/ { print $2; exit }')
	[ -n "$name" ] || return 1
	(cd "$work" && apt-get download "$name" > kernel.log 2>&1 && dpkg-deb -x "$name"_*.deb kernel && rm "$name"_*.deb) || return 1
	cp "$work"/kernel/boot/vmlinuz-* "$work/vmlinuz"
	module=$(find "$work/kernel/lib/modules" -name 'acpi-cpufreq.ko*')
	case $module in
	*.xz) xz -dc "$module" > "$work/acpi-cpufreq.ko" ;;
	*) cp "$module" "$work/acpi-cpufreq.ko" ;;
	esac
	rm -rf "$work/kernel"
}

# The programs with the libraries they ask for.
make_initrd() {
	root=$work/root
	rm -rf "$root"
	mkdir -p "$root/bin" "$root/mods"
	cp "$(command -v busybox)" "$root/bin/busybox"
	cp "$work/acpi-cpufreq.ko" "$root/mods/"
	cp "$build/assay-hostd" "$root/bin/"
	cp "$build/assay-jail" "$root/bin/"
	cp "$build/tests/guest_client" "$root/bin/client"
	cp "$build/tests/guest_cell" "$root/bin/cell"
	cp "$build/tests/guest_build" "$root/bin/build"
	cp "$build/assay-runner" "$root/bin/"
	cp "$build/tests/guest_team" "$root/bin/team"
	mkdir "$root/team"
	"$build/tests/guest_team" build "$root/team"
	ldd "$build/assay-hostd" "$build/tests/guest_team" "$root"/team/cache/*/*.so |
	    awk '/=> \// { print $3 } /^[ \t]+\// { print $1 }' | sort -u | while read -r library; do
		mkdir -p "$root/$(dirname "$library")"
		cp -L "$library" "$root/$library"
	done
	cp "$here/init.sh" "$root/init"
	cp "$here/ok.sh" "$here/tests.sh" "$here/builds.sh" "$here/slots.sh" "$root/"
	chmod 755 "$root/init"
	(cd "$root" && find . | cpio -o -H newc 2>/dev/null | gzip -1) > "$work/initrd.gz"
}

# A build may have half of it: the less there is, the sooner that is eaten.
memory_mib() { [ "$1" = builds ] && echo 256 || echo 512; }

# Ends a machine that has said nothing for stall_s, or is not off end_s behind its last word.
watch() {	# watch TESTS
	said=-1 since=0
	while sleep 2; do
		size=$(wc -c < "$work/log.$1")
		since=$((since + 2))
		[ "$size" = "$said" ] || { said=$size since=0; }
		most=$stall_s
		! grep -aq '^guest: ' "$work/log.$1" || most=$end_s
		[ $since -lt $most ] || { kill "$(cat "$work/pid")"; return; }
	done
}

# -cx16: later kernels use an instruction that this emulation gets wrong.
boot() {	# boot TESTS
	: > "$work/log.$1"
	watch "$1" > /dev/null 2>&1 &
	watcher=$!
	timeout "$limit_s" sh -c 'echo $$ > "$0"; exec "$@"' "$work/pid" \
	    qemu-system-x86_64 -nodefaults -no-user-config -M q35 -accel tcg,thread=multi \
	    -cpu Haswell-noTSX,-cx16 -smp 4,sockets=1,cores=2,threads=2 -m "$(memory_mib "$1")" -display none -serial stdio -monitor none \
	    -no-reboot -acpitable file="$work/fakepss.aml" -kernel "$work/vmlinuz" -initrd "$work/initrd.gz" \
	    -append 'console=ttyS0 quiet panic=-1 tests='"$1" < /dev/null 2>&1 | tr -d '\r' | tee "$work/log.$1" |
	    grep -a '^ok\|^not ok\|^  ' || true
	kill $watcher 2> /dev/null || true
}

[ "$(uname -m)" = x86_64 ] || skip "only for x86_64"
mkdir -p "$work"
have_packages || skip "these packages are needed: $(tr '\n' ' ' < "$here/packages")(apt-get, as root)"
have_kernel || skip "Debian's linux-image-cloud-amd64 cannot be fetched"
iasl -p "$work/fakepss" "$here/fakepss.asl" > "$work/iasl.log" 2>&1 || { cat "$work/iasl.log"; exit 1; }
make_initrd
passed=0 failed=0
for tests in ${GUEST_TESTS:-tests builds slots}; do
	boot "$tests"
	if ! grep -aq '^guest: ' "$work/log.$tests"; then
		echo "guest: a virtual CPU has stopped, which the emulator does at times; once more"
		boot "$tests"
	fi
	passed=$((passed + $(grep -ac '^ok' "$work/log.$tests" || true)))
	failed=$((failed + $(grep -ac '^not ok' "$work/log.$tests" || true)))
	if ! grep -aq '^guest: ' "$work/log.$tests"; then
		echo "not ok - the guest did not come to the end of its $tests"
		tail -n 40 "$work/log.$tests"
		failed=$((failed + 1))
	fi
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
