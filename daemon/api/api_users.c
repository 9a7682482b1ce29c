/* SPDX-License-Identifier: Apache-2.0 */
/* users.get: how long each user's jobs were in the slots. */
#include "daemon/api/api_impl.h"

enum status
api_users_get(struct call *c, const json_t *params, struct fault *why)
{
	const struct vitals		*v = &c->api->vitals;
	const struct vitals_user	*u;
	json_t				*list = json_array();

	(void)params;
	(void)why;
	for (u = v->users; u != NULL; u = u->hh.next) {
		json_t	*user = json_pack("{s:I, s:f}", "user", (json_int_t)u->uid, "timed_s",
			    u->timed_s);

		view_set_name(c->api->env.users, user, u->uid);
		(void)json_array_append_new(list, user);
	}
	return call_answer(c, json_pack("{s:o, s:f}", "users", list, "others_timed_s",
	    v->others_timed_s));
}
