/* SPDX-License-Identifier: Apache-2.0 */
/* users.get: how long each user's jobs were in the slots; and users by their names. */
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

/* Strangers do not learn which names there are: one that is none is no user's. */
enum status
api_user(const struct call *c, const json_t *user, int64_t *out, struct fault *why)
{
	const char	*name = json_string_value(user);
	uid_t		 uid = USER_STRANGER;

	*out = json_integer_value(user);
	if (name == NULL)
		return ST_OK;
	if (!users_number(c->api->env.users, name, &uid) && c->uid != USER_NOBODY) {
		(void)fault_at(why, ST_NOT_FOUND, "user", "there is no user \"%.100s\" here", name);
		fault_hint(why, "names are those of users.conf and of the daemon's host; \"assay "
		    "queue\" and \"assay sweep list\" show them; a number works, too");
		return ST_NOT_FOUND;
	}
	*out = (int64_t)uid;
	return ST_OK;
}
