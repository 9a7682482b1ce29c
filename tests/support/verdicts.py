# SPDX-License-Identifier: Apache-2.0
"""
What programs of three kinds print about their tests: cmocka's, unittest's, and those that print
"ok RULE" and "not ok RULE".

    count(output)           how many tests passed, failed and were skipped
    verdicts(output)        (word, test, lines that it printed) of each test, in their order
    failures(output)        (test, why) of each test that failed
    unfinished(output)      (test, what it had said) of the test that runs when the output ends;
                            None: no test does
"""
import re

SANITIZER = re.compile(r"SUMMARY: .*Sanitizer: |: runtime error: ")
REASON = re.compile(r"\[ +(?:LINE|ERROR) +\] --- (?:\[ +LINE +\] --- )?(.*?)"
                    r"(?:: error: Failure!)?$")
LONGEST = 300


class Cmocka:
    """
    RUN, errors and their places, then OK, FAILED or SKIPPED; after its last test cmocka names all
    that failed again.
    """
    WORDS = {"OK": "ok", "FAILED": "failed", "SKIPPED": "skipped"}

    def _tests(self, output):
        """(word, test, lines); the word of a test without an end is None."""
        test, said = None, []
        for line in output.splitlines():
            if match := re.match(r"\[ RUN      \] (.*)", line):
                test, said = match[1], []
            elif (match := re.match(r"\[ +(OK|FAILED|SKIPPED) +\] |(Could not run test): ",
                                    line)) and test is not None:
                yield self.WORDS[match[1] or "FAILED"], test, said + [line] * bool(match[2])
                test = None
            elif test is not None:
                said.append(line)
        if test is not None:
            yield None, test, said

    @staticmethod
    def _reason(said):
        """The errors and their places, in a line."""
        reasons = []
        for line in said:
            if match := REASON.match(line):
                reasons.append(match[1])
            elif line.startswith("ERROR: "):
                reasons.append(line.removeprefix("ERROR: "))
            elif line.startswith("Could not run test: ") or SANITIZER.search(line):
                reasons.append(line)
        return ", ".join(filter(None, reasons))

    def count(self, output):
        words = [word for word, _, _ in self._tests(output)]
        return [words.count(word) for word in ("ok", "failed", "skipped")]

    def verdicts(self, output):
        return [found for found in self._tests(output) if found[0] is not None]

    def failures(self, output):
        return [(test, self._reason(said)) for word, test, said in self._tests(output)
                if word == "failed"]

    def unfinished(self, output):
        return next(((test, self._reason(said)) for word, test, said in self._tests(output)
                     if word is None), None)


class Unittest:
    """
    With -v a verdict stands behind its test, or on a later line if the test printed something.
    """

    def count(self, output):
        """
        Out of its summary: "Ran N tests in …", then "OK (…)" or "FAILED (failures=N, errors=N,
        skipped=N, …)".
        """
        summaries = re.findall(r"^Ran (\d+) tests? in .*\n+(?:OK|FAILED)(?: \((.*)\))?$", output,
                               re.M)
        if not summaries:
            return [0, 0, 0]
        ran, details = summaries[-1]
        numbers = {word: int(n) for word, n in re.findall(r"\b(\w+)=(\d+)", details)}
        failed = numbers.get("failures", 0) + numbers.get("errors", 0)
        skipped = numbers.get("skipped", 0)
        return [max(0, int(ran) - failed - skipped), failed, skipped]

    def verdicts(self, output):
        found, test, said = [], None, []
        for line in output.splitlines():
            if match := re.match(r"(test\w*) \(.*?\)", line):
                test, said, line = match[1], [], line[match.end():]
            if test is None:
                continue
            line = line.rpartition(" ... ")[2]
            if match := re.fullmatch(r"(ok|FAIL|ERROR|skipped)\b.*", line):
                found.append(({"ok": "ok", "skipped": "skipped"}.get(match[1], "failed"), test,
                              said))
                test = None
            elif line:
                said.append(line)
        return found

    def failures(self, output):
        """
        A rule, the test, a rule, the traceback: the last exception failed it, at the test's own
        last line.
        """
        blocks = re.findall(r"^======+\n(?:FAIL|ERROR): (.*)\n((?:(?!======|Ran \d).*\n)*)", output,
                            re.M)
        return [(test, self._reason(text)) for test, text in blocks]

    @staticmethod
    def _reason(text):
        places = re.findall(r'^  File ".*tests/\w+/(test_[^"]*)", line (\d+)', text, re.M)
        exceptions = re.findall(r"^Traceback .*\n(?:  .*\n|\n)*(\S.*)", text, re.M)
        return ": ".join([":".join(place) for place in places[-1:]] + exceptions[-1:])

    def unfinished(self, _):
        return None


class Rules:
    def verdicts(self, output):
        return [("failed" if no else "ok", rule, [])
                for no, rule in re.findall(r"^(not )?ok (.*)", output, re.M)]

    def count(self, output):
        words = [word for word, _, _ in self.verdicts(output)]
        return [words.count("ok"), words.count("failed"), 0]

    def failures(self, output):
        return [(rule, "") for word, rule, _ in self.verdicts(output) if word == "failed"]

    def unfinished(self, _):
        return None


def lines(kind, program, output, end):
    """
    A line for each test that failed, and for a program that ended badly (`end`: how) without one.
    """
    found = kind.failures(output)
    if end is not None and (left := kind.unfinished(output)) is not None:
        found.append((left[0], ", ".join(filter(None, [end, left[1]]))))
    if end is not None and not found:
        found.append((end, (output.splitlines() or [""])[-1]))
    for test, why in found:
        line = f"failed: {program}: {test}{': ' * bool(why)}{why}"
        yield re.sub(r"\s+", " ", line)[:LONGEST]
