/* SPDX-License-Identifier: Apache-2.0 */
/* Quotas of users: their limits, their use, and users that are held. */
#include <stdlib.h>

#include "daemon/api/api_impl.h"

static json_t *
limit_json(uint64_t limit)
{
	return limit != 0 ? json_integer((json_int_t)limit) : json_null();
}

static json_t *
time_json(int64_t when)
{
	return when != 0 ? json_integer(when) : json_null();
}

static json_t *
most_json(const uint64_t most[QUOTA_N])
{
	return json_pack("{s:o,s:o,s:o}", "jobs", limit_json(most[QUOTA_JOBS]), "bytes",
	    limit_json(most[QUOTA_BYTES]), "timing_s", limit_json(most[QUOTA_TIMING_S]));
}

static json_t *
limits_json(const struct api *api)
{
	json_t	*r = most_json(api->env.queue->quota);

	(void)json_object_set_new(r, "connections",
	    limit_json(api->env.config->quota_connections));
	return r;
}

static json_t *
use_json(const struct api *api, const struct quota_use *u)
{
	json_t	*r = json_pack("{s:I,s:b,s:i,s:I,s:I,s:f,s:o}", "user", (json_int_t)u->uid,
		    "exempt", (int)u->is_exempt, "connections",
		    (int)accounts_connections(api->accounts, u->uid), "jobs", (json_int_t)u->jobs,
		    "bytes", (json_int_t)u->bytes, "timing_s", u->timed_s, "held_until",
		    time_json(u->held_until));

	view_set_name(api->env.users, r, u->uid);
	if (u->has_limits)
		(void)json_object_set_new(r, "limits", most_json(u->limit));
	return r;
}

json_t *
api_quota(const struct api *api)
{
	struct quota_use	*list = calloc(API_MAX_LIST, sizeof *list);
	json_t			*users = json_array();
	const size_t		 n = list != NULL ? quota_uses(api->env.queue, list,
				    API_MAX_LIST) : 0;

	for (size_t i = 0; i < n; i++)
		(void)json_array_append_new(users, use_json(api, &list[i]));
	free(list);
	return json_pack("{s:o,s:o}", "limits", limits_json(api), "users", users);
}

json_t *
api_held(const struct api *api, uid_t uid)
{
	const int64_t	until = quota_held_until(api->env.queue, uid);

	return until == 0 ? json_null() : json_pack("{s:s,s:I}", "by", quota_key(QUOTA_TIMING_S),
	    "until", (json_int_t)until);
}
