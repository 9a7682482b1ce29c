/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_TESTS_SUPPORT_DRIVER_H
#define ASSAY_TESTS_SUPPORT_DRIVER_H

/*
 * For tests that need a real driver: job documents in C strings (with ' for "), a directory of the
 * test's own, gcc, and a compiled driver loaded into the test.  Included once, after cmocka.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "proto/driver/driver.h"
#include "proto/spec/spec.h"
#include "tests/support/quoted.h"
#include "worker/runner/sample/rt.h"

static char	support_dir[64];

static inline void
support_remove_dir(void)
{
	char	command[128];

	snprintf(command, sizeof command, "rm -rf '%s'", support_dir);
	if (system(command) != 0)
		fprintf(stderr, "%s stays behind\n", support_dir);
}

/* Made by the first caller, gone at exit. */
static inline const char *
support_own_dir(void)
{
	if (support_dir[0] == '\0') {
		strcpy(support_dir, "/tmp/assay-test-XXXXXX");
		assert_non_null(mkdtemp(support_dir));
		assert_int_equal(chmod(support_dir, 0755), 0);
		atexit(support_remove_dir);
	}
	return support_dir;
}

static inline void
support_write(const char *path, const char *text)
{
	FILE	*f = fopen(path, "w");

	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static inline void
support_job(struct job *job, const char *text)
{
	json_t		*doc = quoted_json(text);
	struct fault	 why;
	char		 line[1280];

	if (job_decode(job, doc, &why) != ST_OK)
		fail_msg("%s", fault_line(&why, line, sizeof line));
	json_decref(doc);
}

/* A job for `spec` whose variant does not matter. */
static inline void
support_spec_job(struct job *job, const char *spec)
{
	char	text[8192];

	snprintf(text, sizeof text,
	    "{'variant': {'language': 'c', 'source': 'int x;'}, 'spec': %s}", spec);
	support_job(job, text);
}

static inline char *
support_driver_text(const char *spec)
{
	struct job	 job;
	struct fault	 why;
	char		*text;

	support_spec_job(&job, spec);
	assert_int_equal(driver_generate(&job.spec, &text, &why), ST_OK);
	job_release(&job);
	return text;
}

/*
 * Compile a driver, as the builder does but with warnings as errors, with the params as macros and
 * `more` C after it; load it.  Stays loaded.
 */
static inline const struct rt_driver *
support_load_driver(const char *spec, const char *more)
{
	static unsigned	 count;
	struct job	 job;
	struct fault	 why;
	char		 path[128], command[8192], value[SPEC_PARAM_TEXT], *text;
	void		*handle;
	int		 used;

	support_spec_job(&job, spec);
	assert_int_equal(driver_generate(&job.spec, &text, &why), ST_OK);
	snprintf(path, sizeof path, "%s/rt.h", support_own_dir());
	support_write(path, rt_header);
	snprintf(path, sizeof path, "%s/driver%u.c", support_dir, ++count);
	support_write(path, text);
	free(text);
	snprintf(path, sizeof path, "%s/more%u.c", support_dir, count);
	snprintf(command, sizeof command,
	    "__attribute__((weak)) void rt_saw(unsigned, const void *);\n"
	    "void rt_saw(unsigned rt_operand, const void "
	    "*rt_at)\n{\n\t(void)rt_operand;\n\t(void)rt_at;\n}\n%s", more != NULL ? more : "");
	support_write(path, command);

	used = snprintf(command, sizeof command,
	    "cd %s && gcc -O2 -fPIC -shared -Wall -Wextra -Werror -Wl,-z,now "
	    "-o driver%u.so driver%u.c more%u.c -lm", support_dir, count, count, count);
	for (size_t i = 0; i < job.spec.nparams; i++) {
		param_put_text(&job.spec.params[i], value, sizeof value);
		used += snprintf(command + used, sizeof command - (size_t)used, " '-D%s=%s'",
		    job.spec.params[i].name, value);
	}
	assert_int_equal(system(command), 0);
	job_release(&job);

	snprintf(path, sizeof path, "%s/driver%u.so", support_dir, count);
	if ((handle = dlopen(path, RTLD_NOW | RTLD_LOCAL)) == NULL)
		fail_msg("%s", dlerror());
	const struct rt_driver *d = dlsym(handle, "assay_driver");
	assert_non_null(d);
	d->rt_describe();
	return d;
}

#endif
