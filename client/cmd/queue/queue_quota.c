/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "client/cmd/queue/queue_quota.h"
#include "client/print/format.h"
#include "client/print/member.h"

/* "12 of 100 jobs", if there is a limit; `after`: what is printed before it. */
static const char *
print_use(const char *after, const char *use, const json_t *limits, const char *member,
    char *(*format)(double, char *), const char *unit)
{
	char	limit[FORMAT_BYTES];

	if (!json_is_number(json_object_get(limits, member)))
		return after;
	(void)printf("%s%s of %s%s", after, use, format(member_number(limits, member), limit),
	    unit);
	return ", ";
}

static char *
format_count(double n, char *buf)
{
	(void)snprintf(buf, FORMAT_BYTES, "%.0f", n);
	return buf;
}

static void
print_user(const json_t *u, const json_t *limits)
{
	const char	*after = " ";
	char		 jobs[FORMAT_BYTES], bytes[FORMAT_BYTES], seconds[FORMAT_BYTES];
	char		 until[FORMAT_BYTES], user[FORMAT_BYTES];

	(void)printf("quota: user %s:", member_user(u, "user", user));
	after = print_use(after, format_count(member_number(u, "jobs"), jobs), limits, "jobs",
	    format_count, " jobs");
	after = print_use(after, format_bytes(member_number(u, "bytes"), bytes), limits, "bytes",
	    format_bytes, "");
	after = print_use(after, format_number(member_number(u, "timing_s"), seconds), limits,
	    "timing_s", format_count, " s today");
	if (json_is_number(json_object_get(u, "held_until")))
		(void)printf("%sheld until %s", after,
		    format_time(member_number(u, "held_until"), until));
	(void)putchar('\n');
}

void
queue_print_quota(const json_t *quota)
{
	const json_t	*limits = json_object_get(quota, "limits"), *u;
	size_t		 i;

	if (!json_is_number(json_object_get(limits, "jobs")) &&
	    !json_is_number(json_object_get(limits, "bytes")) &&
	    !json_is_number(json_object_get(limits, "timing_s")))
		return;
	json_array_foreach(json_object_get(quota, "users"), i, u)
		if (!json_is_true(json_object_get(u, "exempt")))
			print_user(u, limits);
}
