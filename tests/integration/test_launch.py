# SPDX-License-Identifier: Apache-2.0
"""assay launch: kernels over sizes and alignments of their arrays, timed by the real daemon."""
import csv
import io
import itertools
import json
import pathlib
import re
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import TIMED  # noqa: E402
from test_cli import BAD_SPEC, NOT_FOUND, USAGE, WithDaemon  # noqa: E402

WALK = """int entryPoint(int n, float *a, float *b)
{ int i; for (i = 0; i + 4 <= n; i += 4) b[i] += a[i]; return i / 4; }
"""
MULTIPLY = """int entryPoint(int n, double *a, double *b, double *c)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
  return n;
}
"""
PLACES = """int entryPoint(int n, float *a, float *b)
{
  int rounds = (unsigned long)a % 4096 / 4 + 2000 * ((unsigned long)b % 4096 / 4) + 1;
  for (int i = 0; i < rounds; i++) __asm__ volatile("" : : : "memory");
  return rounds;
}
"""
DOZEN = """void *evaluationInit(void) { return 0; }
double evaluationStart(void *s) { return 30; }
double evaluationStop(void *s) { return 42; }
int evaluationClose(void *s) { return 0; }
const char *evaluationUnit(void) { return "J"; }
"""
LOAD_FAILED, IO_FAILED, WRONG_ANSWER = 73, 74, 84
PAGE = pathlib.Path(__file__).resolve().parent.parent.parent / "client" / "assay-launch.1"
# Each option of the page's table: words, and words with which it is given and without which it cannot be.
OPTIONS = {
    "kernelname": ("{dir}/other.c",), "execname": ("{dir}/counts.c",), "execpath": ("{dir}", "--execname", "counts.c"),
    "execargs": ("a b", "--execname", "{dir}/counts.c"), "kernelfunction": ("f",), "nbvector": ("3",), "data-size": ("double",),
    "startvector": ("7",), "endvector": ("9", "--startvector", "8"), "stepvector": ("2", "--startvector", "4", "--endvector", "9"),
    "nbsizes": ("{{5,6}}",), "elements": ("N*N",), "slack": ("64",), "vectsurveyor": ("{{(0,64,16)}}",),
    "limit": ("2", "--vectsurveyor", "{{(0,64,4)}}"), "seed": ("5", "--limit", "2", "--vectsurveyor", "{{(0,64,4)}}"),
    "maxstride": ("4",), "iteration-count": ("10",), "sizedummy": ("4096",), "context": ("cold",), "metarepetition": ("3",),
    "repetition": ("4",), "executerepetition": ("2",), "clock": ("wall",), "counters": ("cycles",), "evallib": ("{dir}/dozen.c",),
    "frequency": ("1200000",), "nbprocess": ("2",), "threads": ("2",), "iterations": ("N",), "info": ("raw",),
    "check-iterations": ("N",), "compiler": ("clang",), "flags": ("-O3",), "basename": ("mine",), "unit": ("ns",), "csv": (),
    "output": ("x.csv", "--csv"), "no-output": (), "config": ("{dir}/empty.xml",), "print": (),
}
TIMED_CODES = (0, 75)       # too_noisy: a busy host has its times, too
ASSEMBLY = """\t.globl entryPoint
entryPoint:
\txorl %eax, %eax
.L6:
\tmovups (%rsi), %xmm0
\taddq $16, %rsi
\taddl $1, %eax
\tsubl $4, %edi
\tjg .L6
\tret
\t.section .note.GNU-stack,"",@progbits
"""
COUNTS = """#include <stdlib.h>
int main(int argc, char **argv)
{
  volatile long n = 0;
  while (n < atol(argv[argc - 1])) n++;
  return argc != 3;
}
"""
TRIES = 30                  # of a time that others may disturb too much
FEW = ("--metarepetition", "3", "--executerepetition", "1", "--repetition", "2")


def member_of(document, path):
    """"space.timing.frequency_khz": names of members may have dots themselves; of lists the first element's."""
    if not path:
        return document
    if not isinstance(document, dict):
        return None
    for end in [len(path)] + [i for i in range(len(path) - 1, 0, -1) if path[i] == "."]:
        if path[:end] in document:
            return member_of(document[path[:end]], path[end + 1:])
    return None


def timed_rows(text):
    """Rows of CSV; what is timed on a busy host counts as ok."""
    rows = list(csv.DictReader(io.StringIO(text)))
    for row in rows:
        row["status"] = "ok" if row["status"] in TIMED else row["status"]
    return rows


class LaunchTest(WithDaemon):
    worker = None           # the real one: compilers run

    def rows(self, *words):
        return timed_rows(self.said("launch", "--csv", *FEW, *words, code=TIMED_CODES))

    def quiet_row(self, *words):
        """Of a time that was not too noisy, whose note has nothing of that."""
        for _ in range(TRIES):
            said = self.said("launch", "--csv", *FEW, *words, code=TIMED_CODES)
            row, = csv.DictReader(io.StringIO(said))
            if row["status"] != "too_noisy":
                return row
        self.fail(f"too noisy {TRIES} times: {row}")

    def test_L6_L7_L25_each_kernel_has_a_row_with_the_time_of_an_iteration(self):
        rows = self.rows(self.file("walk.c", WALK), self.file("walk2.s", ASSEMBLY), "--nbvector", "2", "--startvector", "400")
        self.assertEqual([("walk", "ok", "400", "100"), ("walk2", "ok", "400", "100")],
                         [(r["kernel"], r["status"], r["elements"], r["iterations"]) for r in rows])
        for row in rows:
            self.assertGreaterEqual(float(row["max"]), float(row["min"]))
            self.assertGreater(int(row["job"]), 0)

    def test_L13_a_whole_program_has_a_row_with_the_time_of_a_run(self):
        source = self.file("counts.c", COUNTS)
        executable = pathlib.Path(source).with_suffix("")
        subprocess.run(["gcc", "-o", executable, source], check=True)
        for words in (("--execname", source), ("--execname", "counts", "--execpath", str(executable.parent))):
            row, = timed_rows(self.said("launch", "--csv", "--metarepetition", "3", "--execargs", " few  100000 ", *words,
                                        code=TIMED_CODES))
            self.assertEqual(("counts", "ok", "", "ns"), (row["kernel"], row["status"], row["elements"], row["unit"]), row)
            self.assertGreater(float(row["value"]), 0)

    def test_L13_options_of_kernels_do_not_go_with_a_program(self):
        source = self.file("counts.c", COUNTS)
        for option, value in (("--nbvector", "2"), ("--vectsurveyor", "{(0,64,16)}"), ("--repetition", "2"), ("--counters", "cycles"),
                              ("--check-iterations", "2")):
            said = self.assay("launch", "--execname", source, option, value, code=USAGE).stderr
            self.assertIn(f"{option}: is for kernels, and --execname names a whole program", said)
        self.assertIn("--execname: ", self.assay("launch", "--execname", f"{source}.none", code=NOT_FOUND).stderr)

    def test_L19_sizes_run_from_the_first_to_the_last(self):
        rows = self.rows(self.file("walk.c", WALK), "--nbvector", "2", "--startvector", "100", "--endvector", "300",
                         "--stepvector", "100")
        self.assertEqual(["100", "200", "300"], [r["elements"] for r in rows])
        self.assertEqual(["25", "50", "75"], [r["iterations"] for r in rows])

    def test_L19_each_array_may_have_its_size_and_n_is_the_least(self):
        row, = self.rows(self.file("walk.c", WALK), "--nbsizes", "{800,400}")
        self.assertEqual(("ok", "100"), (row["status"], row["iterations"]))

    def test_L45_a_matrix_multiply_over_its_size_has_its_knee(self):
        words = (self.file("multiply.c", MULTIPLY), "--nbvector", "3", "--data-size", "double", "--elements", "N*N",
                 "--iterations", "N*N*N", "--startvector", "8", "--endvector", "32", "--stepvector", "8")
        self.assertEqual([(str(n), str(n ** 3)) for n in (8, 16, 24, 32)],
                         [(r["elements"], r["iterations"]) for r in self.rows(*words)])
        said = self.said("launch", *FEW, *words, code=TIMED_CODES)
        self.assertRegex(said, r"(?m)^multiply: (knee behind (8|16|24), at (16|24|32) \d+\.\d\d times the least|"
                               r"no knee up to 32)$")
        dims = self.document("launch", "--print", *words)["spec"]["args"]["a2"]["dims"]
        self.assertEqual(["(N*N) + 512"], dims)

    def test_L20_L42_every_combination_of_offsets_is_where_it_says(self):
        rows = self.rows(self.file("places.c", PLACES), "--vectsurveyor", "{(0,64,32);(16,32,8)}", "--startvector", "64")
        self.assertEqual(list(itertools.product((0, 32), (16, 24))), [(int(r["offset0"]), int(r["offset1"])) for r in rows])
        for row in rows:            # the kernel returns where its arrays were
            self.assertEqual(int(row["offset0"]) // 4 + 500 * int(row["offset1"]) + 1, int(row["iterations"]))

    def test_L42_a_drawn_combination_is_where_it_says(self):
        words = (self.file("places.c", PLACES), "--vectsurveyor", "{(0,1024,4);(0,1024,4)}", "--startvector", "64",
                 "--limit", "4", "--seed", "3")
        rows = self.rows(*words)
        self.assertEqual(4, len({(r["offset0"], r["offset1"]) for r in rows}))
        for row in rows:
            self.assertEqual(int(row["offset0"]) // 4 + 500 * int(row["offset1"]) + 1, int(row["iterations"]))
        self.assertEqual([r["offset0"] for r in rows], [r["offset0"] for r in self.rows(*words)])

    def test_offsets_have_one_driver_and_one_object(self):
        said = self.said("launch", "--ndjson", *FEW, self.file("places.c", PLACES), "--startvector", "64", "--limit", "3",
                         "--vectsurveyor", "{(0,1024,4);(0,1024,4)}", code=TIMED_CODES)
        results = [json.loads(line) for line in said.splitlines()]
        self.assertLessEqual({r["status"] for r in results}, set(TIMED))
        self.assertEqual((1, 1), (len({r["driver"] for r in results}), len({r["binary"] for r in results})))

    def test_a_directory_is_all_its_kernels(self):
        (self.dir / "many").mkdir()
        for name in ("b.c", "a.c", ".hidden.c"):
            self.file(f"many/{name}", WALK)
        self.assertEqual(["a", "b"], [r["kernel"] for r in self.rows(self.dir / "many", "--nbvector", "2", "--startvector", "64")])
        (self.dir / "none").mkdir()
        self.assertIn("has no kernel", self.assay("launch", self.dir / "none", code=NOT_FOUND).stderr)

    def test_L27_a_value_is_of_an_iteration_a_call_or_a_sample(self):
        walk = self.file("walk.c", WALK)
        values = {}
        for what in ("iteration", "function", "raw"):
            document = self.said("launch", "--ndjson", "--info", what, *FEW, walk, "--nbvector", "2", "--startvector", "400", code=TIMED_CODES)
            result = json.loads(document)
            row, = self.rows("--info", what, walk, "--nbvector", "2", "--startvector", "400")
            values[what] = "per_iteration" in result["time"], row["iterations"]
        self.assertEqual({"iteration": (True, "100"), "function": (False, ""), "raw": (False, "")}, values)

    def test_L11_L17_a_wrong_function_lists_those_that_are_there(self):
        said = self.assay("launch", self.file("walk.c", WALK), "--kernelfunction", "walk", "--startvector", "64", code=LOAD_FAILED)
        self.assertIn("load_failed", said.stdout)
        self.assertIn("entryPoint", said.stdout)

    def test_L24_L25_the_metric_of_an_evaluation_library_has_columns_of_its_own(self):
        words = (self.file("walk.c", WALK), "--nbvector", "2", "--startvector", "400", "--evallib",
                 self.file("dozen.c", DOZEN))
        for what, value in (("iteration", 0.06), ("function", 6), ("raw", 12)):
            row = self.quiet_row("--info", what, *words)
            self.assertEqual(("ok", value, "J", ""), (row["status"], float(row["metric"]), row["metric_unit"], row["note"]))
        table = self.said("launch", "--info", "raw", *FEW, *words, code=TIMED_CODES)
        self.assertRegex(table, r"metric\s+metric's unit")
        self.assertRegex(table, r"\b12\.00\s+J\b")
        row = self.quiet_row(*words[:-1], self.file("none.c", "int x;"))
        self.assertEqual(("ok", ""), (row["status"], row["metric"]))
        self.assertRegex(row["note"], "^metric .*the evaluation library has no function evaluationInit")
        self.assertNotIn("metric", self.rows(*words[:-2])[0])

    def test_L40_a_frequency_that_cannot_be_set_is_refused_by_name(self):
        """The daemon has no assay-hostd; most hosts of tests have no cpufreq either."""
        walk = self.file("walk.c", WALK)
        rows = timed_rows(self.said("launch", "--csv", *FEW, walk, "--nbvector", "2", "--startvector", "400",
                                    "--frequency", "1200000,2400000", code=BAD_SPEC))
        self.assertEqual([("bad_spec", "1200000"), ("bad_spec", "2400000")], [(r["status"], r["khz"]) for r in rows])
        for row in rows:
            self.assertRegex(row["note"], r"^spec.timing.frequency_khz: (cpufreq is absent|\d+ kHz: |the clock is set by "
                                          r"assay-hostd)")

    def test_L30_a_wrong_return_is_wrong_answer_with_both_numbers_and_no_value(self):
        walk = self.file("walk.c", WALK)
        words = (walk, "--nbvector", "2", "--startvector", "400", "--check-iterations")
        self.assertEqual(("ok", "100"), (self.rows(*words, "N / 4")[0]["status"], self.rows(*words, "N / 4")[0]["iterations"]))
        said = self.said("launch", "--csv", *FEW, *words, "N / 2", code=WRONG_ANSWER)
        row, = timed_rows(said)
        self.assertEqual(("wrong_answer", "", "", ""), (row["status"], row["value"], row["min"], row["unit"]))
        self.assertIn("the routine returned 100 iterations, and check.iterations is 200", row["note"])
        self.assertIn("--check-iterations: is what the kernel must return, and --iterations has their number",
                      self.assay("launch", *words, "N / 4", "--iterations", "N", code=USAGE).stderr)

    def test_one_document_has_the_rows(self):
        words = ("launch", *FEW, self.file("walk.c", WALK), "--nbvector", "2", "--startvector", "400")
        document = self.document(*words, "--basename", "one document", code=TIMED_CODES)
        row, = document["rows"]
        self.assertEqual(("one document", "walk", 400, 100, 1), (document["sweep"], row["kernel"], row["elements"],
                                                               row["iterations"], row["copies"]))
        self.assertIsInstance(row["value"], float)
        for form in ("--json", "--ndjson"):
            self.assertIn(f"{form}: cannot go with --csv", self.assay(*words, form, "--csv", code=USAGE).stderr)

    def test_L25_a_counter_has_a_column_and_one_that_is_absent_its_name(self):
        """Software events are everywhere that perf is; energy and cycles are not in each virtual machine."""
        counters = "PERF_COUNT_SW_CPU_CLOCK,power/energy-pkg/"
        words = (self.file("walk.c", WALK), "--nbvector", "2", "--startvector", "400", "--counters", counters)
        sweep = json.loads(self.said("launch", "--print", *words))
        self.assertEqual(counters.split(","), sweep["spec"]["timing"]["counters"])
        row, = self.rows(*words)
        self.assertEqual("ok", row["status"], row["note"])
        said = self.said("launch", *FEW, *words, code=TIMED_CODES)
        for name in counters.split(","):
            self.assertEqual(row[name] == "", f"{name} is absent in 1 of 1 rows" in said, said)
        self.assertIn("is no list of events", self.assay("launch", words[0], "--counters", "cycles,", code=USAGE).stderr)

    def test_a_file_that_cannot_be_written_is_refused_before_the_jobs(self):
        said = self.assay("launch", self.file("walk.c", WALK), "--csv", "-o", "/nonexistent/x.csv", code=IO_FAILED).stderr
        self.assertIn("--output: /nonexistent/x.csv: No such file", said)

    def test_the_sweep_is_printed_and_not_submitted(self):
        sweep = json.loads(self.said("launch", "--print", self.file("walk.c", WALK), "--nbvector", "2", "--basename", "mine"))
        self.assertEqual(("mine", "N"), (sweep["name"], sweep["spec"]["args"]["n"]))
        self.assertEqual("int entryPoint(int n, float *a0, float *a1)", sweep["spec"]["routine"])
        self.assertEqual("return", sweep["spec"]["iterations"])

    def configured(self, options, *words, **how):
        path = self.file("launch.xml", f"<?xml version=\"1.0\"?>\n<microlaunch>\n<config>\n{options}\n</config>\n</microlaunch>\n")
        return self.assay("launch", "--config", path, "--print", *words, **how)

    def test_L15_a_configuration_of_MicroLauncher_is_read_and_overridden(self):
        self.file("walk.c", WALK)
        said = self.configured(f'<kernelName value="{self.dir}/walk.c" />\n<nbVector value="2"/><metaRepetition value="7" />'
                               '<dataSize value="double"/><vectSurveyor value="{(0,16,8);(0,8,8)}"/><noOutput/>',
                               "--metarepetition", "9")
        sweep = json.loads(said.stdout)
        self.assertEqual("int entryPoint(int n, double *a0, double *a1)", sweep["spec"]["routine"])
        self.assertEqual(9, sweep["spec"]["timing"]["samples"])
        self.assertEqual([0, 8], sweep["space"]["args.a0.offset"])

    def test_L15_a_configuration_that_cannot_be_read_is_refused_with_its_line(self):
        walk = self.file("walk.c", WALK)
        for options, code, said in (('<metaRepetitions value="7"/>', BAD_SPEC, "launch.xml:4: there is no option metaRepetitions"),
                                    ('\n<cpuPin value="1"/>', USAGE, "the daemon owns its timing CPUs"),
                                    ('<nbVector size="2"/>', BAD_SPEC, "one attribute, value, and this has size"),
                                    ("<nbVector>2</nbVector>", BAD_SPEC, "launch.xml:4: values are attributes"),
                                    ("<nbVector", BAD_SPEC, "this is no XML"),
                                    ("<!-- fine -->\n<nbVector/>", BAD_SPEC, "launch.xml:5: nbVector has no value"),
                                    ('<csv value="1"/>', BAD_SPEC, "launch.xml:4: csv has no value"),
                                    ('<config value="other.xml"/>', BAD_SPEC, "launch.xml:4: config: a configuration names no other"),
                                    ('<options value="1"/>', USAGE, "launch.xml:4: options: each option has a name of its own"),
                                    ('\n\n<nbVector value="9"/>', USAGE, 'launch.xml:6: nbVector: "9" must be')):
            with self.subTest(options=options):
                self.assertIn(said, self.configured(options, walk, code=code).stderr)
        doctype = self.file("doctype.xml", '<!DOCTYPE m [<!ENTITY a "b">]><microlaunch/>')
        self.assertIn("has no document type", self.assay("launch", "--config", doctype, walk, code=BAD_SPEC).stderr)
        other = self.file("other.xml", "<configuration/>")
        self.assertIn("a configuration is <microlaunch><config>", self.assay("launch", "--config", other, walk, code=BAD_SPEC).stderr)
        self.assertIn("--config: is given twice",
                      self.assay("launch", "--config", other, f"--config={other}", walk, code=USAGE).stderr)

    def table(self):
        """Option → members, as the page has them."""
        text = PAGE.read_text().split(".It Em option Ta Em member\n")[1].split(".El\n")[0]
        pairs = [line[len(".It "):].split(" Ta ") for line in text.splitlines()]
        return {option: members.split(", ") for options, members in pairs for option in options.split(", ")}

    def printed(self, *words):
        kernels = () if "--execname" in words else (f"{self.dir}/walk.c",)
        sweep = json.loads(self.said("launch", "--print", *kernels, *words))
        if "--basename" not in words:
            sweep["name"] = "the time"
        return sweep

    def test_L15_each_option_sets_the_member_that_the_page_has(self):
        for name, text in (("walk.c", WALK), ("other.c", WALK), ("counts.c", COUNTS), ("dozen.c", DOZEN),
                           ("empty.xml", "<microlaunch><config/></microlaunch>")):
            self.file(name, text)
        table = self.table()
        self.assertEqual(set(OPTIONS), set(table))
        for option, members in table.items():
            words = [word.format(dir=self.dir) for word in OPTIONS[option]]
            takes = bool(words) and option != "csv"
            beside = words[1:] if takes else []
            with self.subTest(option=option):
                without = self.printed(*(beside if beside[:1] != ["--execname"] or option == "execargs" else ()))
                given = self.printed(f"--{option}", *words) if takes else self.printed(f"--{option}")
                if members == ["the command's own"]:
                    self.assertEqual(without, given)
                    continue
                for member in members:
                    if option != "info":            # a value of a sample needs no iterations
                        self.assertIsNotNone(member_of(given, member), member)
                    self.assertNotEqual(member_of(without, member), member_of(given, member), member)

    def test_L15_each_option_of_MicroLauncher_is_here_or_has_its_reason(self):
        page = PAGE.read_text().split(".Sh DIFFERENCES")[1].split(".El\n")[0]
        foreign = [name for line in page.splitlines() if line.startswith(".It ") for name in line[4:].split(", ")]
        self.assertIn("options", foreign)
        self.assertGreater(len(foreign), 20)
        for name in foreign:
            with self.subTest(option=name):
                said = self.assay("launch", self.file("walk.c", WALK), f"--{name}=1", code=USAGE).stderr
                self.assertRegex(said, rf"^assay: --{name}=1: .+\n       .+\n$")
        shown = set(re.findall(r"--([a-z-]+)", self.said("launch", "--help")))
        self.assertLessEqual(set(OPTIONS), shown)
        self.assertFalse(shown & set(foreign))

    def test_what_cannot_be_launched_is_refused_with_the_option_and_the_remedy(self):
        walk = self.file("walk.c", WALK)
        for words, code, said in (((), USAGE, "needs the file of a kernel"),
                                  ((walk, "--vectsurveyor", "{(0,9)}"), USAGE, "--vectsurveyor: column 6"),
                                  ((walk, "--nbsizes", "{1,2}", "--nbvector", "1"), USAGE, "has 2 sizes for 1 arrays"),
                                  ((walk, "--nbsizes", "{9}", "--elements", "N*N"), USAGE, "cannot go with --nbsizes"),
                                  ((walk, "--elements", "N*"), BAD_SPEC, "a0.dims"),
                                  ((walk, "--frequency", "1.2GHz"), USAGE, "--frequency: \"1.2GHz\" is no list of kHz"),
                                  ((walk, "--limit", "2"), USAGE, "--limit: draws from the offsets of --vectsurveyor"),
                                  ((walk, "--evallib", "a", "--evallib=b"), USAGE, "--evallib: is given twice"),
                                  ((walk, "-o", "x.csv"), USAGE, "add --csv"),
                                  ((walk, "--data-size", "quad"), USAGE, "give float, double, int, char"),
                                  ((walk, "--cpupin", "3"), USAGE, "the daemon owns its timing CPUs"),
                                  ((walk, "--nbprocess", "2", "--threads", "2"), USAGE, "a copy has one CPU"),
                                  ((self.file("x.txt", "no kernel"),), BAD_SPEC, "no language has this ending")):
            with self.subTest(words=words):
                self.assertIn(said, self.assay("launch", *words, code=code).stderr)


if __name__ == "__main__":
    unittest.main()
