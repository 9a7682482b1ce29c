/* SPDX-License-Identifier: Apache-2.0 */
#include "daemon/judge/comparison.h"
#include "daemon/judge/repeat.h"

enum status
repeat_judge(const struct case_file *c, struct result *stored, struct result *r)
{
	enum status	st = result_get(stored, c->stored, SHAPE_LENIENT, NULL);

	if (st != ST_OK)
		return st;
	r->repeat_of = c->repeat_of;
	r->has_time = stored->has_time;
	r->time = stored->time;
	r->has_rate = stored->has_rate;
	r->rate = stored->rate;
	r->found = stored->found;
	r->has_layout = stored->has_layout;
	r->layout = stored->layout;
	if ((r->has_comparison = stored->has_comparison)) {
		r->comparison = stored->comparison;
		comparison_name(c, &r->comparison);
	}
	return ST_OK;
}
