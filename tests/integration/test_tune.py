# SPDX-License-Identifier: Apache-2.0
# not for sanitizers: unit tests have its searches, and other programs its jobs
# takes about 110 s
"""assay tune against a real daemon: what is proposed, what is found, what is written, and how it goes on."""
import html
import json
import pathlib
import re
import signal
import time
import unittest
import xml.etree.ElementTree

from test_cli import BAD_SPEC, CONFLICT, KERNELS, NOT_FOUND, TOO_NOISY, USAGE, WithDaemon
from harness import TIMED, TIMEOUT_S, TREE, job

SPACES = sorted((TREE / "tests" / "data" / "spaces").glob("*.ndjson"))
SIDE = 31
POINTS = SIDE * (SIDE + 1) // 2         # of GCO's space
BOWL = "/* bowl 100 ns X=20 Y=8 */\nint same(const int N) { return N; }\n"


class TuneTest(WithDaemon):
    """A worker that replays: a variant takes 100 ns and the squares of X - 20 and Y - 8."""
    flags = ("--builders", "1")         # as many points are on their way at once on each host

    def document_of(self, **members):
        spec = dict(job()["spec"])
        del spec["timing"]
        return {"name": "bowl", "spec": spec, "template": {"language": "c", "source": BOWL},
                "space": {"X": list(range(1, SIDE + 1)), "Y": list(range(1, SIDE + 1))}, "where": ["Y <= X"], **members}

    def tune(self, *words, document=None, **how):
        return self.assay("tune", self.file("bowl.json", document or self.document_of()), *words, **how)

    def outcome(self, *words, **how):
        return json.loads(self.tune(*words, "--json", **how).stdout)

    def records(self, *words, **how):
        return [json.loads(line) for line in self.tune(*words, "--ndjson", **how).stdout.splitlines()][:-1]

    @staticmethod
    def path(records):
        return [(r["point"]["X"], r["point"]["Y"]) for r in records]

    def test_G9_G10_the_times_lead_to_the_fastest_point_and_no_point_is_outside_or_twice(self):
        found = self.outcome("-n", 60)
        path = self.path(found["records"])
        self.assertEqual((60, 60), (len(path), len(set(path))))
        self.assertTrue(all(y <= x for x, y in path))
        self.assertEqual({"X": 20, "Y": 8}, found["winner"]["point"])
        self.assertEqual(100, found["winner"]["value"])
        self.assertEqual("evaluations", found["end"])

    def test_G5_G25_an_exhaustive_search_times_all_496_points(self):
        path = self.path(self.outcome("--strategy", "exhaustive", "-n", 1000, "--top", 1)["records"])
        self.assertEqual([(x, y) for x in range(1, SIDE + 1) for y in range(1, x + 1)], path)
        self.assertEqual(POINTS, len(path))

    def test_the_best_are_timed_in_turn_at_the_end(self):
        found = self.outcome("-n", 60, "--top", 4, "--error", 0.01)
        (winner,) = found["winners"]
        self.assertEqual({"X": 20, "Y": 8}, winner["winner"]["point"])
        self.assertEqual((0.01, 6), (winner["confirmed"]["error"], winner["confirmed"]["correction"]["comparisons"]))
        self.assertIsNone(self.outcome("-n", 10, "--top", 1)["winners"][0]["confirmed"])

    def test_X11_of_those_that_cannot_be_told_apart_the_one_with_the_least_code_wins(self):
        sources = ["/* takes 100 ns */\nint same(const int N) { return N; }\n" + "\n" * pad for pad in (40, 0, 20)]
        document = self.document_of(template={"language": "c"}, where=[], space={"source": sources})
        found = self.outcome("-n", 3, "--strategy", "exhaustive", "--no-race", document=document)
        self.assertEqual({"source": sources[1]}, found["winner"]["point"])
        self.assertEqual("code_bytes", found["winners"][0]["confirmed"]["tie_broken_by"])
        self.assertIn("of these it has the least code", self.tune("-n", 3, "--strategy", "exhaustive", "--no-race",
                                                                     document=document).stdout)

    def test_X14_a_second_search_begins_with_what_a_first_one_found(self):
        journal = self.dir / "known.ndjson"
        first = self.outcome("-n", 60, "--top", 1, "--log", journal)
        best = sorted((r for r in first["records"] if r["cells"][0]["status"] == "ok"), key=lambda r: r["value"])
        wider = self.document_of(space={"X": list(range(1, 60)), "Y": list(range(1, 40))}, where=[])
        second = self.records("-n", 8, "--seed", 5, "--top", 1, "--begin", journal, document=wider)
        self.assertEqual(self.path(best)[0], self.path(second)[0])
        model = self.daemon.call("host.get")["cpu_model"]
        lines = journal.read_text().splitlines()
        self.assertEqual(model, json.loads(lines[0])["cpu_model"])
        journal.write_text("\n".join([json.dumps({**json.loads(lines[0]), "cpu_model": "Z80"}), *lines[1:]]) + "\n")
        self.assertIn("is of another kind of host: Z80", self.tune("-n", 3, "--begin", journal).stderr)
        none = self.document_of(space={"X": [99, 98], "Y": [1, 2]}, where=[])
        self.assertIn("none of its points is in this space", self.tune("--begin", journal, document=none, code=BAD_SPEC).stderr)

    def test_the_same_seed_is_the_same_path_and_a_journal_goes_on_where_it_was_cut(self):
        for strategy in ("portfolio", "nelder-mead", "genetic"):
            with self.subTest(strategy=strategy):
                words = ("--strategy", strategy, "-n", 50, "--seed", 9, "--top", 1)
                journal = self.dir / f"{strategy}.ndjson"
                whole = self.path(self.records(*words, "--log", journal))
                lines = journal.read_text().splitlines(keepends=True)
                self.assertEqual(51, len(lines))
                journal.write_text("".join(lines[:21]) + lines[21][:17])        # killed while it wrote
                before = self.jobs_so_far()
                self.assertEqual(whole, self.path(self.records(*words, "--resume", journal)))
                self.assertEqual(51, len(journal.read_text().splitlines()))
                self.assertGreaterEqual(self.jobs_so_far() - before, 30)
                self.assertLessEqual(self.jobs_so_far() - before, 60)           # each has a first look at most
                other = self.path(self.records("--strategy", strategy, "-n", 50, "--seed", 10, "--top", 1))
                self.assertNotEqual(whole, other)

    def jobs_so_far(self):
        return sum(self.daemon.call("queue.get")["states"].values())

    def test_a_journal_of_another_search_is_refused(self):
        journal = self.dir / "journal.ndjson"
        self.tune("-n", 5, "--log", journal)
        self.assertIn("is there already", self.tune("-n", 5, "--log", journal, code=CONFLICT).stderr)
        self.assertIn("seed: is not the same", self.tune("-n", 5, "--seed", 3, "--resume", journal, code=CONFLICT).stderr)
        text = journal.read_text()
        for bad, words in (('{"assay_tune":2}\n', ":1: this is no journal"), ("", ":1: this is no journal"),
                           (text + "{]\n", ":7:2:"), (text + '{"point":{"X":1,"Y":2}}\n', ":7.point: is none of this space"),
                           ("x" * (1 << 20) + "\n", "expected"), ("\ufeff" + text, ":1:")):
            with self.subTest(words=words):
                journal.write_text(bad)
                self.assertIn(words, self.tune("-n", 9, "--resume", journal, code=BAD_SPEC).stderr)

    def test_a_slow_variant_is_stopped_early_and_has_a_bound_and_no_time(self):
        found = self.outcome("-n", 40)
        best, stopped = None, 0
        for record in found["records"]:
            (cell,) = record["cells"]
            if cell["status"] == "stopped":
                stopped += 1
                self.assertNotIn("time_ns", cell)
                self.assertGreater(cell["bound_ns"], found["winner"]["value"])
        self.assertEqual((stopped, 40 - stopped), (found["stopped"], found["timed"]))
        self.assertGreater(stopped, 5)
        self.assertEqual(0, self.outcome("-n", 40, "--no-race")["stopped"])

    def test_a_search_ends_without_progress_after_seconds_or_without_a_point(self):
        self.assertEqual("no progress", self.outcome("--no-progress", 8)["end"])
        large = self.document_of(space={"X": list(range(1000)), "Y": list(range(1000))}, where=[])
        self.assertEqual("seconds", self.outcome("--seconds", 0.2, document=large)["end"])
        small = self.document_of(space={"X": [19, 20], "Y": [7, 8]}, where=[])
        found = self.outcome(document=small)
        self.assertEqual(("no point left", 4), (found["end"], found["evaluations"]))

    def test_X13_sizes_and_contexts_are_cells_and_each_can_have_a_winner(self):
        found = self.outcome("-p", "N=3,5", "--context", "cold,warm", "--over", "each", "-n", 80)
        cells = [w["cell"] for w in found["winners"]]
        self.assertEqual([{"N": n, "context": c} for n in (3, 5) for c in ("cold", "warm")], cells)
        self.assertEqual([{"X": 20, "Y": 8}] * 4, [w["winner"]["point"] for w in found["winners"]])
        self.assertTrue(all(len(r["cells"]) == 4 for r in found["records"]))
        text = self.tune("-p", "N=3,5", "-n", 30).stdout
        self.assertIn("N=3: X=", text)
        self.assertIn("N=5: X=", text)

    def test_W6_two_phases_search_in_cache_and_then_out_of_it(self):
        journal = self.dir / "two.ndjson"
        document = self.document_of(tune={"memory": ["Y"]}, where=[])
        found = self.outcome("--two-phase", "-n", 30, "--log", journal, document=document)
        first = found["first_phase"]
        self.assertEqual({1}, {r["point"]["Y"] for r in first["records"]})
        self.assertEqual(20, first["winner"]["point"]["X"])
        self.assertEqual({20}, {r["point"]["X"] for r in found["records"]})
        self.assertEqual({"X": 20, "Y": 8}, found["winner"]["point"])
        orders = [self.daemon.call("job.spec", {"id": d["winner"]["cells"][0]["job"]})["spec"]["context"]
                  for d in (first, found)]
        self.assertEqual(["warm", "cold"], orders)
        self.assertTrue(journal.exists() and pathlib.Path(f"{journal}.2").exists())

    def test_G11_the_first_point_comes_from_facts_about_the_host(self):
        caches = self.daemon.call("host.get")["caches"]
        document = self.document_of(tune={"first": {"X": "3 + L1_BYTES / L1_BYTES", "Y": "N - 5"}})
        record = self.records("-n", 3, document=document)[0]
        self.assertGreater(caches["l1_bytes"], 0)
        self.assertEqual({"X": 4, "Y": 2}, record["point"])
        for first, words in (({"Z": "1"}, "tune.first.Z: is no dimension"), ({"X": "L1_BYTE"}, "did you mean L1_BYTES"),
                             ({"X": 3}, "tune.first.X: must be an expression"), ({"X": "1 +"}, "tune.first.X")):
            with self.subTest(first=first):
                ran = self.tune("-n", 3, document=self.document_of(tune={"first": first}), code=BAD_SPEC)
                self.assertIn(words, ran.stderr)

    def test_a_space_of_ten_to_the_twelve_is_searched(self):
        space = {name: list(range(100)) for name in ("X", "Y", "A", "B", "C", "D")}
        found = self.outcome("-n", 40, document=self.document_of(space=space, where=["A == B", "C == D"]))
        self.assertEqual(40, found["evaluations"])
        self.assertTrue(all(r["point"]["A"] == r["point"]["B"] for r in found["records"]))

    def test_failures_are_no_winners_and_all_failing_is_an_error(self):
        found = self.outcome("-n", 12, document=self.document_of(meta={"ends": {"X=20 Y=8": "crashed"}}))
        self.assertNotEqual({"X": 20, "Y": 8}, found["winner"] and found["winner"]["point"])
        ran = self.tune("-n", 6, document=self.document_of(meta={"time": ["wrong_answer"]}), code=NOT_FOUND)
        self.assertIn("6 failed", ran.stdout)
        self.assertIn("wrong_answer", ran.stdout)

    def test_a_time_of_0_ns_is_the_fastest_for_every_strategy_and_in_a_journal(self):
        document = self.document_of(template={"language": "c", "source": BOWL.replace("100 ns", "0 ns")},
                                    space={"X": [19, 20, 21], "Y": [7, 8, 9]}, where=[])
        journal = self.dir / "zero.log"
        found = self.outcome("-n", 9, "--top", 1, "--log", journal, document=document)
        self.assertEqual(({"X": 20, "Y": 8}, 0), (found["winner"]["point"], found["winner"]["value"]))
        again = self.outcome("-n", 9, "--top", 1, "--resume", journal, document=document)
        self.assertEqual(found["winner"]["point"], again["winner"]["point"])
        for strategy in ("exhaustive", "model", "annealing", "genetic", "nelder-mead", "portfolio"):
            with self.subTest(strategy=strategy):
                found = self.outcome("-n", 9, "--top", 1, "--strategy", strategy, document=document)
                self.assertEqual({"X": 20, "Y": 8}, found["winner"]["point"])

    def test_print_shows_the_jobs_and_times_nothing(self):
        before = self.jobs_so_far()
        jobs = [json.loads(line) for line in self.tune("--print", "-n", 7).stdout.splitlines()]
        self.assertEqual((7, before), (len(jobs), self.jobs_so_far()))
        text = "\n".join(json.dumps(j) for j in jobs)
        self.assertEqual(7, len(self.said("submit", self.file("jobs.json", f"[{text.replace(chr(10), ',')}]")).split()))

    def test_the_winners_job_is_written_and_repeats_its_time(self):
        winner = self.dir / "winner.json"
        self.tune("-n", 60, "--winner", winner)
        result = self.document("time", winner)
        self.assertEqual(100, result["time"]["value_ns"])

    def test_the_page_needs_nothing_else_and_has_the_winner_its_source_and_its_command(self):
        page = self.dir / "page.html"
        space = {**self.document_of()["space"], "flags": [["-O1"], ["-O2", "-DT=<b>&"]]}
        found = self.outcome("-n", 40, "--html", page, document=self.document_of(space=space, name="a <script> & more"))
        text = page.read_text()
        self.assertEqual(3, text.count("<svg"))             # the best so far, a map, parallel coordinates
        self.assertEqual(40, len(re.findall('class="(?:dot|stop)"', text)))
        self.assertIn(html.escape(found["winner"]["name"].replace("flags=", "")[:8]), text)
        self.assertIn(html.escape(BOWL), text)
        self.assertIn("a &lt;script&gt; &amp; more", text)
        self.assertNotRegex(text, r"<script|<b>|https?://|src=|url\(|<link")
        (command,) = re.findall(r"<pre>assay time - &lt;&lt;&#39;END&#39;\n(.*)\nEND</pre>", text) or \
            re.findall(r"<pre>assay time - &lt;&lt;'END'\n(.*)\nEND</pre>", text)
        again = self.document("time", "-", input=html.unescape(command))
        self.assertEqual(found["winner"]["value"], again["time"]["value_ns"])
        xml.etree.ElementTree.fromstring("\n".join(re.findall("(?s)(<svg.*?</svg>)", text)[:1]))

    def test_ctrl_c_ends_it_with_what_was_found(self):
        document = self.document_of(meta={"ends": {"X=3 Y=3": "hang"}}, space={"X": [1, 2, 3], "Y": [1, 2, 3]})
        process = self.start("tune", self.file("hangs.json", document), "--strategy", "exhaustive", "--no-race", "--ndjson")
        for _ in range(5):
            process.stdout.readline()
        process.send_signal(signal.SIGINT)
        out, error = process.communicate(timeout=TIMEOUT_S)
        self.assertEqual(128 + signal.SIGINT, process.returncode, error)
        last = json.loads(out.splitlines()[-1])
        self.assertEqual(("interrupted", 5), (last["end"], last["evaluations"]))

    def test_bad_input_is_refused_with_place_and_remedy(self):
        bad = self.document_of
        for document, code, words in (
                (bad(where=["Z < 3"]), BAD_SPEC, 'there is no "Z"'),
                (bad(where=["X % 0"]), BAD_SPEC, "where[0]"),
                (bad(wher=["X"]), BAD_SPEC, "wher: is no member of a sweep"),
                (bad(space={}), BAD_SPEC, "space"),
                (bad(space={"X": []}), BAD_SPEC, "space.X: must be an array of at least one value"),
                (bad(space={"N": [1, 2]}, where=[]), BAD_SPEC, "nothing to search"),
                (bad(space={"X": [1], "N": list(range(65))}, where=[]), BAD_SPEC, "more than 64 cells"),
                (bad(where=["X > 99"]), NOT_FOUND, ""),
                (bad(tune=[1]), BAD_SPEC, "tune: must be an object"),
                ([1], BAD_SPEC, "a sweep is an object")):
            with self.subTest(words=words):
                self.assertIn(words, self.tune("-n", 3, document=document, code=code).stderr)
        self.assertIn('there is no param "SIZ"', self.tune("-p", "SIZ=3", code=USAGE).stderr)
        self.assertIn("did you mean portfolio", self.tune("--strategy", "protfolio", code=USAGE).stderr)
        self.assertIn("--over is one of", self.tune("--over", "all", code=USAGE).stderr)
        self.assertIn("needs one file", self.assay("tune", code=USAGE).stderr)
        self.assertIn("has no spec, and none can be derived",
                      self.assay("tune", self.file("alone.c", "int x;\n"), "--space", "X=1,2", code=NOT_FOUND).stderr)
        self.assertIn("no space to search", self.assay("tune", self.file("a.cc", BOWL), "--spec",
                                                       self.file("s.json", job()["spec"]), code=USAGE).stderr)


class ReplayTest(WithDaemon):
    def test_stored_tables_are_searched_with_each_strategy(self):
        self.assertGreaterEqual(len(SPACES), 3)
        for table in SPACES:
            found = self.document("tune", "--replay", "--seeds", 2, table)
            self.assertGreater(found["points"], 300)
            self.assertEqual(11, len(found["strategies"]))
            for strategy in found["strategies"]:
                after = list(strategy["mean_ratio"].values())
                self.assertEqual(sorted(after, reverse=True), after)
                self.assertGreaterEqual(after[-1], 1)

    def test_the_same_seeds_give_the_same_numbers(self):
        table = SPACES[0]
        one, two = (self.document("tune", "--replay", "--seeds", 3, table)["strategies"] for _ in range(2))
        self.assertEqual([s["mean_ratio"] for s in one], [s["mean_ratio"] for s in two])


class RealTuneTest(WithDaemon):
    worker = None           # the real one: compilers run

    def assert_none_failed(self, found):
        """All were timed, if not in quiet, or given up as slow."""
        for record in found["records"]:
            for cell in record["cells"]:
                self.assertIn(cell["status"], (*TIMED, "stopped"), record)

    def test_one_command_goes_from_a_source_to_its_winner(self):
        winner = self.dir / "winner.json"
        found = self.document("tune", KERNELS / "dot_unroll.c", "--spec", KERNELS / "dotprod.spec.json", "-p", "N=500",
                              "--context", "warm", "--space", "UNROLL=1:4:3", "-O", "1", "-O", "3 -mavx2",
                              "--winner", winner, "--strategy", "exhaustive", "--no-race")
        points = [(r["point"]["UNROLL"], r["point"]["flags"]) for r in found["records"]]
        self.assertEqual([(u, f) for u in (1, 4) for f in (["-O1"], ["-O3", "-mavx2"])], points)
        made = json.loads(winner.read_text())
        self.assertEqual(made["variant"]["defines"]["UNROLL"], found["winner"]["point"]["UNROLL"])
        self.assertIn(self.document("time", winner, code=(0, TOO_NOISY))["status"], TIMED)

    def test_the_variants_of_a_script_are_searched(self):
        nest = "void add(int n, double *restrict x)\n{\n\tfor (int i = 0; i < n; i++)\n\t\tx[i] = x[i] + 1.0;\n}\n"
        spec = {"routine": "void add(int n, double *x)", "params": {"N": 64}, "context": "warm",
                "args": {"n": "N", "x": {"dims": ["N"], "access": "inout"}}}
        source, script = self.file("add.c", nest), self.file("steps", "script 1\nparam U = 2,4\nunroll i U\n")
        self.file("add.spec.json", spec)
        found = self.document("tune", source, "--script", script, "--no-race", "--top", 1)
        self.assertEqual([{"U": 2}, {"U": 4}], sorted((r["point"] for r in found["records"]), key=str))
        self.assertIn("U=", found["winner"]["name"])

    GEMM = """void gemm(int n, const double *a, const double *b, double *c)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			for (int k = 0; k < n; k++)
				c[j + i * n] += a[k + i * n] * b[j + k * n];
}
"""

    def test_G25_the_points_of_a_script_are_dimensions_and_those_without_a_variant_are_never_proposed(self):
        source = self.file("gemm.c", self.GEMM)
        script = self.file("steps", "script 1\nparam B = 2..6\nparam U = 1..6\nwhere U <= B\nconstant n\n"
                                    "tile i B\nunroll k U\n")
        words = ("tune", source, "-p", "n=8", "--script", script, "--no-race", "--top", 1, "--strategy", "hill")
        found = self.document(*words, "-n", 100, "--log", self.dir / "gemm.ndjson")
        points = [(r["point"]["B"], r["point"]["U"]) for r in found["records"]]
        self.assertEqual(sorted((b, u) for b in range(2, 7) for u in range(1, b + 1)), sorted(points))
        self.assertEqual((2, 1), points[0])
        again = self.document(*words, "-n", 100, "--resume", self.dir / "gemm.ndjson")
        self.assertEqual(points, [(r["point"]["B"], r["point"]["U"]) for r in again["records"]])

    def test_one_command_goes_from_a_source_without_a_spec_to_its_winner(self):
        source, winner, journal = self.file("gemm.c", self.GEMM), self.dir / "winner.json", self.dir / "gemm.ndjson"
        ran = self.assay("tune", source, "-p", "n=8", "--context", "warm", "--top", 1, "-n", 25, "--json", "--winner", winner,
                         "--log", journal)
        self.assertIn("its spec is derived", ran.stderr)
        self.assertIn("looking for legal variants", ran.stderr)
        found = json.loads(ran.stdout)
        first = found["records"][0]
        self.assertEqual({"order": "unchanged", "tile": "no", "jam": "no", "unroll": "no", "flags": ["-O3"]},
                         {name: v for name, v in first["point"].items() if name != "compiler"})
        self.assertEqual(self.GEMM, self.daemon.call("job.spec", {"id": first["cells"][0]["job"]})["variant"]["source"])
        # which of it is proposed depends on times
        space = json.loads(journal.read_text().splitlines()[0])["space"]
        self.assertIn("swap j k", {v["name"] for v in space["variant"]})
        self.assertTrue({r["point"]["order"] for r in found["records"]} - {"unchanged"})
        self.assert_none_failed(found)
        made = json.loads(winner.read_text())
        self.assertEqual(8, made["spec"]["params"]["n"])
        self.assertEqual(self.GEMM, made["spec"]["check"]["reference"]["source"])

    def test_G28_G29_how_much_faster_the_best_is_and_how_long_it_took_to_find(self):
        source, journal = self.file("doitgen.c", (KERNELS / "doitgen_plain.c").read_text()), self.dir / "found.ndjson"
        words = ("tune", source, "-p", "n=12", "--context", "warm", "--top", 1, "-n", 12)
        began = time.monotonic()
        found = self.document(*words, "--log", journal)
        took_s = time.monotonic() - began
        first, winner = found["records"][0], found["winner"]
        self.assertEqual("unchanged", first["point"]["order"])
        self.assertLessEqual(max(r["at_s"] for r in found["records"]), found["seconds"])
        self.assertTrue(0 < found["seconds"] <= took_s)
        again = self.said(*words, "--resume", journal)
        if first["cells"][0]["status"] == "ok":         # else it has no time to compare with
            self.assertGreaterEqual(first["value"], winner["value"])
            self.assertIn(f"{first['value'] / winner['value']:.2f}x over the first point", again)

    def test_X11_the_front_of_time_and_code_is_printed_and_the_smallest_code_is_an_objective(self):
        page = self.dir / "front.html"
        words = ("tune", KERNELS / "dot_unroll.c", "--spec", KERNELS / "dotprod.spec.json", "-p", "N=500", "--context", "warm",
                 "--space", "UNROLL=1,8", "-O", "1", "-O", "3 -mavx2", "--strategy", "exhaustive", "--top", 1)
        found = self.document(*words, "--objective", "pareto", "--html", page)
        self.assert_none_failed(found)
        timed = [r for r in found["records"] if r["cells"][0]["status"] == "ok"]
        sizes = {json.dumps(r["point"]): r["cells"][0]["code_bytes"] for r in timed}
        front = found["front"]
        self.assertEqual(found["winner"]["value"], front[0]["value"])
        self.assertEqual(min(sizes.values()), front[-1]["code_bytes"])
        for r in timed:
            size = r["cells"][0]["code_bytes"]
            self.assertTrue(any(f["value"] <= r["value"] and f["code_bytes"] <= size for f in front), (r, front))
        self.assertEqual(sorted((f["value"] for f in front)), [f["value"] for f in front])
        self.assertEqual(sorted((f["code_bytes"] for f in front), reverse=True), [f["code_bytes"] for f in front])
        self.assertEqual(len(front), page.read_text().count(" bytes</td>"))
        self.assertIn("with as little code", self.said(*words, "--objective", "pareto"))
        small = self.document(*words, "--objective", "code")
        self.assertEqual(min(r["cells"][0]["code_bytes"] for r in small["records"] if r["cells"][0]["status"] == "ok"),
                         small["winner"]["value"])
        self.assertIn("--objective is one of", self.assay(*words, "--objective", "size", code=USAGE).stderr)

    def test_of_several_sizes_a_variant_that_is_found_depends_on_none(self):
        nest = "void add(int n, const double *a, double *b)\n{\n\tfor (int i = 0; i < n; i++)\n\t\tb[i] += a[i];\n}\n"
        found = self.document("tune", self.file("add.c", nest), "-p", "n=50,100", "--context", "warm", "--no-race",
                              "-n", 12)
        self.assertEqual([{"n": 50}, {"n": 100}], found["cells"])
        self.assert_none_failed(found)
        self.assertTrue({"i 2", "i 4", "i 8"} & {r["point"]["unroll"] for r in found["records"]})

    def test_a_source_without_a_loop_has_its_compilers_and_flags_searched(self):
        ran = self.assay("tune", self.file("one.c", "int one(int n) { return n + 1; }\n"), "--json", "--no-race", "-n", 3)
        flags = [r["point"]["flags"] for r in json.loads(ran.stdout)["records"]]
        self.assertIn(["-O3", "-march=native"], flags)


if __name__ == "__main__":
    unittest.main()
