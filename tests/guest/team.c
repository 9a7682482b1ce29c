/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For the guest: a routine with threads, timed in a slot of several CPUs that assay-hostd has made.
 *
 *	team build DIR			outside, where there is a compiler: its objects, into DIR
 *	team time DIR PROCS CPUS	inside: PROCS is the slot's cgroup.procs.  Prints the outcome and the CPUs that
 *					the result names; then the same of the job without threads
 *
 * The routine starts a team by OpenMP and a thread of its own, and is right only when no two threads of the team were
 * on one CPU in any call.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/cpulist.h"
#include "worker/build/build.h"
#include "worker/spawn/spawn.h"
#include "worker/trial/supervise.h"

enum { PATH_BYTES = 4000 };

static const char	team[] =
    "#define _GNU_SOURCE\n#include <omp.h>\n#include <pthread.h>\n#include <sched.h>\n"
    "static void *where(void *cpu) { *(int *)cpu = sched_getcpu(); return cpu; }\n"
    "double f(int n, const double *x)\n{\n"
    "	int cpu[2] = { -1, -1 }, other = -1;\n	pthread_t t;\n"
    "#pragma omp parallel num_threads(2)\n"
    "	{\n		volatile double s = 0;\n"
    "		for (int i = 0; i < n; i++) s += x[i];\n"
    "		cpu[omp_get_thread_num()] = sched_getcpu();\n	}\n"
    "	if (pthread_create(&t, 0, where, &other) != 0 || pthread_join(t, 0) != 0) return -2;\n"
    "	return cpu[0] >= 0 && cpu[1] >= 0 && cpu[0] != cpu[1] && other >= 0 ? n : -1;\n}\n";
static const char	reference[] = "double f(int n, const double *x) { return x[0] == 1 ? n : 0; }\n";

static int
complain(const char *what, const char *words)
{
	(void)printf("team: %s: %s\n", what, words);
	return 1;
}

/* threads = 1: the reference is the variant, too, so that nothing else need be built. */
static bool
make_job(struct job *job, int threads)
{
	const char	*source = threads > 1 ? team : reference;
	json_t		*doc = json_pack(
			    "{s:{s:s, s:s, s:[s, s]}, s:i, s:{s:s, s:{s:i}, s:{s:s, s:{s:[s], s:{s:i}}},"
			    "s:s, s:{s:i, s:i, s:s, s:b}, s:{s:{s:s, s:s}}}}",
			    "variant", "language", "c", "source", source, "flags", "-O1", "-fopenmp",
			    "threads", threads, "spec", "routine", "double f(int n, const double *x)",
			    "params", "N", 1000, "args", "n", "N", "x", "dims", "N", "init", "value", 1,
			    "context", "warm", "timing", "samples", 3, "calls", 1, "clock", "wall", "gate", 0,
			    "check", "reference", "language", "c", "source", reference);
	struct fault	 why;
	enum status	 st = job_decode(job, doc, &why);

	json_decref(doc);
	return st == ST_OK || complain("job", why.text) == 0;
}

/* Which objects of the cache are a job's. */
static bool
keep(const char *dir, int threads, struct artifacts *a, const char *mode)
{
	char	 path[PATH_BYTES];
	FILE	*f;
	bool	 ok;

	(void)snprintf(path, sizeof path, "%s/artifacts%d", dir, threads);
	if ((f = fopen(path, mode)) == NULL)
		return false;
	ok = (mode[0] == 'w' ? fwrite(a, sizeof *a, 1, f) : fread(a, sizeof *a, 1, f)) == 1;
	return fclose(f) == 0 && ok;
}

static int
build_one(struct builder *b, const char *dir, int threads)
{
	struct job		 job;
	struct artifacts	 made = { 0 };
	char			*words = NULL, *report = NULL;
	int			 rc = 0;

	if (!make_job(&job, threads))
		return 1;
	if (builder_build(b, &job, &made, &words, &report) != ST_OK || !keep(dir, threads, &made, "w"))
		rc = complain("build", words != NULL ? words : "not kept");
	free(words);
	free(report);
	job_release(&job);
	return rc;
}

static int
build(const char *dir)
{
	char			 cache[PATH_BYTES], scratch[PATH_BYTES];
	struct builder_config	 config = { .cache_dir = cache, .scratch_dir = scratch, .cache_limit_bytes = 1 << 28,
				     .cpu = -1 };
	struct builder		*b;
	struct fault		 why;
	int			 rc;

	(void)snprintf(cache, sizeof cache, "%s/cache", dir);
	(void)snprintf(scratch, sizeof scratch, "%s/scratch", dir);
	if (builder_new(&b, &config, &why) != ST_OK)
		return complain("builder", why.text);
	rc = build_one(b, dir, 2) || build_one(b, dir, 1);
	builder_free(b);
	return rc;
}

static int
time_one(struct supervisor *s, const char *dir, int threads)
{
	struct job		 job;
	struct artifacts	 made;
	struct kept		 kept;
	char			*words = NULL, *text = NULL, *cpus;
	json_t			*technique;
	enum status		 st;

	if (!make_job(&job, threads) || !keep(dir, threads, &made, "r"))
		return complain("time", "nothing was built");
	st = supervisor_time(s, &job, &made, &words, &text, &kept);
	technique = json_loads(kept.technique != NULL ? kept.technique : "{}", 0, NULL);
	free(text);
	kept_release(&kept);
	cpus = json_dumps(json_object_get(technique, "cpus"), JSON_ENCODE_ANY | JSON_COMPACT);
	(void)printf("threads %d: %s, cpus %s%s%s\n", threads, status_word(st), cpus != NULL ? cpus : "?",
	    words != NULL ? ": " : "", words != NULL ? words : "");
	free(cpus);
	free(words);
	json_decref(technique);
	job_release(&job);
	return st != ST_OK;
}

static bool
never(void *arg)
{
	(void)arg;
	return false;
}

static int
time_both(const char *dir, const char *procs, const char *cpus)
{
	char			 cache[PATH_BYTES];
	struct slot		 slot = { .line_bytes = 64, .cache_dir = cache, .scratch_dir = "/tmp/scratch",
				     .stop = never };
	struct supervisor	*s;
	struct fault		 why;
	int			 fd = open(procs, O_WRONLY), rc;

	(void)snprintf(cache, sizeof cache, "%s/cache", dir);
	if (fd < 0 || !cpulist_parse(cpus, &slot.all))
		return complain(procs, cpus);
	slot.cpu = cpulist_first(&slot.all);
	jail_enter_cell(fd);
	if (supervisor_new(&s, &slot, &why) != ST_OK)
		return complain("supervisor", why.text);
	rc = time_one(s, dir, 2) | time_one(s, dir, 1);
	supervisor_free(s);
	return rc;
}

int
main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "build") == 0)
		return build(argv[2]);
	if (argc == 5 && strcmp(argv[1], "time") == 0)
		return time_both(argv[2], argv[3], argv[4]);
	return 64;
}
