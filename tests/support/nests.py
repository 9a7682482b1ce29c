# SPDX-License-Identifier: Apache-2.0
"""The nests of tests/transform/: read, transformed, compiled and run against the original."""
import json
import pathlib
import re
import resource
import subprocess

NESTS = pathlib.Path(__file__).resolve().parent.parent / "transform"
TIMEOUT_S = 300                 # an end for what hangs
COMPILE = ["gcc", "-O1", "-std=gnu11", "-ffp-contract=off", "-w", "-fno-strict-aliasing"]

HARNESS = """
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
{declare_both}
{arrays}
static uint64_t state = 88172645463325252u;
static double next(void)
{{
    state ^= state << 13; state ^= state >> 7; state ^= state << 17;
    return (double)(state >> 12) / 4503599627370496.0 + 0.1;
}}
int main(void)
{{
{fill}
    {call_one};
    {call_two};
{compare}
    return 0;
}}
"""


class Nest:
    def __init__(self, path):
        self.path = path
        self.source = path.read_text()
        self.fields = {}
        comment = re.match(r"/\*(.*?)\*/", self.source, re.S).group(1)
        name = None
        for line in comment.splitlines():
            line = line.strip().removeprefix("*").strip()
            found = re.match(r"(data|values|call|scratch|options|script|why|differs):\s*(.*)", line)
            if found:
                name, text = found.groups()
                self.fields[name] = [text] if text else []
            elif name == "script" and line:
                self.fields[name].append(line)
        self.routine = re.match(r"\w+", self.fields["call"][0]).group(0)
        self.arrays = re.findall(r"(\w[\w ]*?)\s+(\w+)\[(\d+)\]", self.text("data"))

    def text(self, name):
        return " ".join(self.fields.get(name, []))

    def __str__(self):
        return f"{self.path.parent.name}/{self.path.stem}"


def nests(kind):
    return [Nest(path) for path in sorted((NESTS / kind).glob("*.c"))]


def transform(program, nest, workdir, *options):
    """The variant's source or None, the fault, seconds of CPU."""
    script = pathlib.Path(workdir) / "script"
    script.write_text("script 1\n" + "\n".join(nest.fields["script"]) + "\n")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run([program, "--script", script, *nest.text("options").split(), *options,
                          nest.path], capture_output=True, text=True, timeout=TIMEOUT_S)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    answer = json.loads(run.stdout)
    if run.returncode != 0:
        return None, answer, cpu
    return answer["variants"][0]["source"], answer, cpu


def compiled(source, name, routine, workdir):
    path = pathlib.Path(workdir) / f"{name}.c"
    path.write_text(source)
    done = subprocess.run([*COMPILE, f"-D{routine}={name}", "-c", path, "-o",
                           path.with_suffix(".o")], capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f"{name} does not compile: {done.stderr}\n{source}")
    return path.with_suffix(".o")


def differs(nest, variant, workdir):
    """The arrays that routine and variant leave different, of random contents."""
    objects = [compiled(nest.source, "original", nest.routine, workdir),
               compiled(variant, "variant", nest.routine, workdir)]
    call = nest.fields["call"][0]
    names = [name for _, name, _ in nest.arrays]

    def called(function, ending):
        words = re.sub(r"\b(" + "|".join(names) + r")\b", rf"(void *)(\1_{ending})", call)
        return words.replace(nest.routine, function, 1)

    scratch = nest.text("scratch").replace(",", " ").split()
    values = dict(re.findall(r"(\w+)=(\d+)", nest.text("values")))
    parts = {
        "declare_both": "double original(), variant();" if "returns" in nest.source[:400] else
                        "void original(), variant();",
        "arrays": "\n".join(f"static {kind} {name}_a[{n}], {name}_b[{n}];"
                            for kind, name, n in nest.arrays),
        "fill": "\n".join(
            f"    for (int i = 0; i < {n}; i++) {name}_a[i] = {name}_b[i] = "
            + (f"{values[name]};" if name in values else
               "next();" if kind in ("double", "float") else f"(int)(next() * 1000) % {n};")
            for kind, name, n in nest.arrays),
        "call_one": called("original", "a"), "call_two": called("variant", "b"),
        "compare": "\n".join(
            f'    if (memcmp({name}_a, {name}_b, sizeof {name}_a) != 0) puts("{name}");'
            for _, name, _ in nest.arrays if name not in scratch),
    }
    main = pathlib.Path(workdir) / "main.c"
    main.write_text(HARNESS.format(**parts))
    program = main.with_suffix("")
    subprocess.run([*COMPILE, main, *objects, "-o", program, "-lm"], check=True,
                   capture_output=True)
    run = subprocess.run([program], capture_output=True, text=True, timeout=TIMEOUT_S)
    if run.returncode != 0:
        return [f"ended with {run.returncode}"]
    return run.stdout.split()
