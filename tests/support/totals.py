# SPDX-License-Identifier: Apache-2.0
"""Two ways to add numbers up, one of which takes four times as long, to be compared."""

PROTOTYPE = "double total(const int N, const double *X)"
PLAIN = PROTOTYPE + " { double s = 0; for (int i = 0; i < N; i++) s += X[i]; return s; }"
SLOW = PROTOTYPE + """ {
	volatile double s = 0;
	for (int k = 0; k < 4; k++) {
		s = 0;
		for (int i = 0; i < N; i++)
			s += X[i];
	}
	return s;
}"""
CRASH = PROTOTYPE + " { return N ? *(volatile double *)0 : X[0]; }"
WRONG = PROTOTYPE + " { return X[0] + N; }"


def variant(source, name):
    return {"source": source, "name": name}


def spec(context="warm", **timing):
    return {"routine": PROTOTYPE, "params": {"N": 2000}, "args": {"N": "N", "X": {"dims": ["N"]}},
            "context": context, "timing": timing,
            "check": {"reference": {"source": PLAIN}, "rtol": 1e-9}}
