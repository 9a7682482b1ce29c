# SPDX-License-Identifier: Apache-2.0
"""Whole programs in place of a routine: they are started, timed from outside, and what they print is looked at."""
import base64
import hashlib
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import TIMED, Daemon, RpcError  # noqa: E402

HELLO = """#include <stdio.h>
int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		printf("%s\\n", argv[i]);
	return 0;
}
"""
NOTHING = "int main(void) { return 0; }"
# Neither libc nor a dynamic linker: the program's own first instruction.
BARE = {"x86_64": """	.globl _start
_start:	mov $1, %eax
	mov $1, %edi
	lea text(%rip), %rsi
	mov $3, %edx
	syscall
	mov $231, %eax
	xor %edi, %edi
	syscall
text:	.ascii "hi\\n"
""", "aarch64": """	.globl _start
_start:	mov x8, #64
	mov x0, #1
	adr x1, text
	mov x2, #3
	svc #0
	mov x8, #94
	mov x0, #0
	svc #0
text:	.ascii "hi\\n"
"""}[os.uname().machine]


def job(source=NOTHING, program=None, variant=None, timing=None, spec=None, **more):
    return {"variant": {"name": "prog", "source": source, **(variant or {})}, "timeout_ms": {"run": 300000},
            "spec": {"program": program or {}, "timing": {"samples": 5, **(timing or {})}, **(spec or {})}, **more}


def built(*flags, source=NOTHING, suffix=".c"):
    """An executable of the host's compiler, in base64."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / f"p{suffix}"
        path.write_text(source)
        subprocess.run(["gcc", "-O2", *flags, "-s", "-o", path.with_suffix(".bin"), path], check=True)
        return base64.b64encode(path.with_suffix(".bin").read_bytes()).decode()


class Programs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon("--jail-profiles", "io,fork")
        cls.addClassCleanup(cls.daemon.stop)

    def result(self, *args, **members):
        return self.daemon.run(job(*args, **members))[0]

    def timed(self, *args, **members):
        result = self.result(*args, **members)
        self.assertIn(result["status"], TIMED, result["detail"])
        return result

    def failed(self, status, words, *args, **members):
        result = self.result(*args, **members)
        self.assertEqual(status, result["status"], result["detail"])
        self.assertIn(words, result["detail"])
        return result

    # ---- what is timed ----

    def test_L13_a_program_with_a_main_is_timed(self):
        result = self.timed()
        time, technique, evidence = result["time"], result["technique"], result["evidence"]
        self.assertEqual("Program", technique["method"])
        self.assertGreater(time["value_ns"], 0)
        self.assertEqual(time["count"], len(time["samples_ns"]))
        self.assertEqual((False, 1, "wall"), (technique["overhead_subtracted"], technique["calls"], technique["clock"]))
        self.assertEqual(technique["overhead_ns"], evidence["program"]["floor_ns"])
        self.assertGreater(evidence["program"]["floor_ns"], 0)
        self.assertGreater(evidence["program"]["max_rss_bytes"], 0)
        self.assertIsNone(result["driver"])

    def test_L13_a_sleeper_sleeps_as_long_as_it_says(self):
        source = "#include <time.h>\nint main(void) { struct timespec t = { 0, 20000000 }; return nanosleep(&t, 0); }"
        result = self.timed(source)
        self.assertGreaterEqual(result["time"]["min_ns"], 20e6)
        self.assertLess(result["evidence"]["program"]["cpu_ns"], 20e6)

    def test_L13_an_executable_of_the_users_is_timed_static_and_dynamic(self):
        for flags in ([], ["-static"], ["-static-pie"], ["-no-pie"]):
            with self.subTest(flags=flags):
                result = self.timed(built(*flags, source=HELLO), {"args": ["a b"], "stdout": "a b\n"},
                                    {"language": "program"})
                self.assertEqual("", result["compiler"]["name"])

    def test_L13_assembly_without_a_libc_is_a_program(self):
        self.timed(BARE, {"link": "bare", "stdout": "hi\n"}, {"language": "asm"})

    def test_L13_other_languages_are_compiled_and_linked_to_programs(self):
        cxx = "#include <iostream>\nint main() { std::cout << 42 << std::endl; }"
        fortran = "program p\nprint '(i0)', 42\nend program\n"
        for language, source in (("c++", cxx), ("fortran", fortran)):
            with self.subTest(language=language):
                self.timed(source, {"stdout": "42\n"}, {"language": language})

    def test_L13_an_object_with_a_main_is_linked(self):
        self.timed(built("-c"), {}, {"language": "object"})

    def test_params_and_defines_are_macros_of_its_source(self):
        self.timed('#include <stdio.h>\nint main(void) { return printf("%d %d\\n", N, M) != 6; }', {"stdout": "12 34\n"},
                   {"defines": {"M": 34}}, spec={"params": {"N": 12}})

    def test_operation_counts_give_rates(self):
        self.assertGreater(self.timed(spec={"flops": 1000})["rate"]["mflops_max"], 0)

    def test_the_cpu_clock_leaves_sleep_out(self):
        source = "#include <unistd.h>\nint main(void) { return usleep(50000); }"
        result = self.timed(source, timing={"clock": "cpu"})
        self.assertLess(result["time"]["median_ns"], 50e6)

    def test_the_floor_is_subtracted_where_it_is_asked_for(self):
        with_floor, without = self.timed(), self.timed(program={"subtract_floor": True})
        self.assertTrue(without["technique"]["overhead_subtracted"])
        self.assertFalse(with_floor["technique"]["overhead_subtracted"])
        time, floor = without["time"], without["technique"]["overhead_ns"]
        for ns, ticks in zip(time["samples_ns"], time["ticks"]):
            self.assertAlmostEqual(max(ticks - floor, 0), ns, delta=1)

    def test_L50_a_parallel_program_has_its_threads_where_the_job_has_them(self):
        source = """#include <pthread.h>
#include <stdio.h>
static void *f(void *p) { *(int *)p = 7; return p; }
int main(void)
{
	pthread_t t;
	int n = 0;
	return pthread_create(&t, 0, f, &n) != 0 || pthread_join(t, 0) != 0 || printf("%d\\n", n) != 2;
}
"""
        self.timed(source, {"stdout": "7\n"}, {"flags": ["-O2", "-pthread"]}, threads=2)
        self.failed("forbidden", "SIGSYS", source, None, {"flags": ["-O2", "-pthread"]})

    # ---- what it reads and prints ----

    def test_it_gets_its_arguments_and_nothing_is_a_shell(self):
        words = ["a b", "", "$HOME", "`id`", "ü"]
        self.timed(HELLO, {"args": words, "stdout": "".join(word + "\n" for word in words)})

    def test_it_reads_its_standard_input_anew_in_each_run(self):
        source = "#include <stdio.h>\nint main(void) { int c; while ((c = getchar()) != EOF) putchar(c); return 0; }"
        text = "one\ntwo\n" * 10000
        self.timed(source, {"stdin": text, "stdout_sha256": hashlib.sha256(text.encode()).hexdigest()})
        self.timed(source, {"stdout": ""})

    def test_trust_depends_on_whether_its_output_is_known(self):
        self.assertEqual("audited", self.timed(HELLO, {"args": ["x"], "stdout": "x\n"})["trust"])
        result = self.timed(HELLO, {"args": ["x"]})
        self.assertEqual(("claimed", "not checked"), (result["trust"], result["evidence"]["program"]["output"]))
        self.assertIn("must print", result["evidence"]["claimed"])

    def test_other_output_is_a_wrong_answer_with_the_place(self):
        self.failed("wrong_answer", "byte 3, in line 2: it has", HELLO, {"args": ["x", "z"], "stdout": "x\ny\n"})
        self.failed("wrong_answer", "its end", HELLO, {"args": ["x"], "stdout": "x\ny\n"})
        self.failed("wrong_answer", "SHA-256", HELLO, {"args": ["x"], "stdout_sha256": "0" * 64})

    def test_output_without_a_line_end_and_with_any_bytes_is_taken_as_it_is(self):
        source = "#include <unistd.h>\nint main(void) { return write(1, \"\\0\\377\", 2) != 2; }"
        self.timed(source, {"stdout_sha256": hashlib.sha256(b"\0\xff").hexdigest()})

    # ---- how it can fail ----

    def test_another_exit_status_is_crashed_with_its_last_words(self):
        source = '#include <stdio.h>\nint main(void) { fprintf(stderr, "no luck\\n"); return 3; }'
        self.failed("crashed", 'exited with code 3; its last words: "no luck"', source)

    def test_a_signal_is_crashed(self):
        self.failed("crashed", "SIGSEGV", "int main(void) { return *(volatile int *)8; }")
        self.failed("crashed", "SIGABRT", "#include <stdlib.h>\nint main(void) { abort(); }")

    def test_one_that_hangs_meets_the_wall_limit(self):
        self.failed("run_timeout", "had not ended", "int main(void) { for (;;) ; }", timeout_ms={"run": 500})

    def test_one_that_prints_100_MB_meets_the_limit_unless_it_is_raised(self):
        source = """#include <unistd.h>
static char line[1000000];
int main(void)
{
	for (int i = 0; i < 100; i++)
		if (write(1, line, sizeof line) != sizeof line)
			return 1;
	return 0;
}
"""
        self.failed("run_limit", "printed more than 16777216 bytes", source)
        result = self.timed(source, {"output_bytes": 100000000}, timing={"samples": 1})
        self.assertEqual(100000000, result["evidence"]["program"]["output_bytes"])

    def test_too_much_memory_is_refused_to_it(self):
        source = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void)
{
	char *volatile p = malloc(100 << 20);
	if (p == NULL) { fputs("no memory", stderr); return 1; }
	memset(p, 1, 100 << 20);
	return p[5] != 1;
}
"""
        self.failed("crashed", "no memory", source, {"memory_bytes": 64 << 20})
        self.assertGreater(self.timed(source)["evidence"]["program"]["max_rss_bytes"], 100 << 20)

    def test_what_is_no_program_is_named(self):
        other = bytearray(base64.b64decode(built()))
        other[18] = {62: 183, 183: 62}[other[18]]
        for words, source in (("not ELF", b"no program"), ("a script", b"#!/bin/sh\nexit 0\n"),
                              ("for this machine", bytes(other)), ("relocatable", base64.b64decode(built("-c"))),
                              ("a shared object", base64.b64decode(built("-shared", "-fPIC", "-nostdlib",
                                                                         source="int f(void) { return 1; }"))),
                              ("program headers are not in the file", base64.b64decode(built())[:80])):
            with self.subTest(words=words):
                self.failed("load_failed", words, base64.b64encode(source).decode(), {}, {"language": "program"})

    def test_a_source_without_main_does_not_link(self):
        self.failed("build_failed", "main", "int f(void) { return 0; }")

    # ---- hostile ones ----

    def test_no_program_starts_another(self):
        for call in ('execl("/bin/true", "true", (char *)0)', 'system("true")', "fork()",
                     'syscall(322, 3, "", argv, argv, 4096)'):
            with self.subTest(call=call):
                source = ("#define _GNU_SOURCE\n#include <stdlib.h>\n#include <unistd.h>\n"
                          "int main(int argc, char **argv) { (void)argc; (void)argv; return %s != 0; }" % call)
                if "322" in call and os.uname().machine != "x86_64":
                    source = source.replace("322", "281")
                self.failed("forbidden", "SIGSYS", source)

    def test_it_cannot_write_files_and_sees_none_of_the_hosts(self):
        source = """#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
int main(void)
{
	const char *files[] = { "/work/x", "/x", "/tmp/x", "x", "/scratch/x", "/dev/shm/x" };
	for (int i = 0; i < 6; i++)
		if (open(files[i], O_WRONLY | O_CREAT, 0600) != -1)
			return 1;
	return open("%s", O_RDONLY) != -1 ? 2 : open("/proc/self/mem", O_RDONLY) != -1 ? 3 : 0;
}
""" % __file__
        self.timed(source)

    def test_it_has_no_descriptor_but_the_three(self):
        source = """#include <fcntl.h>
int main(void)
{
	for (int fd = 3; fd < 256; fd++)
		if (fcntl(fd, F_GETFD) != -1)
			return fd;
	return 0;
}
"""
        self.timed(source)

    def test_it_cannot_signal_others_nor_open_sockets_nor_leave_its_cpu(self):
        source = """#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>
int main(void)
{
	cpu_set_t all, now;
	CPU_ZERO(&all);
	for (int i = 0; i < 8; i++) CPU_SET(i, &all);
	if (kill(-1, SIGKILL) == 0 || kill(getppid(), SIGKILL) == 0 || kill(1, SIGTERM) == 0) return 1;
	if (socket(AF_INET, SOCK_STREAM, 0) != -1) return 2;
	sched_setaffinity(0, sizeof all, &all);
	sched_getaffinity(0, sizeof now, &now);
	return CPU_COUNT(&now) == 1 ? 0 : 3;
}
"""
        self.timed(source)

    def test_files_of_a_run_are_gone_in_the_next(self):
        source = """#include <fcntl.h>
#include <unistd.h>
int main(void)
{
	int fd = open("mine", O_WRONLY | O_CREAT | O_EXCL, 0600);
	return fd < 0 || write(fd, "x", 1) != 1 || access("/scratch/mine", F_OK) != 0;
}
"""
        self.timed(source, jail="io")

    def test_children_that_it_waits_for_are_its_own_time(self):
        source = """#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
	volatile long n = 0;
	if (fork() == 0) {
		while (n < 10000000) n++;
		_exit(0);
	}
	return wait(0) < 0;
}
"""
        result = self.timed(source, jail="fork")
        self.assertGreater(result["evidence"]["program"]["cpu_ns"], 1e6)

    def test_children_that_it_leaves_are_suspect_and_gone(self):
        source = """#include <unistd.h>
int main(void)
{
	if (fork() == 0) { setsid(); for (;;) pause(); }
	return 0;
}
"""
        self.failed("suspect", "alive when it exited: 1", source.replace("setsid(); ", ""), jail="fork")
        self.failed("forbidden", "SIGSYS", source.replace("if (fork() == 0)", ""), jail="fork")
        self.assertIn(self.result()["status"], TIMED)

    # ---- what makes no sense ----

    def refused(self, member, words, document):
        with self.assertRaises(RpcError) as raised:
            self.daemon.run(document)
        self.assertIn(member, raised.exception.data["member"])
        self.assertIn(words, str(raised.exception))

    def test_members_of_routines_are_refused_beside_it(self):
        self.refused("spec.routine", "started and not called", job(spec={"routine": "int f(int n)"}))
        self.refused("spec.args", "command line", job(spec={"args": {"n": 1}}))
        self.refused("spec.check", "spec.program.stdout",
                     job(spec={"check": {"reference": {"source": NOTHING}}}))
        self.refused("spec.context", "as a whole", job(spec={"context": "cold"}))
        self.refused("spec.timing.calls", "one run of it", job(timing={"calls": 3}))
        self.refused("spec.timing.clock", "of one core", job(timing={"clock": "cycle"}))
        self.refused("spec.timing.counters", "one run of it", job(timing={"counters": ["instructions"]}))
        self.refused("against", "not timed in turn", job(against={"source": NOTHING}))
        self.refused("spec.program.stdout_sha256", "64 hexadecimal",
                     job(program={"stdout_sha256": "x" * 64}))
        self.refused("spec.program.args", "array of strings", job(program={"args": "x"}))

    def test_language_and_spec_must_agree(self):
        spec = {"routine": "int f(int n)", "args": {"n": 1}}
        self.refused("variant.language", "of a routine",
                     {"variant": {"language": "program", "source": "f0VMRg=="}, "spec": spec})
        self.refused("variant.language", "linked whole", job("f0VMRg==", {}, {"language": "shared"}))
        self.refused("variant.flags", "built already", job("f0VMRg==", {}, {"language": "program", "flags": ["-O3"]}))
        self.refused("spec.routine", "is missing", {"variant": {"source": NOTHING}, "spec": {}})


@unittest.skipUnless({0, 1} <= os.sched_getaffinity(0), "CPUs 0 and 1 are needed")
class ProgramCopies(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon("--slots", "0-1", "--builders", "1")
        cls.addClassCleanup(cls.daemon.stop)

    def test_L14_copies_of_a_program_start_together_on_cpus_of_their_own(self):
        source = "int main(void) { for (volatile int i = 0; i < 3000000; i++) ; return 0; }"
        result = self.daemon.run(job(source, copies=2))[0]
        self.assertIn(result["status"], TIMED, result["detail"])
        time, copies = result["time"], result["evidence"]["copies"]
        self.assertEqual([0, 1], [core["cpu"] for core in time["cores"]])
        self.assertEqual(([0, 1], 2), (result["technique"]["cpus"], result["technique"]["copies"]))
        for core in time["cores"]:
            self.assertEqual(time["count"], len(core["samples_ns"]))
        self.assertLessEqual(copies["skew_ns"], copies["most_skew_ns"])

    def test_a_copy_that_fails_is_named(self):
        source = "#define _GNU_SOURCE\n#include <sched.h>\nint main(void) { return sched_getcpu() == 1 ? 5 : 0; }"
        result = self.daemon.run(job(source, copies=2))[0]
        self.assertEqual("crashed", result["status"], result["detail"])
        self.assertIn("copy 1 on CPU 1: it exited with code 5", result["detail"])

    def test_each_copy_reads_its_own_standard_input(self):
        source = "#include <stdio.h>\nint main(void) { int c; while ((c = getchar()) != EOF) putchar(c); return 0; }"
        result = self.daemon.run(job(source, {"stdin": "abc", "stdout": "abc"}, copies=2))[0]
        self.assertIn(result["status"], TIMED, result["detail"])


if __name__ == "__main__":
    unittest.main()
