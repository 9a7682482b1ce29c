# SPDX-License-Identifier: Apache-2.0
"""The command line from afar: -H ssh://HOST through assay dial-stdio, and over HTTP.  ssh is a program that runs the command here."""
import json
import os
import pathlib
import shlex
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from authority import Authority
import harness
from command import ASSAY, CommandTest, environment
from harness import Daemon, DaemonTest, job

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
        """A laptop goes away from `submit --follow`, or never waits; from elsewhere, `wait` has the results."""
        ran = self.assay("-H", "ssh://lab", "submit", "--detach", self.file("job.json", json.dumps(job("left"))))
        self.assertIn(f"assay -H ssh://lab wait {ran.stdout}", ran.stderr)
        self.assertIn("left", self.far("wait", ran.stdout.strip()))
        self.assay("submit", "--detach", "--follow", self.dir / "job.json", code=USAGE)
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
            client.call("job.wait", {"ids": [jobs[0]["id"]]})
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

    def test_help_of_a_command_that_asks_no_daemon_has_no_options_to_one(self):
        for command, has in (("init", False), ("spec", False), ("time", True), ("queue", True)):
            said = self.assay(command, "--help").stdout
            for option in ("--host", "--token-file", "--ca ", "--socket"):
                self.assertEqual(has, option in said, (command, option))

    def test_what_has_no_route_is_refused_with_another_way(self):
        self.assertIn("ssh://HOST", self.assay("-H", self.address(), "check", code=USAGE).stderr)


class Https(DaemonTest, CommandTest):
    """A daemon with users of its own, and a command line that trusts its authority."""

    @classmethod
    def setUpClass(cls):
        cls.ca, cls.other = Authority(), Authority()
        for authority in (cls.ca, cls.other):
            cls.addClassCleanup(shutil.rmtree, authority.top)
        for name, role, *expires in (("alice", "submit"), ("olga", "operate"), ("rita", "read"), ("old", "submit", "2020-01-01")):
            cls.ca.add(name, role, *expires)
        cls.ca.make("client", "carol")
        cls.ca.lines["carol"] = 'carol role=submit cert="carol"'
        cls.other.make("client", "carol")
        cls.ca.write()
        cls.daemon = Daemon(*cls.ca.flags(), worker=harness.REPLAY_WORKER)
        cls.addClassCleanup(cls.daemon.stop)

    def setUp(self):
        CommandTest.setUp(self)
        self.env = environment(HOME=self.dir, ASSAY_CA_FILE=self.ca.tls / "ca.crt", ASSAY_TOKEN=self.ca.tokens["alice"])

    def https(self, *words, host="localhost", **how):
        return self.assay("-H", f"https://{host}:{self.daemon.tls[1]}", *words, **how)

    def test_D9_jobs_and_sweeps_of_another_host_come_through_tls(self):
        document = {"name": f"tls-{os.getpid()}", "spec": job()["spec"], "template": job()["variant"], "space": {"K": [1, 2, 3]}}
        path = self.file("sweep.json", json.dumps(document))
        self.assertEqual(3, len(self.https("sweep", "create", path, "--follow", "--ndjson").stdout.splitlines()))
        self.assertIn("3 jobs", self.https("wait", "--sweep", document["name"]).stdout)
        for words in (["results"], ["best", document["name"]], ["queue"], ["sweep", "list"], ["sweep", "show", document["name"]], ["host"],
                      ["sweep", "cancel", document["name"]]):
            with self.subTest(words):
                self.https(*words)
        self.assertIn("</html>", self.https("report", document["name"]).stdout)
        confirmed = json.loads(self.https("best", document["name"], "--top", "2", "--confirm=2", "--json").stdout)["confirmed"]
        self.assertEqual(1, confirmed["rounds"])
        result = json.loads(self.https("time", KERNELS / "axpy.spec.json", KERNELS / "axpy.c", "--context", "warm", "--json").stdout)
        self.assertEqual("axpy", result["name"])

    def test_users_are_shown_and_meant_by_the_names_of_the_daemons_host(self):
        name = f"named-{os.getpid()}"
        held = {"name": name, "spec": job()["spec"], "variants": [job()["variant"]], "not_before": 4102444800}
        self.https("sweep", "create", self.file("held.json", json.dumps(held)))
        self.env["ASSAY_TOKEN"] = self.ca.tokens["olga"]
        try:
            self.assertIn(" by user alice\n", self.https("sweep", "show", name).stdout)
            self.https("queue", "pause", "--user", "alice")
            queue = self.https("queue").stdout
            self.assertIn("paused: user alice\n", queue)
            self.assertRegex(queue, r"(?m)^ *alice +1 ")                # of the users
            self.assertRegex(queue, rf"(?m)^ *\d+ +queued .* {name} +0 +alice *$")
            self.assertNotRegex(queue, r"\b21474836\d\d\b")
            self.assertIn(name, self.https("sweep", "list", "--user", "alice").stdout)
            # a name that this host has, and that one's daemon does not mean
            said = self.https("queue", "pause", "--user", "nobodys-name", code=NOT_FOUND).stderr
            self.assertIn('no user "nobodys-name" here', said)
            self.assertIn("assay sweep list", said)
        finally:
            self.https("queue", "resume", "--user", "alice")
            self.https("sweep", "cancel", name)

    def test_a_token_of_a_file_counts_if_nobody_else_may_read_it(self):
        del self.env["ASSAY_TOKEN"]
        self.assertIn("no token was sent", self.https("queue", code=DENIED).stderr)
        path = self.file("token", self.ca.tokens["rita"] + "\n")
        path.chmod(0o640)
        said = self.https("--token-file", path, "queue", code=DENIED).stderr
        self.assertIn("other users may read this token", said)
        self.assertIn("chmod 600", said)
        path.chmod(0o600)
        self.https("--token-file", path, "queue")
        (self.dir / ".config/assay").mkdir(parents=True)
        path.rename(self.dir / ".config/assay/token")
        self.https("queue")
        self.https("submit", self.file("job.json", json.dumps(job())), code=DENIED)     # a reader's

    def test_wrong_and_expired_tokens_are_refused_with_what_to_do(self):
        for token in ("not_a_token_of_anybody", self.ca.tokens["old"]):
            self.env["ASSAY_TOKEN"] = token
            said = self.https("queue", code=DENIED).stderr
            self.assertIn("$ASSAY_TOKEN is refused", said)
            self.assertIn("Ask the operator", said)
            self.assertNotIn(token, said)
        self.env["ASSAY_TOKEN"] = "two\nlines"
        self.assertIn("is no token", self.https("queue", code=USAGE).stderr)

    def test_the_command_that_collects_detached_jobs_runs_as_it_is_printed(self):
        odd = self.dir / "it's a place"
        odd.mkdir()
        shutil.copy(self.ca.tls / "ca.crt", odd / "ca.crt")
        (odd / "token").write_text(self.ca.tokens["alice"])
        (odd / "token").chmod(0o600)
        del self.env["ASSAY_TOKEN"], self.env["ASSAY_CA_FILE"]
        said = self.https("--ca", odd / "ca.crt", "--token-file", odd / "token", "submit", "--detach",
                          self.file("job.json", json.dumps(job("detached")))).stderr
        words = shlex.split(said.split("results with: ")[1])
        self.assertEqual("assay", words[0])
        self.assertIn("detached", self.assay(*words[1:]).stdout)

    def test_another_authority_and_another_name_are_refused_before_a_token_is_sent(self):
        said = self.https("--ca", self.other.tls / "ca.crt", "queue", code=DENIED).stderr
        self.assertIn("not signed by", said)
        del self.env["ASSAY_CA_FILE"]
        self.assertIn("--ca FILE", self.https("queue", code=DENIED).stderr)
        said = self.https("--ca", self.ca.tls / "ca.crt", "queue", host="127.0.0.2", code=(DENIED, UNAVAILABLE)).stderr
        self.assertRegex(said, "a name that the certificate has|does a daemon run there")
        self.assertIn("No such file", self.https("--ca", self.dir / "none", "queue", code=NOT_FOUND).stderr)

    def test_a_certificate_stands_for_its_user_if_the_right_authority_made_it(self):
        del self.env["ASSAY_TOKEN"]
        own = ["--cert", self.ca.tls / "carol.crt", "--cert-key", self.ca.tls / "carol.key"]
        self.https(*own, "submit", self.file("job.json", json.dumps(job())))
        strange = ["--cert", self.other.tls / "carol.crt", "--cert-key", self.other.tls / "carol.key"]
        self.https(*strange, "queue", code=(DENIED, UNAVAILABLE))
        server = ["--cert", self.ca.tls / "server.crt", "--cert-key", self.ca.tls / "server.key"]
        said = self.https(*server, "queue", code=DENIED).stderr
        self.assertIn("ask its operator for one", said)
        mixed = ["--cert", self.ca.tls / "carol.crt", "--cert-key", self.other.tls / "carol.key"]
        self.assertIn("does the key belong", self.https(*mixed, "queue", code=(USAGE, UNAVAILABLE)).stderr)

    def test_a_server_that_points_elsewhere_is_not_followed(self):
        """Another host would get the token."""
        with socket.create_server(("127.0.0.1", 0)) as elsewhere, socket.create_server(("127.0.0.1", 0)) as door:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(self.ca.tls / "server.crt", self.ca.tls / "server.key")
            elsewhere.setblocking(False)
            answer = f"HTTP/1.1 307 X\r\nLocation: http://127.0.0.1:{elsewhere.getsockname()[1]}/\r\nContent-Length: 0\r\n\r\n"
            asking = subprocess.Popen([ASSAY, "-H", f"https://localhost:{door.getsockname()[1]}", "queue"], env=self.env,
                                      stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            with context.wrap_socket(door.accept()[0], server_side=True) as peer:
                self.assertIn(b"Authorization: Bearer ", peer.recv(65536))
                peer.sendall(answer.encode())
                said = asking.communicate(timeout=harness.TIMEOUT_S)[1]
            self.assertEqual(IO, asking.returncode)
            self.assertIn("is not followed", said)
            with self.assertRaises(BlockingIOError):
                elsewhere.accept()


if __name__ == "__main__":
    unittest.main()
