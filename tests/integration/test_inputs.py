# SPDX-License-Identifier: Apache-2.0
"""
Which inputs the calls meet, on the real daemon.  The routine counts the different inputs that it was
called with, and returns the count.  Its last check then finds another answer than the first.
"""
import base64
import pathlib
import struct
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import RealDaemonTest, assert_timed  # noqa: E402

# Inputs by their first element, at most 4096 of them.
COUNT = """
static float first[4096];
static int met;
int f(int n, const float *x, float *y)
{
	int	 i = 0;

	for (int k = 0; k < n; k++)
		y[k] = x[k];
	while (i < met && first[i] != x[0])
		i++;
	if (i == met && met < 4096)
		first[met++] = x[0];
	return met;
}
"""
REFERENCE = "int f(int n, const float *x, float *y) { for (int k = 0; k < n; k++) y[k] = x[k]; return 1; }"
# What the calls must find of x, whatever was drawn; each answer a number below 1000.
PROPERTY = """
int f(int n, const %s *x)
{
	int	 found = 0;
	%s
	return found;
}
"""
DESCENTS = "for (int i = 1; i < n; i++) found += x[i] < x[i - 1];"
ASCENTS = "for (int i = 1; i < n; i++) found += x[i] > x[i - 1];"
NONZERO = "for (int i = 0; i < n; i++) found += x[i] != 0;"
DISTINCT = "for (int i = 0, k; i < n; i++) { for (k = 0; k < i && x[k] != x[i]; k++) ; found += k == i; }"
NO_TEXT = """for (int i = 0; i < n; i++) found += !(x[i] == ' ' || x[i] == '\\n' || (x[i] >= 'a' && x[i] <= 'z'));
	found += x[n - 1] != '\\n';"""
NOVEL = 17                      # at most, beside the given one, to find what novelty costs
NOVEL_COLD = 2 * NOVEL          # of a cold routine, warm calls and cold ones
# Ends for what hangs, and for nothing else: no sample is left out on a slow machine.
BUDGET = {"budget_ms": 600000}
LIMITS = {"run": 600000, "build": 600000}
# A flush of the largest caches reads gigabytes.  Which inputs are met does not depend on it.
FLUSH_BYTES = 4 << 20
TRIES = 30                      # of a probe that a busy machine leaves no time for


class Inputs(RealDaemonTest):
    def document(self, data=None, n=64, timing=None, **members):
        spec = {"routine": "int f(int n, const float *x, float *y)", "params": {"N": n}, "context": "warm",
                "args": {"n": "N", "x": {"dims": ["N"]}, "y": {"dims": ["N"], "access": "out"}},
                "timing": {"gate": False, "trust": "claimed", "processes": 1, **(timing or {})}}
        if data is not None:
            spec["data"] = data
        return {"variant": {"language": "c", "source": COUNT}, "spec": spec | members}

    def flush(self, method, **how):
        size = {} if method == "OneCallFlushX86" else {"bytes": FLUSH_BYTES}
        return {"method": method, **size, **how}

    def run_one(self, document):
        (result,) = self.daemon.run({"timeout_ms": LIMITS, **document})
        return result

    def probed(self, run):
        """Its first result with novel inputs; on a busy machine samples can take too long for them."""
        for _ in range(TRIES):
            result = run()
            if result["status"] == "wrong_answer" or "learned" in result["evidence"]:
                return result
        self.fail(f"no probe in {TRIES} jobs: {result}")

    def met(self, data, **members):
        """How many inputs the routine counted, the given one and novel ones included."""
        document = self.document(data, check={"reference": {"language": "c", "source": REFERENCE}}, **members)
        result = self.run_one(document)
        if result["status"] == "ok":            # the given one alone, as the reference
            return 1
        self.assertEqual(result["status"], "wrong_answer", result)
        bad = result["check"]["first_bad"]
        self.assertEqual(bad["operand"], "return")
        return bad["got"]

    def technique(self, data, **members):
        return assert_timed(self, self.run_one(self.document(data, **members)))["technique"]

    def test_calls_of_one_call_samples_meet_as_many_as_rotate(self):
        for method in ("OneCallFlushX86", "OneCallFlushLRU"):
            with self.subTest(method):
                timing = {"samples": 60, "flush": self.flush(method), **BUDGET}
                met = self.met({"rotate": 40}, context="cold", timing=timing)
                self.assertGreaterEqual(met, 40)
                self.assertLessEqual(met, 40 + NOVEL_COLD)

    def test_calls_of_a_stroll_and_of_a_walk_do_too(self):
        """Proofs pass over sets of a walk by chance, so there are calls for ten times as many inputs."""
        for timing, context in (({"calls": 50}, "warm"), ({"calls": 50, "difference": True}, "warm"),
                                ({"flush": self.flush("MultiCallFlushLRU", walk="backward"), "calls": 50},
                                 "cold")):
            with self.subTest(timing):
                met = self.met({"rotate": 307}, context=context, timing={"samples": 62} | BUDGET | timing)
                self.assertGreaterEqual(met, 307)
                self.assertLessEqual(met, 307 + 64 * NOVEL)

    def test_one_input_is_one(self):
        """A call is too long to be on several inputs in turn, so few are novel."""
        met = self.met("one", n=1 << 16, timing={"samples": 60, "calls": 1} | BUDGET)
        self.assertLessEqual(met, 1 + NOVEL)

    def test_the_result_says_how_many_were_met_and_why(self):
        technique = self.technique({"rotate": 20}, context="cold",
                                   timing={"samples": 9, "flush": self.flush("OneCallFlushX86")} | BUDGET)
        self.assertEqual(technique["rotation"], "asked")
        self.assertTrue(9 <= technique["inputs"] <= 20, technique)
        technique = self.technique({"rotate": 4}, timing={"calls": 16})
        self.assertEqual((technique["walk"], technique["inputs"], technique["working_sets"]), ("stroll", 4, 16))
        technique = self.technique("one")
        self.assertEqual((technique["rotation"], technique["inputs"]), ("none", 1))

    def test_the_answer_is_checked_on_the_given_input(self):
        source = "void f(int n, double *x) { for (int i = 0; i < n; i++) x[i] += 1; }"
        spec = {"routine": "void f(int n, double *x)", "args": {"n": 100, "x": {"dims": [100]}},
                "data": {"rotate": 30}, "timing": {"gate": False},
                "check": {"reference": {"language": "c", "source": source}}}
        for context in ("warm", "cold"):
            for calls in (0, 8):
                with self.subTest(context=context, calls=calls):
                    timing = {"gate": False}
                    if calls:
                        timing["calls"] = calls
                    if calls and context == "cold":
                        timing["flush"] = self.flush("MultiCallFlushLRU")
                    result = self.run_one({"variant": {"language": "c", "source": source},
                                           "spec": spec | {"context": context, "timing": timing}})
                    assert_timed(self, result)
                    self.assertTrue(result["check"]["passed"])

    def test_slices_of_given_data_take_turns(self):
        text = base64.b64encode(b"".join(struct.pack("<64f", *([float(i)] * 64)) for i in range(6))).decode()
        args = {"n": "N", "y": {"dims": ["N"], "access": "out"}}
        x = {"dims": ["N"], "init": {"data": text}}
        timing = {"samples": 30, "calls": 1} | BUDGET
        check = {"reference": {"language": "c", "source": REFERENCE}}
        for data, met in (("auto", 6), ({"rotate": 3}, 6), ("one", 6)):
            document = self.document(timing=timing, check=check, args=args | {"x": x | {"data": data}})
            result = self.probed(lambda: self.run_one(document))    # "one": the probe's inputs alone
            self.assertEqual(result["status"], "wrong_answer", result)
            self.assertLessEqual(result["check"]["first_bad"]["got"], met)
        technique = self.technique(None, timing=timing, args=args | {"x": x})
        self.assertEqual((technique["rotation"], technique["inputs"]), ("asked", 6))
        technique = self.technique(None, timing=timing, args=args | {"x": x | {"data": "one"}})
        self.assertEqual((technique["rotation"], technique["inputs"]), ("none", 1))

    def property(self, element, count, init, n=512, **members):
        """A routine that counts, beside a reference that does not look: the answer is in the refusal."""
        spec = {"routine": f"int f(int n, const {element} *x)", "context": "warm",
                "args": {"n": n, "x": {"dims": [n], "init": init}}, "timing": {"gate": False, "processes": 1, **BUDGET},
                "check": {"reference": {"language": "c", "source": members.pop("reference", PROPERTY % (element, count))}}}
        return self.run_one({"variant": {"language": "c", "source": PROPERTY % (element, count)}, "spec": spec | members})

    def found(self, element, count, init, **members):
        """The reference answers -1, which no count is."""
        result = self.property(element, count, init, reference=PROPERTY % (element, "found = -1;"), **members)
        self.assertEqual(result["status"], "wrong_answer", result)
        return result["check"]["first_bad"]["got"]

    def test_X1_a_routine_meets_the_order_and_the_distribution_asked_for(self):
        for element in ("double", "int", "float", "unsigned char"):
            with self.subTest(element):
                def found(count, **init):
                    return self.found(element, count, {"random": init})
                self.assertEqual(found(DESCENTS, order="sorted"), 0)
                self.assertEqual(found(ASCENTS, order="reversed"), 0)
                self.assertTrue(1 <= found(DESCENTS, order="nearly_sorted", swaps=0.02) <= 40)
                self.assertGreater(found(DESCENTS), 128)
                self.assertEqual(found(DISTINCT, distinct=5), 5)
                self.assertTrue(20 <= found(NONZERO, density=0.1) <= 90)
        self.assertEqual(self.found("char", NO_TEXT, "text"), 0)

    def test_X1_every_call_meets_it_and_audits_do(self):
        """Among the inputs of the samples, novel ones and those of audits, any other would be a wrong answer."""
        zero = "found = 0;"
        for element, count, init in (("double", DESCENTS, {"random": {"order": "sorted"}}),
                                     ("int", ASCENTS, {"random": {"order": "reversed", "density": 0.5}}),
                                     ("char", NO_TEXT, {"text": {"seed": 7}})):
            for data in ("one", {"rotate": 20}):
                with self.subTest(init=init, data=data):
                    result = assert_timed(self, self.property(element, count, init, n=60000, data=data,
                                                              reference=PROPERTY % (element, zero)))
                    self.assertTrue(result["check"]["passed"])
                    self.assertGreater(result["evidence"]["audits"]["rounds"], 0, result["evidence"])
                    self.assertEqual(result["technique"]["inputs"] > 1, data != "one")
                    (x,) = result["technique"]["operands"].values()
                    self.assertEqual((x["init"], x.get("order")), next(
                        (kind, members.get("order")) for kind, members in init.items()))

    def test_X1_what_takes_long_to_put_in_order_is_claimed(self):
        for n, is_slow in ((2000, False), ((1 << 20) + 1, True)):
            def run():
                return assert_timed(self, self.property("char", NO_TEXT, "text", n=n))
            result = run() if is_slow else self.probed(run)
            self.assertEqual("too large to be drawn anew" in result["evidence"].get("claimed", ""), is_slow,
                             result["evidence"])
            self.assertEqual("learned" in result["evidence"], not is_slow)

    def test_more_calls_than_memory_has_room_for_are_refused(self):
        result = self.run_one(self.document({"rotate": 2}, n=1 << 20, timing={"calls": 2000}))
        self.assertEqual(result["status"], "bad_spec")
        self.assertIn("spec.timing.calls", result["detail"])
        self.assertIn("4 GiB", result["detail"])

    def test_what_novelty_costs_is_reported(self):
        for data in ("one", "auto", {"rotate": 50}):
            document = self.document(data, n=2000)
            evidence = assert_timed(self, self.probed(lambda: self.run_one(document)))["evidence"]
            self.assertGreater(evidence["learned"], 0)
            low, high = evidence["learned_interval"]
            self.assertLessEqual(low, evidence["learned"])
            self.assertGreaterEqual(high, evidence["learned"])
        fixed = self.document(None, args={"n": "N", "x": {"dims": ["N"], "init": 1},
                                          "y": {"dims": ["N"], "access": "out"}})
        self.assertNotIn("learned", assert_timed(self, self.run_one(fixed))["evidence"])


if __name__ == "__main__":
    unittest.main()
