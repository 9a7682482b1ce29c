# SPDX-License-Identifier: Apache-2.0
"""The Python client and its example engines: against the real daemon, against one that is killed, and against servers that lie."""
import contextlib
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import unittest

TREE = pathlib.Path(__file__).resolve().parent.parent.parent
PYTHON = TREE / "client" / "python"
EXAMPLES = PYTHON / "examples"
KERNELS = TREE / "tests" / "kernels"
sys.path[:0] = [str(TREE / "tests" / "support"), str(PYTHON)]
import assay
import harness
from harness import TIMED, Daemon, DaemonTest, RealDaemonTest, job

FAR = 4102444800                # jobs not before it stay queued
ENGINE_LINES = 20
MANY_S = harness.TIMEOUT_S


def environment(daemon):
    return os.environ | {"ASSAY_SOCKET": str(daemon.socket), "PYTHONDONTWRITEBYTECODE": "1",
                         "PYTHONPATH": f"{PYTHON}:{TREE / 'tests' / 'support' / 'stand_ins'}"}


def example(daemon, name, *words, **how):
    """What an example program of engines printed."""
    run = subprocess.run([sys.executable, EXAMPLES / name, *map(str, words)], stdin=subprocess.DEVNULL,
                         capture_output=True, text=True, env=environment(daemon), **how)
    if run.returncode != 0:
        raise AssertionError(f"{name} ended with {run.returncode}\n{run.stdout}{run.stderr}")
    return run.stdout


class ClientTest(DaemonTest):
    def setUp(self):
        self.assay = assay.Assay(self.daemon.socket)
        self.addCleanup(self.assay.close)

    def refused(self, kind, call, *words, **members):
        with self.assertRaises(kind) as caught:
            call(*words, **members)
        return caught.exception


class Calls(ClientTest):
    def test_one_job_and_its_result(self):
        result = self.assay.time(job("one", meta={"point": [1, 2]}))
        stored = self.daemon.call("job.get", {"id": result.job})["result"]
        self.assertEqual(("one", "ok", {"point": [1, 2]}), (result.name, result.status, result.meta))
        self.assertEqual(stored, result.raw)
        self.assertEqual((stored["time"]["value_ns"], stored["time"]["median_ns"], stored["cursor"]),
                         (result.value_ns, result.median_ns, result.cursor))
        self.assertTrue(result.ok)
        self.assertEqual(result.value_ns * 1e-9, result.seconds)
        with self.assertRaises(AttributeError):
            result.valu_ns

    def test_results_of_many_come_once_each(self):
        ids = self.assay.submit(job(f"m{n}") for n in range(100))
        self.assertEqual(sorted(ids), sorted(r.job for r in self.assay.results(ids)))
        self.assertEqual(sorted(ids), sorted(r.job for r in self.assay.results(ids)), "stored ones are read again")

    def test_a_key_names_the_same_jobs_also_for_another_program(self):
        jobs = [job("a"), job("b")]
        ids = self.assay.submit(jobs, key="twice")
        with assay.Assay(f"unix:{self.daemon.socket}") as other:
            self.assertEqual(ids, other.submit(jobs, key="twice"))
            self.refused(assay.Conflict, other.submit, [job("c"), job("d")], key="twice")
        self.assertNotEqual(self.assay.submit(job("a")), self.assay.submit(job("a")))

    def test_a_sweep_ends_and_goes_on_from_a_cursor(self):
        document = {"name": "walk", "spec": job()["spec"], "variants": [job(f"s{n}")["variant"] for n in range(20)]}
        sweep = self.assay.sweep(document)
        self.assertEqual((False, True), (sweep.existed, self.assay.sweep(document).existed))
        stream = self.assay.results(sweep="walk")
        first = [next(stream) for _ in range(7)]
        stream.close()
        rest = list(self.assay.results(sweep=sweep.id, after=first[-1].cursor))
        self.assertEqual(sorted(sweep.ids), sorted(r.job for r in first + rest))
        self.assertTrue(self.assay.wait(sweep="walk"))
        self.assertEqual(min(r.value_ns for r in first + rest), self.assay.best("walk")[0].value_ns)
        self.assertEqual(sorted(sweep.ids), sorted(r.job for r in self.assay.query(sweep="walk", limit=6)))

    def test_an_empty_sweep_of_new_results_ends(self):
        document = {"name": "old", "spec": job()["spec"], "variants": [job()["variant"]]}
        sweep = self.assay.sweep(document)
        last, = self.assay.results(sweep="old")
        self.assertEqual([], list(self.assay.results(sweep=sweep.id, after=last.cursor)))

    def test_waiting_has_an_end_and_a_cancel_is_a_result(self):
        ids = self.assay.submit([job("later", not_before=FAR), job("latest", not_before=FAR)])
        self.assertFalse(self.assay.wait(ids, timeout=0.05))
        self.assay.cancel(ids)
        self.assertTrue(self.assay.wait(ids, timeout=MANY_S))
        self.assertEqual(["cancelled"] * 2, [r.status for r in self.assay.results(ids)])
        self.assertEqual([float("inf")] * 2, [r.seconds for r in self.assay.results(ids)])

    def test_refusals_are_exceptions_with_member_and_hint(self):
        wrong = job()
        wrong["spec"]["contxt"] = wrong["spec"].pop("context")
        e = self.refused(assay.BadRequest, self.assay.submit, [job(), wrong])
        self.assertEqual(("bad_spec", "jobs[1].spec.contxt"), (e.word, e.member))
        self.assertIn("context", e.hint)
        self.assertIn("jobs[1].spec.contxt", str(e))
        self.refused(assay.NotFound, self.assay.best, "no such sweep")
        self.refused(assay.NotFound, lambda: list(self.assay.results(sweep="no such sweep")))
        self.refused(assay.NotFound, lambda: list(self.assay.results([10 ** 9])))
        self.refused(assay.NotFound, self.assay.call, "job.submti")
        self.refused(assay.BadRequest, self.assay.submit, job(meta={"n": float("nan")}))
        self.refused(assay.BadRequest, self.assay.submit, job(meta={"n": object()}))
        self.assertEqual("ok", self.assay.time(job()).status, "the connection lives on")

    def test_addresses_that_are_none_are_refused(self):
        for address in ("gopher://x", "ssh://", "ssh://-oProxyCommand=x", "ssh://a:b", "http://", "https://h/path",
                        "http://h:port"):
            self.assertIn(address, str(self.refused(assay.BadRequest, assay.Assay, address)))
        for nobody in ("/nonexistent/assay.sock", "http+unix:/nonexistent/http.sock"):
            self.refused(assay.Unavailable, assay.Assay(nobody).call, "server.info")

    def test_threads_and_forks_share_one_object(self):
        found = []
        threads = [threading.Thread(target=lambda: found.append(self.assay.time(job()).job)) for _ in range(8)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(8, len(set(found)))
        child = os.fork()
        if child == 0:
            with contextlib.suppress(BaseException):
                os._exit(0 if self.assay.time(job()).ok else 1)
            os._exit(2)
        self.assertEqual("ok", self.assay.time(job()).status)
        self.assertEqual(0, os.waitpid(child, 0)[1])

    def test_a_study_is_asked_and_told(self):
        points, told = iter(range(40)), []
        study = self.assay.study(lambda n: job(f"p{n}"), parallel=5)
        study.drive(lambda: next(points, None), lambda n, result: told.append((n, result.name)))
        self.assertEqual([(n, f"p{n}") for n in range(40)], sorted(told))
        self.assertEqual(([], 5), (study.under_way, study.room))

    def test_a_named_study_gets_stored_results_when_started_again(self):
        def run():
            pairs = self.assay.search([1, 2, 2, 3], lambda n: job(f"p{n}"), name="nightly", parallel=2)
            return sorted((n, r.job) for n, r in pairs)
        first = run()
        self.assertEqual(4, len({i for _, i in first}))
        self.assertEqual(first, run())

    def test_an_interrupt_leaves_the_object_usable(self):
        held = self.assay.submit(job("held", not_before=FAR))
        stream = self.assay.results([held])
        signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
        self.addCleanup(signal.signal, signal.SIGALRM, signal.SIG_DFL)
        for blocked in (lambda: next(stream), lambda: self.assay.wait([held]),
                        lambda: self.assay.call("job.wait", {"ids": [held]})):
            self.refused(KeyboardInterrupt, lambda: (signal.setitimer(signal.ITIMER_REAL, 0.1), blocked()))
        self.assay.cancel(held)
        self.assertEqual("cancelled", next(stream).status)
        self.assertEqual([], list(stream))

    def test_files_beside_a_document_are_read(self):
        with tempfile.TemporaryDirectory() as here:
            at = pathlib.Path(here)
            (at / "k.c").write_text(job()["variant"]["source"])
            (at / "k.spec.json").write_text(json.dumps(job()["spec"]))
            (at / "k.job.json").write_text(json.dumps({"spec_file": "k.spec.json", "variant": {"source_file": "k.c"},
                                                       "meta": {"source_file": "no file"}}))
            made = assay.load(at / "k.job.json")
            self.assertEqual((job()["spec"], "k", "c"),
                             (made["spec"], made["variant"]["name"], made["variant"]["language"]))
            result = self.assay.time(made)
            self.assertEqual(("k", "no file"), (result.name, result.meta["source_file"]))
            made = assay.job(at / "k.spec.json", at / "k.c", params={"N": 9}, flags=["-O1"], name="x", UNROLL=2)
            self.assertEqual(({"N": 9}, "x", ["-O1"], {"UNROLL": 2}),
                             (made["spec"]["params"], *(made["variant"][m] for m in ("name", "flags", "defines"))))
            self.refused(assay.BadRequest, assay.variant, at / "k.rs")

    def test_over_http_by_waiting_and_by_events(self):
        for address in (f"http+unix:{self.daemon.http_socket}", "http://%s:%d" % self.daemon.tcp):
            with assay.Assay(address) as a:
                self.assertEqual(self.daemon.pid, a.call("server.info")["pid"])
                ids = a.submit(job(f"h{n}") for n in range(20))
                self.assertEqual(sorted(ids), sorted(r.job for r in a.results(ids)))
                self.assertEqual(["p0", "p1", "p2"], sorted(r.name for _, r in a.search(range(3), lambda n: job(f"p{n}"))))
                sweep = a.sweep({"name": address, "spec": job()["spec"],
                                 "variants": [job(f"s{n}")["variant"] for n in range(9)]})
                stream = a.results(sweep=address)
                first = [next(stream) for _ in range(4)]
                stream.close()
                rest = list(a.results(sweep=sweep.id, after=first[-1].cursor))
                self.assertEqual(sorted(sweep.ids), sorted(r.job for r in first + rest))
                self.assertTrue(a.wait(ids) and a.wait(sweep=address))
                self.assertEqual(1, len(a.best(address)))
                held = a.submit(job("held", not_before=FAR))
                self.assertFalse(a.wait([held], timeout=0.05))
                a.cancel(held)
                self.assertEqual(["cancelled"], [r.status for r in a.results([held])])
                self.refused(assay.NotFound, a.best, "no such sweep")
                self.refused(assay.BadRequest, a.call, "store.check")
                self.assertEqual("spec.contxt", self.refused(
                    assay.BadRequest, a.submit, job(spec={**job()["spec"], "contxt": 1})).member.split("]", 1)[-1].lstrip("."))

    def test_by_way_of_ssh(self):
        """`ssh` is a stand-in that runs what it is told here; what it is told is what ssh(1) would get."""
        with tempfile.TemporaryDirectory() as here:
            words = pathlib.Path(here) / "words"
            ssh = pathlib.Path(here) / "ssh"
            ssh.write_text(f"#!{sys.executable}\n" + STAND_IN_SSH.format(words=str(words), socket=str(self.daemon.socket)))
            ssh.chmod(0o755)
            path, os.environ["PATH"] = os.environ["PATH"], f"{here}:{os.environ['PATH']}"
            try:
                with assay.Assay("ssh://me@lab1:2022/run/a b.sock") as a:
                    self.assertEqual(self.daemon.pid, a.call("server.info")["pid"])
                    self.assertEqual([True] * 3, [r.ok for r in a.run([job()] * 3)])
            finally:
                os.environ["PATH"] = path
            said = json.loads(words.read_text())
            self.assertEqual(["-p", "2022", "-l", "me", "--", "lab1", "assay dial-stdio --socket '/run/a b.sock'"], said[-7:])


STAND_IN_SSH = """
import json, os, socket, sys, threading
open({words!r}, "w").write(json.dumps(sys.argv[1:]))
s = socket.socket(socket.AF_UNIX)
s.connect({socket!r})
def back():
    while data := s.recv(65536):
        os.write(1, data)
    os._exit(0)
threading.Thread(target=back, daemon=True).start()
while data := os.read(0, 65536):
    s.sendall(data)
"""


class Restarts(unittest.TestCase):
    def start(self, **how):
        how.setdefault("worker", harness.REPLAY_WORKER)
        daemon = Daemon(state=self.state, **how)
        self.addCleanup(daemon.stop)
        return daemon

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.state = directory.name

    def kill_after(self, daemon, stream, n):
        """n results, then the daemon is killed and started anew while the stream waits for more."""
        first = [next(stream) for _ in range(n)]
        daemon.kill()
        return first, self.start()

    def test_no_result_is_lost_and_none_comes_twice(self):
        daemon = self.start()
        with assay.Assay(daemon.socket) as a:
            ids = a.submit(job(f"k{n}") for n in range(90))
            sweep = a.sweep({"name": "sw", "spec": job()["spec"], "variants": [job(f"v{n}")["variant"] for n in range(90)]})
            of_ids, of_sweep = a.results(ids), a.results(sweep="sw")
            found, others = [next(of_ids)], [next(of_sweep)]
            for _ in range(2):
                more, daemon = self.kill_after(daemon, of_ids, 20)
                found += more
                others += [next(of_sweep) for _ in range(20)]
            self.assertEqual(sorted(ids), sorted(r.job for r in found + list(of_ids)))
            self.assertEqual(sorted(sweep.ids), sorted(r.job for r in others + list(of_sweep)))

    def test_calls_wait_for_a_daemon_that_starts(self):
        daemon = self.start()
        with assay.Assay(daemon.socket) as a:
            a.call("server.info")
            daemon.kill()
            starting = threading.Timer(0.3, lambda: started.append(self.start()))
            started = []
            starting.start()
            self.assertEqual("ok", a.time(job()).status)
            starting.join()

    def test_patience_has_an_end(self):
        daemon = self.start()
        with assay.Assay(daemon.socket, patience=0.2) as a:
            stream = a.run([job(not_before=FAR)])
            daemon.kill()
            for call in (lambda: a.call("server.info"), lambda: next(stream), lambda: a.submit(job())):
                with self.assertRaises(assay.Unavailable):
                    call()

    def test_the_examples_without_arguments_print_how_they_are_called(self):
        for path in sorted(EXAMPLES.glob("*.py")):
            ran = subprocess.run([sys.executable, "-B", path], env={**os.environ, "PYTHONPATH": str(EXAMPLES.parent)},
                                 capture_output=True, text=True, stdin=subprocess.DEVNULL)
            if "ModuleNotFoundError" in ran.stderr:
                continue                # of a package that this host lacks
            with self.subTest(path.name):
                self.assertNotEqual(0, ran.returncode)
                self.assertIn(f"{path.name} ", ran.stderr)
                self.assertNotIn("Traceback", ran.stderr)

    def test_D8_random_search_of_twenty_lines_survives_a_kill(self):
        """python_engine_lines: the engine streams results on both sides of a SIGKILL of the daemon."""
        text = (EXAMPLES / "random_search.py").read_text()
        print(f"python_engine_lines {len(text.splitlines())}", flush=True)
        self.assertLessEqual(len(text.splitlines()), ENGINE_LINES)
        daemon = self.start()
        n = 120
        engine = subprocess.Popen([sys.executable, EXAMPLES / "random_search.py", KERNELS / "gemm.spec.json",
                                   KERNELS / "gemm_block.c", str(n), "NB=8,12,24,36,72"], env=environment(daemon),
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        lines = [engine.stdout.readline() for _ in range(n // 3)]
        daemon.kill()
        daemon = self.start()
        lines += engine.stdout.readlines()
        engine.stdout.close()
        self.assertEqual(0, engine.wait(), lines)
        self.assertTrue(lines.pop().startswith("best: "), lines)
        jobs = [int(line.split(" job ")[1].split()[0]) for line in lines]
        self.assertEqual(n, len(set(jobs)), lines)
        stored = daemon.call("results.query", {"limit": 1000})["results"]
        self.assertEqual(sorted(jobs), sorted(r["job"] for r in stored), "no job is submitted twice")


class Engines(RealDaemonTest):
    """Each example program searches a real kernel; where Debian has no package, a stand-in has its interface."""
    SPACE = ("UNROLL=1,2,4,8,none",)        # the last does not compile

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        directory = tempfile.TemporaryDirectory()
        cls.addClassCleanup(directory.cleanup)
        cls.here = pathlib.Path(directory.name)
        spec = json.loads((KERNELS / "dotprod.spec.json").read_text())
        spec |= {"params": {"N": 2000}, "context": "warm", "timing": {"samples": 7}}
        (cls.here / "dot.spec.json").write_text(json.dumps(spec))
        cls.kernel = (cls.here / "dot.spec.json", KERNELS / "dot_unroll.c")

    def stored(self):
        return self.daemon.call("results.query", {"limit": 1000})["results"]

    def search(self, name, *words):
        """The program's output, and the results of its jobs."""
        before = {r["job"] for r in self.stored()}
        said = example(self.daemon, name, *words)
        new = [r for r in self.stored() if r["job"] not in before]
        self.assertLessEqual({r["status"] for r in new}, {*TIMED, "build_failed"}, new)
        return said, new

    def assert_best(self, said, results):
        times = {r["job"]: r["time"]["value_ns"] for r in results if r["status"] == "ok"}
        if not times:                               # others had the CPU throughout
            return
        best, = (line for line in said.splitlines() if "best:" in line)
        self.assertIn(f" job {min(times, key=times.get)} ", best, said)

    def test_D8_a_hill_climber_goes_up_to_a_top(self):
        said, new = self.search("hill_climber.py", *self.kernel, "2", *self.SPACE)
        self.assertIn(len(new), range(2, 6), "of five points none is timed twice")
        self.assertIn(f"{len(new)} points timed", said)

    def test_D8_optuna_asks_and_a_second_run_takes_up_its_trials(self):
        try:
            import optuna
        except ImportError:
            self.skipTest("there is no optuna: apt-get install python3-optuna")
        optuna.logging.set_verbosity(optuna.logging.WARNING)
        storage = f"sqlite:///{self.here}/study.db"
        said, new = self.search("optuna_assay.py", *self.kernel, "8", *self.SPACE, storage)
        study = optuna.load_study(storage=storage, study_name="assay")
        states = [t.state.name for t in study.trials]
        self.assertEqual((8, 8), (len(new), len(states)), said)
        self.assertEqual(sum(r["status"] == "ok" for r in new), states.count("COMPLETE"))
        self.assertEqual(sum(r["status"] != "ok" for r in new), states.count("FAIL"))
        values = {t.user_attrs["job"]: t.value for t in study.trials if t.state.name == "COMPLETE"}
        self.assertEqual({r["job"]: r["time"]["value_ns"] * 1e-9 for r in new if r["status"] == "ok"}, values)
        left = study.ask()                          # by a program that was killed then
        left.set_user_attr("job", new[0]["job"])
        said, more = self.search("optuna_assay.py", *self.kernel, "0", *self.SPACE, storage)
        self.assertEqual([], more)
        again = optuna.load_study(storage=storage, study_name="assay").trials[left.number]
        self.assertTrue(again.state.is_finished(), said)

    def test_P45_kernel_tuners_strategies_get_their_times_here(self):
        said, new = self.search("kernel_tuner_assay.py", *self.kernel, "random_sample", "4", "UNROLL=1,2,4,8")
        self.assertEqual(4, len(new))
        times = [r["time"]["value_ns"] * 1e-6 for r in new if r["status"] == "ok"]
        self.assertIn(f"4 configurations, {len(times)} timed; best:", said)
        self.assertIn(str(min(times)), said)

    def test_P45_opentuner_compiles_side_by_side_and_its_limit_is_a_race(self):
        said, new = self.search("opentuner_assay.py", "--spec", self.kernel[0], "--template", self.kernel[1], "--space",
                                *self.SPACE, "--test-limit", "6")
        self.assertEqual(8, len(new))
        # only where all samples could be taken without a neighbour is anything given up
        raced = [r for r in new if (r["time"] or {}).get("raced")]
        self.assertIn(len(raced), (0, 1))
        technique = new[-1]["technique"]
        if (technique["canary"] == "on" and technique["ended_by"] in ("race", "samples")
                and technique.get("memory_canary", "on") in ("on", "off: warm", None)):
            self.assertEqual([new[-1]["job"]], [r["job"] for r in raced])
        self.assertIn("best: {'UNROLL':", said)

    def test_P45_ytopt_is_asked_and_told(self):
        said, new = self.search("ytopt_assay.py", *self.kernel, "9", *self.SPACE)
        self.assertEqual(9, len(new))
        self.assert_best(said, new)


class Liar:
    """A server that answers each connection with what `answer(connection)` does, then closes it."""

    def __init__(self, answer):
        self.directory = tempfile.TemporaryDirectory()
        self.path = f"{self.directory.name}/liar.sock"
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.path)
        self.listener.listen()
        self.answer = answer
        self.thread = threading.Thread(target=self.serve, daemon=True)

    def serve(self):
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self.listener.accept()
                with connection, contextlib.suppress(OSError):
                    self.answer(connection)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *exception):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.thread.join()
        self.directory.cleanup()


def says(text):
    """An answer to one request of any kind."""
    def answer(connection):
        connection.recv(1 << 16)
        connection.sendall(text if isinstance(text, bytes) else text.encode())
    return answer


def reply(members):
    return '{"jsonrpc":"2.0","id":1,' + members + '}\n'


class Liars(unittest.TestCase):
    LIES = {
        "garbage": b"\x00\xff\xfe\n", "words": "hello\n", "no object": "[1]\n", "a number": "1\n", "nothing": "null\n",
        "a deep nest": "[" * 100000 + "\n", "a huge number": '{"id":' + "9" * 5000 + "}\n", "NaN": reply('"result":NaN'),
        "no result": reply('"resul":{}'), "a result that is no object": reply('"result":[1]'),
        "another's id": '{"jsonrpc":"2.0","id":2,"result":{}}\n', "an id of text": '{"id":"1","result":{}}\n',
        "a true id": '{"id":true,"result":{}}\n', "a list for an id": '{"id":[1],"result":{}}\n',
        "no id": '{"result":{}}\n', "an endless line": b"x" * (1 << 20),
    }

    def setUp(self):
        longest, assay.MAX_LINE_BYTES = assay.MAX_LINE_BYTES, 1 << 19
        self.addCleanup(setattr, assay, "MAX_LINE_BYTES", longest)

    def fails(self, kind, answer, act, door="unix:", **how):
        with Liar(answer) as liar, assay.Assay(door + liar.path, **how) as a, self.assertRaises(kind) as caught:
            act(a)
        return caught.exception

    def test_what_is_no_answer_is_a_protocol_error(self):
        for name, text in self.LIES.items():
            with self.subTest(name):
                self.fails(assay.ProtocolError, says(text), lambda a: a.call("server.info"))

    def test_ids_that_are_none_are_a_protocol_error(self):
        for ids in ("null", "[]", "[1,2]", '["1"]', "[true]", "{}"):
            with self.subTest(ids):
                self.fails(assay.ProtocolError, says(reply('"result":{"ids":' + ids + "}")), lambda a: a.submit(job()))

    def test_results_that_are_none_are_a_protocol_error(self):
        for result in ("null", "{}", '{"job":1}', '{"job":"1","status":"ok"}', '{"job":1,"status":2}', "[]"):
            text = reply('"result":{"subscription":1}') + '{"method":"result","params":{"result":' + result + "}}\n"
            with self.subTest(result):
                self.fails(assay.ProtocolError, says(text), lambda a: next(a.results([1])))

    def test_half_a_line_is_a_lost_connection(self):
        self.fails(assay.Unavailable, says('{"jsonrpc":"2.0","id":1,"resul'), lambda a: a.call("server.info"))
        self.fails(assay.Unavailable, says(b""), lambda a: a.call("server.info"))

    def test_silence_and_a_byte_now_and_then_have_an_end(self):
        leave = threading.Event()

        def drip(connection):
            while not leave.wait(0.02):
                connection.sendall(b" ")
        e = self.fails(assay.Unavailable, drip, lambda a: (a.call("server.info")), timeout=0.3)
        leave.set()
        self.assertIn("server.info", e.reason)

    def test_a_refused_connection_says_why(self):
        full = '{"id":null,"error":{"code":-32004,"message":"m","data":{"word":"full","reason":"r","hint":"h"}}}\n'
        for answer in (says(full), lambda c: c.sendall(full.encode())):
            e = self.fails(assay.Full, answer, lambda a: a.call("server.info"))
            self.assertEqual(("full", "r", None, "h"), (e.word, e.reason, e.member, e.hint))

    def test_an_error_may_lack_anything(self):
        for error in ("{}", '{"data":7}', '{"data":{"word":7,"hint":[]},"message":9}'):
            self.assertEqual("internal", self.fails(assay.Refused, says(reply(f'"error":{error}')),
                                                    lambda a: a.call("server.info")).word)

    def test_of_http(self):
        for answer in (b"garbage\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n[1]",
                       b"HTTP/1.1 500 X\r\nContent-Length: 2\r\n\r\nno", b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 200):
            with self.subTest(answer[:40]):
                self.fails(assay.ProtocolError, says(answer), lambda a: a.call("server.info"), door="http+unix:")
        cut_off = says(b"HTTP/1.1 200 OK\r\nContent-Length: 30\r\n\r\n{}")
        self.fails(assay.Unavailable, cut_off, lambda a: a.call("server.info"), door="http+unix:")


if __name__ == "__main__":
    unittest.main()
