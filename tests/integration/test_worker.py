# SPDX-License-Identifier: Apache-2.0
"""assay-worker alone: the test is the daemon at the other end of its descriptor 3."""
import json
import os
import pathlib
import select
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from processes import descendants, left_of  # noqa: E402

TREE = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ.get("ASSAY_BUILD", TREE / "build" / "release")).resolve()
TIMEOUT_S = 600                 # an end for what hangs

DOT = """double dot(const int N, const double *X, const double *Y)
{
	double s = 0;
	for (int i = 0; i < N; i++)
		s += X[i] * Y[i];
	return s;
}
"""
# A compiler works on it until it is stopped, and neither prints nor remembers anything: 2 ** 60
# expansions of nothing.
ENDLESS = "#define A0\n" + "".join(f"#define A{i + 1} A{i} A{i}\n" for i in range(60)) + "A60\n"


def job(source=DOT, language="c", check=None, **members):
    spec = {
        "routine": "double dot(const int N, const double *X, const double *Y)",
        "params": {"N": 1000},
        "args": {"N": "N", "X": {"type": "double", "dims": ["N"]}, "Y": {"type": "double", "dims": ["N"]}},
        "flops": "2*N",
        "context": "warm",
        "timing": {"trust": "claimed"},         # an audit compares times
    }
    if check is not None:
        spec["check"] = {"reference": {"language": "c", "source": check}}
    return {"variant": {"language": language, "source": source}, "spec": spec, **members}


class Worker:
    """One worker process and our end of its socket."""

    def __init__(self, role, state):
        ours, theirs = socket.socketpair()
        self.socket = ours
        self.socket.settimeout(TIMEOUT_S)
        self.log = tempfile.TemporaryFile("w+")
        cpus = os.sched_getaffinity(0)
        argv = [str(BUILD / "assay-worker"), "--role", role, "--cpu", str(max(cpus)), "--supervise-cpu", str(min(cpus)),
                "--state", str(state), "--cache-limit", str(1 << 28), "--l1", "32768", "--l2", "1048576",
                "--l3", "33554432", "--line", "64"]
        self.pid = os.posix_spawn(argv[0], argv, os.environ, file_actions=[
            (os.POSIX_SPAWN_DUP2, self.log.fileno(), 2), (os.POSIX_SPAWN_DUP2, theirs.fileno(), 3)])
        self.pidfd = os.pidfd_open(self.pid)
        self.code = None
        theirs.close()

    def send_bytes(self, data):
        self.socket.sendall(data)

    def send(self, kind, **members):
        body = json.dumps({"kind": kind, **members}).encode()
        self.send_bytes(struct.pack("<I", len(body)) + body)

    def receive_bytes(self, n):
        data = b""
        while len(data) < n:
            part = self.socket.recv(n - len(data))
            if not part:
                raise EOFError(f"the worker hung up: {self.words()}")
            data += part
        return data

    def receive(self):
        (n,) = struct.unpack("<I", self.receive_bytes(4))
        # behind a timing stand its technique, its evidence and its samples' readings
        message, *kept = self.receive_bytes(n).split(b"\n")
        return json.loads(message) | {"kept": [json.loads(line) for line in kept if line]}

    def order(self, kind, **members):
        self.send(kind, **members)
        return self.receive()

    def words(self):
        self.log.seek(0)
        return self.log.read()

    def end(self, timeout_s=TIMEOUT_S):
        """Its exit code, minus a signal; None: it goes on."""
        if self.code is None and select.select([self.pidfd], [], [], timeout_s)[0]:
            self.code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return self.code

    def kill(self):
        os.kill(self.pid, signal.SIGKILL)

    def close(self):
        self.socket.close()
        if self.end(10) is None:
            self.kill()
            self.end()
        os.close(self.pidfd)
        self.log.close()


def runners(pid):
    """The runners below this one: (pid, when it started), which no later process has."""
    return {(below, process.started) for below, process in descendants(pid).items() if process.name == "assay-runner"}


def wait_for(condition, what):
    deadline = time.monotonic() + TIMEOUT_S
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"waited in vain for {what}")
        time.sleep(0.005)


class WorkerTest(unittest.TestCase):
    def setUp(self):
        self.state = pathlib.Path(tempfile.mkdtemp(prefix="assay-test-"))
        self.addCleanup(shutil.rmtree, self.state, ignore_errors=True)

    def start(self, role):
        worker = Worker(role, self.state)
        self.addCleanup(worker.close)
        self.hello = worker.receive()
        self.assertEqual("hello", self.hello["kind"])
        return worker


class Hello(WorkerTest):
    def test_a_builder_tells_its_compilers_and_its_jail(self):
        worker = self.start("build")
        report = self.hello["report"]
        self.assertEqual(("build", worker.pid), (report["role"], report["pid"]))
        self.assertIn("gcc", [c["name"] for c in report["compilers"]])
        for compiler in report["compilers"]:
            self.assertEqual({"name", "path", "version", "target", "id"}, set(compiler))
        jail = report["jail"]
        self.assertEqual({"namespaces", "user", "mount", "pid", "net", "seccomp", "landlock", "limits", "reason"},
                         set(jail))
        self.assertIn(jail["limits"], ("cgroup", "rlimit"))
        self.assertEqual(jail["namespaces"], jail["mount"] and jail["pid"] and jail["net"])
        self.assertTrue(jail["namespaces"] or jail["reason"])

    def test_a_slot_tells_its_clock(self):
        self.start("time")
        self.assertEqual("time", self.hello["report"]["role"])
        self.assertIn("kind", self.hello["report"]["clock"])

    def test_a_worker_without_arguments_says_how_to_start_it(self):
        done = subprocess.run([BUILD / "assay-worker"], capture_output=True, text=True, timeout=TIMEOUT_S)
        self.assertEqual(64, done.returncode)
        self.assertIn("usage: assay-worker --role", done.stderr)


class Building(WorkerTest):
    def test_orders_are_answered_one_after_another(self):
        worker = self.start("build")
        first = worker.order("build", job_id=1, job=job())
        self.assertEqual(("built", 1, "ok"), (first["kind"], first["job_id"], first["status"]))
        self.assertEqual({"driver": False, "variant": False, "reference": False}, first["report"]["cached"])
        second = worker.order("build", job_id=2, job=job())
        self.assertEqual(first["artifacts"], second["artifacts"])
        self.assertTrue(second["report"]["cached"]["variant"])
        for name in ("driver", "variant"):
            digest = first["artifacts"][name]
            self.assertTrue((self.state / "cache" / digest[:2] / f"{digest}.so").is_file())

    def test_each_failure_has_its_word(self):
        worker = self.start("build")
        cases = [
            ("build_failed", job("double dot(")),
            ("build_limit", job("char x[1u << 30] = { 1 };")),
            ("bad_spec", job(check="double dot(")),
            ("load_failed", job("AAAA", "shared")),
            ("bad_spec", {"variant": {}}),
            ("build_timeout", job(ENDLESS, timeout_ms={"build": 1500})),
            ("ok", job()),
        ]
        for i, (status, document) in enumerate(cases, 1):
            answer = worker.order("build", job_id=i, job=document)
            self.assertEqual((status, i), (answer["status"], answer["job_id"]), answer)
            self.assertEqual(status != "ok", bool(answer.get("detail")))
        self.assertEqual({}, descendants(worker.pid))

    def test_a_compilers_words_survive_whatever_the_source_holds(self):
        worker = self.start("build")
        answer = worker.order("build", job_id=1, job=job("int \u00fc\x01\x7f \u2028 = \"\U0001f600\";\n#error \x02\n"))
        self.assertEqual("build_failed", answer["status"])
        self.assertIn("variant.c:", answer["detail"])

    def test_a_cancel_stops_the_compiler_and_the_worker_lives_on(self):
        worker = self.start("build")
        worker.order("build", job_id=1, job=job())
        worker.send("build", job_id=2, job=job(ENDLESS))
        wait_for(lambda: descendants(worker.pid), "a compiler")
        worker.send("cancel", job_id=1)     # too late, means nothing
        worker.send("cancel", job_id=2)
        answer = worker.receive()
        self.assertEqual((2, "cancelled"), (answer["job_id"], answer["status"]))
        self.assertEqual({}, descendants(worker.pid))
        worker.send("cancel", job_id=2)
        self.assertEqual("ok", worker.order("build", job_id=3, job=job())["status"])

    def test_a_job_of_a_megabyte_gets_through(self):
        worker = self.start("build")
        filler = "/*" + "x" * 1000000 + "*/\n"
        answer = worker.order("build", job_id=1, job=job(filler + DOT))
        self.assertEqual("ok", answer["status"])

    def test_an_order_that_comes_in_bits_is_one_order(self):
        worker = self.start("build")
        body = json.dumps({"kind": "build", "job_id": 1, "job": job()}).encode()
        frame = struct.pack("<I", len(body)) + body
        for i in range(0, len(frame), 7):
            worker.send_bytes(frame[i:i + 7])
        self.assertEqual("ok", worker.receive()["status"])

    def test_two_builders_share_a_cache(self):
        one, two = self.start("build"), self.start("build")
        for i in range(1, 6):
            document = job(DOT + f"int dot_{i};\n")
            one.send("build", job_id=i, job=document)
            two.send("build", job_id=i, job=document)
            a, b = one.receive(), two.receive()
            self.assertEqual("ok", a["status"])
            self.assertEqual(a["artifacts"], b["artifacts"])


class Timing(WorkerTest):
    def test_what_was_built_is_timed(self):
        built = self.start("build").order("build", job_id=1, job=job(check=DOT))
        self.assertEqual("ok", built["status"], built)
        slot = self.start("time")
        timed = slot.order("time", job_id=1, job=job(check=DOT), artifacts=built["artifacts"], submitter=0)
        self.assertEqual(("timed", 1), (timed["kind"], timed["job_id"]), timed)
        self.assertIn(timed["status"], ("ok", "too_noisy"), timed)
        samples = timed["report"]["samples"]
        self.assertGreater(len(samples["ns"]), 0)
        technique, evidence, readings = timed["kept"]
        self.assertEqual(technique["samples"], len(samples["ns"]))
        self.assertEqual(evidence["taken"], timed["report"]["tally"]["taken"])
        self.assertEqual(len(samples["ns"]), len(readings["ticks"]))

    def test_jobs_of_two_submitters_do_not_share_a_runner(self):
        built = self.start("build").order("build", job_id=1, job=job())
        slot = self.start("time")

        def runner_after_a_job_of(submitter):
            timed = slot.order("time", job_id=1, job=job(), artifacts=built["artifacts"], submitter=submitter)
            self.assertIn(timed["status"], ("ok", "too_noisy"), timed)
            return runners(slot.pid)

        first = runner_after_a_job_of(1000)
        self.assertEqual(1, len(first))
        self.assertEqual(first, runner_after_a_job_of(1000))
        second = runner_after_a_job_of(1001)
        self.assertEqual(1, len(second))
        self.assertEqual(set(), first & second)
        self.assertEqual(set(), second & runner_after_a_job_of(1000))

    def test_an_artifact_that_is_gone_is_reported_and_not_blamed_on_the_job(self):
        built = self.start("build").order("build", job_id=1, job=job())
        digest = built["artifacts"]["variant"]
        (self.state / "cache" / digest[:2] / f"{digest}.so").unlink()
        timed = self.start("time").order("time", job_id=1, job=job(), artifacts=built["artifacts"], submitter=0)
        self.assertEqual("internal", timed["status"])
        self.assertIs(True, timed["report"]["artifact_missing"])

    def test_an_artifact_that_lost_its_end_counts_as_gone(self):
        built = self.start("build").order("build", job_id=1, job=job())
        digest = built["artifacts"]["driver"]
        os.truncate(self.state / "cache" / digest[:2] / f"{digest}.so", 2000)
        timed = self.start("time").order("time", job_id=1, job=job(), artifacts=built["artifacts"], submitter=0)
        self.assertIs(True, timed["report"]["artifact_missing"])


class Ending(WorkerTest):
    def test_hanging_up_ends_an_idle_worker_well(self):
        for role in ("build", "time"):
            worker = self.start(role)
            worker.socket.close()
            self.assertEqual(0, worker.end(), worker.words())

    def test_hanging_up_ends_a_busy_worker_and_its_compiler(self):
        worker = self.start("build")
        worker.order("build", job_id=1, job=job())
        worker.send("build", job_id=2, job=job(ENDLESS))
        wait_for(lambda: descendants(worker.pid), "a compiler")
        compilers = descendants(worker.pid)
        worker.socket.close()
        self.assertEqual(0, worker.end(), worker.words())
        wait_for(lambda: not left_of(compilers), "the end of its compilers")

    def test_a_killed_worker_takes_its_compiler_with_it(self):
        worker = self.start("build")
        worker.order("build", job_id=1, job=job())
        worker.send("build", job_id=2, job=job(ENDLESS))
        wait_for(lambda: len(descendants(worker.pid)) >= 3, "a jail, gcc and cc1")
        compilers = descendants(worker.pid)
        worker.kill()
        self.assertEqual(-signal.SIGKILL, worker.end())
        wait_for(lambda: not left_of(compilers), "the end of its compilers")

    def test_a_builder_leaves_its_scratch_directory_clean(self):
        def scratch():
            places = [self.state / "scratch", *pathlib.Path("/dev/shm").glob("assay-*")]
            return [p for place in places for p in place.glob(f"build.{worker.pid}")]

        worker = self.start("build")
        worker.order("build", job_id=1, job=job())
        self.assertEqual(1, len(scratch()))
        self.assertEqual([], list(scratch()[0].iterdir()))
        worker.socket.close()
        worker.end()
        self.assertEqual([], scratch())

    def test_nonsense_ends_it_with_an_error_and_a_line_that_says_why(self):
        def framed(text):
            return struct.pack("<I", len(text)) + text.encode()

        deep = '{"kind":"build","job_id":1,"job":' + '{"a":' * 100000 + "1" + "}" * 100001
        cases = {
            "not JSON": framed("hello"),
            "not an object": framed("[]"),
            "an empty frame": framed(""),
            "no such kind": framed('{"kind":"sing"}'),
            "no job": framed('{"kind":"build","job_id":1}'),
            "an answer": framed('{"kind":"hello","report":{}}'),
            "an order for the other role": framed(
                '{"kind":"time","job_id":1,"job":{},"artifacts":{"driver":"","variant":"","reference":""},'
                '"submitter":0}'),
            "a frame without end": struct.pack("<I", (64 << 20) + 1),
            "nesting without end": framed(deep),
        }
        for name, data in cases.items():
            with self.subTest(name):
                worker = self.start("build")
                worker.send_bytes(data)
                self.assertNotIn(worker.end(), (0, -signal.SIGSEGV, -signal.SIGABRT), worker.words())
                self.assertIn("error role=build", worker.words())

    def test_half_a_frame_and_goodbye_is_no_error(self):
        worker = self.start("build")
        worker.send_bytes(struct.pack("<I", 1000) + b'{"kind":"bu')
        worker.socket.close()
        self.assertEqual(0, worker.end())

    def test_an_order_while_another_is_being_worked_on_is_the_next(self):
        worker = self.start("build")
        worker.send("build", job_id=1, job=job(ENDLESS))
        wait_for(lambda: descendants(worker.pid), "a compiler")
        worker.send("build", job_id=2, job=job())
        worker.send("cancel", job_id=1)
        self.assertEqual([(1, "cancelled"), (2, "ok")],
                         [(m["job_id"], m["status"]) for m in (worker.receive(), worker.receive())])

    def test_an_order_that_was_cancelled_before_its_turn_is_not_begun(self):
        worker = self.start("build")
        worker.send("build", job_id=1, job=job(ENDLESS))
        wait_for(lambda: descendants(worker.pid), "a compiler")
        worker.send("build", job_id=2, job=job(ENDLESS))
        worker.send("cancel", job_id=2)
        worker.send("cancel", job_id=1)
        answers = [worker.receive(), worker.receive()]
        self.assertEqual([(1, "cancelled"), (2, "cancelled")], [(m["job_id"], m["status"]) for m in answers])
        self.assertEqual({}, answers[1]["report"])
        self.assertEqual("ok", worker.order("build", job_id=3, job=job())["status"])

    def test_a_third_order_while_one_is_being_worked_on_ends_it_with_an_error(self):
        worker = self.start("build")
        worker.send("build", job_id=1, job=job(ENDLESS))
        wait_for(lambda: descendants(worker.pid), "a compiler")
        for number in 2, 3:
            worker.send("build", job_id=number, job=job())
        self.assertNotEqual(0, worker.end())
        self.assertIn("a third order", worker.words())


if __name__ == "__main__":
    unittest.main()
