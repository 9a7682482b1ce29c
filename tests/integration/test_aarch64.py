# SPDX-License-Identifier: Apache-2.0
"""What reads clocks and flushes caches, compiled for AArch64 by Debian's cross compiler; skipped where that is absent."""
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
GCC = shutil.which("aarch64-linux-gnu-gcc")
WARNINGS = ["-Wall", "-Wextra", "-Wshadow", "-Wmissing-prototypes", "-Wpointer-arith", "-Wwrite-strings", "-Wvla", "-Werror"]


@unittest.skipIf(GCC is None, "aarch64-linux-gnu-gcc is not installed (Debian: gcc-aarch64-linux-gnu)")
class Aarch64(unittest.TestCase):
    def assembly(self, file, *flags):
        """Its assembly; headers of libraries are this machine's, which is enough to compile."""
        with tempfile.NamedTemporaryFile(suffix=".s") as out:
            run = subprocess.run([GCC, "-std=c11", "-O2", "-D_GNU_SOURCE", f"-I{ROOT}", "-idirafter", "/usr/include",
                                  *flags, "-S", "-o", out.name, str(file)], stderr=subprocess.PIPE, text=True)
            self.assertEqual(0, run.returncode, run.stderr)
            return pathlib.Path(out.name).read_text()

    def test_the_runner_and_all_it_is_made_of_compile(self):
        rooms = [ROOT / "worker/runner" / room for room in ("sample", "image", "method")]
        for file in sorted(f for room in [*rooms, ROOT / "worker/runner"] for f in room.glob("*.c")):
            with self.subTest(file.name):
                self.assertTrue(self.assembly(file, *WARNINGS))

    def test_W19_P20_clock_and_canary_read_the_generic_timer(self):
        for file in ("worker/plan/tick.c", "worker/runner/sample/canary.c"):
            self.assertIn("cntvct_el0", self.assembly(ROOT / file, *WARNINGS))

    def test_W27_lines_are_flushed_by_the_instruction_there_is(self):
        self.assertRegex(self.assembly(ROOT / "worker/runner/sample/flush.c", *WARNINGS), r"dc\s+civac")

    def test_a_timing_driver_compiles_and_reads_the_generic_timer_before_and_after_its_calls(self):
        text = self.assembly(ROOT / "tests/data/driver_gemm.c", f"-I{ROOT / 'worker/runner/sample'}", "-DMS=72", "-DNS=72",
                             "-DKS=72", "-fPIC", "-Werror")
        self.assertGreaterEqual(text.count("cntvct_el0"), 4)    # two regions
        self.assertIn("dsb", text)


if __name__ == "__main__":
    unittest.main()
