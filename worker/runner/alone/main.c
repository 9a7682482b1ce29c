/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stand-alone timer: each variant in a process of its own.  Prints a line of JSON and a
 * readable line for each.  The exit status is 1 if one is wrong or could not be timed.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "proto/base/clock.h"
#include "worker/runner/alone/check.h"
#include "worker/runner/alone/measure.h"

/* ---- what a driver wants of its runner ---- */

rt_u64
rt_wall_ns(void)
{
	return clock_now_ns();
}

rt_u64
rt_cpu_ns(void)
{
	return clock_cpu_ns();
}

void
rt_saw(rt_u32 operand, const void *at)
{
	(void)operand;
	(void)at;
}

/* ---- lines ---- */

/* A string of JSON. */
static void
put_text(const char *s)
{
	putchar('"');
	for (; *s != '\0'; s++)
		if ((unsigned char)*s < ' ')
			printf("\\u%04x", (unsigned)*s);
		else
			printf(*s == '"' || *s == '\\' ? "\\%c" : "%c", *s);
	putchar('"');
}

static int
put_failure(const char *name, const char *outcome, const char *detail)
{
	printf("{\"name\":");
	put_text(name);
	printf(",\"outcome\":\"%s\",\"detail\":", outcome);
	put_text(detail);
	printf("}\n%-24s %s: %s\n", name, outcome, detail);
	fflush(stdout);
	return 1;
}

static void
put_verdict(const struct verdict *v)
{
	if (v == NULL)
		printf("not checked");
	else if (v->wrong == 0)
		printf("right");
	else
		printf("WRONG: %llu of %llu numbers, first %s[%llu]", (unsigned long long)v->wrong,
		    (unsigned long long)v->compared, v->where, (unsigned long long)v->index);
}

static void
put_figures(const char *name, double flops, const struct measured *t, const struct verdict *v,
    const struct answer *a)
{
	const double	mflops = t->median_ns > 0 ? flops / t->median_ns * 1e3 : 0;
	double		result;

	printf("{\"name\":");
	put_text(name);
	printf(",\"outcome\":\"%s\",\"min_ns\":%.3f,\"median_ns\":%.3f,\"samples\":%llu,"
	    "\"calls\":%llu,\"mflops\":%.3f,\"flushed_lines\":%llu,\"right\":%s",
	    v != NULL && v->wrong != 0 ? "wrong_answer" : "ok", t->min_ns, t->median_ns,
	    (unsigned long long)t->samples, (unsigned long long)t->calls, mflops,
	    (unsigned long long)t->flushed_lines, v == NULL ? "null" : v->wrong == 0 ? "true" :
	    "false");
	if (answer_result(a, &result))
		printf(",\"result\":%.17g", result);
	printf("}\n%-24s median %.1f ns, min %.1f ns, %llu samples of %llu calls, %.1f MFLOPS, "
	    "%llu lines flushed, ", name, t->median_ns, t->min_ns, (unsigned long long)t->samples,
	    (unsigned long long)t->calls, mflops, (unsigned long long)t->flushed_lines);
	put_verdict(v);
	putchar('\n');
	fflush(stdout);
}

/* ---- one variant ---- */

static rt_code *
find_routine(const char *file)
{
	const char *const	names[] = { assay_driver.rt_routine, assay_driver.rt_cxx,
				    assay_driver.rt_fortran };
	void			*object = dlopen(file, RTLD_NOW | RTLD_LOCAL), *at = NULL;
	rt_code			*code;

	for (size_t i = 0; object != NULL && at == NULL && i < sizeof names / sizeof *names; i++)
		if (names[i] != NULL)
			at = dlsym(object, names[i]);
	memcpy(&code, &at, sizeof code);
	return code;
}

static const char *
load_failure(void)
{
	const char	*why = dlerror();

	return why != NULL ? why : "it has no such routine";
}

/* Checked before and after its samples. */
static int
judge(const char *name, struct memory *m, rt_code *code, const struct answer *want)
{
	struct answer	before, after;
	struct measured	t = { 0 };
	struct verdict	v = { .where = "" };
	const char	*why = "no memory for answers";

	if (!answer_take(&before, m, code) || (why = measure(m, code, &t)) != NULL ||
	    (why = "no memory for answers", !answer_take(&after, m, code)))
		return put_failure(name, "internal", why);
	if (want != NULL) {
		v = answer_compare(m, &before, want);
		if (v.wrong == 0)
			v = answer_compare(m, &after, want);
	}
	put_figures(name, m->spec.rt_flops, &t, want != NULL ? &v : NULL, &before);
	answer_release(&before);
	answer_release(&after);
	return want != NULL && v.wrong != 0;
}

static int
run(const struct rt_alone_variant *v)
{
	static struct memory	 m;
	struct answer		 want;
	rt_code			*reference = NULL, *code;
	const char		*why = memory_make(&m);

	if (why != NULL || (why = measure_clock()) != NULL)
		return put_failure(v->rt_name, "internal", why);
	if (m.spec.rt_reference != NULL &&
	    (reference = find_routine(m.spec.rt_reference)) == NULL)
		return put_failure("reference", "load_failed", load_failure());
	if (reference != NULL && !answer_take(&want, &m, reference))
		return put_failure(v->rt_name, "internal", "no memory for answers");
	if ((code = find_routine(v->rt_file)) == NULL)
		return put_failure(v->rt_name, "load_failed", load_failure());
	return judge(v->rt_name, &m, code, reference != NULL ? &want : NULL);
}

/* In a process of its own, which sets *over when it has printed the variant's lines. */
static int
run_apart(const struct rt_alone_variant *v, volatile char *over)
{
	pid_t	pid;
	char	detail[64];
	int	end;

	*over = 0;
	if ((pid = fork()) == 0) {
		end = run(v);
		*over = 1;
		_exit(end);
	}
	if (pid == -1 || waitpid(pid, &end, 0) != pid)
		return put_failure(v->rt_name, "internal", "no process for it");
	if (WIFEXITED(end) && *over)
		return WEXITSTATUS(end);
	if (WIFEXITED(end))
		return put_failure(v->rt_name, "crashed", "it ended the process");
	(void)snprintf(detail, sizeof detail, "signal %d", WTERMSIG(end));
	return put_failure(v->rt_name, "crashed", detail);
}

int
main(void)
{
	char	*over = mmap(NULL, sizeof *over, PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int	 failed = 0;

	if (over == MAP_FAILED)
		return put_failure("timer", "internal", "no memory");
	for (const struct rt_alone_variant *v = rt_alone_variant; v->rt_name != NULL; v++)
		failed |= run_apart(v, over);
	return failed;
}
