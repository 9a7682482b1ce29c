/* SPDX-License-Identifier: Apache-2.0 */
#include "client/import/random.h"

json_t *
random_scalar(struct foreign *s, struct span name, enum ctype type, uint64_t seed)
{
	if (ctype_is_floating(type)) {
		foreign_remark(s, name.at, "%.*s is drawn at random, from -1 to 1",
		    SPAN_ARGS(name));
		return json_pack("{s:{s:{s:I}}}", "init", "random", "seed", (json_int_t)seed);
	}
	foreign_remark(s, name.at, "%.*s is drawn at random, an integer from 1 to 100",
	    SPAN_ARGS(name));
	return json_pack("{s:{s:{s:I, s:i, s:i}}}", "init", "random", "seed", (json_int_t)seed,
	    "min", 1, "max", 100);
}
