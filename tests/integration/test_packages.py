# SPDX-License-Identifier: Apache-2.0
"""
The Debian packages of make deb: what is in them, what they depend on, and what their scripts do in
a root of their own with recorded commands.  tests/deploy/ installs them into a bare system.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import BUILD, IS_SANITIZED, TREE  # noqa: E402

NAMES = ["assay", "libassay-dev", "libassay0", "python3-assay"]
TOOLS = ["dpkg-deb", "dpkg-gencontrol", "dpkg-shlibdeps", "strip", "xz"]
VERSION = "1.2.3"


def ran(*words, **how):
    return subprocess.run(words, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, **how).stdout


@unittest.skipIf(IS_SANITIZED, "packages are of the build without sanitizers")
@unittest.skipUnless(all(map(shutil.which, TOOLS)), "dpkg-dev is not installed")
class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        directory = tempfile.TemporaryDirectory(prefix="assay-packages-")
        cls.addClassCleanup(directory.cleanup)
        cls.out = pathlib.Path(directory.name) / "deb"
        said = ran(TREE / "deploy/debian/build", BUILD.name, cls.out, VERSION, cwd=TREE,
                   env=os.environ | {"DEB_REVISION": "4"})
        cls.packages = {pathlib.Path(line).name.split("_")[0]: line for line in said.splitlines()}

    def field(self, package, name):
        return ran("dpkg-deb", "-f", self.packages[package], name).strip()

    def listed(self, package):
        """path: (mode, owner, link) of what is no directory."""
        found = {}
        for line in ran("dpkg-deb", "-c", self.packages[package]).splitlines():
            mode, owner, _, _, _, path, *link = line.split()
            if not mode.startswith("d"):
                found[path[1:]] = mode, owner, link[1:]
        return found

    def control(self, package):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        ran("dpkg-deb", "-e", self.packages[package], directory.name)
        return pathlib.Path(directory.name)

    def test_all_are_made_with_one_version_and_belong_to_root(self):
        self.assertEqual(NAMES, sorted(self.packages))
        for name in NAMES:
            self.assertEqual(f"{VERSION}-4", self.field(name, "Version"))
            for path, (mode, owner, _) in self.listed(name).items():
                self.assertEqual("root/root", owner, path)
                self.assertTrue(mode.startswith("l") or "w" not in mode[5:], path)

    def test_what_is_installed_is_in_one_package_and_only_there(self):
        tree = self.out.parent / "installed"
        ran("make", "-s", "-C", TREE, f"MODE={BUILD.name}", f"DESTDIR={tree}", "PREFIX=/usr",
            "install")
        shutil.rmtree(tree / "usr/share/doc")
        multiarch = ran("dpkg-architecture", "-qDEB_HOST_MULTIARCH").strip()
        moved = [(r"^/usr/share/man/.*", r"\g<0>.gz"), ("^/usr/lib/systemd/", "/lib/systemd/"),
                 (r"^/usr/lib/(libassay|pkgconfig)", rf"/usr/lib/{multiarch}/\1"),
                 ("^/usr/share/assay/python/", "/usr/lib/python3/dist-packages/"),
                 ("^/usr/share/zsh/site-functions/", "/usr/share/zsh/vendor-completions/")]
        wanted = set()
        for path in (p for p in tree.rglob("*") if not p.is_dir()):
            name = f"/{path.relative_to(tree)}"
            for pattern, to in moved:
                name = re.sub(pattern, to, name)
            wanted.add(name)
        found = [path for name in NAMES for path in self.listed(name)
                 if not path.startswith(("/usr/share/doc/", "/usr/share/lintian/"))]
        self.assertEqual(len(found), len(set(found)))
        self.assertEqual(wanted, set(found))

    def test_programs_are_in_the_daemons_package_and_headers_in_the_other(self):
        assay, dev = self.listed("assay"), self.listed("libassay-dev")
        for name in ("bin/assay", "bin/assayd", "libexec/assay/assay-worker"):
            self.assertEqual("-rwxr-xr-x", assay[f"/usr/{name}"][0])
        self.assertIn("/usr/include/assay/assay.h", dev)
        self.assertEqual([], [p for p in assay if p.endswith((".h", ".a", ".so", ".pc", ".py"))])
        for name in NAMES:
            self.assertIn(f"/usr/share/doc/{name}/copyright", self.listed(name))

    def test_each_package_depends_on_the_libraries_that_it_links(self):
        depends = self.field("assay", "Depends")
        for word in ("libc6 (>=", "libevent", "libsqlite3-0", "libjansson4", "libcurl", "libclang",
                     "libzydis", "gcc", "libc6-dev", "adduser"):
            self.assertIn(word, depends)
        self.assertNotIn("${", depends)
        self.assertIn("libjs-chart.js", self.field("assay", "Recommends"))
        self.assertIn("libcurl", self.field("libassay0", "Depends"))
        self.assertIn(f"libassay0 (= {VERSION}-4)", self.field("libassay-dev", "Depends"))
        self.assertEqual("all", self.field("python3-assay", "Architecture"))
        self.assertEqual(f"libassay 0 libassay0 (>= {VERSION})\n",
                         (self.control("libassay0") / "shlibs").read_text())

    def test_settings_are_kept_by_dpkg(self):
        settings = sorted(p for p in self.listed("assay") if p.startswith("/etc/"))
        self.assertIn("/etc/assay/assayd.conf", settings)
        self.assertEqual(settings, (self.control("assay") / "conffiles").read_text().split())


# Each notes its words in $CALLS.  getent knows what is in $USERS; some change that.
RECORDED = {
    "adduser": "echo assay >>\"$USERS\"", "systemd-sysusers": "echo assay >>\"$USERS\"",
    "userdel": ": >\"$USERS\"", "groupdel": "exit 6", "getent": "grep -qx assay \"$USERS\"",
    "systemctl": "[ \"$*\" != '--quiet is-active assayd.service' ] || exit $ACTIVE",
    "deb-systemd-invoke": "", "start-stop-daemon": "",
    # owners are root's to give
    "install": "for last; do :; done; mkdir -p \"$last\"",
}
NEEDED = ["sh", "rm", "mkdir", "grep"]
SETTINGS, STATE = "etc/assay/users.conf", "var/lib/assay/assay.db"


class Scripts(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="assay-scripts-")
        self.addCleanup(directory.cleanup)
        self.top = pathlib.Path(directory.name)
        self.root, self.bin = self.top / "root", self.top / "bin"
        for path in (self.root, self.bin):
            path.mkdir()
        for name in ("calls", "users"):
            (self.top / name).write_text("")
        for name in NEEDED:
            (self.bin / name).symlink_to(shutil.which(name))
        for name, does in RECORDED.items():
            if name != "systemd-sysusers":
                self.record(name, does)

    def record(self, name, does):
        note = "" if name in ("getent", "install") else f"echo \"{name} $*\" >>\"$CALLS\"\n"
        (self.bin / name).write_text(f"#!/bin/sh\n{note}{does}\n")
        (self.bin / name).chmod(0o755)

    def boot_systemd(self):
        (self.root / "run/systemd/system").mkdir(parents=True)
        self.record("systemd-sysusers", RECORDED["systemd-sysusers"])

    def run_script(self, name, *words, active=True):
        """What it called."""
        (self.top / "calls").write_text("")
        run = subprocess.run(["sh", TREE / f"deploy/debian/assay.{name}", *words],
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True,
                             env={"PATH": str(self.bin), "DPKG_ROOT": str(self.root),
                                  "CALLS": str(self.top / "calls"), "ACTIVE": str(int(not active)),
                                  "USERS": str(self.top / "users")})
        self.assertEqual((0, ""), (run.returncode, run.stdout))
        return (self.top / "calls").read_text().splitlines()

    def fill(self):
        for name in (SETTINGS, STATE):
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("mine\n")

    def test_without_systemd_the_user_is_made_once_and_nothing_is_started(self):
        (call,) = self.run_script("postinst", "configure", "")
        self.assertRegex(call, "^adduser .*--system .*assay$")
        self.assertTrue((self.root / "var/lib/assay").is_dir())
        self.assertEqual([], self.run_script("postinst", "configure", "1.0-1"))

    def test_with_systemd_an_upgrade_restarts_what_ran_and_nothing_else(self):
        self.boot_systemd()
        self.assertEqual(["systemd-sysusers assay.conf", "systemctl daemon-reload"],
                         self.run_script("postinst", "configure", ""))
        self.assertEqual([], self.run_script("prerm", "upgrade", "1.0-2"))
        running = self.run_script("postinst", "configure", "1.0-1")
        self.assertEqual(["deb-systemd-invoke stop assayd.service",
                          "systemctl try-restart assay-hostd.service",
                          "deb-systemd-invoke start assayd.service"], running[-3:])
        idle = self.run_script("postinst", "configure", "1.0-1", active=False)
        self.assertEqual(["systemctl daemon-reload", "systemctl --quiet is-active assayd.service"],
                         idle)

    def test_a_removal_stops_the_services_own_daemon_and_keeps_settings_and_state(self):
        self.run_script("postinst", "configure", "")
        self.fill()
        stopped = self.run_script("prerm", "remove")
        self.assertEqual(2, len(stopped))
        self.assertIn("--user assay --exec /usr/bin/assayd", stopped[0])
        self.run_script("postrm", "remove")
        for name in (SETTINGS, STATE):
            self.assertTrue((self.root / name).exists(), name)

    def test_a_removal_with_systemd_stops_the_units_and_unlinks_them(self):
        self.boot_systemd()
        link = self.root / "etc/systemd/system/multi-user.target.wants/assayd.service"
        link.parent.mkdir(parents=True)
        link.symlink_to("/lib/systemd/system/assayd.service")
        (call,) = self.run_script("prerm", "remove")
        self.assertEqual("deb-systemd-invoke stop assayd.service assay-hostd.socket "
                         "assay-hostd.service", call)
        self.assertFalse(link.is_symlink())

    def test_a_purge_removes_all_of_it_and_a_second_one_finds_nothing(self):
        self.run_script("postinst", "configure", "")
        self.fill()
        self.assertIn("userdel assay", self.run_script("postrm", "purge"))
        self.assertEqual([], [p for p in self.root.rglob("*") if "assay" in p.name])
        self.assertEqual([], self.run_script("postrm", "purge"))


if __name__ == "__main__":
    unittest.main()
