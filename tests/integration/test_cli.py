# SPDX-License-Identifier: Apache-2.0
"""The command line against a real daemon: what it prints, what it says on stderr, what it ends with."""
import csv
import fcntl
import io
import json
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "support"))
from command import ASSAY, environment  # noqa: E402
from harness import BUILD, Client, Daemon, DaemonTest, job, TIMEOUT_S  # noqa: E402

KERNELS = TESTS / "kernels"
SYSTEM_SOCKET = pathlib.Path("/run/assay/assay.sock")
USAGE, BAD_SPEC, NOT_FOUND, CONFLICT, UNAVAILABLE = 64, 65, 66, 67, 69
BUILD_FAILED, CRASHED, RUN_TIMEOUT, WRONG_ANSWER, EXPIRED, IO = 70, 80, 81, 84, 88, 74
TOO_NOISY = 75

# A shell's background jobs ignore it, and so would all that they start.
signal.signal(signal.SIGINT, signal.default_int_handler)

SHARED_WITH_TIME = {"define", "param", "flags", "compiler", "context", "flush", "clock", "calls", "reference",
                    "with", "include", "library"}


class Cli(unittest.TestCase):
    """Helpers around running assay."""

    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="assay-cli-")
        self.addCleanup(directory.cleanup)
        self.dir = pathlib.Path(directory.name)
        self.env = environment()

    def file(self, name, content):
        path = self.dir / name
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return path

    def assay(self, *words, code=0, input=None, **how):
        """Run it to its end; a wrong exit code shows what it said.  code: one or several."""
        how.setdefault("stdout", subprocess.PIPE)
        ran = subprocess.run([ASSAY, *map(str, words)], env=self.env, stderr=subprocess.PIPE, text=True, input=input,
                             stdin=subprocess.DEVNULL if input is None else None, timeout=TIMEOUT_S, **how)
        self.assertNotIn("Sanitizer", ran.stderr)
        self.assertIn(ran.returncode, code if isinstance(code, tuple) else (code,),
                      f"{words}\n{ran.stdout}\n{ran.stderr}")
        return ran

    def said(self, *words, **how):
        return self.assay(*words, **how).stdout

    def document(self, *words, **how):
        return json.loads(self.said(*words, "--json", **how))

    def lines(self, *words, **how):
        return [json.loads(line) for line in self.said(*words, "--ndjson", **how).splitlines()]

    def start(self, *words):
        process = subprocess.Popen([ASSAY, *map(str, words)], env=self.env, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.reap, process)
        return process

    def reap(self, process):
        if process.poll() is None:
            process.kill()
            process.wait()
        process.stdout.close()
        process.stderr.close()


class WithDaemon(DaemonTest, Cli):
    """One daemon whose worker replays, for all tests of a class."""
    serial = 0

    def setUp(self):
        Cli.setUp(self)
        self.env = environment(ASSAY_SOCKET=self.daemon.socket)

    def sweep(self, variants, name=None, **members):
        """The document of a sweep of small variants; each entry is the meta that steers the worker."""
        WithDaemon.serial += 1
        document = job()
        del document["variant"]
        document.update(name=name or f"sweep-{WithDaemon.serial}", space={"K": list(range(len(variants)))},
                        template=job()["variant"], **members)
        return document

    def jobs(self, *metas, **members):
        return [job(f"v{i}", meta, **members) for i, meta in enumerate(metas)]

    def submit(self, *metas, **members):
        """Ids of jobs that behave like this, handed in through the command line."""
        text = json.dumps(self.jobs(*metas, **members))
        return [int(word) for word in self.said("submit", "-", input=text).split()]


FINE = {"time": ["ok"], "samples": [10.0, 11.0, 12.0]}
HANGS = {"time": ["hang"]}


def fails(word):
    return {"time": [word]}


class SubmitTest(WithDaemon):
    def test_submit_prints_ids_one_a_line(self):
        ids = self.submit(FINE, FINE)
        self.assertEqual([ids[0], ids[0] + 1], ids)

    def test_submit_takes_a_job_a_list_and_an_object_of_jobs_from_several_files(self):
        one = self.file("one.json", job(meta=FINE))
        several = self.file("several.json", self.jobs(FINE, FINE))
        wrapped = self.file("wrapped.json", {"jobs": self.jobs(FINE)})
        self.assertEqual(4, len(self.document("submit", one, several, wrapped)["ids"]))

    def test_submit_under_a_key_again_returns_the_same_ids(self):
        path = self.file("jobs.json", self.jobs(FINE, FINE))
        first = self.document("submit", path, "--key", "again")
        second = self.document("submit", path, "--key", "again")
        self.assertEqual(first["ids"], second["ids"])
        self.assertEqual((0, 2), (first["repeated"], second["repeated"]))
        other = self.file("other.json", self.jobs(FINE, fails("crashed")))
        self.assertIn("key", self.assay("submit", other, "--key", "again", code=CONFLICT).stderr)

    def test_submit_and_follow_prints_results_and_ends_with_the_first_failure_by_job(self):
        path = self.file("jobs.json", self.jobs(FINE, fails("run_timeout"), FINE, fails("crashed")))
        ran = self.assay("submit", path, "--follow", code=RUN_TIMEOUT)
        rows = [line.split()[1:4] for line in ran.stdout.splitlines()[1:]]
        self.assertEqual([["v0", "samples=10.0", "11.0"], ["v1", "time=run_timeout", "run_timeout"],
                          ["v2", "samples=10.0", "11.0"], ["v3", "time=crashed", "crashed"]], rows)
        self.assertEqual("", ran.stderr)

    def test_submit_follows_jobs_that_were_over_before(self):
        path = self.file("jobs.json", self.jobs(FINE, fails("crashed")))
        self.assay("submit", path, "--key", "done", "--follow", code=CRASHED)
        again = self.document("submit", path, "--key", "done", "--follow", code=CRASHED)
        self.assertEqual(["ok", "crashed"], [r["status"] for r in again["results"]])
        self.assertEqual(2, again["repeated"])

    def test_submit_prints_each_result_as_it_lands(self):
        path = self.file("jobs.json", self.jobs(FINE, HANGS))
        following = self.start("submit", path, "--follow", "--ndjson")
        first = json.loads(following.stdout.readline())     # while the other one hangs
        self.assertEqual("v0", first["name"])
        self.assay("cancel", first["job"] + 1)
        self.assertEqual("cancelled", json.loads(following.stdout.readline())["status"])
        self.assertEqual(87, following.wait(TIMEOUT_S))

    def test_submit_splits_what_is_too_much_for_one_call(self):
        far = 1 << 33
        path = self.file("jobs.json", [job(not_before=far)] * 10001)
        ids = self.document("submit", path)["ids"]
        self.assertEqual(10001, len(set(ids)))
        bad = self.file("bad.json", [job(not_before=far)] * 10000 + [job(prioritee=1)])
        ran = self.assay("submit", bad, code=BAD_SPEC)
        self.assertIn("jobs[10000].prioritee", ran.stderr)
        self.assertIn('did you mean "priority"?', ran.stderr)
        self.assertIn("jobs[0] to jobs[9999] have been submitted", ran.stderr)

    def test_submit_names_the_file_and_the_member(self):
        broken = self.file("broken.json", '{"variant": }')
        self.assertRegex(self.assay("submit", broken, code=BAD_SPEC).stderr, r"broken\.json:1:1\d: ")
        unknown = self.file("unknown.json", job(prioritee=1))
        self.assertIn("jobs[0].prioritee", self.assay("submit", unknown, code=BAD_SPEC).stderr)
        self.assertIn("no such file", self.assay("submit", "gone.json", code=NOT_FOUND).stderr.lower())
        self.assertIn("sweep create", self.assay("submit", self.file("s.json", self.sweep([1])), code=BAD_SPEC).stderr)
        self.assertIn("no job", self.assay("submit", self.file("none.json", []), code=BAD_SPEC).stderr)

    def test_submit_takes_a_document_of_several_variants(self):
        one = job()
        document = {"spec": one["spec"], "variants": [{**one["variant"], "name": n} for n in "ab"], "not_before": 1 << 33}
        ids = self.document("submit", self.file("variants.json", document))["ids"]
        self.assertEqual(["a", "b"], [self.daemon.call("job.get", {"id": i})["name"] for i in ids])
        document["variants"][1] = {"sauce": ""}
        self.assertIn("jobs[1].variant.sauce", self.assay("submit", self.file("bad.json", document), code=BAD_SPEC).stderr)

    def test_submit_names_the_job_when_several_have_one_spec(self):
        jobs = [job(), job(), job()]
        jobs[2]["variant"]["flags"] = ["-I."]
        ran = self.assay("submit", self.file("flags.json", jobs), code=BAD_SPEC)
        self.assertIn("jobs[2].variant.flags[0]", ran.stderr)
        for j in jobs:
            j["prioritee"] = 1
        self.assertIn("jobs[0].prioritee", self.assay("submit", self.file("flags.json", jobs), code=BAD_SPEC).stderr)

    def test_submit_reads_sources_that_lie_beside_the_file(self):
        self.file("same.c", job()["variant"]["source"])
        document = job(meta=FINE)
        document["variant"] = {"source_file": "same.c"}
        (self.dir / "elsewhere").mkdir()
        ran = self.document("submit", self.file("job.json", document), "--follow", cwd=self.dir / "elsewhere")
        self.assertEqual("same", ran["results"][0]["name"])

    def test_X1_submit_reads_data_that_lie_beside_the_file(self):
        """Three elements of one byte each: the daemon counts the bytes that it was given."""
        (self.dir / "words").write_bytes(b"a\xff\0")
        (self.dir / "long").write_bytes(b"abcd")
        (self.dir / "elsewhere").mkdir()

        def document(**init):
            spec = {"routine": "int f(const char *x)", "args": {"x": {"dims": [3], "init": init}}}
            return self.file("job.json", {"variant": {"source": "int f(const char *x) { return *x; }"}, "spec": spec,
                                          "meta": FINE})
        ran = self.document("submit", document(data_file="words"), "--follow", cwd=self.dir / "elsewhere")
        self.assertEqual(["ok"], [result["status"] for result in ran["results"]])
        member = "spec.args.x.init.data"
        for init, text, code in (({"data_file": "long"}, f"{member}: has 4 bytes", BAD_SPEC),
                                 ({"data_file": "gone"}, f"{member}_file: ", NOT_FOUND),
                                 ({"data_file": 3}, f"{member}_file: must be the name", BAD_SPEC),
                                 ({"data_file": "words", "data": "AAAA"}, f"{member}_file: there is", BAD_SPEC)):
            self.assertIn(text, self.assay("submit", document(**init), code=code).stderr)

    def test_submit_reads_functions_that_lie_beside_the_file(self):
        (self.dir / "fill.c").write_text("void fill(char *x, unsigned long n) { x[0] = n; }\n")
        (self.dir / "latin").write_bytes(b"/* \xe9 */\n")

        def document(**setup):
            spec = {"routine": "int f(const char *x)", "args": {"x": {"dims": [3], "init": {"function": "fill"}}}, **setup}
            return self.file("job.json", {"variant": {"source": "int f(const char *x) { return *x; }"}, "spec": spec,
                                          "meta": FINE})
        ran = self.document("submit", document(setup_file="fill.c"), "--follow")
        self.assertEqual(["ok"], [result["status"] for result in ran["results"]])
        for setup, text, code in (({"setup_file": "gone.c"}, "setup_file: ", NOT_FOUND),
                                  ({"setup_file": "latin"}, "setup_file: latin:1: is not UTF-8", BAD_SPEC),
                                  ({"setup_file": "fill.c", "setup": "x"}, "setup_file: there is", BAD_SPEC)):
            self.assertIn(text, self.assay("submit", document(**setup), code=code).stderr.replace(f"{self.dir}/", ""))

    def test_submit_says_what_to_do_when_the_daemon_dies(self):
        daemon = Daemon(worker=self.worker)
        self.addCleanup(daemon.stop)
        self.env["ASSAY_SOCKET"] = str(daemon.socket)
        path = self.file("jobs.json", self.jobs(FINE, HANGS))
        following = self.start("submit", path, "--follow", "--ndjson")
        last = json.loads(following.stdout.readline())["job"] + 1
        daemon.kill()
        self.assertEqual(UNAVAILABLE, following.wait(TIMEOUT_S))
        said = following.stderr.read()
        self.assertIn("closed the connection", said)
        self.assertIn(f"assay wait {last}", said)

    def test_submit_that_is_interrupted_leaves_the_jobs_running(self):
        path = self.file("jobs.json", self.jobs(FINE, HANGS))
        following = self.start("submit", path, "--follow", "--ndjson")
        hanging = json.loads(following.stdout.readline())["job"] + 1
        following.send_signal(signal.SIGINT)
        self.assertEqual(128 + signal.SIGINT, following.wait(TIMEOUT_S))
        self.assertIn("go on", following.stderr.read())
        self.assertIsNone(self.daemon.call("job.get", {"id": hanging})["status"])
        self.assay("cancel", hanging)


class WaitTest(WithDaemon):
    def test_wait_ends_with_zero_when_all_are_ok(self):
        ids = self.submit(FINE, FINE)
        self.assertEqual(3, len(self.said("wait", *ids).splitlines()))
        self.assertEqual("", self.said("wait", *ids, "-q"))

    def test_wait_ends_with_the_code_of_the_first_that_failed(self):
        ids = self.submit(FINE, fails("crashed"), fails("build_failed"))
        document = self.document("wait", *ids, code=CRASHED)
        self.assertEqual(ids, [r["job"] for r in document["results"]])

    def test_wait_gives_up_in_time_and_cancels_nothing(self):
        ids = self.submit(FINE, HANGS)
        for patience in ("0", "0.2"):
            ran = self.assay("wait", *ids, "--timeout", patience, code=EXPIRED)
            self.assertIn("not over in time", ran.stderr)
        self.assertIsNone(self.daemon.call("job.get", {"id": ids[1]})["status"])
        self.assertIn("cancelled 1 job", self.said("cancel", ids[1]))
        self.assay("wait", *ids, code=87)

    def test_wait_for_a_sweep_sums_it_up(self):
        path = self.file("s.json", self.sweep([1, 2, 3], meta=fails("crashed")))
        name = self.document("sweep", "create", path)["name"]
        self.assertEqual(f"sweep {name}: 3 jobs: 3 crashed\n", self.said("wait", "--sweep", name, code=CRASHED))

    def test_wait_refuses_what_does_not_exist(self):
        self.assertIn("no job 999999", self.assay("wait", 999999, code=NOT_FOUND).stderr)
        self.assertIn("nope", self.assay("wait", "--sweep", "nope", code=NOT_FOUND).stderr)


class ResultsTest(WithDaemon):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        jobs = [job(f"r{i}", {"samples": [10.0 * (i + 1)]}) for i in range(1200)] + [job("bad", fails("crashed"))]
        with cls.daemon.connect() as client:
            cls.ids = client.call("job.submit", {"jobs": jobs})["ids"]
            client.call("job.wait", {"ids": cls.ids})
            cls.sweep_name = "fast-and-slow"
            document = job("s", FINE)
            del document["variant"]
            document.update(name=cls.sweep_name, template=job("s")["variant"], space={"K": [1, 2, 3]})
            made = client.call("sweep.create", {"sweep": document})
            client.call("job.wait", {"ids": made["ids"]})

    def test_results_of_a_sweep_are_a_table_with_aligned_columns(self):
        head, *rows = self.said("results", "--sweep", self.sweep_name, "--speedup").splitlines()
        self.assertEqual(["job", "name", "point", "status", "min", "median", "spread", "speed-up"], head.split())
        self.assertEqual(3, len(rows))
        for row in rows:
            self.assertIn("10.00 ns  11.00 ns", row)
            self.assertTrue(row.endswith("1.00x  not checked; not watched"))
            self.assertEqual(len(head), len(row) - len("  not checked; not watched"), row)

    def test_results_use_ascii_where_the_locale_is(self):
        slow = self.submit({"samples": [1234.5]})[0]
        self.assay("wait", slow)
        self.assertIn("1.234 µs", self.said("results", slow).replace("1.235", "1.234"))
        self.env["LC_ALL"] = "C"
        self.assertIn(" us", self.said("results", slow))

    def test_results_show_a_failure_with_its_words(self):
        row = self.said("results", "--status", "crashed", "--name", "bad").splitlines()[1]
        self.assertRegex(row, r"bad +time=crashed +crashed +replayed crashed$")

    def test_results_end_at_the_limit_and_say_so(self):
        ran = self.assay("results", "--limit", 5)
        self.assertEqual(6, len(ran.stdout.splitlines()))
        self.assertIn("--all", ran.stderr)
        self.assertEqual("", self.assay("results", "--limit", 5, "-q").stderr)

    def test_results_go_on_behind_a_cursor(self):
        first = self.document("results", "--order", "id", "--limit", 3)
        second = self.document("results", "--order", "id", "--limit", 3, "--cursor", first["next"])
        self.assertEqual(self.ids[:6], [r["job"] for r in first["results"] + second["results"]])

    def test_results_are_paged_through_to_the_end(self):
        everything = self.document("results", "--all", "--order", "id")
        self.assertEqual(set(self.ids), {r["job"] for r in everything["results"]} & set(self.ids))
        self.assertIsNone(everything["next"])
        self.assertEqual(1100, len(self.lines("results", "--limit", 1100, "-q")))

    def test_a_brief_result_is_a_line_with_its_interval(self):
        with self.daemon.connect() as client:
            steady = job("steady", {"samples": [10.0] * 40 + [12.0] * 2})
            steady["spec"] = {**steady["spec"], "timing": {"estimator": "median"}}
            steady = client.call("job.submit", {"jobs": [steady]})["ids"]
            client.call("job.wait", {"ids": steady})
        for row in self.document("results", *steady)["results"] + self.document("best", self.sweep_name)["results"]:
            words = ["results", row["job"]] if row["name"] == "steady" else ["best", self.sweep_name]
            (number, name, status, time), = [line.split("\t") for line in self.said(*words, "--brief", "-q").splitlines()]
            self.assertEqual([str(row["job"]), row["name"], "ok"], [number, name, status])
            self.assertEqual(row["name"] == "steady", row["time"].get("ci95_ns") is not None)
            self.assertTrue(time.startswith(f"{row['time']['value_ns']:.2f} ns"), time)
            self.assertEqual(row["time"]["estimator"] == "median" and row["time"]["ci95_ns"] is not None, "±" in time, time)
        self.assertRegex(self.said("results", "--name", "bad", "--brief", "-q"), "^[0-9]+\tbad\tcrashed\t-\n$")
        self.assay("best", self.sweep_name, "--brief", "--confirm", code=USAGE)

    def test_results_are_the_same_in_every_form(self):
        document = self.document("results", "--order", "fastest", "--limit", 7)["results"]
        self.assertEqual(document, self.lines("results", "--order", "fastest", "--limit", 7, "-q"))
        rows = list(csv.DictReader(io.StringIO(self.said("results", "--order", "fastest", "--limit", 7, "--csv"))))
        self.assertEqual([(str(r["job"]), r["name"], r["time"]["min_ns"], r["params"]) for r in document],
                         [(r["job"], r["name"], float(r["min_ns"]), json.loads(r["params"])) for r in rows])

    def test_results_are_filtered_by_name_routine_and_moment(self):
        self.assertEqual(["r7"], [r["name"] for r in self.document("results", "--name", "r7")["results"]])
        self.assertEqual([], self.document("results", "--routine", "other")["results"])
        self.assertEqual([], self.document("results", "--before", "1h")["results"])
        self.assertEqual(100, len(self.document("results", "--since", "1h")["results"]))

    def test_results_that_are_none_are_no_error(self):
        ran = self.assay("results", "--name", "nobody")
        self.assertEqual(("", "assay: no results\n"), (ran.stdout, ran.stderr))

    def test_best_lists_the_fastest_first(self):
        self.assertEqual(1, len(self.document("best", self.sweep_name)["results"]))
        self.assertEqual(4, len(self.said("best", self.sweep_name, "--top", 3).splitlines()))
        self.assertIn("nope", self.assay("best", "nope", code=NOT_FOUND).stderr)

    def test_best_says_when_it_ranks_by_different_estimators(self):
        source = job()["variant"]["source"]
        for names, said in ((("loud", "quiet"), True), (("quiet", "still"), False)):
            document = self.sweep([], meta={"samples": [10.0, 11.0], "canary": {"quiet": 1.0, "still": 1.1}})
            document["spec"] = {**document["spec"], "timing": {"estimator": "normalised"}}
            del document["template"], document["space"]
            document["variants"] = [{"language": "c", "name": name, "source": source} for name in names]
            name = self.document("sweep", "create", self.file("s.json", document))["name"]
            self.assay("wait", "--sweep", name)
            self.assertEqual(["median", "normalised"] if said else ["normalised"],
                             self.document("best", name)["estimators"])
            self.assertEqual(said, "different estimators (median, normalised)" in self.assay("best", name).stderr)
            self.assertEqual("", self.assay("best", name, "-q").stderr)

    def test_a_speedup_is_of_one_size_and_one_estimator(self):
        plain, watched = ({"samples": [10.0, 14.0, 18.0]}, {"samples": [10.0, 14.0, 18.0], "canary": {"v1": 1.0}})
        normalised = {**job()["spec"], "timing": {"estimator": "normalised"}}
        big = {**normalised, "params": {"N": 14}}
        ids = [*self.submit(plain, watched, spec=normalised), *self.submit(plain, spec=big)]
        self.assay("wait", *ids)
        estimators = [r["time"]["estimator"] for r in self.lines("results", *ids)]
        self.assertEqual(["median", "normalised", "median"], estimators)
        first, second, other = self.said("results", *ids, "--speedup").splitlines()[1:]
        self.assertIn("1.00x", first)
        self.assertIn("1.00x", second)
        self.assertRegex(other, r" 1\.00x ")              # the first of its own size

    def ended(self, *ends):
        """A sweep of as many variants, which ended like this; its name."""
        source = job()["variant"]["source"]
        by_name = {f"v{i}": end for i, end in enumerate(ends)}
        document = self.sweep([], meta={"ends": by_name})
        del document["template"], document["space"]
        document["variants"] = [{"language": "c", "name": name, "source": source} for name in by_name]
        self.assay("sweep", "create", self.file("s.json", document), "--follow")
        return document["name"]

    def test_best_says_which_jobs_it_left_out_and_why(self):
        name = self.ended("too_noisy", "ok", "crashed", "too_noisy")
        self.assertIn(f"left out of 4 jobs: 1 crashed, 2 too_noisy; to see why: assay results --sweep {name}\n",
                      self.assay("best", name).stderr)
        self.assertEqual("", self.assay("best", name, "-q").stderr)
        self.assertNotIn("left out", self.assay("best", self.ended("ok", "ok")).stderr)

    def test_best_of_a_sweep_without_an_ok_job_has_the_outcomes(self):
        name = self.ended("crashed", "suspect", "crashed")
        said = self.assay("best", name, code=NOT_FOUND).stderr
        self.assertIn(f"no job of sweep {name} has ended ok: 2 crashed, 1 suspect", said)
        self.assertNotIn("noisy", said)

    def said_but_measured_anew(self, *words):
        """Without the host's grade and its reasons, which change from one look to the next."""
        return re.sub(r"(?m)^(fitness .*|\d+ reasons? why .*|  ! .*)\n", "", self.said(*words))

    def test_http_answers_the_same_as_the_socket(self):
        tcp = "http://{}:{}".format(*self.daemon.tcp)
        for address in (tcp, f"http+unix:{self.daemon.http_socket}"):
            for question in (["results", "--sweep", self.sweep_name],
                             ["results", "--since", "1h", "--limit", "3", "-q"],
                             ["best", self.sweep_name, "--top", "2"], ["host"], ["sweep", "show", self.sweep_name],
                             ["wait", *map(str, self.ids[:3])], ["wait", "--sweep", self.sweep_name],
                             ["results", *map(str, self.ids[:3])]):
                with self.subTest(address=address, question=question):
                    self.assertEqual(self.said_but_measured_anew(*question),
                                     self.said_but_measured_anew("-H", address, *question))

    def test_http_names_are_escaped_and_without_a_daemon_there_is_a_remedy(self):
        address = f"http+unix:{self.daemon.http_socket}"
        self.assertIn("no sweep", self.assay("-H", address, "best", "a/b c?d", code=NOT_FOUND).stderr)
        ran = self.assay("-H", "http://127.0.0.1:1", "queue", code=UNAVAILABLE)
        self.assertIn("--http", ran.stderr)

    def test_http_waits_by_looking(self):
        hanging = self.submit(HANGS)[0]
        address = f"http+unix:{self.daemon.http_socket}"
        self.assay("-H", address, "wait", hanging, "--timeout", "0.3", code=EXPIRED)
        waiting = self.start("-H", address, "wait", hanging)
        self.assay("cancel", hanging)
        self.assertEqual(87, waiting.wait(TIMEOUT_S))


class SweepTest(WithDaemon):
    def test_sweep_create_tells_name_id_and_size(self):
        path = self.file("s.json", self.sweep([1, 2], name="told", meta=FINE))
        self.assertRegex(self.said("sweep", "create", path), r"^sweep told \(id \d+\): 2 jobs\n$")
        self.assertRegex(self.said("sweep", "create", path), r"^sweep told \(id \d+\): 2 jobs, submitted before\n$")
        path = self.file("s.json", self.sweep([1, 2, 3], name="told", meta=FINE))
        ran = self.assay("sweep", "create", path, code=CONFLICT)
        self.assertIn("told", ran.stderr)
        self.assertIn("sweep other", self.said("sweep", "create", path, "--name", "other"))

    def test_sweep_followed_to_its_end_shows_failures_and_is_no_failure(self):
        path = self.file("s.json", self.sweep([1, 2], name="mixed", meta=fails("wrong_answer")))
        ran = self.assay("sweep", "create", path, "--follow")
        self.assertEqual(2, ran.stdout.count("replayed wrong_answer"))
        self.assertIn("sweep mixed: 2 jobs: 2 wrong_answer\n", ran.stdout)

    def test_sweep_puts_spec_and_template_together_from_files(self):
        self.file("same.c", job()["variant"]["source"])
        self.file("same.spec.json", job()["spec"])
        path = self.file("s.json", {"name": "from-files", "spec_file": "same.spec.json", "template_file": "same.c",
                                    "space": {"UNROLL": [1, 2, 4]}, "meta": FINE})
        document = self.document("sweep", "create", path, "--follow")
        self.assertEqual([1, 2, 4], sorted(r["meta"]["UNROLL"] for r in document["results"]))
        self.assertEqual(3, len(document["ids"]))

    def test_sweep_show_and_cancel_count(self):
        path = self.file("s.json", self.sweep([1, 2, 3], name="far", not_before=1 << 33))
        self.assay("sweep", "create", path)
        self.assertRegex(self.said("sweep", "show", "far"), r"(?s)^sweep far .*3 jobs.*\n  live  3 queued\n  end   asleep until 2242-03-1")
        self.assertIn("3 of its 3 jobs are not over", self.assay("best", "far", code=NOT_FOUND).stderr)
        self.assertEqual("cancelled 3 jobs\n", self.said("sweep", "cancel", "far"))
        self.assertEqual({"cancelled": 3}, self.document("sweep", "show", "far")["statuses"])

    def test_sweep_names_the_member_whose_file_is_missing(self):
        path = self.file("s.json", {"name": "x", "spec": job()["spec"], "variants": [{"source_file": "gone.c"}]})
        self.assertIn("variants[0].source_file", self.assay("sweep", "create", path, code=NOT_FOUND).stderr)
        self.assertIn("did you mean", self.assay("sweep", "crate", path, code=USAGE).stderr)


class DoorTest(WithDaemon):
    def test_queue_shows_what_is_being_timed(self):
        hanging, waiting = self.submit(HANGS, HANGS)
        text = self.said("queue")
        self.assertRegex(text, r"\d+ queued, \d+ building, \d+ built, \d+ timing\n")
        self.assertRegex(text, rf"(?m)^ *{hanging}  \w+ +v0 ")
        self.assertEqual({hanging, waiting}, {j["id"] for j in self.lines("queue")})
        self.assertEqual(2, sum(self.document("queue")["states"][s] for s in ("queued", "building", "built", "timing")))
        self.assertIn("and 1 more", self.assay("queue", "--limit", 1).stderr)
        self.assertEqual("cancelled 2 jobs\n", self.said("cancel", hanging, waiting))
        self.assay("wait", hanging, waiting, code=87)
        self.assertIn("2 were over already", self.said("cancel", hanging, waiting))

    def test_host_is_readable_and_the_same_as_json(self):
        text, document = self.said("host"), self.document("host")
        self.assertIn(document["kernel"], text)
        self.assertRegex(text, rf"(?m)^timing cpus +{document['timing_cpus'][0]}$")
        for warning in document["warnings"]:
            self.assertIn(warning, text)

    def host_at_one_grade(self):
        """What it says between two looks that find the same, but for numbers."""
        def found(fitness):
            return (fitness["grade"], [re.sub(r"\d", "", reason) for reason in fitness["reasons"]],
                    [(knob["name"], knob["status"], knob["remedy"]) for knob in fitness["knobs"]])

        fitness, before = self.document("host")["fitness"], None
        while before is None or found(before) != found(fitness):
            before, text, fitness = fitness, self.said("host"), self.document("host")["fitness"]
        return text, fitness

    def test_host_tells_its_grade_and_how_to_a_better_one(self):
        text, fitness = self.host_at_one_grade()
        self.assertRegex(text, rf"(?m)^fitness +{fitness['grade']}, ")
        for reason in fitness["reasons"]:
            if not any(c.isdigit() for c in reason):        # measured anew each time
                self.assertIn(f"  ! {reason}\n", text)
        for knob in fitness["knobs"]:
            line = rf"(?m)^  {knob['name']}: .*\n      {re.escape(knob['remedy'] or '')}$"
            amiss = knob["status"] not in ("already", "set", "absent")
            self.assertEqual(amiss, re.search(line, text) is not None, knob)

    def test_host_shows_what_each_slot_s_canary_takes_in_quiet(self):
        self.assay("wait", *self.submit({"canary": {"v0": 1.0}}))
        slot = next(s for s in self.document("host")["slots"] if s["canary"] is not None)
        self.assertEqual({"state": "on", "base_ticks": 7500, "base_ns": 3000.0, "clock_slowness": 1.15,
                          "readings": 62, "barren_jobs": 2},
                         slot["canary"])
        self.assertIn(f"CPU {slot['cpu']}: canary on, in quiet it takes 3.000 µs (7500 ticks; 62 readings so far), "
                      "its clock is at 87 % of its best, no quiet for 2 jobs\n", self.said("host"))

    def test_progress_is_for_terminals(self):
        path = self.file("jobs.json", self.jobs(*[FINE] * 20, HANGS))
        master, slave = pty.openpty()
        self.addCleanup(os.close, master)
        following = subprocess.Popen([ASSAY, "submit", path, "--follow"], env=self.env, stdin=subprocess.DEVNULL,
                                     stdout=subprocess.PIPE, stderr=slave, text=True)
        os.close(slave)
        shown = b""
        while b"20 of 21 done" not in shown and select.select([master], [], [], TIMEOUT_S)[0]:
            shown += os.read(master, 4096)
        self.assertIn(b"\r\x1b[K[====", shown)
        hanging = self.lines("queue")[0]["id"]
        self.assay("cancel", hanging)
        self.assertEqual(22, len(following.communicate(timeout=TIMEOUT_S)[0].splitlines()))
        self.assertEqual(87, following.returncode)

    def test_usage_errors_name_the_nearest(self):
        for words, hint in ((["reslts"], "assay results?"), (["results", "--limti", "3"], "--limit?"),
                            (["results", "--status", "okk"], '"ok"?'), (["best"], "best --help"), ([], ""),
                            (["wait", "x"], "whole numbers"), (["queue", "now"], "queue --help")):
            with self.subTest(words=words):
                self.assertIn(hint, self.assay(*words, code=USAGE).stderr)

    def test_help_knows_every_command(self):
        listed = [line.split()[0] for line in self.said("help").splitlines() if line.startswith("  ")]
        for command in listed:
            with self.subTest(command=command):
                text = self.said("help", command)
                self.assertIn(f"usage: assay {command}", text)
                for line in re.findall(r"^ .*--.*$", text, re.M):
                    self.assertRegex(line, r"--\S+( \S+)* +\S")      # its argument and its text stand apart
                    self.assertNotRegex(line, r"[})\]][a-z]")
        self.assertRegex(self.said("version"), r"^assay \d+\.\d+\.\d+\n$")

    def test_words_mean_what_the_architecture_says(self):
        rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", (TESTS.parent / "daemon/ARCHITECTURE.md").read_text(), re.M)
        meanings = {word: re.sub("[*`]", "", meaning) for word, meaning in rows}
        lines = re.sub(r"\n {4,}", " ", self.said("help", "glossary")).splitlines()
        self.assertGreater(len(lines), 20)
        for line in lines:
            word, meaning = re.fullmatch(r"  (\S+(?: \S+)*)  +(.*)", line).groups()
            self.assertEqual(meanings[word], meaning)
        self.assertIn("wglossary", self.said("completion", "words", "--", "help", "g").splitlines())

    def test_a_full_disk_behind_stdout_is_told(self):
        with open("/dev/full", "w", encoding="ascii") as full:
            self.assertIn("failed", self.assay("host", stdout=full, code=IO).stderr)

    def test_without_a_daemon_the_way_out_is_told(self):
        ran = self.assay("-s", self.dir / "none.sock", "queue", code=UNAVAILABLE)
        self.assertIn("assay serve", ran.stderr)
        ran = self.assay("-s", self.dir / "none.sock", "time", KERNELS / "dotprod.spec.json", KERNELS / "dot_plain.c",
                         code=UNAVAILABLE)
        self.assertIn("assay serve", ran.stderr)            # a daemon that was named is not replaced by another

    def test_time_that_is_interrupted_takes_its_job_back(self):
        path = self.file("job.json", job(meta=HANGS))
        timing = self.start("time", path)
        client = self.connect()
        client.call("results.subscribe", {"all": True})
        while not self.lines("queue"):
            pass
        timing.send_signal(signal.SIGINT)
        self.assertEqual(128 + signal.SIGINT, timing.wait(TIMEOUT_S))
        self.assertEqual("cancelled", client.notification()["result"]["status"])


class TimeTest(Cli):
    """
    assay time where no daemon listens: a private daemon, real compilers, real timings.  Honest work
    may end as too_noisy, and is not audited, as an audit compares times.
    """

    def setUp(self):
        super().setUp()
        if SYSTEM_SOCKET.exists():
            self.skipTest("the system's daemon runs: no private one would be started")
        self.env = environment(HOME=self.dir, XDG_RUNTIME_DIR=self.dir, XDG_STATE_HOME=self.dir / "state")
        spec = json.loads((KERNELS / "dotprod.spec.json").read_text())
        self.spec = self.file("dotprod.spec.json",
                              {**spec, "timing": {"trust": "claimed", "gate": False}})

    def left_over(self):
        return [path.name for path in self.dir.iterdir() if path.name.startswith("assay-")]

    def time(self, *words, code=0, **how):
        return self.assay("time", self.spec, *words, "-p", "N=1000", "--context", "warm",
                          "--samples", "5",
                          code=(code, TOO_NOISY), **how)

    def test_time_starts_a_daemon_and_says_so(self):
        ran = self.time(KERNELS / "dot_unroll.c", "-D", "UNROLL=4", "-O3")
        self.assertIn(f"started a private one, results are kept in {self.dir}/state/assay\n", ran.stderr)
        self.assertTrue(ran.stdout.startswith("dot_unroll: "))
        for label in ("time ", "spread ", "speed ", "operands    in cache", "samples     [1-5] of ",
                      "clock ", "answer      right: 1 value", "trust       claimed", "kernel ",
                      "compiler    gcc -O3"):
            self.assertRegex(ran.stdout, f"\n  {label}")
        self.assertLessEqual(max(map(len, ran.stdout.splitlines())), 100)
        self.assertEqual([], self.left_over())
        kept = Daemon(state=self.dir / "state" / "assay")
        self.addCleanup(kept.stop)
        self.assertEqual(["dot_unroll"], [r["name"] for r in kept.call("results.query")["results"]])

    def test_time_of_several_variants_is_a_sorted_table_and_a_sentence(self):
        ran = self.time(KERNELS / "bad_crash.c", KERNELS / "dot_plain.c", KERNELS / "bad_syntax.c",
                        KERNELS / "bad_answer.c", "-q", code=CRASHED)
        self.assertEqual("", ran.stderr)
        table, _, sentence = ran.stdout.partition("\n\n")
        head, *rows = table.splitlines()
        self.assertEqual(["job", "name", "status", "time", "min", "median"], head.split()[:6])
        by_name = {row.split()[1]: row for row in rows}
        names, bad = [row.split()[1] for row in rows], ["bad_crash", "bad_syntax", "bad_answer"]
        self.assertEqual(bad, [name for name in names if name != "dot_plain"])
        self.assertEqual(["crashed", "build_failed", "wrong_answer"], [by_name[n].split()[2] for n in bad])
        self.assertIn("error: ", by_name["bad_syntax"])
        if by_name["dot_plain"].split()[2] == "ok":
            self.assertEqual("dot_plain", names[0])
            self.assertIn("not watched", rows[0])
            self.assertEqual("dot_plain alone is ok: there is no time to compare with. Left out: bad_crash (crashed), "
                             "bad_syntax (build_failed), bad_answer (wrong_answer).", " ".join(sentence.split()))

    def test_time_gives_speedups_over_the_first_file_though_it_sorts(self):
        head, *rows = self.time(KERNELS / "dot_plain.c", KERNELS / "dot_unroll.c", "-D", "UNROLL=4").stdout.splitlines()
        by_name = {row.split()[1]: row for row in rows if row.startswith(" ")}
        if all(row.split()[2] == "ok" for row in by_name.values()):
            self.assertIn("speed-up", head)
            self.assertIn("1.00x", by_name["dot_plain"])

    def test_time_ends_with_the_code_of_the_outcome(self):
        for variant, code, words in (("bad_crash.c", CRASHED, "SIGSEGV"),
                                     ("bad_answer.c", WRONG_ANSWER, "answer      WRONG")):
            with self.subTest(variant=variant):
                said = self.time(KERNELS / variant, code=code).stdout
                self.assertIn(words, said)
                self.assertIn("\n  what to do  ", said)
        document = {"spec": json.loads(self.spec.read_text()), "timeout_ms": {"run": 2000},
                    "variant": {"source_file": str(KERNELS / "bad_spin.c")}}
        result = self.document("time", self.file("job.json", document), "-q", code=RUN_TIMEOUT)
        self.assertEqual("run_timeout", result["status"])
        self.assertEqual("bad_spin", result["name"])

    def test_time_checks_against_a_reference_from_a_file(self):
        ran = self.time(KERNELS / "dot_plain.c", "--reference", KERNELS / "bad_answer.c",
                        code=WRONG_ANSWER)
        self.assertIn("answer      WRONG", ran.stdout)

    def test_time_names_the_file_that_is_refused(self):
        ran = self.time(KERNELS / "dot_plain.c", KERNELS / "dot_avx2.c", "-O", "-O3 -fplugin=x", code=BAD_SPEC)
        self.assertIn("dot_plain.c: variant.flags[1]: ", ran.stderr)
        ran = self.assay("time", self.spec, KERNELS / "dot_plain.c", "-p", "N=-1", code=BAD_SPEC)
        self.assertIn("dotprod.spec.json: spec.args", ran.stderr)
        self.assertEqual([], self.left_over())

    def test_names_that_name_nothing_are_refused_before_a_daemon_starts(self):
        for words, said in (
                (["-p", "n=200"], '-p: there is no param "n"\n       did you mean "N"?'),
                (["-p", "N=200", "-p", "N=300"], '-p: "N" is given twice'),
                (["-D", "UNROL=8"], '-D: no source mentions "UNROL"\n       did you mean "UNROLL"?')):
            for command in (["time"], ["compare"], ["fit", "--time", "1us"]):
                with self.subTest(command=command, words=words):
                    files = [KERNELS / "dot_unroll.c"] * (2 if command == ["compare"] else 1)
                    ran = self.assay(*command, self.spec, *files, *words, code=USAGE)
                    self.assertEqual(f"assay: {said}", ran.stderr.strip())

    def test_time_beside_another_private_daemon_keeps_nothing(self):
        document = {"spec": json.loads(self.spec.read_text()), "timeout_ms": {"run": 200000},
                    "variant": {"source_file": str(KERNELS / "bad_spin.c")}}
        slow = self.start("time", self.file("job.json", document))
        self.assertIn("are kept", slow.stderr.readline())
        self.assertIn("results are not kept", self.time(KERNELS / "dot_plain.c").stderr)
        slow.send_signal(signal.SIGINT)
        self.assertEqual(128 + signal.SIGINT, slow.wait(TIMEOUT_S))
        self.assertIn("cancelled", slow.stderr.read())
        self.assertEqual([], self.left_over())

    def test_time_that_is_killed_takes_its_daemon_with_it(self):
        document = {"spec": json.loads(self.spec.read_text()), "variant": {"source_file": str(KERNELS / "bad_spin.c")}}
        timing = self.start("time", self.file("job.json", document))
        self.assertIn("are kept", timing.stderr.readline())
        socket = next(self.dir.glob("assay-*/assay.sock"))
        timing.kill()
        timing.wait()
        lock = self.dir / "state" / "assay" / "lock"        # held for as long as that daemon lives
        with lock.open("r+") as held:
            fcntl.lockf(held, fcntl.LOCK_EX)
        self.assertFalse(socket.exists())
        shutil.rmtree(socket.parent)

    def test_time_tells_why_no_daemon_would_start(self):
        self.env["XDG_STATE_HOME"] = "/proc/nowhere"
        ran = self.time(KERNELS / "dot_plain.c", code=UNAVAILABLE)
        self.assertIn("/proc/nowhere", ran.stderr)
        self.assertEqual([], self.left_over())


class ManualTest(Cli):
    """The manuals know what the programs know."""

    def manual(self, path):
        return (TESTS.parent / path).read_text(encoding="utf-8")

    def flags_of_manual(self, path):
        return set(re.findall(r"\bFl -([a-z-]+)", self.manual(path)))

    def flags_of_help(self, text):
        return set(re.findall(r"--([a-z-]+)", text))

    def test_the_table_of_exit_codes_is_that_of_the_programs(self):
        rows = re.findall(r"^\.It (\d+) Ta (\w+) Ta", self.manual("client/assay.1"), re.M)
        table = re.findall(r"X\(\w+, +(\d+), +\"(\w+)\"", self.manual("proto/base/status.h"))
        self.assertEqual([row for row in table if row[1] != "ok"], rows)

    def test_the_manuals_name_every_flag_and_no_other(self):
        daemon = subprocess.run([BUILD / "assayd", "--help"], stdout=subprocess.PIPE, text=True, check=True).stdout
        self.assertEqual(self.flags_of_help(daemon.partition("\n")[2]), self.flags_of_manual("daemon/assayd.8"))
        known = {"socket", "host", "token-file", "ca", "cert", "cert-key", "json", "ndjson", "markdown", "color", "quiet",
                 "help"}
        self.assertEqual(self.flags_of_help(self.said("help", "time")) - known,
                         self.flags_of_manual("client/assay-time.1") - known)
        self.assertEqual(self.flags_of_help(self.said("help", "sweep")) - known,
                         self.flags_of_manual("client/assay-sweep.1") - known)
        self.assertEqual(self.flags_of_help(self.said("help", "fit")) - known,
                         self.flags_of_manual("client/assay-fit.1") - known)
        self.assertEqual(self.flags_of_help(self.said("help", "launch")) - known,
                         self.flags_of_manual("client/assay-launch.1") - known)
        self.assertEqual(self.flags_of_help(self.said("help", "tune")) - known,
                         self.flags_of_manual("client/assay-tune.1") - known)
        self.assertEqual(self.flags_of_help(self.said("help", "compare")) - known - SHARED_WITH_TIME,
                         self.flags_of_manual("client/assay-compare.1") - known - SHARED_WITH_TIME)
        others = set().union(*(self.flags_of_help(self.said("help", command)) for command in
                               ("submit", "wait", "results", "best", "queue", "cancel", "host")))
        self.assertEqual(set(), others - self.flags_of_manual("client/assay.1"))

    def test_every_program_of_a_user_prints_its_version_and_its_help(self):
        header = self.manual("proto/base/version.h")
        version = re.search(r'ASSAY_VERSION\s+"([^"]+)"', header)[1]
        for program in ("assay", "assayd", "assay-hostd"):
            for flag, begin in (("--version", f"{program} {version}\n"),
                                ("--help", f"usage: {program} ")):
                with self.subTest(program=program, flag=flag):
                    done = subprocess.run([BUILD / program, flag], capture_output=True, text=True,
                                          timeout=TIMEOUT_S)
                    self.assertEqual((0, ""), (done.returncode, done.stderr))
                    self.assertTrue(done.stdout.startswith(begin), done.stdout)
                    self.assertEqual(flag == "--version", done.stdout == begin)

    def test_the_version_is_asked_for_in_three_ways(self):
        said = self.said("version")
        self.assertEqual(said, self.said("--version"))
        self.assertEqual(said, self.said("-V"))

    @unittest.skipUnless(shutil.which("mandoc"), "mandoc is not installed")
    def test_the_manuals_are_well_formed(self):
        pages = [str(path) for where in ("client/*.1", "client/agent/*.3", "client/lib/*.3", "client/micro/plugin/*.3", "daemon/*.7", "daemon/*.8", "daemon/hostd/*.8") for path in TESTS.parent.glob(where)]
        self.assertGreaterEqual(len(pages), 6)
        lint = subprocess.run(["mandoc", "-Tlint", "-W", "warning", *pages], stdout=subprocess.PIPE, text=True)
        self.assertEqual("", lint.stdout)


class ServeTest(Cli):
    def test_serve_says_where_it_listens_and_ends_on_a_signal(self):
        socket = self.dir / "run" / "assay.sock"
        serving = self.start("-s", socket, "serve", "--state", self.dir / "state", "--http", "127.0.0.1:0",
                             "--log", "error")
        said = serving.stderr.readline()
        while "serving on" not in said and said:
            said = serving.stderr.readline()
        self.assertIn(str(socket), said)
        self.assertRegex(serving.stderr.readline(), r"and on http://127\.0\.0\.1:\d+\n")
        with Client(socket) as client:
            self.assertEqual(serving.pid, client.call("server.info")["pid"])
        serving.send_signal(signal.SIGTERM)
        self.assertEqual(0, serving.wait(TIMEOUT_S))

    def serve(self, *words):
        """Serve until the end of the test.  What it says first."""
        serving = self.start("serve", "--log", "error", *words)
        said = serving.stderr.readline()
        self.addCleanup(serving.wait, TIMEOUT_S)
        self.addCleanup(serving.terminate)
        return said

    def test_serve_time_and_results_agree_on_a_users_places_root_too(self):
        self.env = environment(HOME=self.dir, XDG_RUNTIME_DIR=self.dir / "run", XDG_STATE_HOME=self.dir / "kept")
        self.assertIn(f"serving on {self.dir}/run/assay/assay.sock", self.serve())
        with Client(self.dir / "run" / "assay" / "assay.sock") as client:
            info = client.call("server.info")
        self.assertEqual(str(self.dir / "kept" / "assay"), info["state_dir"])
        self.assertEqual([], self.document("results")["results"])

    def test_serve_without_a_runtime_directory_listens_beside_the_state(self):
        self.env = environment(HOME=self.dir)
        self.assertIn(f"{self.dir}/.local/state/assay/assay.sock", self.serve())
        self.assertEqual([], self.document("results")["results"])

    def test_serve_obeys_a_file_and_takes_the_users_places_for_what_it_lacks(self):
        self.env = environment(HOME=self.dir)
        socket = self.dir / "of-file.sock"
        path = self.file("assayd.conf", f"socket = {socket}\n")
        self.assertIn("serving", self.serve("--config", path))
        with Client(socket) as client:
            self.assertEqual(f"{self.dir}/.local/state/assay", client.call("server.info")["state_dir"])

    def test_without_a_daemon_results_say_where_they_are_and_how_to_read_them(self):
        self.env = environment(HOME=self.dir, XDG_RUNTIME_DIR=self.dir / "run")
        if SYSTEM_SOCKET.exists():
            self.skipTest("the system's daemon runs, or has left its socket")
        self.assertIn("start one with: assay serve", self.assay("results", code=UNAVAILABLE).stderr)

    def test_serve_hands_its_flags_to_assayd(self):
        self.assertIn("--timing-cpus", self.said("serve", "--help"))
        self.assertIn("nonsense", self.assay("serve", "--nonsense", code=USAGE).stderr)


if __name__ == "__main__":
    unittest.main()
