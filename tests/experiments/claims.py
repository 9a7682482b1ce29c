# SPDX-License-Identifier: Apache-2.0
"""
What the papers claim, held against the tables that the experiments leave.  A claim is judged from
the rows of CSV files alone: each a list of texts, the first one the headers.  A verdict is HOLDS,
DOES_NOT or CANNOT be judged, with the numbers that decided it.
"""
import csv
import dataclasses

HOLDS, DOES_NOT, CANNOT = "holds", "does not hold", "cannot be judged"
UNQUIET = "all count"			# in the notes of turns.py: too few turns were quiet


@dataclasses.dataclass
class Claim:
    row: str				# of the list of features
    text: str
    table: str				# the name of its CSV file
    judge: object			# rows → (verdict, why)

    def judged(self, directory):
        try:
            with open(directory / f"{self.table}.csv", newline="") as file:
                return self.judge(Table(list(csv.reader(file))))
        except (OSError, LookupError, ValueError, StopIteration) as failure:
            return CANNOT, f"{self.table}.csv: {failure}"


class Table:
    """Rows by the names of their columns."""

    def __init__(self, rows):
        headers, *rows = rows
        self.rows = [dict(zip(headers, row)) for row in rows]
        if not self.rows:
            raise ValueError("it has no rows")

    def where(self, column, begins):
        return [row for row in self.rows if row[column].startswith(begins)]

    def loud(self, column):
        """Rows whose turns were not quiet."""
        return [row for row in self.rows if UNQUIET in row[column]]


def verdict(is_so, why):
    return (HOLDS if is_so else DOES_NOT), why


def listed(rows, name, column, unit=""):
    return ", ".join(f"{row[name]} {float(row[column]):.3g}{unit}" for row in rows)


# ---- Whaley and Castaldo ----

def plateaus(table):
    """W1: what a flush costs falls from cache to cache; at the end the two curves meet."""
    ratios = {row["operands fit in"]: float(row["cold / hot"]) for row in table.rows}
    why = ", ".join(f"{name} {ratio:.3g}" for name, ratio in ratios.items())
    if "L1" not in ratios or "L2" not in ratios or len(ratios) < 3:
        return CANNOT, f"sizes for L1, L2 and beyond are needed: {why}"
    values = list(ratios.values())
    falls = all(inner > outer for inner, outer in zip(values, values[1:]))
    meets = values[-1] < values[0] / 2
    costs = ratios["L1"] > 3.5 and ratios["L2"] > 2
    return verdict(costs and falls and meets, f"cold / hot: {why}")


LARGE_N = 1000


def tuned_twice(table):
    """W2: the two timers choose different kernels, and the unflushed choice is much slower."""
    flushed, unflushed = (next(row for row in table.where("tuned", name) if row["timed"] == "flush")
                          for name in ("flush", "no flush"))
    factors = flushed["factor"], unflushed["factor"]
    if int(flushed["largest N"]) < LARGE_N:
        return CANNOT, f"the largest N is {flushed['largest N']}, and {LARGE_N} are needed"
    kept = 100 * float(unflushed["MFLOPS at the end"]) / float(flushed["MFLOPS at the end"])
    return verdict(factors[0] != factors[1] and kept < 75,
                   f"factors {' and '.join(factors)}; without flush {kept:.0f} % of the rate")


def wall_and_cpu(table):
    """W10: beside a spinner wall time doubles, CPU time stays."""
    wall, cpu = (float(table.where("timer, clock", f"independent timer, {clock}")[0]["ratio"])
                 for clock in ("wall", "cpu"))
    why = f"beside a spinner wall time is {wall:.2f} times, CPU time {cpu:.2f} times as long"
    if wall < 1.2:
        return CANNOT, f"the spinner took no CPU: {why}"
    return verdict(wall > 1.5 and cpu < 1.15, why)


def methods_agree(table):
    """W28: within 10 % from 1 MB on, within 20 % from 160 kB on."""
    judged = [row for row in table.rows if float(row["kB"]) >= 150]
    if not judged:
        return CANNOT, "no operands of 160 kB and more"
    loud = [row["kernel"] for row in judged if UNQUIET in row["counted"]]
    if loud:
        return CANNOT, f"too few quiet turns: {', '.join(loud)}"
    apart = [row for row in judged
             if float(row["apart %"]) > (10 if float(row["kB"]) >= 1000 else 20)]
    if apart:
        return DOES_NOT, f"apart: {listed(apart, 'kernel', 'apart %', ' %')}"
    return HOLDS, f"{len(judged)} kernels, {max(float(r['apart %']) for r in judged):.3g} % at most"


def loop_is_biased(table):
    """W31: what is left when a loop of flushes is taken off is not the cold time."""
    rows = table.where("wrong way", "loop of flushes")
    wrong = [row for row in rows if abs(float(row["bias %"])) > 25]
    if not rows:
        return CANNOT, "no row of a loop of flushes"
    biases = listed(rows, "flush", "bias %", " %")
    return verdict(len(wrong) * 2 >= len(rows),
                   f"{len(wrong)} of {len(rows)} beyond 25 %: {biases}")


def written_is_warm(table):
    """W60: operands that are written anew instead of flushed take less than cold ones."""
    rows = table.where("wrong way", "written anew")
    if not rows:
        return CANNOT, "no row of operands written anew"
    return verdict(all(float(row["bias %"]) < -10 for row in rows),
                   listed(rows, "wrong way", "bias %", " %"))


# ---- Yi, Whaley and others ----

def timers_agree(table):
    """E9: two timers differ by less than 3 %, and a flush is always slower."""
    loud = table.loud("counted")
    if loud:
        return CANNOT, f"too few quiet turns: {', '.join(row['kernel'] for row in loud)}"
    worst = max(table.rows, key=lambda row: abs(float(row["median %"]) - 100))
    rates = {row["kernel"]: float(row["Assay MFLOPS"]) for row in table.rows}
    faster = [name for name, rate in rates.items() if name.endswith(" cold")
              and rate >= rates[name.removesuffix("cold") + "warm"]]
    if faster:
        return DOES_NOT, f"not slower with a flush: {', '.join(faster)}"
    return verdict(abs(float(worst["median %"]) - 100) < 3,
                   f"{worst['kernel']} is the worst, {float(worst['median %']):.1f} %")


def like_in_place(table):
    """E11: warm is within 3 % of later calls, cold within 10 % of first ones."""
    loud = table.loud("counted, late")
    if loud:
        return CANNOT, f"too few quiet turns: {', '.join(row['application'] for row in loud)}"
    near = all(abs(float(row["warm / late"]) - 1) < 0.03 and
               abs(float(row["cold / first"]) - 1) < 0.1 for row in table.rows)
    return verdict(near, f"warm / late: {listed(table.rows, 'application', 'warm / late')}; "
                   f"cold / first: {listed(table.rows, 'application', 'cold / first')}")


def rises(table):
    """E13: the more is flushed, the longer it takes."""
    flat = [row for row in table.rows
            if float(row["largest flush ns"]) < 1.05 * float(row["hot ns"])]
    if flat:
        return CANNOT, f"a flush costs nothing: {', '.join(row['kernel'] for row in flat)}"
    falls = sum(int(row["falls > 3 %"]) for row in table.rows)
    return verdict(falls == 0, f"{falls} times a larger flush took less, by more than 3 %")


# ---- the list ----

CLAIMS = {
    "exp1_curve": [Claim("W1", "a flush costs less from cache to cache", "exp1_plateaus",
                         plateaus)],
    "exp2_methods": [Claim("W28", "the cold methods agree", "exp2_methods", methods_agree)],
    "exp3_flush": [Claim("E13", "time rises with the bytes flushed", "exp3_ends", rises)],
    "exp4_guards": [
        Claim("W31", "taking off a loop of flushes is wrong", "exp4_biased", loop_is_biased),
        Claim("W60", "writing operands anew is no flush", "exp4_biased", written_is_warm)],
    "exp6_atlas": [Claim("E9", "two timers agree", "exp6_atlas", timers_agree)],
    "exp7_inapp": [Claim("E11", "warm and cold are later and first calls", "exp7_inapp",
                         like_in_place)],
    "exp8_clocks": [Claim("W10", "CPU time leaves other processes out", "exp8_clocks",
                          wall_and_cpu)],
    "exp10_tuning": [Claim("W2", "a timer without flush chooses another kernel", "exp10_outcome",
                           tuned_twice)],
}
