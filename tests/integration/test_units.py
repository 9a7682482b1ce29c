#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Variants of a sweep that differ in macros alone are compiled together; each gets its own result."""
import os
import pathlib
import signal
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import TIMED, RealDaemonTest  # noqa: E402
from processes import descendants, text_of  # noqa: E402

DOT_SPEC = {"routine": "double dotprod(const int N, const double *X, const double *Y)", "params": {"N": 64}, "context": "warm",
            "args": {"N": "N", "X": {"type": "double", "dims": ["N"]}, "Y": {"type": "double", "dims": ["N"]}},
            "timing": {"samples": 3, "gate": False}}
SOURCE = """\
double
dotprod(const int N, const double *X, const double *Y)
{
	double	 sum[SUMS] = { 0.0 }, dot = TAG * 0.0;
	int	 i = 0;

	for (; i <= N - SUMS; i += SUMS)
		for (int u = 0; u < SUMS; u++)
			sum[u] += X[i + u] * Y[i + u];
	for (; i < N; i++)
		dot += X[i] * Y[i];
	for (int u = 0; u < SUMS; u++)
		dot += sum[u];
	return dot;
}
"""
TEMPLATE = """\
typedef double vec __attribute__((vector_size(8 << LANES), aligned(8)));
enum { WIDE = 1 << LANES };
static const double weight[2] = { 1.0, TAG == 7 ? 2.0 : 1.0 };
static inline double
sum_of(vec v)
{
	double	 sum = 0.0;

	for (int k = 0; k < WIDE; k++)
		sum += v[k] * weight[k & 1];
	return sum;
}
double
dotprod(const int N, const double *X, const double *Y)
{
	vec	 sum = { 0.0 };
	double	 dot = 0.0;
	int	 i = 0;

	for (; i <= N - WIDE; i += WIDE)
		sum += *(const vec *)(X + i) * *(const vec *)(Y + i);
	for (; i < N; i++)
		dot += X[i] * Y[i];
	return dot + sum_of(sum);
}
"""


def variants(test, n, **tags):
    """No two tests have the same text: what one has built is no other's."""
    return [{"name": f"v{i}", "language": "c", "source": f"/* {test} */\n" + SOURCE, "flags": ["-O2"],
             "defines": {"SUMS": 1 + i % 4, "TAG": tags.get(f"v{i}", i)}} for i in range(n)]


class UnitTest(RealDaemonTest):
    flags = ("--builders", "1")         # several would share the variants

    def sweep(self, name, made, **spec):
        self.daemon.call("sweep.create", {"sweep": {"name": name, "spec": {**DOT_SPEC, **spec}, "variants": made}})
        self.daemon.call("job.wait", {"sweep": name})
        found = self.daemon.call("results.query", {"sweep": name, "limit": 100})["results"]
        return {r["name"]: r for r in found}

    def built_together(self, name, wanted, n, **others):
        """All of such a sweep, and those that units made.  A unit that takes seconds, when others have the CPU, is given up."""
        for attempt in range(10):
            found = self.sweep(f"{name}{attempt}", variants(f"{name}{attempt}", n, **others))
            together = [r for r in found.values() if r.get("built") == "unit"]
            if len(together) >= wanted:
                break
        self.assertGreaterEqual(len(together), wanted, {v: r.get("built") for v, r in found.items()})
        return found, together

    def test_variants_of_one_source_are_built_in_units(self):
        found, together = self.built_together("units", 20, 24)
        self.assertEqual(24, len(found))
        for r in found.values():
            self.assertIn(r["status"], TIMED, r["detail"])
        self.assertLessEqual(max(r["unit_variants"] for r in together), 16)

    def test_variants_with_the_same_files_are_built_in_units(self):
        for attempt in range(10):       # as above
            made = [{**v, "source": '#include "inc/scale.h"\n' + v["source"].replace("TAG * 0.0", "SCALED(TAG) * 0.0"),
                     "files": {"inc/scale.h": "#ifndef SCALE_H\n#define SCALE_H\n#define SCALED(a) ((a) * SUMS)\n#endif\n"}}
                    for v in variants(f"files{attempt}", 8)]
            found = self.sweep(f"files{attempt}", made)
            if all(r.get("built") == "unit" for r in found.values()):
                break
        self.assertEqual({"unit"}, {r.get("built") for r in found.values()})
        for r in found.values():
            self.assertIn(r["status"], TIMED, r["detail"])

    def test_flags_that_take_turns_do_not_part_variants(self):
        flags = [["-O2"], ["-O1"], ["-O2", "-funroll-loops"]]
        for attempt in range(10):       # as above
            made = [{**v, "flags": flags[i % 3]} for i, v in enumerate(variants(f"turns{attempt}", 36))]
            found = self.sweep(f"turns{attempt}", made)
            together = [r for r in found.values() if r.get("built") == "unit"]
            if len(together) >= 30:
                break
        self.assertGreaterEqual(len(together), 30, {v: r.get("built") for v, r in found.items()})
        for i in range(36):
            self.assertIn(found[f"v{i}"]["status"], TIMED, found[f"v{i}"]["detail"])
            self.assertEqual(flags[i % 3], found[f"v{i}"]["flags"])
        # one builder, one slot: in their turn; one that a fault of the host has put back may come later
        ended = [r["job"] for r in sorted(found.values(), key=lambda r: r["finished"]) if r["attempts"] == 1]
        self.assertEqual(sorted(ended), ended)

    def test_a_template_s_helpers_tables_and_types_are_each_version_s_own(self):
        for attempt in range(10):       # as above
            made = [{"name": f"v{i}", "language": "c", "source": f"/* {attempt} */\n" + TEMPLATE, "flags": ["-O2"],
                     "defines": {"LANES": 1 + i % 3, "TAG": i}} for i in range(16)]
            found = self.sweep(f"template{attempt}", made, check={"reference": {"language": "c", "source": SOURCE, "flags": [
                "-O2", "-DSUMS=1", "-DTAG=0"]}})
            if all(r.get("built") == "unit" for r in found.values()):
                break
        self.assertEqual({"unit"}, {r.get("built") for r in found.values()})
        for name, r in found.items():
            if name == "v7":
                self.assertEqual("wrong_answer", r["status"], r["detail"])
            else:
                self.assertIn(r["status"], TIMED, r["detail"])

    def test_a_variant_that_does_not_build_has_its_own_words_and_the_others_their_unit(self):
        found, together = self.built_together("bad", 6, 8, v3="what")
        self.assertEqual(8, len(found))
        bad = found.pop("v3")
        self.assertEqual("build_failed", bad["status"])
        self.assertIn("variant.c:5:", bad["detail"])
        for r in found.values():
            self.assertIn(r["status"], TIMED, r["detail"])
        self.assertLessEqual(max(r["unit_variants"] for r in together), 7)

    def test_a_sweep_that_is_cancelled_while_it_is_built_ends(self):
        self.daemon.call("sweep.create", {"sweep": {"name": "off", "spec": DOT_SPEC, "variants": variants("off", 40)}})
        self.daemon.call("sweep.cancel", {"sweep": "off"})
        self.daemon.call("job.wait", {"sweep": "off"})
        self.assertEqual(40, sum(self.daemon.call("sweep.get", {"sweep": "off"})["statuses"].values()))
        self.assertTrue(self.sweep("after", variants("off", 2)))

    def test_the_death_of_a_builder_in_a_unit_costs_no_variant(self):
        self.daemon.call("sweep.create", {"sweep": {"name": "killed", "spec": DOT_SPEC, "variants": variants("killed", 24)}})
        while not self.building_or_over("killed"):
            pass
        for pid in self.builders():
            os.kill(pid, signal.SIGKILL)
        self.daemon.call("job.wait", {"sweep": "killed"})
        statuses = self.daemon.call("sweep.get", {"sweep": "killed"})["statuses"]
        self.assertEqual(24, sum(statuses.get(status, 0) for status in TIMED), statuses)

    def building_or_over(self, sweep):
        states = self.daemon.call("sweep.get", {"sweep": sweep})["states"]
        return states["building"] or not states["queued"]

    def builders(self):
        return [pid for pid, process in descendants(self.daemon.pid).items()
                if process.name == "assay-worker" and b"--role\0build" in text_of(pid, "cmdline")]

    def test_memory_and_time_that_one_variant_takes_cost_the_others_nothing(self):
        bomb = """\
#if TAG == 5
#define EIGHT(...) __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__
static const int bomb[] = { EIGHT(EIGHT(EIGHT(EIGHT(EIGHT(EIGHT(EIGHT(EIGHT(EIGHT(1,))))))))) };
#endif
"""
        made = [{**v, "source": bomb + v["source"]} for v in variants("bomb", 8)]
        found = self.sweep("bomb", made)
        self.assertIn(found.pop("v5")["status"], ("build_limit", "build_timeout"))
        for r in found.values():
            self.assertIn(r["status"], TIMED, r["detail"])


if __name__ == "__main__":
    unittest.main()
