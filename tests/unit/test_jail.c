/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a program in a jail sees, and what it may.  It runs alone: its fork bombs take all processes
 * that a user may have.
 */
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>

#include "tests/support/jails.h"

/* ---- what it sees ---- */

static void
test_jail_the_program_gets_its_descriptors_and_no_other(void **state)
{
	static const char	script[] = "import os, stat\n"
	    "for fd in range(256):\n"
	    "    try: print(fd, oct(stat.S_IFMT(os.fstat(fd).st_mode)), flush=True)\n"
	    "    except OSError: pass\n"
	    "print(repr(os.read(0, 10)))";
	struct jail_end		end = run_program("/usr/bin/python3", "-c", script);

	(void)state;
	assert_int_equal(end.code, 0);
	assert_string_equal(printed(), "0 0o20000\n1 0o100000\n2 0o100000\nb''\n");
}

static void
test_jail_the_kept_descriptor_is_4(void **state)
{
	static const char	script[] = "import os\nos.pwrite(4, b'from inside', 0)\n"
	    "for fd in [3] + list(range(5, 256)):\n"
	    "    try: os.fstat(fd); print(fd)\n"
	    "    except OSError: pass\n";
	const char *const	argv[] = { "/usr/bin/python3", "-c", script, NULL };
	struct jail_order	o = order_of(argv);
	char			text[16] = "";

	(void)state;
	o.keep_fd = memfd_create("kept", MFD_CLOEXEC);
	assert_int_equal(run(&o).code, 0);
	assert_int_equal(pread(o.keep_fd, text, sizeof text - 1, 0), 11);
	assert_string_equal(text, "from inside");
	assert_string_equal(printed(), "");
	close(o.keep_fd);
}

/* What a program of this phase finds there. */
static const char *
environment_of(enum jail_phase phase)
{
	const char *const	argv[] = { "/usr/bin/env", NULL };
	struct jail_order	order = order_of(argv);

	order.phase = phase;
	assert_int_equal(run(&order).code, 0);
	return printed();
}

#define THREE	"PATH=/usr/local/bin:/usr/bin:/bin\nLANG=C\nTMPDIR=.\n"

static void
test_jail_the_environment_is_three_variables(void **state)
{
	(void)state;
	assert_int_equal(setenv("ASSAY_TEST_SECRET", "x", 1), 0);
	assert_string_equal(environment_of(JAIL_TIME), THREE);
}

static void
test_jail_compilers_have_a_malloc_with_room(void **state)
{
	(void)state;
	assert_string_equal(environment_of(JAIL_BUILD), THREE "GLIBC_TUNABLES=glibc.malloc.hugetlb=1:"
	    "glibc.malloc.top_pad=8388608:glibc.malloc.trim_threshold=1073741824:"
	    "glibc.malloc.mmap_max=0\n");
}

static void
test_jail_signals_are_as_if_nobody_had_touched_them(void **state)
{
	sigset_t	term, old;
	struct jail_end	end;

	(void)state;
	sigemptyset(&term);
	sigaddset(&term, SIGTERM);
	assert_int_equal(sigprocmask(SIG_BLOCK, &term, &old), 0);
	(void)signal(SIGPIPE, SIG_IGN);
	end = run_program("/usr/bin/python3", "-c", "import signal\n"
	    "print(signal.pthread_sigmask(signal.SIG_BLOCK, []))\n");
	(void)signal(SIGPIPE, SIG_DFL);
	assert_int_equal(sigprocmask(SIG_SETMASK, &old, NULL), 0);
	assert_int_equal(end.code, 0);
	assert_string_equal(printed(), "set()\n");
	assert_int_equal(run_script("kill -PIPE $$").signal, SIGPIPE);
}

/* What a build that exits with `script`'s code hands out under the name out.so. */
static const char *
handed_out(const char *script)
{
	static char		text[64];
	const char *const	argv[] = { "/bin/sh", "-c", script, NULL };
	struct jail_order	o = order_of(argv);
	ssize_t			n;

	o.result = "out.so";
	o.result_fd = memfd_create("result", MFD_CLOEXEC);
	(void)run(&o);
	n = pread(o.result_fd, text, sizeof text - 1, 0);
	assert_true(n >= 0);
	text[n] = '\0';
	close(o.result_fd);
	return text;
}

static void
test_jail_a_build_hands_out_what_it_was_told_to_make(void **state)
{
	(void)state;
	assert_string_equal(handed_out("echo made > out.so && test -r out.so"), "made\n");
	assert_string_equal(handed_out("echo half > out.so; exit 1"), "");
	assert_string_equal(handed_out("rm -f out.so"), "");
}

static void
test_jail_a_build_hands_out_a_file_and_nothing_else(void **state)
{
	(void)state;
	assert_string_equal(handed_out("echo secret > other; ln -s other out.so"), "");
	assert_string_equal(handed_out("rm -f out.so; mkfifo out.so"), "");
	assert_string_equal(handed_out("rm -f out.so; mkdir out.so"), "");
}

/* ---- several programs, one after the other ---- */

/* What they printed. */
static const char *
print_of_steps(const char *counts, const char *const *argv, int code)
{
	struct jail_order	o = order_of(argv);
	struct jail_end		end;

	o.steps = counts;
	assert_true(ftruncate(output, 0) == 0 && lseek(output, 0, SEEK_SET) == 0);
	end = run(&o);
	assert_false(end.setup_failed);
	assert_int_equal(end.signal, 0);
	assert_int_equal(end.code, code);
	return printed();
}

static void
test_jail_steps_run_in_their_order(void **state)
{
	const char *const	argv[] = { "/bin/sh", "-c", "echo one > .1.s", "/bin/cat", ".1.s",
				    "/bin/echo", "two", NULL };

	(void)state;
	assert_string_equal(print_of_steps("3,2,2", argv, 0), "one\ntwo\n");
}

static void
test_jail_after_a_step_that_fails_those_that_need_its_file_do_not_run(void **state)
{
	const char *const	argv[] = { "/bin/sh", "-c", "echo half > .1.s; exit 3", "-o",
				    ".1.s", "/bin/cat", ".1.s", "/bin/echo", "other", NULL };

	(void)state;
	assert_string_equal(print_of_steps("5,2,2", argv, 3), "other\n");
}

static void
test_jail_a_step_that_a_signal_ends_is_reported_in_gccs_words(void **state)
{
	const char *const	argv[] = { "/bin/sh", "-c", "kill -SEGV $$", NULL };

	(void)state;
	assert_string_equal(print_of_steps("3", argv, 1), "fatal error: Segmentation fault signal "
	    "terminated program sh\ncompilation terminated.\n");
}

static void
test_jail_a_step_that_is_not_there_is_reported(void **state)
{
	const char *const	argv[] = { "/bin/true", "/usr/bin/no-such-program", NULL };

	(void)state;
	assert_non_null(strstr(print_of_steps("1,1", argv, 1), "cannot execute no-such-program"));
}

/* ---- in folders ---- */

static void
make_folders(void)
{
	char	command[256];

	(void)snprintf(command, sizeof command, "cd '%s' && rm -rf 0 1 2 && mkdir -m 755 0 1 2 && "
	    "echo zero > 0/in && echo two > 2/in && chmod 644 0/in 2/in", dir);
	assert_int_equal(system(command), 0);
}

/* What this script leaves as out.so in each of three folders, "-" for nothing. */
static const char *
handed_out_of_folders(const char *script, int code)
{
	static char		text[64];
	const char *const	argv[] = { "/bin/sh", "-c", script, NULL };
	struct jail_order	o = order_of(argv);
	uint64_t		bytes;
	size_t			n = 0;

	make_folders();
	o.steps = "3";
	o.folders = 3;
	o.result = "out.so";
	o.result_fd = memfd_create("result", MFD_CLOEXEC);
	assert_int_equal(run(&o).code, code);
	assert_int_equal(lseek(o.result_fd, 0, SEEK_SET), 0);
	while (read(o.result_fd, &bytes, sizeof bytes) == sizeof bytes) {
		assert_true(bytes < sizeof text - n);
		if (bytes == 0)
			text[n++] = '-';
		n += (size_t)read(o.result_fd, text + n, bytes);
	}
	text[n] = '\0';
	close(o.result_fd);
	return text;
}

static void
test_jail_steps_run_in_each_folder_and_each_result_is_handed_out(void **state)
{
	(void)state;
	assert_string_equal(handed_out_of_folders("cp in out.so || true", 0), "zero\n-two\n");
	assert_string_equal(handed_out_of_folders("ln -s in out.so", 0), "---");
}

static void
test_jail_a_folder_that_fails_ends_them_all(void **state)
{
	(void)state;
	assert_string_equal(handed_out_of_folders("cp in out.so || exit 7", 7), "");
	assert_non_null(strstr(printed(), "in"));
}

/* Make a.o of this source where steps run. */
static void
make_object(const char *source)
{
	char	command[256];

	(void)snprintf(command, sizeof command,
	    "echo '%s' | gcc -w -fPIC -c -x c - -o '%s/a.o' && chmod 644 '%s/a.o'", source, dir, dir);
	assert_int_equal(system(command), 0);
}

static void
test_jail_a_step_for_objects_alone_runs_instead_of_the_next_or_not_at_all(void **state)
{
	const char *const	argv[] = { "/bin/echo", "alone", "a.o", "/bin/echo", "all", NULL };

	(void)state;
	assert_string_equal(print_of_steps("a3,2", argv, 0), "all\n");
	make_object("int f(int n) { return n + 1; }");
	assert_string_equal(print_of_steps("a3,2", argv, 0), "alone a.o\n");
	make_object("double sin(double); double f(double x) { return sin(x); }");
	assert_string_equal(print_of_steps("a3,2", argv, 0), "all\n");
}

static void
test_jail_a_step_may_do_what_a_program_may_and_no_more(void **state)
{
	static const char	script[] = "ulimit -a; ls / /dev; id; umask; env | sort; "
				    "unshare -U true; mount -t tmpfs x /usr; cat /proc/self/status; "
				    "echo x > /usr/x; touch here && echo made";
	const char *const	argv[] = { "/bin/sh", "-c", script, NULL };
	char			program[4096];

	(void)state;
	(void)run_script(script);
	(void)snprintf(program, sizeof program, "%s", printed());
	assert_string_equal(print_of_steps("3", argv, 0), program);
	assert_non_null(strstr(program, "made"));
}

static void
test_jail_a_step_has_the_limit_of_memory(void **state)
{
	const char *const	argv[] = { "/bin/sh", "-c", "ulimit -v", "/bin/sh", "-c",
				    "ulimit -v", NULL };
	struct jail_order	o = order_of(argv);

	(void)state;
	o.steps = "3,3";
	o.memory_bytes = 512 << 20;
	assert_int_equal(run(&o).code, 0);
	assert_string_equal(printed(), "524288\n524288\n");
}

static void
test_jail_counts_that_do_not_add_up_start_nothing(void **state)
{
	static const char *const	counts[] = { "", "1", "3", "0,2", "1,,1", "2x", "b2", "-2",
					    "99999999999999999999" };
	const char *const		argv[] = { "/bin/echo", "started", NULL };

	(void)state;
	for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
		struct jail_order	o = order_of(argv);

		o.steps = counts[i];
		assert_true(run(&o).setup_failed);
		assert_non_null(strstr(printed(), "usage:"));
		assert_null(strstr(printed(), "started"));
	}
}

/* With a root of its own, a build works on copies, in memory that goes with the jail. */
static void
test_jail_a_build_leaves_nothing_on_the_host(void **state)
{
	char		path[128];
	struct stat	sb;

	(void)state;
	if (!jail_support()->mount)
		skip();
	(void)snprintf(path, sizeof path, "%s/source.c", dir);
	close(open(path, O_CREAT | O_WRONLY, 0644));
	assert_string_equal(handed_out("rm source.c && mkdir -p a/b/c && echo made > out.so"),
	    "made\n");
	assert_int_equal(stat(path, &sb), 0);
	(void)snprintf(path, sizeof path, "%s/a", dir);
	assert_int_equal(stat(path, &sb), -1);
	(void)snprintf(path, sizeof path, "%s/out.so", dir);
	assert_int_equal(stat(path, &sb), -1);
}

static void
test_jail_a_build_cannot_fill_its_directory_for_ever(void **state)
{
	static const char	script[] = "n = 0\n"
	    "try:\n"
	    "    while n < 20000: open(str(n), 'w').close(); n += 1\n"
	    "except OSError as e: print(n < 8192, e.strerror)\n";

	(void)state;
	if (!jail_support()->mount)
		skip();
	assert_int_equal(run_program("/usr/bin/python3", "-c", script).code, 0);
	assert_string_equal(printed(), "True No space left on device\n");
}

static void
test_jail_a_timing_jail_has_nothing_to_write_to(void **state)
{
	static const char	script[] = "import os\n"
	    "for d in ['.', '/', '/usr', '/dev', '/etc', '/work', '/tmp']:\n"
	    "    try: os.close(os.open(d + '/x', os.O_CREAT | os.O_WRONLY)); print(d)\n"
	    "    except OSError: pass\n"
	    "print(os.listdir('.'))";
	const char *const	argv[] = { "/usr/bin/python3", "-c", script, NULL };
	struct jail_order	o = order_of(argv);
	char			path[128];

	(void)state;
	if (!jail_support()->mount)
		skip();
	(void)snprintf(path, sizeof path, "%s/variant.so", dir);
	close(open(path, O_CREAT | O_WRONLY, 0644));
	o.phase = JAIL_TIME;
	assert_int_equal(run(&o).code, 0);
	assert_string_equal(printed(), "['variant.so']\n");
}

static void
test_jail_the_host_is_out_of_sight(void **state)
{
	static const char	script[] = "import os\n"
	    "print(os.getcwd(), sorted(set(os.listdir('/')) - {'bin', 'lib', 'lib32', "
	    "'lib64', 'libx32'}"
#ifndef __x86_64__
	    " - {'proc'}"	/* one file of it, for -march=native */
#endif
	    "),\n"
	    "      sorted(os.listdir('/dev')), sorted(set(os.listdir('/etc')) - {'alternatives', "
	    "'ld.so.cache'}))\n" "print(os.getpid(), os.path.exists('/old'))\n";

	const char *const	argv[] = { "/usr/bin/python3", "-c", script, NULL };
	struct jail_order	o = order_of(argv);

	(void)state;
	if (!jail_support()->namespaces)
		skip();
	assert_int_equal(run(&o).code, 0);
	o.phase = JAIL_TIME;
	o.zero = true;
	assert_int_equal(run(&o).code, 0);
	assert_string_equal(printed(),
	    "/work ['dev', 'etc', 'usr', 'work'] ['null', 'urandom'] []\n2 False\n"
	    "/work ['dev', 'etc', 'usr', 'work'] ['null', 'urandom', 'zero'] []\n2 False\n");
}

/* The link of a process's namespace: two processes in one have the same. */
static void
namespace_of(pid_t pid, const char *name, char *link, size_t bytes)
{
	char	path[64];
	ssize_t	n;

	(void)snprintf(path, sizeof path, "/proc/%d/ns/%s", (int)pid, name);
	n = readlink(path, link, bytes - 1);
	link[n > 0 ? n : 0] = '\0';
}

static void
test_jail_each_namespace_that_is_granted_is_one_of_its_own(void **state)
{
	const struct jail_support	*s = jail_support();
	const struct {
		const char	*name;
		bool		 own;
	} spaces[] = { { "user", s->user }, { "mnt", s->mount }, { "pid", s->pid },
	    { "net", s->net }, { "ipc", s->ipc }, { "uts", s->uts }, { "cgroup", s->cgroup } };
	const char *const		argv[] = { "/bin/sleep", own_seconds(), NULL };
	const struct jail_order		o = order_of(argv);
	struct jailed			j;
	char				ours[64], its[64];

	(void)state;
	start(&j, &o);
	for (size_t i = 0; i < sizeof spaces / sizeof spaces[0]; i++) {
		if (strcmp(spaces[i].name, "net") == 0)
			strcpy(ours, host_net);
		else
			namespace_of(getpid(), spaces[i].name, ours, sizeof ours);
		namespace_of(j.pid, spaces[i].name, its, sizeof its);
		if (its[0] != '\0' && (strcmp(ours, its) != 0) != spaces[i].own)
			fail_msg("%s: %s and %s", spaces[i].name, ours, its);
	}
	jail_kill(&j);
}

/* By number: sockets, keyrings, a namespace by unshare and by clone, tracing, io_uring. */
static void
test_jail_ways_out_of_a_jail_are_closed(void **state)
{
	static const char	script[] = "import ctypes, errno, os\n"
	    "libc = ctypes.CDLL(None, use_errno=True)\n"
	    "def word(name, *a):\n"
	    "    ctypes.set_errno(0)\n"
	    "    return errno.errorcode.get(ctypes.get_errno(), 'done') if libc[name](*a) == -1 "
	    "else 'done'\n" "keyctl = 250 if os.uname().machine == 'x86_64' else 219\n"
	    "def number(n, *a): return word('syscall', ctypes.c_long(n), *map(ctypes.c_long, a))\n"
	    "print(word('socket', 40, 1, 0), word('socket', 2, 1, 0), word('unshare', 0x10000000), "
	    "word('ptrace', 0, 0, 0, 0),\n"
	    "      word('personality', 0), number(425, 1, 0), number(435, 0, 0), number(keyctl, "
	    "0, -3, 0))\n";

	(void)state;
	if (!jail_support()->seccomp)
		skip();
	assert_int_equal(run_program("/usr/bin/python3", "-c", script).code, 0);
	assert_string_equal(printed(), "EPERM EPERM EPERM EPERM EPERM EPERM ENOSYS EPERM\n");
}

/* SPEC_ALLOW: without it, kernels before 5.16 turn this speculation off in whoever has a filter. */
static void
test_jail_filters_slow_no_code_down(void **state)
{
	static const char	script[] =
				    "import ctypes\nprint(ctypes.CDLL(None).prctl(52, "
				    "0, 0, 0, 0))\n";
	char			outside[16];

	(void)state;
	(void)snprintf(outside, sizeof outside, "%d\n",
	    prctl(PR_GET_SPECULATION_CTRL, PR_SPEC_STORE_BYPASS, 0, 0, 0));
	assert_int_equal(run_program("/usr/bin/python3", "-c", script).code, 0);
	assert_string_equal(printed(), outside);
}

/*
 * Anybody may write to some of these directories; without a root of its own, only landlock is in
 * the way.
 */
static void
test_jail_files_outside_its_directory_are_not_written(void **state)
{
	static const char	script[] =
	    "for p in '/tmp/assay-test-out', '/dev/shm/assay-test-out', "
	    "'/usr/assay-test-out', 'in':\n" "    try: open(p, 'w'); print(p)\n"
	    "    except OSError: pass\n";

	(void)state;
	if (!jail_support()->landlock)
		skip();
	assert_int_equal(run_program("/usr/bin/python3", "-c", script).code, 0);
	assert_string_equal(printed(), "in\n");
}

static void
test_jail_a_program_outside_usr_is_shown_alone(void **state)
{
	char			command[256], path[128];
	const char *const	argv[] = { path, "-c", "pwd; ls", NULL };
	struct jail_order	o = order_of(argv);
	char			work[128];

	(void)state;
	(void)snprintf(command, sizeof command,
	    "mkdir %s/programs %s/work && cp /bin/dash %s/programs/runner", dir, dir, dir);
	assert_int_equal(system(command), 0);
	(void)snprintf(path, sizeof path, "%s/programs/runner", dir);
	(void)snprintf(work, sizeof work, "%s/work", dir);
	o.dir = work;
	o.phase = JAIL_TIME;
	assert_int_equal(run(&o).code, 0);
	assert_string_equal(printed(), jail_support()->mount ? "/work\n" : strcat(work, "\n"));
}

/* ---- what it may ---- */

/* A line of /proc/PID/status. */
static void
status_line(pid_t pid, const char *name, char *buf, size_t bytes)
{
	char	path[64], line[256];
	FILE	*f;

	buf[0] = '\0';
	(void)snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
	f = fopen(path, "r");
	assert_non_null(f);
	while (fgets(line, sizeof line, f) != NULL)
		if (strncmp(line, name, strlen(name)) == 0)
			(void)snprintf(buf, bytes, "%s", line + strlen(name));
	fclose(f);
}

static void
test_jail_the_program_has_no_rights_and_is_never_root(void **state)
{
	const char		*seconds = own_seconds();
	const char *const	argv[] = { "/bin/sh", "-c", "echo ready; exec sleep \"$0\"",
	    seconds, NULL };
	const struct jail_order	o = order_of(argv);
	struct jailed		j;
	char			path[64], line[256] = "";
	pid_t			program;
	FILE			*f;

	(void)state;
	start(&j, &o);
	wait_until_printed("ready");
	(void)snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)j.pid, (int)j.pid);
	f = fopen(path, "r");
	assert_non_null(f);
	assert_non_null(fgets(line, sizeof line, f));
	fclose(f);
	program = (pid_t)atoi(line);
	status_line(program, "Uid:\t", line, sizeof line);
	if (geteuid() == 0)
		assert_true(strtoul(line, NULL, 10) >= 65534);
	else
		assert_int_equal(strtoul(line, NULL, 10), geteuid());
	status_line(program, "CapEff:\t", line, sizeof line);
	assert_string_equal(line, "0000000000000000\n");
	status_line(program, "CapPrm:\t", line, sizeof line);
	assert_string_equal(line, "0000000000000000\n");
	if (geteuid() == 0 || jail_support()->user) {
		status_line(program, "CapBnd:\t", line, sizeof line);
		assert_string_equal(line, "0000000000000000\n");
	}
	status_line(program, "NoNewPrivs:\t", line, sizeof line);
	assert_string_equal(line, "1\n");
	jail_kill(&j);
}

static void
test_jail_limits_hold(void **state)
{
	const char *const	spin[] = { "/bin/sh", "-c", "while :; do :; done", NULL };
	const char *const	write_much[] = { "/bin/sh", "-c",
	    "exec head -c 3000000 /dev/urandom > big", NULL };
	const char *const	map_much[] = { "/usr/bin/python3", "-c",
	    "bytearray(300 << 20)", NULL };
	const char *const	core[] = { "/bin/sh", "-c", "ulimit -c; ulimit -n", NULL };
	struct jail_order	o = order_of(spin);

	(void)state;
	o.cpu_s = 1;
	assert_int_equal(run(&o).signal, SIGXCPU);
	o = order_of(write_much);
	assert_int_equal(run(&o).signal, SIGXFSZ);
	o = order_of(map_much);
	o.memory_bytes = 256 << 20;
	assert_int_equal(run(&o).code, 1);
	assert_non_null(strstr(printed(), "MemoryError"));
	assert_int_equal(ftruncate(output, 0), 0);
	assert_int_equal(lseek(output, 0, SEEK_SET), 0);
	o = order_of(core);
	assert_int_equal(run(&o).code, 0);
	assert_string_equal(printed(), "0\n256\n");	/* of 512 bytes each: one byte rounds down
							 * to none */
}

static void
test_jail_a_fork_bomb_is_bounded(void **state)
{
	static const char	script[] = "import os, time\n"
	    "n = 0\n"
	    "try:\n"
	    "    while n < 2000:\n"
	    "        if os.fork() == 0: time.sleep(1000)\n"
	    "        n += 1\n"
	    "except BlockingIOError: pass\n"
	    "print(n)";

	(void)state;
	if (geteuid() != 0 && !jail_support()->user)
		skip();		/* the limit would count the user's other processes */
	assert_int_equal(run_program("/usr/bin/python3", "-c", script).code, 0);
	assert_in_range(atoi(printed()), 8, 64);
	assert_no_children();
}

/* May we raise the limit at all?  A root without CAP_SYS_RESOURCE may not. */
static bool
may_grant_realtime(void)
{
	const struct rlimit	limit = { 50, 50 };
	int			status;
	pid_t			pid = fork();

	if (pid == 0)
		_exit(setrlimit(RLIMIT_RTPRIO, &limit) == 0 ? 0 : 1);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status == 0;
}

static void
test_jail_realtime_is_granted_to_who_may_have_it_and_on_request_only(void **state)
{
	const char *const	argv[] = { "/bin/sh", "-c", "ulimit -r", NULL };
	struct jail_order	o = order_of(argv);
	struct rlimit		mine;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_RTPRIO, &mine), 0);
	if (mine.rlim_max != 0)
		skip();
	assert_int_equal(run(&o).code, 0);
	assert_string_equal(printed(), "0\n");
	o.realtime = true;
	assert_int_equal(run(&o).code, 0);
	assert_string_equal(printed(), may_grant_realtime() ? "0\n50\n" : "0\n0\n");
}

static void
test_jail_the_program_is_pinned(void **state)
{
	static const char	script[] = "import os; print(os.sched_getaffinity(0))";
	const char *const	argv[] = { "/usr/bin/python3", "-c", script, NULL };
	struct jail_order	o = order_of(argv);
	cpu_set_t		mine;
	char			want[32];

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof mine, &mine), 0);
	for (o.cpu = 0; !CPU_ISSET((size_t)o.cpu, &mine);)
		o.cpu++;
	assert_int_equal(run(&o).code, 0);
	(void)snprintf(want, sizeof want, "{%d}\n", o.cpu);
	assert_string_equal(printed(), want);
}

static int
group(const char *name)
{
	const struct CMUnitTest	tests[] = {
		IN_JAIL(test_jail_the_program_gets_its_descriptors_and_no_other),
		IN_JAIL(test_jail_the_kept_descriptor_is_4),
		IN_JAIL(test_jail_the_environment_is_three_variables),
		IN_JAIL(test_jail_compilers_have_a_malloc_with_room),
		IN_JAIL(test_jail_signals_are_as_if_nobody_had_touched_them),
		IN_JAIL(test_jail_a_build_hands_out_what_it_was_told_to_make),
		IN_JAIL(test_jail_a_build_hands_out_a_file_and_nothing_else),
		IN_JAIL(test_jail_steps_run_in_their_order),
		IN_JAIL(test_jail_steps_run_in_each_folder_and_each_result_is_handed_out),
		IN_JAIL(test_jail_a_folder_that_fails_ends_them_all),
		IN_JAIL(test_jail_after_a_step_that_fails_those_that_need_its_file_do_not_run),
		IN_JAIL(test_jail_a_step_that_a_signal_ends_is_reported_in_gccs_words),
		IN_JAIL(test_jail_a_step_that_is_not_there_is_reported),
		IN_JAIL(test_jail_a_step_for_objects_alone_runs_instead_of_the_next_or_not_at_all),
		IN_JAIL(test_jail_a_step_may_do_what_a_program_may_and_no_more),
		IN_JAIL(test_jail_a_step_has_the_limit_of_memory),
		IN_JAIL(test_jail_counts_that_do_not_add_up_start_nothing),
		IN_JAIL(test_jail_a_build_leaves_nothing_on_the_host),
		IN_JAIL(test_jail_a_build_cannot_fill_its_directory_for_ever),
		IN_JAIL(test_jail_a_timing_jail_has_nothing_to_write_to),
		IN_JAIL(test_jail_the_host_is_out_of_sight),
		IN_JAIL(test_jail_each_namespace_that_is_granted_is_one_of_its_own),
		IN_JAIL(test_jail_ways_out_of_a_jail_are_closed),
		IN_JAIL(test_jail_filters_slow_no_code_down),
		IN_JAIL(test_jail_files_outside_its_directory_are_not_written),
		IN_JAIL(test_jail_a_program_outside_usr_is_shown_alone),
		IN_JAIL(test_jail_the_program_has_no_rights_and_is_never_root),
		IN_JAIL(test_jail_limits_hold),
		IN_JAIL(test_jail_a_fork_bomb_is_bounded),
		IN_JAIL(test_jail_realtime_is_granted_to_who_may_have_it_and_on_request_only),
		IN_JAIL(test_jail_the_program_is_pinned),
	};

	return cmocka_run_group_tests_name(name, tests, NULL, NULL);
}

int
main(void)
{
	return run_in_every_way(group);
}
