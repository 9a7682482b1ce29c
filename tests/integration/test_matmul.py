# SPDX-License-Identifier: Apache-2.0
"""Matrix multiplication over sizes and over the places of its three matrices (MicroTools, section 2)."""
import itertools
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import TIMED, RealDaemonTest  # noqa: E402

ROUTINE = "void multiply(int n, const double *a, const double *b, double *c)"
SOURCE = ROUTINE + """
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++) {
			double sum = 0;
			for (int k = 0; k < n; k++)
				sum += a[i * n + k] * b[k * n + j];
			c[i * n + j] = sum;
		}
}
"""


def sweep(name, space):
    operands = {x: {"type": "double", "dims": ["N * N"], "align": 4096} for x in "abc"}
    operands["c"]["access"] = "out"
    return {"name": name, "template": {"name": "multiply", "source": SOURCE}, "space": space,
            "spec": {"routine": ROUTINE, "params": {"N": 20}, "args": {"n": "N", **operands}, "context": "warm",
                     "flops": "2 * pow(N, 3)", "timing": {"samples": 3, "processes": 1},
                     "check": {"reference": {"language": "c", "source": SOURCE}}}}


class Matmul(RealDaemonTest):
    def results(self, document):
        with self.daemon.connect() as client:
            client.call("sweep.create", {"sweep": document, "follow": True})
            results = [client.notification()["result"] for _ in itertools.product(*document["space"].values())]
        for result in results:
            self.assertIn(result["status"], TIMED, result["detail"])
        return results

    def test_L45_each_size_has_its_time_and_its_rate(self):
        results = self.results(sweep("sizes", {"N": [8, 16, 24, 40]}))
        self.assertEqual([8, 16, 24, 40], sorted(r["params"]["N"] for r in results))
        for result in results:
            flops = result["rate"]["mflops_max"] / 1000 * result["time"]["min_ns"]
            self.assertAlmostEqual(2 * result["params"]["N"] ** 3, flops, delta=0.01 * flops)

    def test_L46_each_place_of_the_three_matrices_is_held_and_has_its_time(self):
        places = (0, 16)
        results = self.results(sweep("places", {f"args.{x}.offset": places for x in "abc"}))
        held = [tuple(r["technique"]["operands"][x].get("offset", 0) for x in "abc") for r in results]
        self.assertEqual(sorted(itertools.product(places, repeat=3)), sorted(held))


if __name__ == "__main__":
    unittest.main()
