# SPDX-License-Identifier: Apache-2.0
# not for sanitizers: they see these files in test_hostile
# takes about 90 s
# time limit: 1800 s
"""
Some of tests/hostile/variants/ as the routine of a checkpoint image: each gets an outcome that its
first line names, as on operands, or the one in MAY_BE_GIVEN_BACK.  After each of them nothing of it
is left, and the next honest jobs on the image have the right answer.  Started by root, all of it
runs a second time as an ordinary user.
"""
import pathlib
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import corpus  # noqa: E402
from harness import Daemon, run_as_nobody  # noqa: E402
from images import one_call  # noqa: E402

KINDS = {
    "end": "abort constructor_exit core_dump end_of_thread exit exit_at_once forged_frame"
           " raise_sigkill stop_by_terminal stop_itself",
    "crash": "bad_instruction breakpoint constructor_patches_libc divide_by_zero segfault"
             " stack_overflow unmap_everything write_before_the_start write_own_code",
    "loop": "constructor_loop constructor_sleeps futex_wait loop loop_signals_blocked"
            " loop_signals_ignored pause sleep_for_ever sleep_in_calls stdout_flood",
    "forbidden": "constructor_replaces_filter constructor_thread exec fork_bomb kill_parent"
                 " ptrace_parent setsid tcp thread_bomb write_tmp",
    "memory": "block_continue gives_operands_back heap_given_back lock_memory mapping_flood"
              " map_over_what_is_there memory_hog operand_dropped operand_moved operand_protected"
              " terabyte_bss",
    "shared memory": "constructor_spoils_header reads_shared_memory shm_again shm_garbage"
                     " shm_header shm_move shm_orders shm_orders_later shm_read shm_remove shm_remove_later"
                     " shm_replies shm_wake truncate_shared_memory write_shared_memory_file",
    "text": "constructor_maps_over_text constructor_moves_over_text constructor_patches_text"
            " constructor_unmaps_text own_code_writable text_mapped_over text_moved_over"
            " text_of_driver text_of_libc text_of_runner",
}
# Memory of an image is the application's, which may give it back: abort() says that it could.
MAY_BE_GIVEN_BACK = {"gives_operands_back": ["crashed"]}


class HostileToAnImage(corpus.CorpusTest):
    @classmethod
    def setUpClass(cls):
        images = pathlib.Path(tempfile.mkdtemp(prefix="assay-images-"))
        cls.addClassCleanup(shutil.rmtree, images)
        data = "static double y[1024] __attribute__((aligned(4096)));"
        cls.image = one_call(images, "hostile", corpus.HONEST, data, "7, y")
        cls.daemon = Daemon("--images", str(images))
        cls.addClassCleanup(cls.daemon.stop)

    def job_of(self, name, text, right=("ok",)):
        document = super().job_of(name, text, right)
        document["spec"] = {"routine": corpus.SPEC["routine"], "checkpoint": self.image,
                            "timing": {"samples": 3, "gate": False}}
        return document

    def test_an_image_has_wrong_answers_found(self):
        text = "double f(int n, double *y) { y[0] = n; return n + 1; }\n"
        (result,) = self.daemon.run(self.job_of("wrong", text))
        self.assertEqual("wrong_answer", result["status"], result["detail"])

    def of_kind(self, kind):
        names = KINDS[kind].split()
        files = [(path, MAY_BE_GIVEN_BACK.get(path.stem, right))
                 for path, right in corpus.corpus("variants") if path.stem in names]
        self.assertEqual(len(names), len(files))
        self.run_corpus(files)

    def test_a_variant_that_ends_its_process_gets_its_word(self):
        self.of_kind("end")

    def test_a_variant_that_crashes_gets_its_word(self):
        self.of_kind("crash")

    def test_a_variant_that_does_not_come_back_gets_its_word(self):
        self.of_kind("loop")

    def test_a_variant_that_asks_the_kernel_gets_its_word(self):
        self.of_kind("forbidden")

    def test_a_variant_that_takes_or_gives_back_memory_gets_its_word(self):
        self.of_kind("memory")

    def test_a_variant_that_reaches_for_shared_memory_gets_its_word(self):
        self.of_kind("shared memory")

    def test_a_variant_that_changes_code_gets_its_word(self):
        self.of_kind("text")


class AsAnOrdinaryUser(unittest.TestCase):
    def test_all_of_it_as_an_ordinary_user(self):
        said = run_as_nobody(self, __file__, "HostileToAnImage",
                             *(["-v"] if "-v" in sys.argv else []))
        if "-v" in sys.argv:
            print(said)


if __name__ == "__main__":
    unittest.main()
