/* SPDX-License-Identifier: Apache-2.0 */
/* The texts of a launch's options, and what cannot go together. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/cmd/launch/program.h"
#include "proto/spec/spec.h"

enum { MOST_COPIES = SPEC_MAX_COPIES };

/* With the remedy. */
static enum status __attribute__((format(printf, 4, 5)))
refuse(struct fault *why, const char *option, const char *remedy, const char *fmt, ...)
{
	char	text[160];
	va_list	ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	(void)fault_at(why, ST_BAD_REQUEST, option, "%s", text);
	fault_hint(why, "%s", remedy);
	return ST_BAD_REQUEST;
}

static const char *const infos[] = { "iteration", "function", "raw", NULL };

static enum status
read_info(struct launch *l, struct fault *why)
{
	for (unsigned i = 0; infos[i] != NULL; i++)
		if (strcmp(l->info_text, infos[i]) == 0) {
			l->what = (enum launch_info)i;
			return ST_OK;
		}
	(void)fault_at(why, ST_BAD_REQUEST, "--info", "\"%s\" is no value to print", l->info_text);
	fault_hint(why, "give iteration, function or raw");
	return ST_BAD_REQUEST;
}

/* "4", or "1-8". */
static enum status
read_copies(struct launch *l, struct fault *why)
{
	char	*end;

	l->copies = l->most_copies = strtol(l->copies_text, &end, 10);
	if (end > l->copies_text && *end == '-')
		l->most_copies = strtol(end + 1, &end, 10);
	if (*end == '\0' && l->copies >= 1 && l->copies <= l->most_copies &&
	    l->most_copies <= MOST_COPIES)
		return ST_OK;
	(void)fault_at(why, ST_BAD_REQUEST, "--nbprocess", "\"%s\" is no number of copies",
	    l->copies_text);
	fault_hint(why, "give 1 to %d, or a range: 1-8", MOST_COPIES);
	return ST_BAD_REQUEST;
}

/* "1200000,2400000" */
static enum status
read_frequencies(struct launch *l, struct fault *why)
{
	const char	*at = l->frequencies_text;
	char		*end;

	while (at != NULL && l->nfrequencies < LAUNCH_FREQUENCIES) {
		const long	khz = strtol(at, &end, 10);

		if (end == at || khz < 1000 || khz > SPEC_MAX_KHZ || (*end != ',' && *end != '\0'))
			break;
		l->frequency[l->nfrequencies++] = khz;
		at = *end == ',' ? end + 1 : NULL;
	}
	if (at == NULL)
		return ST_OK;
	(void)fault_at(why, ST_BAD_REQUEST, "--frequency", "\"%.60s\" is no list of kHz", at);
	fault_hint(why, "give up to %d numbers from 1000 on, apart by commas: 1200000,2400000",
	    LAUNCH_FREQUENCIES);
	return ST_BAD_REQUEST;
}

/* "cycles,instructions" */
static enum status
read_counters(struct launch *l, struct fault *why)
{
	for (const char *at = l->counters_text; at != NULL;) {
		const size_t	n = strcspn(at, ",");

		if (n == 0 || n >= LAUNCH_COUNTER_BYTES || l->ncounters == LAUNCH_COUNTERS) {
			(void)fault_at(why, ST_BAD_REQUEST, "--counters", "\"%.60s\" is no list "
			    "of events", l->counters_text);
			fault_hint(why, "give up to %d names, apart by commas: "
			    "cycles,instructions", LAUNCH_COUNTERS);
			return ST_BAD_REQUEST;
		}
		(void)snprintf(l->counter[l->ncounters++], LAUNCH_COUNTER_BYTES, "%.*s", (int)n,
		    at);
		at = at[n] == ',' ? at + n + 1 : NULL;
	}
	return ST_OK;
}

static enum status
read_texts(struct launch *l, struct fault *why)
{
	enum status	st = read_info(l, why);

	if (st == ST_OK && l->sizes_text != NULL &&
	    (st = survey_sizes_parse(&l->sizes, l->sizes_text, why)) != ST_OK)
		st = fault_within(why, "--nbsizes");
	if (st == ST_OK && l->survey_text != NULL &&
	    (st = survey_parse(&l->survey, l->survey_text, why)) != ST_OK)
		st = fault_within(why, "--vectsurveyor");
	if (st == ST_OK)
		st = read_frequencies(l, why);
	if (st == ST_OK)
		st = read_counters(l, why);
	return st == ST_OK ? read_copies(l, why) : st;
}

/* Without --nbvector: as many as have a size or offsets of their own, or one. */
static void
count_arrays(struct launch *l)
{
	if (l->arrays >= 0)
		return;
	l->arrays = l->sizes.n > 0 ? l->sizes.n : l->survey.n > 0 ? l->survey.n : 1;
}

static enum status
check_arrays(const struct launch *l, struct fault *why)
{
	if (l->sizes.n > 0 && l->sizes.n != l->arrays)
		return fault_at(why, ST_BAD_REQUEST, "--nbsizes", "has %u sizes for %d arrays",
		    l->sizes.n, (int)l->arrays);
	if (l->sizes.n > 0 && strcmp(l->elements, "N") != 0)
		return fault_at(why, ST_BAD_REQUEST, "--elements",
		    "cannot go with --nbsizes, which has the elements of each array");
	if (strlen(l->elements) >= LAUNCH_ELEMENTS_BYTES)
		return fault_at(why, ST_BAD_REQUEST, "--elements", "is longer than %d bytes",
		    LAUNCH_ELEMENTS_BYTES - 1);
	if (l->survey.n > l->arrays)
		return fault_at(why, ST_BAD_REQUEST, "--vectsurveyor",
		    "has offsets of %u arrays, and there are %d", l->survey.n, (int)l->arrays);
	if (l->sizes.n > 0 && l->first_size + l->last_size + l->size_step > 0)
		return fault_at(why, ST_BAD_REQUEST, "--nbsizes",
		    "gives the sizes, and so does --startvector");
	return ST_OK;
}

static enum status
check_sizes(struct launch *l, struct fault *why)
{
	if (l->first_size == 0)
		l->first_size = l->last_size > 0 ? l->last_size : 2500000;
	if (l->last_size == 0)
		l->last_size = l->first_size;
	if (l->size_step == 0)
		l->size_step = 1;
	if (l->last_size < l->first_size)
		return refuse(why, "--endvector", "give a last size that is not below the first, "
		    "or change the two", "%d is below --startvector, which is %d",
		    (int)l->last_size, (int)l->first_size);
	if ((l->last_size - l->first_size) / l->size_step >= SURVEY_MAX_VALUES) {
		(void)fault_at(why, ST_BAD_REQUEST, "--stepvector",
		    "makes more than %d sizes", SURVEY_MAX_VALUES);
		fault_hint(why, "give a larger step");
		return ST_BAD_REQUEST;
	}
	return ST_OK;
}

static enum status
check_combinations(const struct launch *l, struct fault *why)
{
	const uint64_t	all = survey_combinations(&l->survey);

	if (all == 0)
		return fault_at(why, ST_BAD_REQUEST, "--vectsurveyor",
		    "has more than 2^63 combinations");
	if (l->limit > 1000000 || (l->limit == 0 && all > 1000000)) {
		(void)fault_at(why, ST_BAD_REQUEST, l->limit == 0 ? "--vectsurveyor" : "--limit",
		    "a sweep has at most 1000000 points");
		fault_hint(why, "draw some of them: --limit 2500");
		return ST_BAD_REQUEST;
	}
	return ST_OK;
}

/* What is compared with the iterations that a kernel returns needs a kernel that returns them. */
static enum status
check_iterations(const struct launch *l, struct fault *why)
{
	if (l->checked == NULL)
		return ST_OK;
	if (strcmp(l->iterations, "return") != 0)
		return refuse(why, "--check-iterations", "leave --iterations out",
		    "is what the kernel must return, and --iterations has their number");
	if (l->what != LAUNCH_ITERATION)
		return refuse(why, "--check-iterations", "leave --info out",
		    "needs --info iteration, and it is %s", l->info_text);
	return ST_OK;
}

static enum status
check_inputs(const struct launch *l, struct fault *why)
{
	if (l->most_copies > 1 && l->threads > 1)
		return refuse(why, "--nbprocess", "leave one of them out",
		    "cannot go with --threads: a copy has one CPU");
	if (l->most_copies > l->copies && l->prints)
		return refuse(why, "--print", "give one number of copies",
		    "is for one sweep, and each number of copies makes one");
	if (strcmp(l->unit, "auto") != 0 && strcmp(l->unit, "ns") != 0 &&
	    strcmp(l->unit, "cycles") != 0)
		return refuse(why, "--unit", "give auto, ns or cycles", "\"%.40s\" is no unit",
		    l->unit);
	if (l->output != NULL && !l->csv)
		return refuse(why, "--output", "add --csv", "is for --csv");
	if (l->limit > 0 && l->survey.n == 0)
		return refuse(why, "--limit", l->has_programs ?
		    "for some of the programs: --programs N" : "give them: --vectsurveyor",
		    "draws from the offsets of --vectsurveyor, and there are none");
	return check_iterations(l, why);
}

enum status
launch_check(struct launch *l, struct fault *why)
{
	enum status	st;

	if ((st = read_texts(l, why)) != ST_OK || (st = program_check(l, why)) != ST_OK)
		return st;
	count_arrays(l);
	if ((st = check_arrays(l, why)) != ST_OK || (st = check_sizes(l, why)) != ST_OK ||
	    (st = check_combinations(l, why)) != ST_OK)
		return st;
	return check_inputs(l, why);
}
