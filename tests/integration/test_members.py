# SPDX-License-Identifier: Apache-2.0
"""The decoder's tables, the schemas and assay-spec(5) have the same members, bounds, words and defaults."""
import copy
import json
import pathlib
import random
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from schemas import KINDS, ROOT, decode, members, read_schema, validator  # noqa: E402

PAGE = ROOT / "schema" / "assay-spec.5"
VARIANT = "variant"
# where a variant stands beside the job's own; a template is one of which the space may give any part
VARIANTS = {"job": ("against", "spec.check.reference", "spec.timing.metric.library"), "sweep": ("variants[]", "template"), "compare": ("variants[]",),
            "variants": ("variants[]",)}
# members of a job that documents of many jobs have for all of them
COMMON = ("meta", "priority", "not_before", "deadline", "window", "timeout_ms", "timeout_ms.build", "timeout_ms.run",
          "threads", "copies", "retries", "jail", "fresh", "visibility", "visibility[]", "race", "race.above_ns")
# a member that only documents of a kind have
OWN = {"job": "variant", "sweep": "name", "compare": "compare"}
BOUNDS = ("minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties")


class Schema:
    """What a schema has of each member, in the words of print_members."""

    def __init__(self, kind):
        self.documents = {}
        self.file = f"{kind}.schema.json"
        self.facts = {}
        for form in self.forms(read_schema(kind), self.file):
            self.add_inner("", *form)

    def forms(self, node, file):
        """The plain schemas, each with its file, of which a value may fit one: without $ref, allOf, oneOf and if."""
        if "$ref" in node:
            name, _, pointer = node["$ref"].partition("#")
            rest = {k: v for k, v in node.items() if k != "$ref"}
            return [({**form, **rest}, where) for form, where in self.forms(*self.find(name or file, pointer))]
        if "if" in node and not set(node) - {"if", "then", "else"}:
            return self.forms(node["then"], file) + self.forms(node["else"], file) if "else" in node else []
        rest = {k: v for k, v in node.items() if k not in ("oneOf", "allOf", "if", "then", "else")}
        if "allOf" in node:
            for part in node["allOf"]:
                for form, _ in self.forms(part, file):
                    rest = {**form, **rest, "required": rest.get("required", []) + form.get("required", [])}
            return [(rest, file)]
        if "oneOf" in node and any("type" in form or "enum" in form for form in node["oneOf"]):
            return [({**form, **rest}, where) for inner in node["oneOf"] for form, where in self.forms(inner, file)]
        return [(rest, file)]

    def find(self, file, pointer):
        if file not in self.documents:
            self.documents[file] = json.loads((ROOT / "schema" / file).read_text())
        node = self.documents[file]
        for part in pointer.strip("/").split("/"):
            node = node[part]
        return node, file

    def add(self, path, node, file, required=False):
        facts = self.facts[path] = {"types": set(), "required": required}
        for form, where in self.forms(node, file):
            self.add_form(facts, form)
            self.add_inner(path, form, where)

    def add_form(self, facts, form):
        types = form.get("type", [])
        facts["types"] |= {types} if isinstance(types, str) else set(types)
        self.add_enum(facts, form.get("enum", []))
        for name in BOUNDS + ("default",):
            if name in form:
                facts[name] = form[name]

    def add_enum(self, facts, values):
        numbers = [v for v in values if isinstance(v, int) and not isinstance(v, bool)]
        words = [v for v in values if isinstance(v, str)]
        facts["types"] |= {"null"} if None in values else set()
        facts["types"] |= {"boolean"} if True in values and False in values else set()
        if words:
            facts["words"] = words
        if numbers and numbers == [2 ** i for i in range(numbers[0].bit_length() - 1, numbers[-1].bit_length())]:
            facts["types"].add("integer")
            facts.update(minimum=numbers[0], maximum=numbers[-1], power_of_two=True)

    def add_inner(self, path, form, file):
        for name, inner in form.get("properties", {}).items():
            self.add(f"{path}.{name}" if path else name, inner, file, name in form.get("required", []))
        if isinstance(form.get("additionalProperties"), dict):
            self.add(f"{path}.*", form["additionalProperties"], file)
        if isinstance(form.get("items"), dict):
            self.add(f"{path}[]", form["items"], file)


def is_source(path):
    return path == "source" or path.endswith(".source")


class TableAndSchema(unittest.TestCase):
    """Both ways: a member in one and not in the other fails, and so does a differing fact."""

    @classmethod
    def setUpClass(cls):
        cls.tables = members()
        cls.schemas = {kind: Schema(kind).facts for kind in KINDS}

    def normal(self, kind, path, facts, schema):
        facts = {**facts, "types": sorted(facts["types"])}
        if is_source(path):
            # the schema has the bound of a text beside that of a file, in the rules of a variant
            facts.pop("maxLength", None)
        if path.startswith("template.") and not schema:
            facts["required"] = False
        return facts

    def of_space(self, facts):
        """A dimension with the name of a variant's member: a list of what that member is."""
        return {path for path in facts if path.startswith("space.") and not path.startswith("space.*")}

    def test_members_and_what_is_allowed_are_the_same(self):
        for kind in KINDS:
            table, schema = self.tables[kind], self.schemas[kind]
            self.assertGreater(len(table), 80)
            self.assertEqual(set(table), set(schema) - self.of_space(schema) - {"space.*[]"}, kind)
            for path in table:
                with self.subTest(kind=kind, member=path):
                    self.assertEqual(self.normal(kind, path, table[path], False),
                                     self.normal(kind, path, schema[path], True))

    def test_a_source_has_the_bound_of_a_text(self):
        rules = read_schema("job")["$defs"]["variant_rules"]["allOf"][0]
        most = self.tables["job"]["variant.source"]["maxLength"]
        self.assertEqual(most, rules["else"]["properties"]["source"]["maxLength"])
        self.assertEqual((most + 2) // 3 * 4, rules["then"]["properties"]["source"]["maxLength"])

    def test_values_of_a_dimension_are_what_the_member_of_the_variant_is(self):
        schema = self.schemas["sweep"]
        own = {path.split(".")[1] for path in self.tables["sweep"] if re.fullmatch(r"template\.\w+", path)}
        self.assertEqual({f"space.{name}" for name in own},
                         {path for path in self.of_space(schema) if "[" not in path and path.count(".") == 1})
        for name in own:
            value, member = dict(schema[f"space.{name}[]"]), dict(schema[f"template.{name}"])
            value.pop("default", None), member.pop("default", None)
            self.assertEqual({**value, "required": False}, {**member, "required": False}, name)

    def test_every_variant_has_the_members_of_the_jobs_own(self):
        own = {path[len(VARIANT):]: facts for path, facts in self.tables["job"].items() if path.startswith(VARIANT + ".")}
        for kind, places in VARIANTS.items():
            for place in places:
                self.assertEqual(own, {path[len(place):]: facts for path, facts in self.tables[kind].items()
                                       if path.startswith(place + ".")}, place)


# ---- the manual ----

def bounds(facts, least, most, unit=""):
    low, high = facts.get(least), facts.get(most)
    if low is None and high is None:
        return ""
    if high is None:
        return f", {plain(low)} or more{unit}"
    return (f", {plain(low)} to {plain(high)}" if low is not None else f", at most {plain(high)}") + unit


def plain(number):
    """0.000001, not 1e-06; 1, not 1.0."""
    return f"{number:.6f}".rstrip("0").rstrip(".") if isinstance(number, float) else str(number)


def phrase(table, path):
    """What is allowed, in words."""
    facts = table[path]
    types, said = set(facts["types"]), []
    if "words" in facts:
        said.append("one of " + ", ".join(facts["words"]) if len(facts["words"]) > 1 else f"the word {facts['words'][0]}")
    if {"string", "number"} <= types and "minLength" in facts:
        said.append("expression")
        types -= {"string", "number"}
    if "boolean" in types:
        said.append("true or false")
    if "integer" in types:
        said.append(("power of two" if "power_of_two" in facts else "integer") + bounds(facts, "minimum", "maximum"))
    if "number" in types:
        said.append("number" + bounds(facts, "minimum", "maximum"))
    if "string" in types:
        said.append("text" + bounds(facts, "minLength", "maxLength", " bytes"))
    if "array" in types:
        said.append("list" + bounds(facts, "minItems", "maxItems", " elements"))
    if "object" in types:
        one = facts.get("minProperties") == facts.get("maxProperties") == 1
        said.append("object with one member" if one else
                    "object" + bounds(facts, "minProperties", "maxProperties", " members"))
    if "null" in types:
        said.append("null")
    inner = [p for p in (f"{path}[]", f"{path}.*") if p in table]
    return "; or ".join(said) + (f"; each: {phrase(table, inner[0])}" if inner else "")


def first_line(table, path):
    """The line that an entry of the manual begins with."""
    facts = table[path]
    line = phrase(table, path) + ("; required" if facts["required"] else "")
    if "default" in facts:
        value = facts["default"]
        line += "; default " + (value if "words" in facts and value is not None and value else json.dumps(value))
    return line[0].upper() + line[1:] + "."


class Page:
    """assay-spec.5: its entries, and its examples with the document and the place in it where each stands."""

    def __init__(self):
        self.entries = {kind: {} for kind in KINDS}
        self.examples = []          # (line, kind, document)
        self.first, self.base, self.place, self.entry = {}, {}, None, None
        lines = iter(enumerate(PAGE.read_text().splitlines(), 1))
        for number, line in lines:
            if line.startswith('.\\" members: '):
                kind, _, path = line.split(": ")[1].partition(" ")
                self.place = (kind, path)
            elif line.startswith((".Sh ", ".Ss ")):
                self.base = dict(self.first)
            elif line.startswith(".El") and self.entry:
                self.place = self.entry = None
            elif self.place and line.startswith(".It Cm "):
                self.entry = line.split()[2]
                self.add_entry(self.sentence(lines))
            elif line.startswith(".Bd -literal"):
                self.add_example(number, self.block(lines))

    def sentence(self, lines):
        text = []
        while not text or not text[-1].endswith("."):
            text.append(next(lines)[1])
        return " ".join(text)

    def block(self, lines):
        text = []
        for _, line in lines:
            if line == ".Ed":
                return "\n".join(text).replace("\\e", "\\")
            text.append(line)
        raise AssertionError("a display without an end")

    def add_entry(self, line):
        kind, path = self.place
        path = re.sub(r"^spec\.args\.\w+", "spec.args.*", path)
        path = f"{path}.{self.entry}" if path else self.entry
        if path in self.entries[kind]:
            raise AssertionError(f"{path} has two entries")
        self.entries[kind][path] = line.replace("\\-", "-")

    def add_example(self, number, text):
        if text.startswith("{"):
            document = json.loads(text)
            kind = next((k for k, member in OWN.items() if member in document), "variants")
            if self.entry is None:
                self.base[kind] = document
                self.first.setdefault(kind, document)
            self.examples.append((number, kind, document))
        elif self.entry is not None:
            kind, path = self.place
            self.examples.append((number, kind, put_over(self.base[kind], path, json.loads("{" + text + "}"))))
            if self.entry.split(".")[0] not in json.loads("{" + text + "}"):
                raise AssertionError(f"line {number}: an example without {self.entry}")


def put_over(base, path, extra):
    """The document with these members put over what stands at the path."""
    document = copy.deepcopy(base)
    node, up, last = document, None, None
    for last in path.split(".") if path else ():
        up = node
        if not isinstance(up.get(last), dict):
            up[last] = {}
        node = up[last]
    if up is not None and not isinstance(base_at(base, path), dict):
        node.clear()
    node.update(extra)
    return document


def base_at(base, path):
    for part in path.split("."):
        base = base.get(part, {}) if isinstance(base, dict) else None
    return base


class PageAndTable(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.tables = members()
        cls.page = Page()

    def wanted(self, kind):
        """The members that the page has an entry for: each once, elements with their list."""
        other = VARIANTS[kind] + (("spec",) if kind != "job" else ()) + (("compare",) if kind == "compare" else ())
        return {path for path in self.tables[kind]
                if not re.search(r"(\[\]|\.\*)$", path) and not any(path.startswith(o + ".") for o in other)
                and not (kind != "job" and path in COMMON)}

    def test_each_member_has_one_entry_and_no_other_has(self):
        for kind in KINDS:
            self.assertEqual(self.wanted(kind), set(self.page.entries[kind]), kind)

    def test_each_entry_begins_with_what_the_table_has(self):
        for kind in KINDS:
            for path, line in self.page.entries[kind].items():
                with self.subTest(kind=kind, member=path):
                    self.assertEqual(first_line(self.tables[kind], path), line)

    def test_members_for_all_jobs_are_those_of_a_job(self):
        for kind in ("sweep", "variants", "compare"):
            for path in COMMON:
                self.assertEqual(self.tables["job"][path], self.tables[kind][path], path)

    def test_each_example_decodes_and_fits_its_schema(self):
        self.assertGreater(len(self.page.examples), 80)
        for kind in KINDS:
            examples = [e for e in self.page.examples if e[1] == kind]
            schema = validator(kind)
            for (number, _, document), fault in zip(examples, decode(kind, [e[2] for e in examples])):
                with self.subTest(line=number, example=document):
                    self.assertIsNone(fault)
                    self.assertEqual([e.message for e in schema.iter_errors(document)], [])


# ---- what the decoder does ----

SPEC = {"routine": "void f(int n, double a, const double *x, double *y)", "check": {"reference": {"source": "z"}},
        "args": {"n": 4, "a": 1.5, "x": {"dims": [4]}, "y": {"dims": [4]}}}
JOB = {"variant": {"source": "x"}, "spec": SPEC}
PAIR = {**JOB, "against": {"source": "y"}}
MEASURED = {**JOB, "spec": {**SPEC, "timing": {"metric": {"library": {"source": "x"}}}}}
STARTED = {"variant": {"source": "x"}, "spec": {"program": {"args": ["7"]}}}
SPREAD = {**JOB, "spec": {**SPEC, "timing": {"layout": "sweep"}}}


class Defaults(unittest.TestCase):
    def base(self, path):
        if path in ("spec.timing.layouts", "spec.timing.layout_seed"):
            return SPREAD
        if path.startswith("spec.program."):
            return STARTED
        if path.startswith("spec.timing.metric."):
            return MEASURED
        return PAIR if path.startswith(("against.", "compare")) else JOB

    def test_a_default_said_is_the_default_left_out(self):
        table = members()["job"]
        paths = [path for path, facts in table.items() if "default" in facts]
        self.assertGreater(len(paths), 30)
        bases = decode("job", [self.base(path) for path in paths], "--encode")
        said = []
        for path in paths:
            place, _, name = path.replace("*", "y").rpartition(".")
            said.append(put_over(self.base(path), place, {name: table[path]["default"]}))
        for path, left_out, job in zip(paths, bases, decode("job", said, "--encode")):
            if path == "spec.timing.budget_ms":     # one that is asked for is more than a default: `gate` waits as long
                self.assertEqual(1000, job["spec"]["timing"].pop("budget_ms"))
            with self.subTest(path):
                self.assertEqual(left_out, job)


class Texts(unittest.TestCase):
    """What a schema's patterns let pass and what the decoder does, on texts like those that are right."""

    ALPHABET = "aZ_09 .,:;-+=/#@$%\\\"\t\x7f\u00e9"
    EACH = 60
    # texts that are right, where one stands, and whether the pattern shows all that is wrong
    PLACES = {
        "window": (["22:00-06:00", "00:00-23:59"], lambda t: {"window": t}, False),
        "moment": (["2026-01-02T22:00:00Z", "2026-01-02T22:00:00.5+01:00"], lambda t: {"deadline": t}, False),
        "label": (["axpy", "a b"], lambda t: {"key": t}, True),
        "compiler": (["gcc-12", "clang", "clang-19", "clang-inproc", "tcc"], lambda t: {"variant": {"source": "x", "compiler": t}}, True),
        "flag": (["-O3", "-march=native", "-DX=1", "--param=a=1"], lambda t: {"variant": {"source": "x", "flags": [t]}}, False),
        "macro": (["double", "(x)"], lambda t: {"variant": {"source": "x", "defines": {"M": t}}}, True),
        "macro's name": (["TYPE", "_t"], lambda t: {"variant": {"source": "x", "defines": {t: 1}}}, True),
        "param": (["row-major", "a.b"], lambda t: {"spec": {**SPEC, "params": {"P": t}}}, True),
        "param's name": (["SIZE", "n_1"], lambda t: {"spec": {**SPEC, "params": {t: 1}}}, True),
        "counter": (["clx::CYCLES:u", "PERF_COUNT_HW_CPU_CYCLES", "power/energy-pkg/"],
                    lambda t: {"spec": {**SPEC, "timing": {"counters": [t]}}}, True),
        "image": (["words.image", "a"], lambda t: {"spec": {"routine": "void f(void)", "checkpoint": t}}, True),
        "file": (["f0VMRgAB", "f0VMRg=="], lambda t: {"variant": {"language": "object", "source": t}}, False),
    }

    def texts(self, place, right):
        dice = random.Random(place)         # the same in every run
        for i in range(self.EACH):
            text = list(right[i % len(right)])
            for _ in range(dice.randrange(3)):
                at, what = dice.randrange(len(text) + 1), dice.choice(self.ALPHABET)
                text[at:at + dice.randrange(2)] = [what] * dice.randrange(2)
            yield "".join(text)

    def test_what_a_pattern_refuses_the_decoder_refuses_and_the_other_way_round(self):
        schema = validator("job")
        for place, (right, around, all_of_it) in self.PLACES.items():
            texts = sorted({*right, *self.texts(place, right)})
            documents = [{**JOB, **around(text)} for text in texts]
            passed = 0
            for text, document, fault in zip(texts, documents, decode("job", documents)):
                fits = schema.is_valid(document)
                passed += fits and fault is None
                with self.subTest(place, text=text, fault=fault):
                    self.assertTrue(fits or fault is not None)
                    self.assertTrue(fault is None or not fits or not all_of_it)
            self.assertGreaterEqual(passed, len(right), place)
            self.assertLess(passed, len(texts), place)


if __name__ == "__main__":
    unittest.main()
