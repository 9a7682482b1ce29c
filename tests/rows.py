# SPDX-License-Identifier: Apache-2.0
"""
Holds tests/ROWS.md, the list of what the papers have, against the tests.  usage: rows.py [--update]

Prints "ok RULE" or "not ok RULE" with the places; the exit status is 1 if a rule does not hold.
--update writes into the table each test whose name carries the number of its row, and takes out
the tests that are gone.

A test is named by `folder/program` and by its name without what all tests of the program begin
with.  A name carries a row's number between underscores: test_P5_…, test_driver_P5_….
"""
import ast
import collections
import pathlib
import re
import sys

TESTS = pathlib.Path(__file__).resolve().parent
FOLDERS = ("unit", "integration", "timing")
COUNTS = {"P": 47, "I": 14, "C": 14, "E": 17, "W": 65, "M": 45, "L": 50, "G": 31, "R": 48, "D": 16,
          "X": 18}
ROWS = [f"{letter}{n}" for letter, count in COUNTS.items() for n in range(1, count + 1)]
STATES = ("works", "partial", "missing")
NUMBER = re.compile(r"(?<=_)([A-Z]\d+)(?=_)")
LINE = re.compile(r"\| (\w+) \| (\w+) \| (.+?) \|(?: (.*?))? ?\|$")


def short(program, name):
    """A test's name without what all tests of its program begin with."""
    return name.removeprefix("test_").removeprefix(program.removeprefix("test_") + "_")


def tests_of(path):
    """Names of what the program runs."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".c":
        return [name for name in re.findall(r"^(\w+)\(void \*\*state\)$", text, re.M)
                if re.search(rf"\w\(\s*{name}[,)]", text)]
    kinds = [kind for kind in ast.walk(ast.parse(text)) if isinstance(kind, ast.ClassDef)]
    return [part.name for kind in kinds for part in kind.body
            if isinstance(part, ast.FunctionDef) and part.name.startswith("test")]


def all_tests():
    """{(folder/program, short name): rows whose numbers it carries}"""
    found = {}
    for folder in FOLDERS:
        for path in sorted((TESTS / folder).glob("test_*.*")):
            for name in tests_of(path) if path.suffix in (".c", ".py") else ():
                numbers = [n for n in NUMBER.findall(f"_{name}_") if n in ROWS]
                found[f"{folder}/{path.stem}", short(path.stem, name)] = numbers
    return found


class Row:
    def __init__(self, number, state, title, cell):
        self.number, self.state, self.title = number, state, title
        self.tests = [(program, name.strip()) for program, names in
                      re.findall(r"`([^`]+)` ([^`;]+)", cell) for name in names.split(",")]

    def line(self):
        programs = collections.defaultdict(list)
        for program, name in self.tests:
            programs[program].append(name)
        cell = "; ".join(f"`{program}` {', '.join(names)}" for program, names in programs.items())
        return f"| {self.number} | {self.state} | {self.title} | {cell} |".replace("|  |", "| |")


def read(text):
    """The table's rows, and its lines that are none."""
    lines = [line for line in text.splitlines() if re.match(r"\| [A-Z]\d", line)]
    matches = [(line, LINE.match(line)) for line in lines]
    rows = [Row(m[1], m[2], m[3], m[4] or "") for _, m in matches if m and m[1] in ROWS]
    return rows, [line for line, m in matches if not m or m[1] not in ROWS]


def updated(text, tests):
    """The table with the tests that are there."""
    rows = {row.number: row for row in read(text)[0]}
    for row in rows.values():
        carry = [t for t, numbers in tests.items() if row.number in numbers]
        row.tests = [t for t in row.tests if t in tests] + [t for t in carry if t not in row.tests]
    return "".join(f"{rows[m[1]].line() if (m := LINE.match(line)) and m[1] in rows else line}\n"
                   for line in text.splitlines())


def verdicts(text, tests):
    """(rule, places where it does not hold)"""
    rows, unread = read(text)
    numbers = [row.number for row in rows]
    named = {(row.number, test) for row in rows for test in row.tests}
    yield "every row is in the table once, in its order", unread + [
        f"{n} is there {numbers.count(n)} times" for n in ROWS if numbers.count(n) != 1] + [
        "rows are out of order"] * (numbers != ROWS and sorted(numbers) == sorted(ROWS))
    yield "every row works, works in part, or is missing", [
        f"{row.number} is {row.state}" for row in rows if row.state not in STATES]
    yield "a row that works names a test, and one that is missing none", [
        f"{row.number} {row.state}" for row in rows
        if (row.state == "works" and not row.tests) or (row.state == "missing" and row.tests)]
    yield "every test that a row names is there", [
        f"{number}: {' '.join(test)}" for number, test in sorted(named) if test not in tests]
    yield "every test is named by the rows whose numbers it carries", [
        f"{number}: {' '.join(test)}" for test, carried in tests.items() for number in carried
        if (number, test) not in named]


def main():
    path, tests = TESTS / "ROWS.md", all_tests()
    text = path.read_text(encoding="utf-8")
    if sys.argv[1:] == ["--update"]:
        text = updated(text, tests)
        path.write_text(text, encoding="utf-8")
    failed = 0
    for rule, places in verdicts(text, tests):
        print(f"{'not ok' if places else 'ok'} {rule}", *places, sep="\n    ")
        failed += bool(places)
    if failed:
        print("    tests/rows.py --update writes down what is new and takes out what is gone")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
