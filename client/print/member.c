/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>

#include "client/print/format.h"
#include "client/print/member.h"
#include "proto/base/name.h"

const char *
member_text(const json_t *object, const char *name)
{
	const char	*text = json_string_value(json_object_get(object, name));

	return text != NULL ? text : "";
}

double
member_number(const json_t *object, const char *name)
{
	const json_t	*number = json_object_get(object, name);

	return json_is_number(number) ? json_number_value(number) : NAN;
}

const char *
member_user(const json_t *object, const char *number, char *buf)
{
	const char	*name = member_text(object, "user_name");

	if (name[0] != '\0')
		return name;
	(void)snprintf(buf, FORMAT_BYTES, "%.0f", member_number(object, number));
	return buf;
}

const char *
member_count(const json_t *object, const char *name, char *buf)
{
	const double	n = member_number(object, name);

	(void)snprintf(buf, FORMAT_BYTES, "%.0f", n);
	return isfinite(n) && n > 0 ? buf : "";
}

char *
member_counts(const json_t *counts, const char *const *but, char *buf, size_t bytes)
{
	const char	*name;
	json_t		*count;
	size_t		 used = 0;

	buf[0] = '\0';
	json_object_foreach((json_t *)(uintptr_t)counts, name, count) {
		if (json_integer_value(count) == 0 || name_is_among(name, but) || used >= bytes)
			continue;
		used += (size_t)snprintf(buf + used, bytes - used, "%s%" JSON_INTEGER_FORMAT " %s",
		    used > 0 ? ", " : "", json_integer_value(count), name);
	}
	return buf;
}

static void
add_cpu(cpu_set_t *cpus, const json_t *number)
{
	json_int_t	cpu = json_is_integer(number) ? json_integer_value(number) : -1;

	if (cpu >= 0 && cpu < CPU_SETSIZE)
		CPU_SET((size_t)cpu, cpus);
}

char *
member_cpus(const json_t *object, char *buf)
{
	const json_t	*list = json_object_get(object, "cpus"), *cpu;
	cpu_set_t	 cpus;
	size_t		 i;

	CPU_ZERO(&cpus);
	add_cpu(&cpus, json_object_get(object, "cpu"));
	json_array_foreach(list, i, cpu)
		add_cpu(&cpus, cpu);
	return format_cpus(&cpus, buf);
}
