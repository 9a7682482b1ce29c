/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "daemon/store/drift.h"
#include "daemon/view/view.h"
#include "proto/text/hidden.h"

/* ---- who may ---- */

static bool
is_named(const char *visibility, const char *name)
{
	json_t		*list = json_loads(visibility, JSON_DECODE_ANY, NULL);
	const json_t	*one;
	size_t		 i;
	bool		 found = json_is_string(list) &&
			    strcmp(json_string_value(list), "all") == 0;

	json_array_foreach(list, i, one)
		if (name[0] != '\0' && json_is_string(one) &&
		    strcmp(json_string_value(one), name) == 0)
			found = true;
	json_decref(list);
	return found;
}

bool
viewer_may_see(const struct viewer *v, const struct row_owner *o)
{
	char	name[USER_NAME_BYTES];

	if (v->uid != USER_NOBODY && (v->uid == o->submitter ||
	    users_role(v->users, v->uid) == ROLE_OPERATE))
		return true;
	if (o->visibility == NULL)
		return false;
	if (v->uid == USER_NOBODY || !users_name(v->users, v->uid, name))
		name[0] = '\0';
	return is_named(o->visibility, name);
}

/* ---- results ---- */

/* Paths of texts that quote what a job was made of. */
static const struct secret {
	const char	*path[3];
	const char	*words;		/* for `withheld` */
	bool		 is_text;	/* always: then it is empty, else null */
} secrets[] = {
	{ { "detail", NULL }, "detail", false },
	{ { "technique", "checkpoint", "image" }, "technique.checkpoint.image", true },
};
enum { NSECRETS = sizeof secrets / sizeof secrets[0] };

/* The object that has it, and the member's name. */
static json_t *
find(json_t *result, const struct secret *s, const char **name)
{
	json_t	*o = result;

	for (unsigned i = 0; i < 3 && s->path[i] != NULL; i++) {
		*name = s->path[i];
		if (i == 2 || s->path[i + 1] == NULL)
			return json_is_string(json_object_get(o, *name)) ? o : NULL;
		o = json_object_get(o, *name);
	}
	return NULL;
}

static void
withhold(json_t *result)
{
	json_t		*list = json_array(), *at;
	const char	*name;

	for (unsigned i = 0; i < NSECRETS; i++) {
		if ((at = find(result, &secrets[i], &name)) == NULL)
			continue;
		(void)json_object_set_new(at, name,
		    secrets[i].is_text ? json_string("") : json_null());
		(void)json_array_append_new(list, json_string(secrets[i].words));
	}
	if (hidden_replace(json_object_get(result, "meta")) != 0)
		(void)json_array_append_new(list, json_string("meta"));
	if (json_array_size(list) != 0)
		(void)json_object_set(result, "withheld", list);
	json_decref(list);
}

static bool
has_text(const struct shown *r, const char *text)
{
	return memmem(r->json, r->bytes, text, strlen(text)) != NULL;
}

/* In its meta: names of members that are sources, and ends of lines. */
static bool
may_have_sources(const struct shown *r)
{
	return has_text(r, "source\":") || has_text(r, "files\":") || has_text(r, "\\n") ||
	    has_text(r, "\\r") || has_text(r, "\\u000");
}

/* Most results have none: they need not be read to know it. */
static bool
may_have_secrets(const struct shown *r)
{
	static const char	detail[] = "\"detail\":", none[] = "\"detail\":null";
	const char		*end = r->json + r->bytes, *at = r->json;

	while ((at = memmem(at, (size_t)(end - at), detail, sizeof detail - 1)) != NULL) {
		if ((size_t)(end - at) < sizeof none - 1 || memcmp(at, none, sizeof none - 1) != 0)
			return true;
		at += sizeof detail - 1;
	}
	return has_text(r, "\"image\":") || may_have_sources(r);
}

static bool
is_corrected(const struct row_rank *rank)
{
	return strcmp(rank->how, correction_word(CORRECTION_CORRECTED)) == 0;
}

void
view_set_name(struct users *users, json_t *object, uid_t uid)
{
	char	name[USER_NAME_BYTES];

	if (users_name(users, uid, name))
		(void)json_object_set_new(object, "user_name", json_string(name));
}

static void
set_rank(json_t *result, const struct row_rank *rank)
{
	if (rank->how != NULL && is_corrected(rank))
		(void)json_object_set_new(result, "corrected_ns", json_real(rank->ns));
	else if (rank->how != NULL)
		(void)json_object_set_new(result, "uncorrected", json_string(rank->how));
}

void
view_set(const struct viewer *v, json_t *result, const struct shown *r)
{
	set_rank(result, &r->rank);
	view_set_name(v->users, result, r->owner.submitter);
	if (!viewer_may_see(v, &r->owner))
		withhold(result);
}

/* Names need no escapes. */
static int
put_front(const struct viewer *v, struct evbuffer *out, const struct shown *r)
{
	char	name[USER_NAME_BYTES];

	if (evbuffer_add(out, "{", 1) != 0)
		return -1;
	if (users_name(v->users, r->owner.submitter, name) &&
	    evbuffer_add_printf(out, "\"user_name\":\"%s\",", name) < 0)
		return -1;
	if (r->rank.how == NULL)
		return 0;
	if (is_corrected(&r->rank))
		return evbuffer_add_printf(out, "\"corrected_ns\":%.17g,", r->rank.ns);
	return evbuffer_add_printf(out, "\"uncorrected\":\"%s\",", r->rank.how);
}

/* The text is not parsed. */
static enum status
put_as_stored(const struct viewer *v, struct evbuffer *out, const struct shown *r)
{
	return put_front(v, out, r) >= 0 &&
	    evbuffer_add(out, r->json + 1, r->bytes - 1) == 0 ? ST_OK : ST_NOMEM;
}

enum status
view_put(const struct viewer *v, struct evbuffer *out, const struct shown *r)
{
	json_t	*result;
	char	*text;
	int	 n = -1;

	if (!may_have_secrets(r) || viewer_may_see(v, &r->owner))
		return put_as_stored(v, out, r);
	result = json_loadb(r->json, r->bytes, 0, NULL);
	withhold(result);
	if ((text = json_dumps(result, JSON_COMPACT)) != NULL) {
		const struct shown	rest = { text, strlen(text), r->owner, r->rank };

		n = put_as_stored(v, out, &rest) == ST_OK ? 0 : -1;
	}
	free(text);
	json_decref(result);
	return n == 0 ? ST_OK : ST_NOMEM;
}
