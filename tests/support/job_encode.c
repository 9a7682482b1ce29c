/* SPDX-License-Identifier: Apache-2.0 */
/* The inverse of the decoder: what proto/spec/spec_encode.c does for a spec, for a whole job. */
#include "proto/spec/spec_parts.h"
#include "tests/support/job_encode.h"

static json_t *
put_tie_break(const void *in)
{
	return ((const struct contest *)in)->by_size ? json_string("size") : json_null();
}

static json_t *
put_spec(const void *in)
{
	return spec_encode(&((const struct job *)in)->spec);
}

static json_t *
put_meta(const void *in)
{
	return json_incref(((const struct job *)in)->meta);
}

static json_t *
put_moment(int64_t seconds)
{
	return seconds != 0 ? json_integer(seconds) : NULL;
}

static json_t *
put_not_before(const void *in)
{
	return put_moment(((const struct job *)in)->not_before);
}

static json_t *
put_deadline(const void *in)
{
	return put_moment(((const struct job *)in)->deadline);
}

static json_t *
put_window(const void *in)
{
	const struct job	*j = in;

	return j->window_from < 0 ? NULL : json_sprintf("%02d:%02d-%02d:%02d", j->window_from / 60,
	    j->window_from % 60, j->window_to / 60, j->window_to % 60);
}

static json_t *
put_visibility(const void *in)
{
	const struct job	*j = in;

	return j->visibility == NULL ? NULL : json_loads(j->visibility, JSON_DECODE_ANY, NULL);
}

static const struct spec_writer	writers[] = {
	{ "tie_break", put_tie_break }, { "spec", put_spec }, { "meta", put_meta },
	{ "not_before", put_not_before }, { "deadline", put_deadline }, { "window", put_window },
	{ "visibility", put_visibility }, { NULL, NULL },
};

json_t *
job_encode(const struct job *j)
{
	json_t	*o = spec_encode_object(&job_shape, j, writers);

	if (j->against.source == NULL)
		json_object_del(o, "compare");
	return o;
}
