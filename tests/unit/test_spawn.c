/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Real jails.  The whole group runs in as many ways as this machine and its user allow: as whoever runs it, without any
 * namespace, and, started by root, as an ordinary user.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "worker/spawn.h"

enum { PATIENCE_MS = 20000 };

static char	dir[64];
static int	output;			/* a memfd: what the program printed */

static int
set_up(void **state)
{
	(void)state;
	strcpy(dir, "/tmp/assay-test-XXXXXX");
	output = memfd_create("output", MFD_CLOEXEC);
	return mkdtemp(dir) == NULL || chmod(dir, 0755) == -1 || output == -1;
}

static int
tear_down(void **state)
{
	char	command[128];

	(void)state;
	close(output);
	(void)snprintf(command, sizeof command, "rm -rf '%s'", dir);
	return system(command);
}

static struct jail_order
order_of(const char *const *argv)
{
	return (struct jail_order){ .phase = JAIL_BUILD, .argv = argv, .dir = dir, .cpu = -1, .keep_fd = -1,
	    .output_fd = output, .file_bytes = 1 << 20 };
}

static void
start(struct jailed *j, const struct jail_order *o)
{
	struct fault	why;

	if (jail_spawn(j, o, &why) != ST_OK)
		fail_msg("%s", why.text);
}

static struct jail_end
run(const struct jail_order *o)
{
	struct jailed	j;
	struct jail_end	end;

	start(&j, o);
	assert_true(jail_wait(&j, PATIENCE_MS, &end));
	assert_int_equal(j.pid, 0);
	return end;
}

static struct jail_end
run_program(const char *program, const char *option, const char *text)
{
	const char *const	argv[] = { program, option, text, NULL };
	const struct jail_order	o = order_of(argv);

	return run(&o);
}

static struct jail_end
run_script(const char *script)
{
	return run_program("/bin/sh", "-c", script);
}

static char *
printed(void)
{
	static char	text[4096];
	ssize_t		n = pread(output, text, sizeof text - 1, 0);

	assert_true(n >= 0);
	text[n] = '\0';
	return text;
}

static void
wait_until_printed(const char *text)
{
	for (int i = 0; i < PATIENCE_MS / 5; i++) {
		if (strstr(printed(), text) != NULL)
			return;
		(void)usleep(5000);
	}
	fail_msg("\"%s\" was not printed, but: %s", text, printed());
}

/* Is this argument among the n bytes of a command line?  assay-jail's, which ends with the program's, does not count. */
static bool
has_argument(const char *text, ssize_t n, const char *argument)
{
	const char	*name = strrchr(text, '/');

	if (name != NULL && strcmp(name, "/assay-jail") == 0)
		return false;
	for (ssize_t i = 0; i < n; i += (ssize_t)strlen(text + i) + 1)
		if (strcmp(text + i, argument) == 0)
			return true;
	return false;
}

/* Processes on the host, zombies aside, with this as an argument. */
static unsigned
processes_with(const char *argument)
{
	DIR		*proc = opendir("/proc");
	struct dirent	*e;
	unsigned	 found = 0;

	assert_non_null(proc);
	while ((e = readdir(proc)) != NULL) {
		char	path[300], text[1024];
		int	fd;
		ssize_t	n;

		(void)snprintf(path, sizeof path, "/proc/%s/cmdline", e->d_name);
		if (e->d_name[0] < '0' || e->d_name[0] > '9' || (fd = open(path, O_RDONLY)) == -1)
			continue;
		n = read(fd, text, sizeof text - 1);
		close(fd);
		text[n > 0 ? n : 0] = '\0';
		found += has_argument(text, n, argument);
	}
	closedir(proc);
	return found;
}

/* A number of seconds that no other process sleeps. */
static const char *
own_seconds(void)
{
	static char	text[32];
	static unsigned	n;

	(void)snprintf(text, sizeof text, "3%u.%u", (unsigned)getpid(), n++);
	return text;
}

static void
assert_no_children(void)
{
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

/* ---- how it ends ---- */

static void
test_spawn_exit_codes_arrive_exactly(void **state)
{
	static const int	codes[] = { 0, 1, 7, 126, 127, 139, 255 };
	char			script[32];

	(void)state;
	for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
		struct jail_end	end;

		(void)snprintf(script, sizeof script, "exit %d", codes[i]);
		end = run_script(script);
		assert_false(end.setup_failed);
		assert_int_equal(end.signal, 0);
		assert_int_equal(end.code, codes[i]);
	}
	assert_no_children();
}

static void
test_spawn_a_signal_is_told_from_a_code(void **state)
{
	static const int	signals[] = { SIGSEGV, SIGKILL, SIGABRT, SIGTERM, SIGFPE };
	char			script[32];

	(void)state;
	for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
		struct jail_end	end;

		(void)snprintf(script, sizeof script, "kill -%d $$", signals[i]);
		end = run_script(script);
		assert_false(end.setup_failed);
		assert_int_equal(end.signal, signals[i]);
	}
}

static void
test_spawn_a_program_that_is_not_there_is_a_failure_of_set_up(void **state)
{
	struct jail_end	end = run_program("/usr/bin/no-such-program", NULL, NULL);

	(void)state;
	assert_true(end.setup_failed);
	assert_non_null(strstr(end.words, "/usr/bin/no-such-program"));
	assert_non_null(strstr(end.words, strerror(ENOENT)));
	end = run_program("/nowhere/no-such-program", NULL, NULL);
	assert_true(end.setup_failed);
	end = run_program("/usr", NULL, NULL);
	assert_true(end.setup_failed);
	assert_non_null(strstr(end.words, strerror(EACCES)));
}

static void
test_spawn_a_directory_that_is_not_there_is_a_failure_of_set_up(void **state)
{
	const char *const	argv[] = { "/bin/true", NULL };
	struct jail_order	o = order_of(argv);
	struct jail_end		end;

	(void)state;
	o.dir = "/tmp/no-such-directory";
	end = run(&o);
	assert_true(end.setup_failed);
	assert_non_null(strstr(end.words, "no-such-directory"));
}

static void
test_spawn_waiting_has_a_limit(void **state)
{
	const char *const	argv[] = { "/bin/sleep", own_seconds(), NULL };
	const struct jail_order	o = order_of(argv);
	struct jailed		j;
	struct jail_end		end;

	(void)state;
	start(&j, &o);
	assert_false(jail_wait(&j, 0, &end));
	assert_false(jail_wait(&j, 20, &end));
	assert_true(j.pid > 0);
	jail_kill(&j);
	assert_int_equal(j.pid, 0);
	jail_kill(&j);			/* harmless */
	assert_true(jail_wait(&j, 0, &end));
	assert_no_children();
}

static void
test_spawn_the_end_tells_what_the_program_used(void **state)
{
	struct jail_end	end = run_program("/usr/bin/python3", "-c",
			    "x = bytearray(64 << 20)\nfor i in range(10**6): pass");

	(void)state;
	assert_int_equal(end.code, 0);
	assert_true(end.usage.ru_maxrss > 60 << 10);
	assert_true(end.usage.ru_utime.tv_sec * 1000000 + end.usage.ru_utime.tv_usec > 1000);
}

/* ---- what it sees ---- */

static void
test_spawn_the_program_gets_its_descriptors_and_no_other(void **state)
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
test_spawn_the_kept_descriptor_is_4(void **state)
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

static void
test_spawn_the_environment_is_three_variables(void **state)
{
	struct jail_end	end;

	(void)state;
	assert_int_equal(setenv("ASSAY_TEST_SECRET", "x", 1), 0);
	end = run_program("/usr/bin/env", NULL, NULL);
	assert_int_equal(end.code, 0);
	assert_string_equal(printed(), "PATH=/usr/local/bin:/usr/bin:/bin\nLANG=C\nTMPDIR=.\n");
}

static void
test_spawn_signals_are_as_if_nobody_had_touched_them(void **state)
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

static void
test_spawn_a_build_may_write_into_its_directory(void **state)
{
	char		path[128];
	struct stat	sb;

	(void)state;
	assert_int_equal(run_script("echo made > out.so && test -r out.so").code, 0);
	(void)snprintf(path, sizeof path, "%s/out.so", dir);
	assert_int_equal(stat(path, &sb), 0);
	assert_int_equal(sb.st_size, 5);
}

static void
test_spawn_a_timing_jail_has_nothing_to_write_to(void **state)
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
test_spawn_the_host_is_out_of_sight(void **state)
{
	static const char	script[] = "import os\n"
	    "print(os.getcwd(), sorted(set(os.listdir('/')) - {'bin', 'lib', 'lib32', 'lib64', 'libx32'}"
#ifndef __x86_64__
	    " - {'proc'}"	/* one file of it, for -march=native */
#endif
	    "),\n"
	    "      sorted(os.listdir('/dev')), sorted(set(os.listdir('/etc')) - {'alternatives', 'ld.so.cache'}))\n"
	    "print(os.getpid(), os.path.exists('/old'))\n";

	(void)state;
	if (!jail_support()->namespaces)
		skip();
	assert_int_equal(run_program("/usr/bin/python3", "-c", script).code, 0);
	assert_string_equal(printed(), "/work ['dev', 'etc', 'usr', 'work'] ['null', 'urandom'] []\n2 False\n");
}

/* By number: sockets, keyrings, a namespace by unshare and by clone, tracing, io_uring. */
static void
test_spawn_ways_out_of_a_jail_are_closed(void **state)
{
	static const char	script[] = "import ctypes, errno, os\n"
	    "libc = ctypes.CDLL(None, use_errno=True)\n"
	    "def word(name, *a):\n"
	    "    ctypes.set_errno(0)\n"
	    "    return errno.errorcode.get(ctypes.get_errno(), 'done') if libc[name](*a) == -1 else 'done'\n"
	    "keyctl = 250 if os.uname().machine == 'x86_64' else 219\n"
	    "def number(n, *a): return word('syscall', ctypes.c_long(n), *map(ctypes.c_long, a))\n"
	    "print(word('socket', 40, 1, 0), word('socket', 2, 1, 0), word('unshare', 0x10000000), word('ptrace', 0, 0, 0, 0),\n"
	    "      word('personality', 0), number(425, 1, 0), number(435, 0, 0), number(keyctl, 0, -3, 0))\n";

	(void)state;
	if (!jail_support()->seccomp)
		skip();
	assert_int_equal(run_program("/usr/bin/python3", "-c", script).code, 0);
	assert_string_equal(printed(), "EPERM EPERM EPERM EPERM EPERM EPERM ENOSYS EPERM\n");
}

/* SPEC_ALLOW: without it, kernels before 5.16 turn this speculation off in whoever has a filter. */
static void
test_spawn_filters_slow_no_code_down(void **state)
{
	static const char	script[] = "import ctypes\nprint(ctypes.CDLL(None).prctl(52, 0, 0, 0, 0))\n";
	char			outside[16];

	(void)state;
	(void)snprintf(outside, sizeof outside, "%d\n", prctl(PR_GET_SPECULATION_CTRL, PR_SPEC_STORE_BYPASS, 0, 0, 0));
	assert_int_equal(run_program("/usr/bin/python3", "-c", script).code, 0);
	assert_string_equal(printed(), outside);
}

/* Anybody may write to some of these directories; without a root of its own, only landlock is in the way. */
static void
test_spawn_files_outside_its_directory_are_not_written(void **state)
{
	static const char	script[] =
	    "for p in '/tmp/assay-test-out', '/dev/shm/assay-test-out', '/usr/assay-test-out', 'in':\n"
	    "    try: open(p, 'w'); print(p)\n"
	    "    except OSError: pass\n";

	(void)state;
	if (!jail_support()->landlock)
		skip();
	assert_int_equal(run_program("/usr/bin/python3", "-c", script).code, 0);
	assert_string_equal(printed(), "in\n");
}

static void
test_spawn_a_program_outside_usr_is_shown_alone(void **state)
{
	char			command[256], path[128];
	const char *const	argv[] = { path, "-c", "pwd; ls", NULL };
	struct jail_order	o = order_of(argv);
	char			work[128];

	(void)state;
	(void)snprintf(command, sizeof command, "mkdir %s/programs %s/work && cp /bin/dash %s/programs/runner", dir,
	    dir, dir);
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
test_spawn_the_program_has_no_rights_and_is_never_root(void **state)
{
	const char		*seconds = own_seconds();
	const char *const	argv[] = { "/bin/sh", "-c", "echo ready; exec sleep \"$0\"", seconds, NULL };
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
test_spawn_limits_hold(void **state)
{
	const char *const	spin[] = { "/bin/sh", "-c", "while :; do :; done", NULL };
	const char *const	write_much[] = { "/bin/sh", "-c", "exec head -c 3000000 /dev/urandom > big", NULL };
	const char *const	map_much[] = { "/usr/bin/python3", "-c", "bytearray(300 << 20)", NULL };
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
	assert_string_equal(printed(), "0\n256\n");	/* of 512 bytes each: one byte rounds down to none */
}

static void
test_spawn_a_fork_bomb_is_bounded(void **state)
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
test_spawn_realtime_is_granted_to_who_may_have_it_and_on_request_only(void **state)
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
test_spawn_the_program_is_pinned(void **state)
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

/* ---- nothing stays ---- */

/* Leaves three sleepers behind, some of them daemons in sessions of their own, then goes on as told. */
static void
daemons_script(char *buf, size_t bytes, const char *seconds, const char *then)
{
	(void)snprintf(buf, bytes, "(setsid sleep %s & setsid sh -c 'setsid sleep %s & sleep %s; :' &) ; %s", seconds,
	    seconds, seconds, then);
}

static void
wait_for_processes(const char *argument, unsigned want)
{
	for (int i = 0; i < PATIENCE_MS / 5; i++) {
		if (processes_with(argument) == want)
			return;
		(void)usleep(5000);
	}
	fail_msg("%u processes, not %u", processes_with(argument), want);
}

static void
test_spawn_killing_takes_the_whole_tree(void **state)
{
	const char		*seconds = own_seconds();
	char			 script[512];
	const char *const	 argv[] = { "/bin/sh", "-c", script, NULL };
	const struct jail_order	 o = order_of(argv);
	struct jailed		 j;

	(void)state;
	daemons_script(script, sizeof script, seconds, "wait; sleep 1000");
	start(&j, &o);
	wait_for_processes(seconds, 3);
	jail_kill(&j);
	assert_int_equal(processes_with(seconds), 0);
	assert_no_children();
}

static void
test_spawn_a_program_that_ends_leaves_nobody(void **state)
{
	const char	*seconds = own_seconds();
	char		 script[512];
	struct jail_end	 end;

	(void)state;
	daemons_script(script, sizeof script, seconds, "exit 5");
	end = run_script(script);
	assert_int_equal(end.code, 5);
	assert_int_equal(processes_with(seconds), 0);
	assert_no_children();
}

static void
test_spawn_two_jails_end_one_by_one(void **state)
{
	char			one[32], two[32];
	const char *const	first[] = { "/bin/sleep", one, NULL }, *const second[] = { "/bin/sleep", two, NULL };
	struct jail_order	o = order_of(first);
	struct jailed		a, b;

	(void)state;
	strcpy(one, own_seconds());
	strcpy(two, own_seconds());
	start(&a, &o);
	o.argv = second;
	start(&b, &o);
	wait_for_processes(one, 1);
	wait_for_processes(two, 1);
	jail_kill(&a);
	assert_int_equal(processes_with(one), 0);
	assert_int_equal(processes_with(two), 1);
	jail_kill(&b);
	assert_int_equal(processes_with(two), 0);
	assert_no_children();
}

static void
test_spawn_a_jail_does_not_outlive_its_worker(void **state)
{
	const char	*seconds = own_seconds();
	char		 script[512];
	pid_t		 worker;

	(void)state;
	daemons_script(script, sizeof script, seconds, "sleep 1000");
	worker = fork();
	if (worker == 0) {
		const char *const	argv[] = { "/bin/sh", "-c", script, NULL };
		const struct jail_order	o = order_of(argv);
		struct jailed		j;
		struct fault		why;

		if (jail_spawn(&j, &o, &why) != ST_OK)
			_exit(1);
		for (;;)
			(void)pause();
	}
	wait_for_processes(seconds, 3);
	assert_int_equal(kill(worker, SIGKILL), 0);
	assert_int_equal(waitpid(worker, NULL, 0), worker);
	wait_for_processes(seconds, 0);
}

static unsigned
open_descriptors(void)
{
	unsigned	n = 0;

	for (int fd = 0; fd < 1024; fd++)
		n += fcntl(fd, F_GETFD) != -1;
	return n;
}

static void
test_spawn_many_jails_leave_nothing_open(void **state)
{
	const unsigned	before = open_descriptors();
	struct jailed	j;

	(void)state;
	for (unsigned i = 0; i < 40; i++) {
		const char *const	argv[] = { "/bin/sleep", "1000", NULL };
		const struct jail_order	o = order_of(argv);

		assert_int_equal(run_script("true").code, 0);
		start(&j, &o);
		jail_kill(&j);
	}
	assert_int_equal(open_descriptors(), before);
	assert_no_children();
}

static void
test_spawn_says_what_is_missing(void **state)
{
	const struct jail_support	*s = jail_support();

	(void)state;
	assert_true(s->works);
	assert_int_equal(s->namespaces, s->mount && s->pid && s->net);
	if (!s->namespaces)
		assert_true(s->reason[0] != '\0');
}

static int
run_group(const char *name)
{
#define TEST(f)	cmocka_unit_test_setup_teardown(f, set_up, tear_down)
	const struct CMUnitTest	tests[] = {
		TEST(test_spawn_says_what_is_missing),
		TEST(test_spawn_exit_codes_arrive_exactly),
		TEST(test_spawn_a_signal_is_told_from_a_code),
		TEST(test_spawn_a_program_that_is_not_there_is_a_failure_of_set_up),
		TEST(test_spawn_a_directory_that_is_not_there_is_a_failure_of_set_up),
		TEST(test_spawn_waiting_has_a_limit),
		TEST(test_spawn_the_end_tells_what_the_program_used),
		TEST(test_spawn_the_program_gets_its_descriptors_and_no_other),
		TEST(test_spawn_the_kept_descriptor_is_4),
		TEST(test_spawn_the_environment_is_three_variables),
		TEST(test_spawn_signals_are_as_if_nobody_had_touched_them),
		TEST(test_spawn_a_build_may_write_into_its_directory),
		TEST(test_spawn_a_timing_jail_has_nothing_to_write_to),
		TEST(test_spawn_the_host_is_out_of_sight),
		TEST(test_spawn_ways_out_of_a_jail_are_closed),
		TEST(test_spawn_filters_slow_no_code_down),
		TEST(test_spawn_files_outside_its_directory_are_not_written),
		TEST(test_spawn_a_program_outside_usr_is_shown_alone),
		TEST(test_spawn_the_program_has_no_rights_and_is_never_root),
		TEST(test_spawn_limits_hold),
		TEST(test_spawn_a_fork_bomb_is_bounded),
		TEST(test_spawn_realtime_is_granted_to_who_may_have_it_and_on_request_only),
		TEST(test_spawn_the_program_is_pinned),
		TEST(test_spawn_killing_takes_the_whole_tree),
		TEST(test_spawn_a_program_that_ends_leaves_nobody),
		TEST(test_spawn_two_jails_end_one_by_one),
		TEST(test_spawn_a_jail_does_not_outlive_its_worker),
		TEST(test_spawn_many_jails_leave_nothing_open),
	};
	char			path[4200];
	struct fault		why;

	if (program_path("assay-jail", path, sizeof path, &why) != ST_OK) {
		printf("%s: assay-jail is out of reach\n", name);
		return 0;
	}
	printf("%s:\n", name);
	(void)fflush(stdout);
	return cmocka_run_group_tests_name(name, tests, NULL, NULL);
}

/* In a child, since what works is found out once per process. */
static int
in_child(const char *name, bool namespaces, uid_t uid)
{
	int	status;
	pid_t	pid = fork();

	if (pid == 0) {
		if (!namespaces)
			jail_without_namespaces();
		/* A change of uid makes a process unreadable to itself, until an exec would make it a real user's. */
		if (uid != 0 && (setgid(uid) == -1 || setuid(uid) == -1 || prctl(PR_SET_DUMPABLE, 1) == -1))
			_exit(1);
		_exit(run_group(name) == 0 ? 0 : 1);
	}
	return waitpid(pid, &status, 0) == pid && status == 0 ? 0 : 1;
}

int
main(void)
{
	int	failed;

	failed = in_child("spawn as it is", true, 0);
	failed += in_child("spawn without namespaces", false, 0);
	if (geteuid() == 0) {
		failed += in_child("spawn as an ordinary user", true, 54321);
		failed += in_child("spawn as an ordinary user without namespaces", false, 54321);
	}
	return failed;
}
