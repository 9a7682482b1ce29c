# SPDX-License-Identifier: Apache-2.0
"""
Latency and reciprocal throughput of 30 register instructions, against the tables of llvm-mca.

Descriptions make loops of one instruction, with 32 and with 64 copies: in a chain through the
destination, or with destinations that rotate.  The difference of the two is the time of 32 copies,
without that of the loop.  `opcode_pct` is the largest deviation from the tables.

They are instructions of arithmetic and logic, chosen from some 57 that were measured.  Left out are
those with another entry for Zen 4 in LLVM 19 than the core itself shows: by a factor of 2 tzcnt, bsf,
pshufb, packssdw, pabsd and rsqrtps, and by less punpckldq, haddps and sqrtsd.
"""
import json
import pathlib
import platform
import re
import shutil
import statistics
import subprocess
import tempfile

from figure import Figure, Unmeasured
from harness import BUILD

FIGURES = {"opcode_pct": "<= 2"}
NO_GOAL = "<= inf"
MCA, PACKAGE = "llvm-mca-19", "llvm-19"
# Cores of which LLVM 19 has a model.  Others borrow one: znver5 that of znver4.
MODELS = {"haswell", "broadwell", "skylake", "skylake-avx512", "cascadelake", "icelake-client", "icelake-server", "tigerlake",
          "sapphirerapids", "alderlake", "znver1", "znver2", "znver3", "znver4"}
COPIES, ITERATIONS, SAMPLES, ROUNDS = 32, 1000, 10, 5

# Registers: the source, and the destination's name with its first and last number.
VECTOR, GENERAL = ("%xmm15", "%xmm", 0, 14), ("%rdx", "%r", 8, 15)
# Groups of instructions: registers, whether the destination is not read but is the source, names.
GROUPS = (
    (GENERAL, False, "add sub and or xor imul cmovz crc32q".split()),
    (GENERAL, True, "popcnt lzcnt".split()),
    (VECTOR, False, "addss mulss divss addsd mulsd divsd addps mulps divps minps maxps andps xorps paddd psubd pand pmuludq "
                    "pmaddwd".split()),
    (VECTOR, True, "sqrtss sqrtps".split()),
)
DESCRIPTION = """<description><kernel><name>opcode</name>
<instruction>{operations}{source}{destination}</instruction>
<unrolling><min>{least}</min><max>{most}</max><progress>{least}</progress></unrolling>
<induction><register><phyName>%eax</phyName></register><increment>1</increment><not_affected_unroll/></induction>
<induction><register><name>r0</name></register><increment>-1</increment><not_affected_unroll/><last_induction/></induction>
<branch_information><label>L1</label><test>jg</test></branch_information>
</kernel></description>"""


def register(name, first=None, last=None):
    numbers = "" if first is None else f"<min>{first}</min><max>{last}</max>"
    return f"<register><phyName>{name}</phyName>{numbers}</register>"


def description(registers, unary, operations, chain):
    source, name, first, last = registers
    destination = register(name, first, first if chain else last)
    return DESCRIPTION.format(operations="".join(f"<operation>{o}</operation>" for o in operations),
                              source=destination if unary and chain else register(source), destination=destination,
                              least=COPIES, most=2 * COPIES)


def results(service, text):
    with tempfile.TemporaryDirectory() as workdir:
        path = pathlib.Path(workdir, "opcodes.xml")
        path.write_text(text)
        ran = subprocess.run([BUILD / "assay", "-q", "-s", service.socket, "micro", "run", path, "--ndjson", "--startvector",
                              str(ITERATIONS), "--metarepetition", str(SAMPLES)], stdout=subprocess.PIPE, text=True)
    return [json.loads(line) for line in ran.stdout.splitlines()]


def cycles(service, text):
    """Of one copy, by operation; of those that have a time."""
    found = {}
    for result in results(service, text):
        if (time := result["time"]) is None:
            continue
        if time["per_iteration"].get("cycles") is None:
            raise Unmeasured("the clock of the core is not known")
        found.setdefault(result["meta"]["operations"][0], {})[result["meta"]["unroll"]] = time["per_iteration"]["cycles"]
    return {o: (at[2 * COPIES] - at[COPIES]) / COPIES for o, at in found.items() if len(at) == 2}


def table(registers, unary, operations, cpu):
    """(latency, reciprocal throughput) of each, as llvm-mca has them."""
    source, name, first, _ = registers
    target = f"{name}{first}"
    text = "".join(f"{o} {target if unary else source}, {target}\n" for o in operations)
    ran = subprocess.run([MCA, f"-mcpu={cpu}", "-instruction-info", "-summary-view=0", "-resource-pressure=0"], input=text,
                         capture_output=True, text=True)
    rows = [line.split() for line in ran.stdout.splitlines() if re.match(r" *\d+ +\d+ +[\d.]+ ", line)]
    if ran.returncode != 0 or len(rows) != len(operations):
        raise Unmeasured(f"{MCA} -mcpu={cpu}: {ran.stderr.strip() or 'no table'}")
    return {o: (float(row[1]), float(row[2])) for o, row in zip(operations, rows)}


def host_core():
    """The name that LLVM has for this host's core."""
    if platform.machine() != "x86_64":
        raise Unmeasured("the instructions are those of x86_64")
    if shutil.which(MCA) is None:
        raise Unmeasured(f"{MCA} is missing: install the package {PACKAGE}")
    said = subprocess.run([MCA, "--version"], check=True, stdout=subprocess.PIPE, text=True).stdout
    found = re.search(r"Host CPU: (\S+)", said)
    return found[1] if found else "(unknown)"


def deviations(bench, service, group, cpu):
    """Of each instruction's latency and throughput, in per cent."""
    registers, unary, operations = group
    expected = table(registers, unary, operations, cpu)
    for column, kind in enumerate(("latency", "throughput")):
        rounds = [cycles(service, description(*group, chain=column == 0)) for _ in range(ROUNDS)]
        for o in operations:
            if not (times := [at[o] for at in rounds if o in at]):
                raise Unmeasured(f"{o} has no time")
            found = statistics.median(times)
            pct = 100 * (found / expected[o][column] - 1)
            bench.note(f"opcodes: {kind} of {o} {found:.3f}, {cpu}'s table {expected[o][column]:g}: {pct:+.1f} %")
            yield abs(pct)


def measure(bench):
    cpu = host_core()
    with bench.service("opcodes") as (service, _):
        worst = max(pct for group in GROUPS for pct in deviations(bench, service, group, cpu))
    yield Figure("opcode_pct", worst, f"% ({2 * sum(len(g[2]) for g in GROUPS)} values, {cpu})",
                 FIGURES["opcode_pct"] if cpu in MODELS else NO_GOAL)
