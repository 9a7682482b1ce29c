# SPDX-License-Identifier: Apache-2.0
"""What compilers make of the code around a timed call.  Nothing here is timed: it is looked at, or counted."""
import pathlib
import platform
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
DRIVER = ROOT / "tests" / "data" / "driver_gemm.c"
SIZES = ["-DMS=72", "-DNS=72", "-DKS=72"]
COMPILERS = [c for c in ("gcc", "clang") if shutil.which(c)]
IS_X86 = platform.machine() in ("x86_64", "i686")

# Each page that is read for the first time is a fault, so the kernel counts what a flush pass really reads.
SWEEP = """
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include "worker/runner/sample/flush.h"

enum { PAGES = 512, PAGE = 4096 };

static long
faults(void)
{
	struct rusage	u;

	getrusage(RUSAGE_SELF, &u);
	return u.ru_minflt;
}

int
main(void)
{
	char	*area = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	long	 before, after;

	madvise(area, PAGES * PAGE, MADV_NOHUGEPAGE);
	before = faults();
	rt_read_area(area, PAGES * PAGE, 64);
	after = faults();
	printf("%ld\\n", after - before);
	return area == MAP_FAILED;
}
"""


class Compiled(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.dir = pathlib.Path(directory.name)

    def run_to_end(self, words):
        done = subprocess.run([*map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertEqual(0, done.returncode, done.stderr)
        return done.stdout

    def assembly(self, compiler, *flags):
        out = self.dir / "out.s"
        self.run_to_end([compiler, "-std=c11", "-O2", "-fPIC", "-Werror", "-Wno-unused-command-line-argument" if
                         compiler == "clang" else "-Wall", f"-I{ROOT / 'worker/runner/sample'}", *SIZES, *flags, "-S", "-o", out,
                         DRIVER])
        return out.read_text()

    def body(self, text, function):
        return re.search(rf"(?ms)^{function}:.*?^\s*\.size\s+{function},", text).group(0)

    def test_W25_no_compiler_finds_the_flush_pass_useless(self):
        main = self.dir / "main.c"
        main.write_text(SWEEP)
        flush, program = ROOT / "worker/runner/sample/flush.c", self.dir / "flush_pass"
        known = [[c, "-O3", "-include", flush] for c in COMPILERS]      # as one text: everything is known about it
        for how in [*known, ["gcc", "-O3", "-flto", flush]]:
            self.run_to_end([*how, "-D_GNU_SOURCE", f"-I{ROOT}", "-o", program, main])
            self.assertGreaterEqual(int(self.run_to_end([program])), 512, how)

    @unittest.skipUnless(IS_X86, "reads x86 assembly")
    def test_W36_a_region_has_one_branch_and_one_indirect_call_for_each_call_of_the_routine(self):
        for compiler in COMPILERS:
            text = self.assembly(compiler)
            for function in ("drv_repeat", "drv_rotate"):
                lines = self.body(text, function).splitlines()
                place = {m.group(1): i for i, line in enumerate(lines) if (m := re.match(r"(\.L\w+):", line))}
                back = [(i, place[m.group(1)]) for i, line in enumerate(lines)
                        if (m := re.match(r"\s+j\w+\s+(\.L\w+)", line)) and place[m.group(1)] < i]
                self.assertEqual(1, len(back), (compiler, function, back))
                end, start = back[0]
                loop = [line.split()[0] for line in lines[start:end + 1] if re.match(r"\s+[a-z]", line)]
                self.assertEqual(1, sum(op.startswith("j") for op in loop), (compiler, loop))
                self.assertEqual(1, sum(op.startswith("call") for op in loop), (compiler, loop))
                self.assertLess(len(loop), 50)

    @unittest.skipUnless(IS_X86 and "gcc" in COMPILERS, "needs a compiler for x86")
    def test_W18_the_counter_is_read_in_two_halves_in_32_bits_as_in_64(self):
        for flags, upper_half in (([], r"sal\w*\s+\$32, %rdx"), (["-m32", "-msse2"], r"sbbl\s.*%edx")):
            text = self.assembly("gcc", *flags)
            for function in ("drv_repeat", "drv_rotate"):
                body = self.body(text, function)
                call = re.search(r"call\s+\*", body).start()
                self.assertLess(body.index("lfence\n\trdtsc\n\tlfence"), call)
                self.assertLess(call, body.index("rdtscp\n\tlfence"))
                self.assertRegex(body[body.index("rdtscp"):], upper_half)


if __name__ == "__main__":
    unittest.main()
