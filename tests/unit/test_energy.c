/* SPDX-License-Identifier: Apache-2.0 */
/* Energy events, as a sysfs of our own describes them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "worker/take/energy.h"

#define POWER	"bus/event_source/devices/power/"
#define PKG	"power/energy-pkg/"

static char	sys[64];

/* A file with this line, and the folders that it is in. */
static void
put(const char *name, const char *line)
{
	char	 path[256];
	FILE	*f;

	snprintf(path, sizeof path, "%s/%s", sys, name);
	for (char *at = path + strlen(sys) + 1; (at = strchr(at, '/')) != NULL; *at++ = '/') {
		*at = '\0';
		(void)mkdir(path, 0700);
	}
	f = fopen(path, "w");
	assert_non_null(f);
	fprintf(f, "%s\n", line);
	fclose(f);
}

/* Two packages, whose first CPUs are 0 and 2. */
static int
make(void **state)
{
	(void)state;
	strcpy(sys, "/tmp/assay-energy-XXXXXX");
	assert_non_null(mkdtemp(sys));
	put(POWER "type", "19");
	put(POWER "cpumask", "0,2");
	put(POWER "events/energy-pkg", "event=0x02");
	put(POWER "events/energy-pkg.scale", "2.5e-10");
	put(POWER "events/energy-pkg.unit", "Joules");
	put("devices/system/cpu/cpu0/topology/physical_package_id", "0");
	put("devices/system/cpu/cpu2/topology/physical_package_id", "1");
	put("devices/system/cpu/cpu3/topology/physical_package_id", "1");
	return 0;
}

static int
clear(void **state)
{
	char	command[128];

	(void)state;
	snprintf(command, sizeof command, "rm -r %s", sys);
	return system(command);
}

static void
test_L49_an_event_has_its_scale_and_the_cpu_of_its_package(void **state)
{
	struct perf_event_attr	attr;
	struct energy		e;
	struct fault		why;

	(void)state;
	assert_int_equal(energy_find(&e, &attr, sys, PKG, 3, &why), ST_OK);
	assert_int_equal(e.cpu, 2);
	assert_true(e.scale == 2.5e-10);
	assert_string_equal(e.unit, "J");
	assert_int_equal(attr.type, 19);
	assert_int_equal(attr.config, 2);
	assert_int_equal(energy_find(&e, &attr, sys, PKG, 0, &why), ST_OK);
	assert_int_equal(e.cpu, 0);
}

static void
assert_lacks(const char *root, const char *name, const char *words)
{
	struct perf_event_attr	attr;
	struct energy		e;
	struct fault		why;

	assert_int_equal(energy_find(&e, &attr, root, name, 0, &why), ST_NOT_FOUND);
	if (strstr(why.text, words) == NULL)
		fail_msg("\"%s\" does not say \"%s\"", why.text, words);
}

static void
test_L49_what_a_host_lacks_is_said_by_name(void **state)
{
	(void)state;
	assert_lacks("/nowhere", PKG, "no energy counters");
	assert_lacks(sys, "power/energy-ram/", "does not count energy-ram");
	put(POWER "events/energy-pkg.scale", "nan");
	assert_lacks(sys, PKG, "does not say what a step of energy-pkg is");
	put(POWER "events/energy-pkg.scale", "1");
	put(POWER "cpumask", "");
	assert_lacks(sys, PKG, "names no CPU to read energy-pkg on");
	put(POWER "cpumask", "7,x");
	put(POWER "events/energy-pkg", "umask=2");
	assert_lacks(sys, PKG, "does not count energy-pkg");
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_L49_an_event_has_its_scale_and_the_cpu_of_its_package),
		cmocka_unit_test(test_L49_what_a_host_lacks_is_said_by_name),
	};

	return cmocka_run_group_tests(tests, make, clear);
}
