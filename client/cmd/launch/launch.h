/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_LAUNCH_LAUNCH_H
#define ASSAY_CLIENT_CMD_LAUNCH_LAUNCH_H

#include <stdbool.h>

#include <jansson.h>

#include "client/cmd/launch/survey.h"
#include "client/print/cli.h"

/*
 * A launch (MicroTools, section 4): kernels "int f(int n, void *[, …])" in files, over sizes and
 * alignments of their arrays.  The options are MicroLauncher's, with its names; assay-launch(1) has
 * the member of the job for each.
 */
enum { LAUNCH_ELEMENTS_BYTES = 256, LAUNCH_FREQUENCIES = 64, LAUNCH_COUNTERS = 8,
	LAUNCH_COUNTER_BYTES = 64 };
enum launch_info { LAUNCH_ITERATION, LAUNCH_FUNCTION, LAUNCH_RAW };

struct launch {
	struct cli_list		 kernels, flags;
	const char		*function, *element, *sizes_text, *survey_text, *info_text;
	const char		*elements;	/* of an array, over N */
	const char		*context, *compiler, *clock, *iterations, *name, *unit;
	const char		*checked;	/* iterations of a call, over N; NULL: not */
	const char		*counters_text;
	const char		*config;	/* read before the others: config.h */
	const char		*metric, *output, *copies_text, *frequencies_text;
	const char		*program, *program_dir, *program_args;	/* NULL: kernels */
	int64_t			 arrays;		/* -1: as many as have sizes or offsets */
	int64_t			 first_size, last_size, size_step;	/* 0: not given */
	int64_t			 trips, max_stride, dummy_bytes;	/* 0: not given */
	int64_t			 samples, calls, processes;		/* 0: Assay's choice */
	int64_t			 threads, slack, limit, seed;
	bool			 csv, prints, quiet_results;

	/* of the texts above: launch_check */
	enum launch_info	 what;
	struct survey_sizes	 sizes;		/* n 0: the same for all */
	int64_t			 listed[SURVEY_MAX_ARRAYS];	/* sizes of all arrays, nlisted, in
								 * place of a range */
	const char		*level[SURVEY_MAX_ARRAYS];	/* static; of each; NULL: none */
	/* of each: a smaller size of the list, whose time is subtracted; 0: none */
	int64_t			 base[SURVEY_MAX_ARRAYS];
	unsigned		 nlisted;
	bool			 sizes_last;	/* a kernel's jobs of all sizes are neighbours */
	bool			 has_programs;	/* of a description: variants have what they do */
	struct survey		 survey;	/* n 0: none */
	int64_t			 frequency[LAUNCH_FREQUENCIES];	/* kHz; nfrequencies 0: any */
	unsigned		 nfrequencies;
	char			 counter[LAUNCH_COUNTERS][LAUNCH_COUNTER_BYTES];
	unsigned		 ncounters;
	int64_t			 copies, most_copies;	/* more: a sweep over cores */
};
#define LAUNCH_DEFAULTS	{ .function = "entryPoint", .element = "float", .arrays = -1, \
	.elements = "N", .max_stride = 1, .copies_text = "1", .threads = 1, .slack = 4096, \
	.clock = "auto", .context = "warm", .info_text = "iteration", .iterations = "return", \
	.unit = "auto" }

enum { LAUNCH_OPTIONS = 42 };

/* In meta of a program: what a pass of its loop adds to the iterations that it returns. */
#define PROGRAM_COUNTS	"counts"
#define LAUNCH_KHZ	"timing.frequency_khz"	/* a dimension of the sweep */

/* Into `to`, which has room for LAUNCH_OPTIONS, with the row that ends a table. */
void		 launch_options(struct launch *, struct cli_option *to);
void		 launch_release(struct launch *);

/*
 * Is a word of the command line an option of MicroLauncher's that is none here?  The fault is its
 * reason and remedy.
 */
enum status	 launch_refuse_foreign(int argc, char **argv, struct fault *);
const char	*launch_foreign(size_t i);	/* the name of the i-th; NULL: there are no more */

/* Its reason and remedy, at this place. */
enum status	 launch_foreign_fault(size_t i, const char *place, struct fault *);

/* Reads the texts, and looks for what cannot go together. */
enum status	 launch_check(struct launch *, struct fault *);

/* The sweep: a spec, its space, the kernels.  New reference. */
enum status	 launch_sweep(const struct launch *, json_t **, struct fault *);

/* The same with these variants, a list of objects (borrowed), in place of files. */
enum status	 launch_sweep_of(const struct launch *, const json_t *variants, json_t **,
		    struct fault *);

#endif
