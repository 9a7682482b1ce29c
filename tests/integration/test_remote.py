# SPDX-License-Identifier: Apache-2.0
"""The command line from afar: -H ssh://HOST through assay dial-stdio, and over HTTP.  ssh is a program that runs the command here."""
import json
import os
import pathlib
import shlex
import signal
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import harness
from command import ASSAY, CommandTest, environment
from harness import DaemonTest, job

KERNELS = harness.TREE / "tests/kernels"
USAGE, NOT_FOUND, UNAVAILABLE, IO, DENIED, CRASHED, EXPIRED = 64, 66, 69, 74, 77, 80, 88
# As ssh(1) treats its words.  It notes them, and runs the command as that host's shell would.
SSH = """#!/bin/sh
printf '%s\\n' "$@" > "$0.words"
env -0 > "$0.environment"
while [ $# -gt 0 ]; do
	case $1 in -T) shift ;; -o | -p | -l) shift 2 ;; --) shift; break ;; *) exit 255 ;; esac
done
shift
PATH=$FAR_PATH ASSAY_SOCKET=$FAR_SOCKET exec sh -c "$*"
"""


class Afar(DaemonTest, CommandTest):
    """A daemon behind ssh: nothing in this environment leads to its socket but the other host's variables."""

    def setUp(self):
        CommandTest.setUp(self)
        self.bin = self.dir / "bin"
        self.bin.mkdir()
        self.ssh(SSH)
        (self.dir / "far").mkdir()
        (self.dir / "far" / "assay").symlink_to(ASSAY)
        self.env = environment(PATH=f"{self.bin}:/usr/bin:/bin", HOME=self.dir, FAR_SOCKET=self.daemon.socket,
                               FAR_PATH=f"{self.dir}/far:/usr/bin:/bin")

    def ssh(self, script):
        path = self.bin / "ssh"
        path.write_text(script)
        path.chmod(0o755)

    def far(self, *words, host="ssh://lab", **how):
        return self.assay("-H", host, *words, **how).stdout

    def words(self):
        return (self.bin / "ssh.words").read_text().splitlines()


class Ssh(Afar):
    def test_D9_every_command_that_asks_works_through_ssh(self):
        path = self.file("jobs.json", json.dumps([job("near"), job("far", {"time": ["crashed"]})]))
        ids = self.far("submit", path).split()
        self.assertEqual(2, len(ids))
        self.assertIn("crashed", self.far("wait", *ids, code=CRASHED))
        for words in (["results"], ["results", "--name", "near", "--json"], ["queue"], ["queue", ids[0]], ["host"], ["sweep", "list"], ["check"]):
            with self.subTest(words):
                self.far(*words)
        self.assertIn("near", self.far("results"))
        self.assertIn("0 jobs; 1 was over already", self.far("cancel", ids[0]))

    def test_D9_sweeps_are_made_followed_ranked_and_cancelled_through_ssh(self):
        document = {"name": f"far-{os.getpid()}", "spec": job()["spec"], "template": job()["variant"], "space": {"K": [1, 2, 3]}}
        path = self.file("sweep.json", json.dumps(document))
        said = self.far("sweep", "create", path, "--follow", "--ndjson")
        self.assertEqual(3, len(said.splitlines()))
        self.assertIn(document["name"], self.far("sweep", "show", document["name"]))
        self.assertEqual(1, len(json.loads(self.far("best", document["name"], "--json"))["results"]))
        self.assertIn("0 jobs", self.far("sweep", "cancel", document["name"]))

    def test_D9_sources_are_read_here_and_timed_there(self):
        """The commands that submit and follow: time, compare, submit --follow."""
        result = json.loads(self.far("time", KERNELS / "axpy.spec.json", KERNELS / "axpy.c", "--context", "warm", "--json"))
        self.assertEqual("axpy", result["name"])
        spec = json.loads(self.daemon.http("GET", f"/v1/jobs/{result['job']}/spec").body)
        self.assertEqual((KERNELS / "axpy.c").read_text(), spec["variant"]["source"])
        path = self.file("job.json", json.dumps(job("followed")))
        self.assertIn("followed", self.far("submit", path, "--follow"))

    def test_D9_ssh_gets_the_user_the_port_and_the_quoted_path_of_a_socket(self):
        odd = self.dir / "it's a $HOME; socket"
        odd.symlink_to(self.daemon.socket)
        self.env["FAR_SOCKET"] = "/nonexistent"
        said = self.far("queue", "--json", host=f"ssh://kim@lab.example:2222{odd}")
        self.assertIn("states", json.loads(said))
        words = self.words()
        self.assertIn("BatchMode=yes", words)
        self.assertEqual(["-p", "2222", "-l", "kim", "--", "lab.example"], words[words.index("-p"):-1])
        self.assertEqual(["assay", "dial-stdio", "--socket", str(odd)], shlex.split(words[-1]))

    def test_D4_hosts_of_the_file_may_be_behind_ssh_and_are_asked_together(self):
        self.env["ASSAY_HOSTS"] = str(self.file("hosts", "lab = ssh://lab   # behind the door\n"))
        self.assertIn("states", self.far("queue", "--json", host="lab"))
        hosts = json.loads(self.far("queue", "--json", host=f"lab,{self.daemon.socket}"))["hosts"]
        self.assertEqual(["lab", str(self.daemon.socket)], [h["host"] for h in hosts])

    def test_an_address_cannot_smuggle_options_or_commands(self):
        for host in ("ssh://-oProxyCommand=touch", "ssh://-l@lab", "ssh://$(touch x)", "ssh://a;b", "ssh://lab:x", "ssh://"):
            with self.subTest(host):
                self.assertIn("no address of a host", self.assay("-H", host, "queue", code=USAGE).stderr)
        self.assertFalse((self.bin / "ssh.words").exists())

    def test_what_ends_without_a_daemon_says_so_with_a_remedy(self):
        cases = (
            ("#!/bin/sh\necho 'Host key verification failed.' >&2\nexit 255\n", UNAVAILABLE, ["Host key verification failed.", "accept a new host's key"]),
            ("#!/bin/sh\nexit 127\n", UNAVAILABLE, ["has no program assay", "install Assay there"]),
            ("#!/bin/sh\necho 'assay: dial-stdio: there is no such command' >&2\nexit 64\n", UNAVAILABLE, ["another version", "install version"]),
            ("#!/bin/sh\necho Welcome to lab\nexec cat\n", IO, ["is not JSON", "must not for commands"]),
            ("#!/bin/sh\nread line\n", UNAVAILABLE, ["the connection to lab has ended"]),
            ("#!/bin/sh\nread line\necho '{\"id\":1,\"result\":{\"protocol\":2}}'\ncat > /dev/null\n", UNAVAILABLE, ["speaks protocol 2", "the same version"]),
        )
        for script, code, parts in cases:
            with self.subTest(parts[0]):
                self.ssh(script)
                said = self.assay("-H", "ssh://lab", "queue", code=code).stderr
                for part in parts:
                    self.assertIn(part, said)
        (self.bin / "ssh").unlink()
        self.env["PATH"] = str(self.bin)
        self.assertIn("install ssh", self.assay("-H", "ssh://lab", "queue", code=NOT_FOUND).stderr)

    def test_no_daemon_is_started_for_another_host_neither_here_nor_there(self):
        self.env["FAR_SOCKET"] = ""
        self.env["XDG_STATE_HOME"] = str(self.dir / "state")
        if pathlib.Path("/run/assay/assay.sock").exists():
            self.skipTest("the system's daemon runs, or has left its socket")
        for words in (["time", KERNELS / "axpy.spec.json", KERNELS / "axpy.c"], ["results"]):
            said = self.assay("-H", "ssh://lab", *words, code=UNAVAILABLE).stderr
            self.assertIn("start one there: assay serve", said)
            self.assertNotIn("private", said)
        self.assertFalse((self.dir / "state").exists())

    def test_a_lost_connection_leaves_the_jobs_to_be_collected_later(self):
        """A laptop goes away from `submit --follow`; from elsewhere, `wait` has the results."""
        path = self.file("jobs.json", json.dumps([job("kept", {"time": ["hang"]})]))
        follower = subprocess.Popen([ASSAY, "-H", "ssh://lab", "submit", "--follow", path], env=self.env, stdin=subprocess.DEVNULL,
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        with self.daemon.connect() as client:
            while not (jobs := [j for j in client.call("queue.get")["jobs"] if j["name"] == "kept"]):
                pass
        follower.kill()
        follower.communicate()
        number = str(jobs[0]["id"])
        self.assertIn("not over in time", self.assay("-H", "ssh://lab", "wait", "-t", "0.1", number, code=EXPIRED).stderr)
        self.far("cancel", number)
        self.assertIn("cancelled", self.far("wait", number, code=87))

    def test_ctrl_c_cancels_through_ssh(self):
        path = self.file("job.json", json.dumps(job("hangs", {"time": ["hang"]})))
        timing = subprocess.Popen([ASSAY, "-H", "ssh://lab", "time", path], env=self.env, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        with self.daemon.connect() as client:
            while not (jobs := [j for j in client.call("queue.get")["jobs"] if j["state"] == "timing"]):
                if timing.poll() is not None:
                    self.fail(timing.communicate())
            timing.send_signal(signal.SIGINT)
            said = timing.communicate(timeout=harness.TIMEOUT_S)[1]
            self.assertEqual(130, timing.returncode, said)
            self.assertEqual("cancelled", client.call("job.get", {"id": jobs[0]["id"]})["status"])


class Http(Afar):
    def address(self):
        return "http://%s:%d" % self.daemon.tcp

    def test_D10_jobs_are_submitted_followed_waited_for_and_cancelled_over_http(self):
        path = self.file("jobs.json", json.dumps([job(f"h{i}") for i in range(5)]))
        said = self.far("submit", path, "--follow", "--ndjson", host=self.address())
        self.assertEqual({f"h{i}" for i in range(5)}, {json.loads(line)["name"] for line in said.splitlines()})
        hang = self.file("hang.json", json.dumps([job("slow", {"time": ["hang"]})] * 2))
        ids = self.far("submit", hang, host=self.address()).split()
        self.assertIn("2 jobs are not over in time", self.assay("-H", self.address(), "wait", "-t", "0.2", *ids, code=EXPIRED).stderr)
        self.assertIn("cancelled 2 jobs", self.far("cancel", *ids, host=self.address()))
        self.assertEqual(2, self.far("wait", *ids, host=self.address(), code=87).count("cancelled by its user"))

    def test_D10_a_sweep_is_followed_ranked_and_listed_over_http(self):
        document = {"name": f"web-{os.getpid()}", "spec": job()["spec"], "template": job()["variant"], "space": {"K": [1, 2, 3]}}
        path = self.file("sweep.json", json.dumps(document))
        self.assertEqual(3, len(self.far("sweep", "create", path, "--follow", "--ndjson", host=self.address()).splitlines()))
        self.assertIn("3 jobs", self.far("wait", "--sweep", document["name"], host=self.address()))
        self.assertIn(document["name"], self.far("sweep", "list", host=self.address()))
        self.assertEqual(1, len(json.loads(self.far("best", document["name"], "--json", host=self.address()))["results"]))

    def test_no_token_is_sent_in_clear_text(self):
        token = self.file("token", "secret\n")
        token.chmod(0o600)
        said = self.assay("-H", self.address(), "--token-file", token, "queue", code=USAGE).stderr
        self.assertIn("never sent over http:", said)

    def test_what_has_no_route_is_refused_with_another_way(self):
        self.assertIn("ssh://HOST", self.assay("-H", self.address(), "check", code=USAGE).stderr)


if __name__ == "__main__":
    unittest.main()
