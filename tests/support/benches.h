/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_TESTS_SUPPORT_BENCHES_H
#define ASSAY_TESTS_SUPPORT_BENCHES_H

#include "proto/base/clock.h"
#include "tests/support/driver.h"
#include "worker/bench/bench.h"

/*
 * For tests of a real runner, included once, after cmocka: a bench on the machine's last CPU, with
 * the driver of one spec, and variants that gcc compiles.
 */
static struct bench_reply	answer;
static struct slot		slot = { .l1_bytes = 32 << 10, .l2_bytes = 1 << 20,
    .l3_bytes = 32 << 20, .line_bytes = 64 };
static char			scratch[96];

#define LIMIT_NS	(120 * UINT64_C(1000000000))

/* An end for what hangs. */
static inline uint64_t
soon(void)
{
	return clock_now_ns() + LIMIT_NS;
}

static inline const char *
compile(const char *name, const char *text)
{
	static char	path[4][128];
	static unsigned	n;
	char		command[512], source[160], *object = path[n++ % 4];

	snprintf(object, sizeof path[0], "%s/%s.so", support_own_dir(), name);
	snprintf(source, sizeof source, "%s/%s.c", support_dir, name);
	support_write(source, text);
	snprintf(command, sizeof command, "gcc -O1 -fPIC -shared -o %s %s", object, source);
	assert_int_equal(system(command), 0);
	return object;
}

/*
 * The program's only spec; slot and limit of the config are filled in, and the driver where it has
 * none.
 */
static inline struct bench *
benches_open(const char *spec, struct bench_config config)
{
	static bool	 compiled;
	char		 path[128];
	struct bench	*b;
	struct fault	 why;

	if (!compiled)
		support_load_driver(spec, NULL);	/* the first one it compiles */
	compiled = true;
	snprintf(path, sizeof path, "%s/driver1.so", support_own_dir());
	snprintf(scratch, sizeof scratch, "%s/scratch", support_dir);
	slot.scratch_dir = scratch;
	slot.cpu = (int)sysconf(_SC_NPROCESSORS_ONLN) - 1;
	config.slot = &slot;
	if (config.driver_path == NULL)
		config.driver_path = path;
	config.setup_limit_ns = LIMIT_NS;
	if (bench_new(&b, &config, &why) != ST_OK)
		fail_msg("%s", why.text);
	return b;
}

#endif
