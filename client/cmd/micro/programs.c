/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <math.h>

#include "client/cmd/job/helper.h"
#include "client/cmd/micro/programs.h"
#include "client/print/member.h"

/* What is no member of a variant goes; what all have in common is kept. */
static void
look_at(struct programs *p, json_t *program)
{
	const json_t	*meta = json_object_get(program, "meta");
	const double	 arrays = member_number(meta, "arrays");
	const double	 element = member_number(meta, "element_bytes");

	(void)json_object_del(program, "index");
	p->arrays = arrays > (double)p->arrays ? (int64_t)fmin(arrays, SURVEY_MAX_ARRAYS) :
	    p->arrays;
	p->element_bytes = element > (double)p->element_bytes ? (int64_t)fmin(element, 64) :
	    p->element_bytes;
}

enum status
programs_make(struct programs *p, const char *file, const char *function, int64_t limit,
    int64_t seed, bool here, int *code, struct fault *why)
{
	struct helper	 h;
	json_t		*program;
	size_t		 i;
	enum status	 st;

	*p = (struct programs){ .list = NULL };
	*code = 0;
	if ((st = helper_init(&h, "assay-micro", "expat and Zydis", why)) != ST_OK)
		return st;
	helper_add(&h, "--ndjson");
	helper_add(&h, here ? "--for-host" : "--decode");
	helper_add(&h, "--function=%s", function);
	if (limit > 0) {
		helper_add(&h, "--limit=%" PRId64, limit);
		helper_add(&h, "--seed=%" PRId64, seed);
	}
	helper_add(&h, "--");
	helper_add(&h, "%s", file);
	st = helper_run_lines(&h, &p->list, code, why);
	helper_release(&h);
	json_array_foreach(p->list, i, program)
		look_at(p, program);
	return st;
}

void
programs_release(struct programs *p)
{
	json_decref(p->list);
	p->list = NULL;
}

void
programs_describe(const struct programs *p, struct launch *l)
{
	if (l->arrays < 0 && l->sizes_text == NULL && l->survey_text == NULL)
		l->arrays = p->arrays;
	if (l->element == NULL)
		l->element = p->element_bytes == 8 ? "double" :
		    p->element_bytes == 1 || p->element_bytes == 2 ? "char" : "float";
}
