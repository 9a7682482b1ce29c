/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_PROTO_WIRE_RESULT_H
#define ASSAY_PROTO_WIRE_RESULT_H

#include "proto/base/status.h"
#include "proto/wire/report.h"

/*
 * The result of a job: what notifications, results.* and job.get carry, and what the database
 * keeps.  Its meaning, member by member, is in proto/PROTOCOL.md, section 5;
 * schema/result.schema.json says the same of its form.
 *
 * Results of older versions stay in the database as they were written, so members are added, never
 * taken away or given another meaning.  A reader takes what is missing for none (SHAPE_LENIENT).
 */
struct summary {		/* of samples; ns per call */
	double	min_ns, median_ns, mean_ns, p90_ns, cv;
	bool	has_ci95_ns;
	double	ci95_ns[2];
};

struct process_state {
	double		 median_ns;		/* of the processes' medians */
	uint64_t	 processes;
};

/* Of the processes that the samples were taken in; count 0: there was one, or that is not known. */
struct result_processes {
	uint64_t		 count;
	double			 within;	/* coefficient of variation, the median one */
	double			 between;	/* the same of the medians */
	struct shape_reals	 medians_ns;
	struct shape_list	 states;	/* struct process_state; empty: there is one */
};

/* Times of one iteration. */
struct result_iteration {
	double		 iterations;		/* of a call */
	double		 value_ns, min_ns, median_ns;	/* value_ns: none: raced */
	double		 cycles;			/* of the median; none: not known */
	const char	*cycles_by;			/* NULL: not known */
	double		 core_ghz;			/* of "pace" */
};

/* Of a CPU on which a copy of the variant ran beside others. */
struct result_core {
	uint64_t		 cpu;
	double			 overhead_ns;
	struct summary		 times;
	double			 max_ns;
	struct shape_reals	 samples_ns;
};

struct result_time {
	const char	*estimator;
	double		 value_ns;		/* what rankings compare; none: raced */
	bool		 quick;			/* of a build that does not optimize: it has no
						 * value_ns */
	bool		 raced;			/* given up: it takes longer than bound_ns */
	double		 bound_ns;
	struct summary	 raw;
	double		 max_ns, stddev_ns;
	bool		 has_normalised;
	struct summary	 normalised;
	double		 drift;
	uint64_t	 outliers, count;
	bool		 has_processes;
	struct result_processes	 processes;
	bool		 has_per_iteration;
	struct result_iteration	 per_iteration;
	struct shape_list cores;		/* struct result_core; empty: no copies */
	double		 cores_median_ns;	/* of their medians */
	struct samples	 samples;		/* against_ns stays with the worker's report */
};

struct result_rate {
	double	 mflops_max, mflops_avg, gbs_max, gbs_avg;
};

struct result_sweep {
	int64_t		 id;
	const char	*name;
};

struct result_stages {		/* in ms */
	double	 queued, build, waited, run;
};

struct comparison_side {
	const char		*name, *binary;
	bool			 has_compiler;
	struct compiler_identity compiler;
	struct summary		 times;
};

struct result_comparison {
	struct comparison	 found;
	struct comparison_side	 a, b;
};

/* Of one layout of several. */
struct result_layout_point {
	const char		*varied;
	uint64_t		 code_offset, stack_offset;
	struct shape_sizes	 operand_shift;
	double			 median_ns;
};

struct layout_factors {
	double	 code, operands, stack;
};

/* Of a sweep or of random ones; by and repeat: of a sweep. */
struct result_layouts {
	uint64_t		 layouts, seed, samples;
	bool			 cut_short, normalised;
	double			 spread, repeat;
	bool			 has_by;
	struct layout_factors	 by;
	struct shape_list	 stays;			/* struct shape_note */
	struct shape_list	 each;			/* struct result_layout_point */
};

struct result_layout {
	const char		*mode;
	uint64_t		 code_offset, stack_offset;	/* of a fixed one; none: there are
								 * several */
	bool			 has_several;
	struct result_layouts	 several;
};

struct result {
	int64_t			 job, cursor;
	int64_t			 repeat_of;	/* the job that was timed; none: this one */
	bool			 has_sweep;
	struct result_sweep	 sweep;
	bool			 yardstick;		/* of its sweep: it is not ranked */
	/* value_ns corrected for drift, or why it is not; NaN, NULL: none.  Never stored. */
	double			 corrected_ns;
	const char		*uncorrected;
	const char		*name, *routine;
	const char		*spec_hash;		/* SHA-256; NULL: of an older daemon */
	const char		*status, *status_text, *invalidity, *detail;
	bool			 has_time, has_rate, has_layout, has_comparison, has_compiler,
	    has_build_jail;
	struct result_time	 time;
	struct result_rate	 rate;
	struct findings		 found;		/* technique, counters, check, evidence, trust */
	struct result_layout	 layout;
	struct result_comparison comparison;
	json_t			*params, *flags, *meta;	/* borrowed; NULL: none */
	struct compiler_identity compiler;
	struct containment	 build_jail;
	const char		*binary, *driver;
	const char		*built;		/* built_words; NULL: found in the cache */
	uint64_t		 unit_variants;	/* that were built together; none: alone */
	uint64_t		 code_bytes;		/* of the routine; none: not known */
	struct result_stages	 stages_ms;
	int64_t			 submitter;
	/* As replies have it, never stored: its name, and what its reader may not see. */
	const char		*user_name;	/* NULL: unknown */
	struct shape_texts	 withheld;
	double			 submitted, finished;	/* seconds since 1970 */
	const char		*fitness, *host_class;	/* NULL: unknown */
	uint64_t		 attempts;
};

void		 result_clear(struct result *);		/* nothing is known */
char		*result_put(const struct result *);	/* as JSON; owned; NULL: out of memory */

/*
 * `doc` has the texts and the JSON values: to be kept as long.  ST_BAD_SPEC: it is none, the member
 * is named.
 */
enum status	 result_get(struct result *, const json_t *doc, enum shape_way, struct fault *);
void		 result_release(struct result *);	/* after reading */

/*
 * The 95 % interval of value_ns.  false: it has none; a minimum never has one, since the stored
 * interval is the median's.
 */
bool		 result_interval(const struct result_time *, double ci95_ns[2]);

/*
 * The outcome as a clause for people.  It says whether an ok time was checked; the `status_text` of
 * older results does not.  NULL: the word of the outcome is not known, and there is no text.
 */
const char	*result_words(const struct result *);

#endif
