/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "client/report/part.h"
#include "client/search/inputs.h"
#include "proto/spec/spec.h"

/* What no probe takes turns with, because drawing takes too long, a fit leaves as it is, too. */
static bool
may_turn(const struct operand *o, const json_t *document)
{
	return o->data.kind != DATA_ROTATE && spec_inputs(o) > 1 && !spec_is_slow_to_draw(o) &&
	    json_object_get(document, "dims") != NULL && json_object_get(document, "data") == NULL;
}

static bool
turns_already(const struct spec *s)
{
	for (size_t i = 0; i < s->routine.nparams; i++)
		if (s->args[i].is_operand && s->args[i].operand.data.kind == DATA_ROTATE)
			return true;
	return false;
}

static json_t *
collect(const struct spec *s, const json_t *args)
{
	json_t	*members = json_object();

	for (size_t i = 0; i < s->routine.nparams && !turns_already(s); i++) {
		const struct operand	*o = &s->args[i].operand;
		const char		*name = s->routine.params[i].name;

		if (s->args[i].is_operand && may_turn(o, json_object_get(args, name)))
			(void)json_object_set_new(members, name, json_pack("{s:{s:I}}", "data",
			    "rotate", (json_int_t)spec_inputs_by_turns(o)));
	}
	return members;
}

enum status
inputs_members(const json_t *job, json_t **out, struct fault *why)
{
	struct job	*decoded = calloc(1, sizeof *decoded);
	enum status	 st;

	*out = NULL;
	if (decoded == NULL)
		return fault_set(why, ST_NOMEM, "inputs");
	if ((st = job_decode(decoded, job, why)) == ST_OK) {
		*out = decoded->spec.checkpoint != NULL ? json_object() :
		    collect(&decoded->spec,
			json_object_get(json_object_get(job, "spec"), "args"));
		job_release(decoded);
	}
	free(decoded);
	return st;
}

enum inputs_sign
inputs_sign_of(const struct result *r)
{
	if (part_is(r->found.technique.rotation, "learned"))
		return INPUTS_TOOK_TURNS;
	return part_was_learnt(r) ? INPUTS_WERE_LEARNT : INPUTS_NO_MATTER;
}
