# SPDX-License-Identifier: Apache-2.0
"""
Rights beyond the usual, which an operator may let jobs ask for: files in a directory of the jail's
own, and processes.  Variants that misuse them get the outcomes that their first lines name, leave
nothing, and the next jobs are well.
"""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import corpus  # noqa: E402
from harness import Daemon, RpcError, assert_timed, run_as_nobody  # noqa: E402
from kernels import spec_of, variant  # noqa: E402

FILE = """#include <fcntl.h>
#include <unistd.h>
int f(int n)
{
	char	 text[16] = { 0 };
	int	 fd = open("/scratch/log", O_RDWR | O_CREAT | O_APPEND, 0600), bytes;

	if (fd < 0 || write(fd, "abc", 3) != 3 || fsync(fd) != 0 || lseek(fd, -3, SEEK_END) < 0)
		return -1;
	bytes = read(fd, text, 3);
	close(fd);
	return bytes == 3 && text[2] == 'c' ? n : -2;
}
"""
ALONE = """#include <fcntl.h>
#include <unistd.h>
static int	calls;
int f(int n)
{
	if (calls++ == 0 && access_first() == 0)
		return -1;
	close(open("/scratch/mine", O_RDWR | O_CREAT, 0600));
	return n;
}
""".replace("access_first()", 'close(open("/scratch/mine", O_RDONLY))')
BURNS_MS = 20
FORK = """#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
int f(int n)
{
	struct timespec	t = { 0, 0 };
	int		status;
	pid_t		pid = fork();

	if (pid == 0) {
		while (t.tv_nsec < %d * 1000000)
			clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
		_exit(n);
	}
	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
""" % BURNS_MS
SAME = "int f(int n) { return n; }"


def job(text, jail=None, clock="wall", **timing):
    spec = spec_of("int f(int n)", {"n": 7}, reference=SAME,
                   timing={"clock": clock, "samples": 3, "calls": 1, **timing})
    return {"variant": variant(text), "spec": spec, **({"jail": jail} if jail else {})}


class Profiles(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon("--jail-profiles", "io, fork")
        cls.addClassCleanup(cls.daemon.stop)

    def run_one(self, document):
        return self.daemon.run(document)[0]

    def test_X16_a_routine_may_write_and_read_files_where_it_is_allowed(self):
        result = assert_timed(self, self.run_one(job(FILE, "io")))
        self.assertTrue(result["check"]["passed"])
        self.assertEqual("claimed", result["trust"])
        self.assertIn("files", result["evidence"]["claimed"])

    def test_X16_no_job_finds_the_files_of_another(self):
        for _ in range(2):
            assert_timed(self, self.run_one(job(ALONE, "io")))

    def test_X16_without_the_word_it_is_forbidden_as_ever(self):
        self.assertEqual("forbidden", self.run_one(job(FILE))["status"])
        self.assertEqual("forbidden", self.run_one(job(FORK))["status"])

    def test_X15_the_cpu_clock_counts_children_that_the_routine_has_waited_for(self):
        result = assert_timed(self, self.run_one(job(FORK, "fork", clock="cpu")))
        self.assertGreaterEqual(result["time"]["min_ns"], 0.95e6 * BURNS_MS)
        self.assertIn("children", result["technique"]["counter"])
        self.assertIn("processes", result["evidence"]["claimed"])

    def test_X16_what_cannot_be_had_with_it_is_refused_by_its_member(self):
        for member, document in (
                ("spec.timing.trust", job(FILE, "io", trust="audited")),
                ("threads", {**job(FORK, "fork"), "threads": 2})):
            with self.assertRaises(RpcError) as refused:
                self.run_one(document)
            self.assertEqual("jobs[0]." + member, refused.exception.data["member"])


class NotAllowed(unittest.TestCase):
    def test_X15_X16_a_server_that_allows_none_refuses_and_says_who_may_allow_it(self):
        daemon = Daemon("--jail-profiles", "fork", worker=None)
        self.addCleanup(daemon.stop)
        with self.assertRaises(RpcError) as refused:
            daemon.run(job(FILE, "io"))
        self.assertEqual("jobs[0].jail", refused.exception.data["member"])
        self.assertIn("jail-profiles = io", refused.exception.data["hint"])
        assert_timed(self, daemon.run(job(FORK, "fork"))[0])


class Hostile(corpus.CorpusTest):
    jail = None

    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon("--jail-profiles", "io,fork")
        cls.addClassCleanup(cls.daemon.stop)

    def job_of(self, name, text, right=("ok",)):
        return {**super().job_of(name, text, right), "jail": self.jail}

    def run_all(self, jail, least):
        self.jail = jail
        files = list(corpus.corpus(jail))
        self.assertGreaterEqual(len(files), least)
        self.run_corpus(files)

    def test_X16_hostile_variants_that_may_write_files_stay_in_their_directory(self):
        self.run_all("io", 8)

    def test_X16_hostile_variants_that_may_fork_leave_no_process(self):
        self.run_all("fork", 7)


class AsAnOrdinaryUser(unittest.TestCase):
    def test_X16_hostile_variants_started_by_an_ordinary_user(self):
        run_as_nobody(self, __file__, "Hostile", "Profiles")


if __name__ == "__main__":
    unittest.main()
