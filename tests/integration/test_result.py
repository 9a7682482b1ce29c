# SPDX-License-Identifier: Apache-2.0
"""
The result's schema and its decoder accept and refuse the same documents; PROTOCOL.md has each member; results that the
version before stored are read.
"""
import contextlib
import copy
import json
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest

import jsonschema

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import BUILD, Daemon, TREE  # noqa: E402

GOOD = TREE / "tests/data/results/good"
SCHEMA = json.loads((TREE / "schema/result.schema.json").read_text())
GONE = 2                        # one whose spec has a member that this version does not know
LATE = 14                       # the job of tests/data/databases/version_4.db that is not over
INSTEAD = (None, True, -1, 1.5, "x", [], {}, [None], [1, 2], ["x", "x"], {"x": 1}, {"x": {}})


def decode(documents, *options):
    """What the decoder says to each: None, or the fault.  What it accepts, it also writes, which must say the same."""
    lines = "".join(json.dumps(d) + "\n" for d in documents)
    run = subprocess.run([BUILD / "tests/decode_result", *options], input=lines, stdout=subprocess.PIPE, text=True, check=True)
    said = [json.loads(line) for line in run.stdout.splitlines()]
    assert len(said) == len(documents), run.stdout[-1000:]
    faults = [s if set(s) == {"member", "text"} else None for s in said]
    for document, fault, again in zip(documents, faults, said):
        if fault is None and not options and document != again:
            raise AssertionError(f"{document} is written as {again}")
    return faults


def places(value, path=()):
    """The path of every member and element, the first of an array standing for all."""
    steps = value.items() if isinstance(value, dict) else list(enumerate(value))[:1] if isinstance(value, list) else ()
    for name, below in steps:
        yield (*path, name)
        yield from places(below, (*path, name))


def at(document, path):
    for name in path:
        document = document[name]
    return document


def changed(document, path, value):
    other = copy.deepcopy(document)
    at(other, path[:-1])[path[-1]] = value
    return other


def without(document, path):
    other = copy.deepcopy(document)
    del at(other, path[:-1])[path[-1]]
    return other


class Agreement(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        jsonschema.Draft202012Validator.check_schema(SCHEMA)
        cls.validator = jsonschema.Draft202012Validator(SCHEMA)
        cls.good = {f.stem: json.loads(f.read_text()) for f in sorted(GOOD.glob("*.json"))}

    def assert_agreement(self, cases):
        """Of (title, document): both accept it, or both refuse it; what is accepted is written as it was read."""
        for (title, document), fault in zip(cases, decode([d for _, d in cases]), strict=True):
            refused = [e.message for e in self.validator.iter_errors(document)]
            if (fault is None) == (not refused):
                continue
            with self.subTest(title):
                self.fail(f"the decoder says {fault}, the schema {refused}")

    def faults(self, name, path, value):
        (fault,) = decode([changed(self.good[name], path, value)])
        return fault["member"], fault["text"]

    def test_good_documents_pass_both_and_are_written_as_they_were_read(self):
        self.assertGreaterEqual(len(self.good), 12)
        self.assertEqual([None] * len(self.good), decode([*self.good.values()]))
        for name, document in self.good.items():
            with self.subTest(name):
                self.assertEqual([], [e.message for e in self.validator.iter_errors(document)])

    def test_they_show_every_member_of_the_schema(self):
        shown = {path[-1] for document in self.good.values() for path in places(document)}
        members = {name for d in [SCHEMA, *SCHEMA["$defs"].values()] for name in d.get("properties", ())}
        self.assertEqual(set(), members - shown)

    def test_no_member_may_be_missing_that_is_required_nor_be_added(self):
        cases, seen = [], set()
        for name, document in self.good.items():
            for path in places(document):
                if isinstance(path[-1], str) and (path, name) not in seen:
                    seen.add((path, name))
                    cases.append((f"{name} without {path}", without(document, path)))
                    cases.append((f"{name} with x beside {path}", changed(document, (*path[:-1], "x"), 1)))
        self.assertGreater(len(cases), 1000)
        self.assert_agreement(cases)

    def test_each_member_has_its_type_and_its_words(self):
        cases, seen = [], set()
        for name, document in self.good.items():
            for path in places(document):
                if path not in seen:
                    seen.add(path)
                    cases += [(f"{name}, {path}: {value}", changed(document, path, value)) for value in INSTEAD]
        self.assertGreater(len(cases), 1500)
        self.assert_agreement(cases)

    def test_a_fault_names_the_place_and_what_is_wrong(self):
        self.assertEqual(("status", '"fine" is not known here'), self.faults("warm", ("status",), "fine"))
        self.assertEqual(("time.samples_ns[1]", "must be a number, not a string"),
                         self.faults("warm", ("time", "samples_ns"), [1.0, "x"]))
        self.assertEqual(("evidence.range.numbers.x", "must be an object, not an integer"),
                         self.faults("warm", ("evidence", "range", "numbers"), {"x": 1}))

    def test_a_reader_takes_what_is_missing_unknown_or_of_another_type_for_none(self):
        document = self.good["cold"]
        cases = [case for path in places(document) if isinstance(path[-1], str)
                 for case in (without(document, path), changed(document, path, ["other"]),
                              changed(document, (*path[:-1], "x"), 1))]
        self.assertEqual([None] * len(cases), decode(cases, "--lenient"))
        self.assertEqual([None], decode([{}], "--lenient"))


class Protocol(unittest.TestCase):
    """Section 5 of the protocol: a table for each object, its members in the order of the schema."""

    # heading -> the definition; "": the result itself
    TABLES = {"": SCHEMA, **SCHEMA["$defs"]}

    def tables(self):
        text = (TREE / "proto/PROTOCOL.md").read_text()
        section = re.search(r"^## 5\..*?(?=^## |\Z)", text, re.M | re.S)[0]
        for part in re.split(r"^(?=### )", section, flags=re.M)[1:]:
            heading = part.splitlines()[0].split(":")[0]
            rows = [re.findall(r"`(\w+)`", line.split("|")[1]) for line in part.splitlines() if line.startswith("| `")]
            yield re.findall(r"`(\w+)`", heading), [name for row in rows for name in row]

    def test_each_object_has_its_table_in_the_order_of_the_schema(self):
        told = {}
        for names, members in self.tables():
            for name in names or [""]:
                told[name] = members
        objects = {name for name, d in self.TABLES.items() if "properties" in d}
        self.assertEqual(objects, set(told))
        for name in objects:
            with self.subTest(name or "result"):
                self.assertEqual(list(self.TABLES[name]["properties"]), told[name])


class OlderDatabase(unittest.TestCase):
    """A database of schema version 4: results of every kind, a sweep, and a job that is not over."""

    @classmethod
    def setUpClass(cls):
        cls.state = pathlib.Path(tempfile.mkdtemp(prefix="assay-older-"))
        cls.addClassCleanup(shutil.rmtree, cls.state)
        shutil.copy(TREE / "tests/data/databases/version_4.db", cls.state / "assay.db")
        with contextlib.closing(sqlite3.connect(cls.state / "assay.db")) as database, database:
            database.execute("INSERT INTO specs (id, hash, text) VALUES (900, 0, '{\"routine\":\"void f(void)\",\"gone\":1}')")
            database.execute("UPDATE jobs SET spec_id = 900 WHERE id = ?", (GONE,))
        cls.daemon = Daemon(state=cls.state)
        cls.addClassCleanup(cls.daemon.stop)

    def stored(self):
        return [r for r in self.daemon.call("results.query", {"limit": 100})["results"] if r["job"] < LATE]

    def test_the_log_has_the_version_found_and_the_version_now(self):
        newest = len(list((TREE / "schema").glob("[0-9]*.sql")))
        lines = [line for line in self.daemon.log().splitlines() if line.startswith("info store=")]
        copied, opened = (f"info store={self.state}/assay.db version={v} " for v in (4, newest))
        self.assertEqual([f"{copied}copy={self.state}/assay.db.v4 made before the migration", f"{opened}found=4"], lines)

    def test_its_results_are_read_as_they_were_stored(self):
        found = self.stored()
        self.assertEqual(
            {"nobuild": "build_failed", "cold": "ok", "warm": "ok", "wrong": "wrong_answer", "crash": "crashed", "vs": "ok",
             "sweep": "ok", "random": "ok", "multi": "ok", "verified": "ok", "counters": "ok", "plain": "ok", "slow": "ok"},
            {r["name"]: r["status"] for r in found})
        self.assertEqual([None] * len(found), decode(found, "--lenient"))
        (compared,) = (r for r in found if r["name"] == "vs")
        self.assertEqual("student", compared["comparison"]["t_test"]["kind"])

    def test_its_specs_are_filled_in_as_far_as_this_version_reads_them(self):
        for r in self.stored():
            with self.subTest(r["name"]):
                told = self.daemon.call("job.spec", {"id": r["job"]})
                self.assertEqual(64, len(told["spec_hash"]))
                if r["job"] == GONE:
                    self.assertEqual((None, {"routine": "void f(void)", "gone": 1}), (told["normal"], told["spec"]))
                else:
                    self.assertIn("page_tables", told["normal"]["timing"]["flush"])

    def test_they_are_ranked_with_their_estimators(self):
        best = self.daemon.call("results.best", {"sweep": "two", "top": 2})
        first, second = best["results"]
        self.assertLess(first["time"]["value_ns"], second["time"]["value_ns"])
        self.assertEqual(sorted({r["time"]["estimator"] for r in (first, second)}), sorted(best["estimators"]))
        self.assertEqual(second["time"]["ci95_ns"][0] <= first["time"]["ci95_ns"][1], best["difference"]["overlap"])

    def test_the_command_line_shows_each(self):
        for r in self.stored():
            with self.subTest(r["name"]):
                run = subprocess.run([BUILD / "assay", "--socket", self.daemon.socket, "results", str(r["job"])],
                                     capture_output=True, text=True)
                self.assertEqual("", run.stderr)
                self.assertIn(r["name"], run.stdout)

    def test_its_unfinished_job_is_queued_and_can_be_cancelled(self):
        job = self.daemon.call("job.get", {"id": LATE})
        self.assertEqual(("queued", "late"), (job["state"], job["name"]))
        self.assertEqual([LATE], self.daemon.call("job.cancel", {"ids": [LATE]})["cancelled"])
        self.daemon.call("job.wait", {"ids": [LATE]})
        result = self.daemon.call("job.get", {"id": LATE})["result"]
        self.assertEqual(("cancelled", {"kept": True}), (result["status"], result["meta"]))


if __name__ == "__main__":
    unittest.main()
