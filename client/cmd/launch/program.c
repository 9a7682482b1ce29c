/* SPDX-License-Identifier: Apache-2.0 */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "client/cmd/job/document.h"
#include "client/cmd/launch/program.h"

/* An option that is given, and says nothing of a program; NULL: there is none. */
static const char *
option_of_kernels(const struct launch *l)
{
	const struct {
		bool		 given;
		const char	*option;
	} all[] = {
		{ l->kernels.n > 0, "--kernelname" },
		{ l->arrays >= 0, "--nbvector" },
		{ l->first_size > 0, "--startvector" },
		{ l->last_size > 0, "--endvector" },
		{ l->size_step > 0, "--stepvector" },
		{ l->sizes_text != NULL, "--nbsizes" },
		{ strcmp(l->elements, "N") != 0, "--elements" },
		{ l->survey_text != NULL, "--vectsurveyor" },
		{ l->max_stride != 1, "--maxstride" },
		{ l->trips > 0, "--iteration-count" },
		{ l->dummy_bytes > 0, "--sizedummy" },
		{ l->calls > 0, "--repetition" },
		{ l->processes > 0, "--executerepetition" },
		{ l->metric != NULL, "--evallib" },
		{ l->counters_text != NULL, "--counters" },
		{ l->checked != NULL, "--check-iterations" },
		{ strcmp(l->clock, "auto") != 0, "--clock" },
		{ strcmp(l->unit, "cycles") == 0, "--unit" },
		{ strcmp(l->context, "warm") != 0, "--context" },
	};

	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
		if (all[i].given)
			return all[i].option;
	return NULL;
}

enum status
program_check(struct launch *l, struct fault *why)
{
	const char	*option = option_of_kernels(l);

	if (l->program == NULL && (l->program_dir != NULL || l->program_args != NULL)) {
		(void)fault_at(why, ST_BAD_REQUEST, l->program_dir != NULL ? "--execpath" :
		    "--execargs", "is of a whole program, and none is named");
		fault_hint(why, "give --execname FILE");
		return ST_BAD_REQUEST;
	}
	if (l->program == NULL)
		return ST_OK;
	l->what = LAUNCH_FUNCTION;		/* a value for a run */
	if (option == NULL)
		return ST_OK;
	(void)fault_at(why, ST_BAD_REQUEST, option, "is for kernels, and --execname names a whole "
	    "program");
	fault_hint(why, "leave one of them out");
	return ST_BAD_REQUEST;
}

enum status
program_read(const struct launch *l, json_t **out, struct fault *why)
{
	char		 path[PATH_MAX];
	json_t		*variant = json_object();
	enum status	 st;

	*out = NULL;
	if (snprintf(path, sizeof path, "%s%s%s", l->program_dir != NULL ? l->program_dir : "",
	    l->program_dir != NULL ? "/" : "", l->program) >= (int)sizeof path)
		st = fault_set(why, ST_BAD_REQUEST, "the path is too long");
	else {
		if (document_language(path) == NULL)
			(void)json_object_set_new(variant, "language", json_string("program"));
		st = document_source(variant, path, true, why);
	}
	if (st != ST_OK) {
		json_decref(variant);
		return fault_within(why, "--execname");
	}
	*out = json_pack("[o]", variant);
	return ST_OK;
}

enum status
program_spec(const struct launch *l, json_t **out, struct fault *why)
{
	const char	*blanks = " \t\n", *at = l->program_args != NULL ? l->program_args : "";
	json_t		*args = json_array();

	for (at += strspn(at, blanks); *at != '\0'; at += strspn(at, blanks)) {
		const size_t	n = strcspn(at, blanks);

		if (json_array_append_new(args, json_stringn(at, n)) != 0) {
			json_decref(args);
			return fault_at(why, ST_BAD_REQUEST, "--execargs", "is not UTF-8");
		}
		at += n;
	}
	*out = json_pack("{s:{s:o}}", "program", "args", args);
	if (l->samples > 0)
		(void)json_object_set_new(*out, "timing", json_pack("{s:I}", "samples",
		    (json_int_t)l->samples));
	return ST_OK;
}
