/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "client/import/check.h"
#include "proto/base/name.h"
#include "proto/spec/spec.h"

/* "spec.args.A.dims[0]" → A. */
static struct span
argument_of(const char *member)
{
	static const char	prefix[] = "spec.args.";

	if (!name_starts(member, prefix))
		return (struct span){ member, 0 };
	member += sizeof prefix - 1;
	return (struct span){ member, strcspn(member, ".[") };
}

/* The daemon's caps on memory and its host's on places are not looked at here. */
enum status
check_spec(const struct foreign *s, json_t *spec, check_place_fn *place, void *arg,
    struct fault *why)
{
	json_t		*doc = json_pack("{s:{s:s}, s:O}", "variant", "source", "int x;", "spec",
			    spec);
	struct job	 job;
	enum status	 st;

	if (doc == NULL)
		return fault_set(why, ST_NOMEM, "spec");
	if ((st = job_decode(&job, doc, why)) == ST_OK)
		job_release(&job);
	else
		st = foreign_blame(s, place(arg, argument_of(why->member)), why);
	json_decref(doc);
	return st;
}
