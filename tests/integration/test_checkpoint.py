# SPDX-License-Identifier: Apache-2.0
"""
Checkpoint images from an application to a result: a tree of words that only the application can grow is captured, and
variants of its search are timed over the image.  Rows P39, P46 and C1 to C9 of the papers' inventory.
"""
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import BUILD, Daemon, TREE, assert_count, assert_timed, run_as_nobody  # noqa: E402
from images import build_application, make_image  # noqa: E402

WORDS = TREE / "tests/checkpoint"
SPEC = json.loads((WORDS / "words.spec.json").read_text()) | {"timing": {"samples": 3}}
DELAY = 3
SYSTEM = pathlib.Path("/run/assay")
HEAD = "long words_find(void *tree, const char *text)"


# What it does between entering and stopping, and before its one call, is put in.
SMALL = """
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "checkpoint.h"
static long words_find(void *tree, const char *text) { return tree != NULL && text[0] != 0; }
int main(int argc, char **argv)
{
	assay_checkpoint_routine("words_find", (assay_routine *)words_find);
	int restarted = argc < 2 ? -1 : assay_enter_checkpoint(argv[1]);
	if (restarted < 0)
		return 1;
	%s
	long found = ASSAY_CHECKPOINT_CALL(words_find)(argv, argv[0]);
	assay_stop_checkpoint();
	return found != 1;
}
"""


def variant(text, name="v", **defines):
    return {"name": name, "language": "c", "source": text, "defines": defines}


SEES = variant(HEAD + " { return tree != 0 && text[0] != 0; }")
FIND = variant((WORDS / "words_find.c").read_text(), "find")
FIRST = FIND | {"name": "first", "defines": {"FIRST": 1}}
EXTRA = FIND | {"name": "extra", "defines": {"EXTRA": 1}}
UNCOUNTED = FIND | {"name": "uncounted", "defines": {"COUNT": 0}}


class Checkpoint(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.images = pathlib.Path(tempfile.mkdtemp(prefix="assay-images-"))
        cls.addClassCleanup(shutil.rmtree, cls.images)
        cls.program = build_application(WORDS / "words_app.c", cls.images / "words_app")
        cls.image = cls.images / "words.image"
        cls.made = make_image(cls.program, cls.image, DELAY)
        cls.daemon = Daemon("--images", str(cls.images))
        cls.addClassCleanup(cls.daemon.stop)

    def time(self, what, spec=None, **members):
        return self.daemon.run({"variant": what, "spec": SPEC | (spec or {}), **members})[0]

    def assert_timed(self, result):
        return assert_timed(self, result)

    def assert_bad_image(self, result, *words):
        self.assertEqual("bad_spec", result["status"], result["detail"])
        for word in ("spec.checkpoint", *words):
            self.assertIn(word, result["detail"])

    # ---- the image ----

    def test_C1_an_image_file_appears_and_the_application_goes_on(self):
        self.assertEqual((0, ""), (self.made.returncode, self.made.stderr))
        self.assertIn("steps", self.made.stdout)
        self.assertEqual(b"ASSAYIMG", self.image.read_bytes()[:8])
        self.assertEqual([], list(self.images.glob("*.part")))

    def test_C1_an_image_that_cannot_be_written_is_told(self):
        made = make_image(self.program, self.images / "nowhere" / "words.image", DELAY)
        self.assertEqual(1, made.returncode)
        self.assertIn("No such file", made.stderr)

    # ---- timing over it ----

    def test_P39_a_spec_that_names_an_image_has_its_calls_timed(self):
        result = self.assert_timed(self.time(FIND))
        technique = result["technique"]
        self.assertEqual(("Checkpoint", "captured", 1), (technique["method"], technique["data"], technique["calls"]))
        self.assertEqual(("warm", "claimed"), (technique["context"], result["trust"]))
        assert_count(self, 3, result)

    def test_P46_the_timer_of_a_data_sensitive_routine_is_recorded_with_its_image(self):
        chosen = self.assert_timed(self.time(FIND))["technique"]
        self.assertEqual("checkpoint", chosen["timer"])
        self.assertEqual(["Page0Guard", "InstLdGuard"], chosen["guards"])
        self.assertEqual({"image": "words.image", "bytes": self.image.stat().st_size, "calls": DELAY + 1,
                          "sha256": hashlib.sha256(self.image.read_bytes()).hexdigest()}, chosen["checkpoint"])

    def test_C4_the_tree_is_intact_and_the_routine_in_the_image_is_the_reference(self):
        result = self.assert_timed(self.time(FIRST))
        self.assertTrue(result["check"]["passed"])
        self.assertGreater(result["check"]["compared"], 10000)

    def test_X9_the_code_of_an_images_calls_is_cold_too(self):
        result = self.assert_timed(self.time(FIND, {"code": "cold"}))
        technique, proof = result["technique"], result["evidence"]["code"]
        self.assertEqual(("Checkpoint", "cold"), (technique["method"], technique["code"]))
        self.assertLessEqual(proof["not_cold"], proof["read"])
        self.assertTrue(result["check"]["passed"])

    def test_C4_a_wrong_result_is_found_at_its_call(self):
        result = self.time(EXTRA)
        self.assertEqual("wrong_answer", result["status"], result["detail"])
        self.assertIn("return[0] is ", result["detail"])
        self.assertEqual(DELAY + 1, result["check"]["wrong"])

    def test_C4_memory_that_the_routine_should_have_written_is_missed(self):
        result = self.time(UNCOUNTED)
        self.assertEqual("wrong_answer", result["status"], result["detail"])
        self.assertIn("memory[0x", result["detail"])

    def test_C4_what_is_not_to_be_checked_is_not(self):
        result = self.assert_timed(self.time(UNCOUNTED, {"check": "none"}))
        self.assertIsNone(result["check"])

    def test_C2_what_comes_after_the_region_is_not_run(self):
        """The application would abort there: its signal would be the variant's end."""
        self.assert_timed(self.time(FIND))

    def test_C6_one_image_gives_a_time_as_often_as_it_is_asked(self):
        results = [self.assert_timed(self.time(what)) for what in 3 * [FIND, FIRST]]
        self.assertEqual(1, len({r["technique"]["checkpoint"]["sha256"] for r in results}))
        self.assertTrue(all(r["check"]["passed"] for r in results))

    def test_a_job_without_an_image_between_two_with_one_changes_nothing(self):
        other = {"routine": "int nothing(void)", "timing": {"samples": 3}, "context": "warm"}
        before = self.assert_timed(self.time(FIND))["technique"]["checkpoint"]
        document = {"variant": variant("int nothing(void) { return 0; }"), "spec": other}
        technique = self.assert_timed(self.daemon.run(document)[0])["technique"]
        self.assertEqual(("default", False), (technique["timer"], "checkpoint" in technique))
        self.assertEqual(before, self.assert_timed(self.time(FIND))["technique"]["checkpoint"])

    def test_C8_C9_the_delay_is_where_the_application_enters(self):
        for delay in (0, 7):
            make_image(self.program, self.images / f"after{delay}.image", delay)
            result = self.assert_timed(self.time(FIND, {"checkpoint": f"after{delay}.image"}))
            self.assertEqual(delay + 1, result["technique"]["checkpoint"]["calls"])

    def test_C10_C11_the_delay_is_chosen_from_outside_where_the_application_enters_each_time(self):
        path = self.images / "each.image"
        counted = make_image(self.program, path, "each", ASSAY_CHECKPOINT_AT="0").stderr
        self.assertFalse(path.exists())
        calls = int(re.fullmatch(r"assay: (\d+) calls of assay_enter_checkpoint\n", counted)[1])
        for delay in (0, 4):
            make_image(self.program, path, "each", ASSAY_CHECKPOINT_AT=str(calls - delay))
            chosen = self.assert_timed(self.time(FIND, {"checkpoint": path.name}))["technique"]["checkpoint"]
            self.assertEqual(delay + 1, chosen["calls"])

    def test_C13_no_page_is_fetched_in_a_sample(self):
        """All of the image is in memory, and what may be written is the child's own, before the first one."""
        self.assertEqual(0, self.assert_timed(self.time(FIND))["evidence"]["own_faults"])

    def test_C13_a_cold_context_flushes_the_image_before_it_runs(self):
        for _ in range(30):         # a switch to another thread voids a proof
            result = self.assert_timed(self.time(FIND, {"context": "cold"}))
            if "places" in result["evidence"]:
                break
        self.assertEqual("cold", result["technique"]["context"])
        self.assertIn("sentinel", result["evidence"])
        image = result["evidence"]["places"]["image"]      # elsewhere than asked would be internal
        self.assertEqual(("cold", True), (image["asked"], image["judged"]))
        self.assertGreater(image["read"], 0)

    def test_C13_a_warm_image_is_as_its_own_code_leaves_it_and_nothing_is_proved(self):
        self.assertNotIn("places", self.assert_timed(self.time(FIND))["evidence"])

    def test_two_variants_are_compared_over_one_image(self):
        result = self.assert_timed(self.time(FIRST, against=FIND,
                                             compare={"max_pairs": 11}))
        self.assertIsNotNone(result["comparison"])

    # ---- variants that misbehave ----

    def test_a_variant_that_crashes_in_the_image_has_crashed(self):
        result = self.time(variant(HEAD + " { (void)tree; return *(volatile long *)text[99999999]; }"))
        self.assertEqual("crashed", result["status"], result["detail"])

    def test_a_variant_that_does_not_come_back_meets_the_wall_limit(self):
        result = self.time(variant(HEAD + " { (void)tree; (void)text; for (;;) __asm__ volatile(\"\"); }"),
                           timeout_ms={"run": 3000})
        self.assertEqual("run_timeout", result["status"], result["detail"])

    def test_a_variant_that_asks_the_kernel_is_refused(self):
        result = self.time(variant("#include <unistd.h>\n" + HEAD +
                                   " { (void)tree; (void)text; return fork(); }"))
        self.assertEqual("forbidden", result["status"], result["detail"])

    # ---- images that cannot be had ----

    def test_an_image_that_is_not_there_is_the_specs_fault(self):
        self.assert_bad_image(self.time(FIND, {"checkpoint": "none.image"}), "none.image", "No such file")

    def test_an_image_that_is_truncated_is_told(self):
        (self.images / "short.image").write_bytes(self.image.read_bytes()[:-4096])
        self.assert_bad_image(self.time(FIND, {"checkpoint": "short.image"}), "truncated")

    def test_a_file_that_is_no_image_is_told(self):
        shutil.copy(self.program, self.images / "program.image")
        self.assert_bad_image(self.time(FIND, {"checkpoint": "program.image"}), "no checkpoint image")

    def test_an_image_of_another_routine_is_told(self):
        other = {"routine": "long words_lose(void *tree, const char *text)"}
        text = FIND["source"].replace("words_find", "words_lose")
        self.assert_bad_image(self.time(variant(text), other), "words_find", "words_lose")

    def small_image(self, name, between, *flags):
        source = self.images / f"{name}.c"
        source.write_text(SMALL % between)
        program = build_application(source, self.images / name, ("-O2", *flags))
        self.assertEqual(0, make_image(program, self.images / f"{name}.image", DELAY).returncode)
        return {"checkpoint": f"{name}.image"}

    def test_an_image_that_opens_a_file_is_told_by_its_call(self):
        image = self.small_image("opens", 'FILE *f = fopen("/etc/passwd", "r"); if (f == NULL) abort();')
        self.assert_bad_image(self.time(SEES, image), "forbidden", "openat")

    def test_an_image_that_prints_and_allocates_is_restarted(self):
        """Printing goes nowhere, and new memory comes from where the application's own was not."""
        image = self.small_image("prints", 'puts("here"); fflush(stdout); free(calloc(1, 1 << 20));', "-static")
        self.assert_timed(self.time(SEES, image))

    def test_an_image_that_crashes_by_itself_is_told(self):
        image = self.small_image("crashes", "if (restarted) __builtin_trap();")
        self.assert_bad_image(self.time(SEES, image), "crashed", "SIGILL")

    def test_an_image_whose_region_has_no_call_is_told(self):
        make_image(self.program, self.images / "late.image", -1)
        self.assert_bad_image(self.time(FIND, {"checkpoint": "late.image"}), "does not call")

    def test_an_image_that_is_made_anew_is_another(self):
        path = self.images / "again.image"
        digests = set()
        for delay in (1, 2):
            make_image(self.program, path, delay)
            chosen = self.assert_timed(self.time(FIND, {"checkpoint": path.name}))["technique"]
            self.assertEqual(delay + 1, chosen["checkpoint"]["calls"])
            digests.add(chosen["checkpoint"]["sha256"])
        self.assertEqual(2, len(digests))

    def test_a_daemon_without_images_says_how_to_have_them(self):
        with_none = Daemon()
        self.addCleanup(with_none.stop)
        self.assert_bad_image(with_none.run({"variant": FIND, "spec": SPEC})[0], "--images")

    # ---- from the command line, and as another user ----

    def test_assay_time_finds_the_image_beside_the_spec(self):
        if SYSTEM.exists() and (not os.access(SYSTEM, os.X_OK) or (SYSTEM / "assay.sock").exists()):
            self.skipTest("there is a system's daemon: no private one would be started")
        with tempfile.TemporaryDirectory() as home:
            shutil.copy(WORDS / "words.spec.json", home)
            shutil.copy(self.image, home)
            run = subprocess.run([BUILD / "assay", "time", "--json", f"{home}/words.spec.json", WORDS / "words_find.c"],
                                 stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                 env={"HOME": home, "XDG_RUNTIME_DIR": home, "XDG_STATE_HOME": home, "PATH": "/usr/bin:/bin",
                                      "ASSAY_SHARE_CPUS": "yes"})
        self.assertIn(run.returncode, (0, 75), run.stderr + run.stdout)
        self.assertEqual("words.image", json.loads(run.stdout)["technique"]["checkpoint"]["image"])

    def test_the_same_as_an_ordinary_user(self):
        run_as_nobody(self, __file__, "Checkpoint")


if __name__ == "__main__":
    unittest.main()
