/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>

#include "worker/runner/method/evaluation.h"

/* The functions without which there is no metric. */
static int
find_all(void *handle, struct rt_evaluation *e, void *(**init)(void), struct runner_lane *lane)
{
	const struct { const char *name; void *at; } all[] = {
		{ "evaluationInit", init }, { "evaluationStart", &e->start },
		{ "evaluationStop", &e->stop }, { "evaluationClose", &e->close },
	};

	for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++)
		if ((*(void **)all[i].at = dlsym(handle, all[i].name)) == NULL) {
			snprintf(lane->words, sizeof lane->words,
			    "the evaluation library has no function %s", all[i].name);
			return 0;
		}
	return 1;
}

/* What a function without arguments says; "": there is none. */
static void
ask(void *handle, const char *name, char said[RUNNER_METRIC_BYTES])
{
	const char	*(*function)(void), *words = NULL;

	*(void **)&function = dlsym(handle, name);
	if (function != NULL)
		words = function();
	snprintf(said, RUNNER_METRIC_BYTES, "%s", words != NULL ? words : "");
}

int
rt_evaluation_load(struct rt_evaluation *e, const char *path, struct runner_lane *lane)
{
	void	*handle, *(*init)(void);

	if ((handle = dlopen(path, RTLD_NOW | RTLD_LOCAL)) == NULL) {
		snprintf(lane->words, sizeof lane->words, "%s", dlerror());
		return 0;
	}
	if (!find_all(handle, e, &init, lane))
		return 0;
	ask(handle, "evaluationName", lane->metric_name);
	ask(handle, "evaluationUnit", lane->metric_unit);
	e->state = init();
	return 1;
}

int
rt_evaluation_close(struct rt_evaluation *e, struct runner_lane *lane)
{
	const int	said = e->start != NULL ? e->close(e->state) : 0;

	e->start = NULL;
	if (said != 0)
		snprintf(lane->words, sizeof lane->words, "evaluationClose returned %d", said);
	return said == 0;
}
