/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_PROTO_WIRE_REPORT_H
#define ASSAY_PROTO_WIRE_REPORT_H

#include "proto/json/shape.h"
#include "proto/wire/gate_state.h"
#include "proto/wire/hello.h"
#include "proto/wire/kept.h"

/*
 * What a worker reports of one timing.  Technique, counters, check, evidence, trust and comparison
 * go into the result as they are (proto/wire/result.h): proto/PROTOCOL.md, section 5, has their
 * meaning, unit by unit.
 *
 * To add a member: a field here, its row in report*.c, the schema (schema/result.schema.json), its
 * line in PROTOCOL.md, and what fills it in.  A value that is not there is "none" as
 * proto/json/shape.h has it for its type.
 */

/* Of samples, what nothing is judged by. */
struct sample_readings {
	struct shape_sizes	 ticks;			/* of whole samples, nothing subtracted */
	struct shape_reals	 canary, pace, memory;
	struct shape_sizes	 disturbed;		/* places of samples that do not count */
};

/*
 * Each list has one number for each sample, in the order of taking, or none where that is not
 * known.
 */
struct samples {
	struct shape_reals	 ns;			/* per call, overhead subtracted */
	struct shape_reals	 against_ns;		/* of pairs, the other variant's */
	struct shape_reals	 slowness;
	struct shape_sizes	 process;		/* in which each was taken, from 0 on */
	struct shape_sizes	 loud;			/* places of samples that do not count */
	struct sample_readings	 beside;
	const char		*beside_text;		/* its JSON in its place: borrowed */
};

/* One of the CPUs on which copies of the variant ran at once; a time for each sample of the job. */
struct core_report {
	uint64_t		 cpu;
	double			 overhead_ns;	/* of a region on it */
	struct shape_reals	 ns;		/* per call, that subtracted */
};

struct guard_report {		/* technique.range_guard */
	const char	*form, *of, *at;
};

struct image_report {		/* technique.checkpoint */
	const char	*image, *sha256;
	uint64_t	 bytes, calls;
};

struct interval_report {	/* technique.interval */
	double		 asked, reached;
};

enum { NODE_UNKNOWN = -1, NODE_MIXED = -2 };	/* in place of a NUMA node's number */

/* The treatment of operands before each sample; warm times have none. */
struct flush_technique {
	const char	*tlb, *page_tables, *code;
	uint64_t	 flush_cpus, working_sets_touched;
	const char	*memory_canary;
};

/* Known only after samples were taken. */
struct sample_technique {
	bool			 awake;
	const char		*sampling;
	double			 overhead_ns;
	bool			 overhead_subtracted;
	double			 empty_call_ns;
	bool			 within_noise, has_serialised, serialised, difference;
	double			 edge_ns, bias_bound;
	const char		*scheduling, *ended_by;
	bool			 has_interval;
	struct interval_report	 interval;
	const char		*canary;
	int			 numa_node;	/* NODE_UNKNOWN, NODE_MIXED: not one */
	int64_t			 cpu;
	struct shape_sizes	 cpus;
	uint64_t		 copies;	/* that ran at once, a CPU each */
};

/* An argument that pointed into an operand's memory, at an element. */
struct shared_report {
	const char	*name;
	uint64_t	 from;
};

/* Of technique.operands: one as it was when a call began. */
struct operand_report {
	const char		*name, *type;
	struct shape_sizes	 dims;
	const char		*init, *order;	/* order: NULL: random, or what init says */
	uint64_t		 seed;
	const char		*access, *cache, *state;
	uint64_t		 align, misalign, offset, stride;
	const char		*memory, *pages;
	int			 node;	/* NODE_UNKNOWN, NODE_MIXED: not one */
	struct shape_list	 shared;	/* struct shared_report */
};

struct technique {
	const char		*context, *method, *clock, *counter;
	double			 tick_hz, resolution_ns, clock_overhead_ns;
	uint64_t		 samples, calls, working_sets;
	const char		*walk;
	uint64_t		 flush_bytes;
	const char		*flush_size, *timer;
	uint64_t		 inputs;	/* different ones that the samples met */
	const char		*rotation;	/* why they took turns */
	bool			 has_checkpoint;
	struct image_report	 checkpoint;
	const char		*data;
	struct shape_list	 operands;	/* struct operand_report */
	struct shape_texts	 guards;
	const char		*inout;
	struct guard_report	 range_guard;
	bool			 is_flushed, is_sampled;	/* so the next two are there */
	struct flush_technique	 flush;
	struct sample_technique	 sample;
};

struct counter_report {
	const char	*name;
	double		 per_call;
	const char	*unit;			/* none: events */
	const char	*event;
	uint64_t	 calls;
	double		 counted;
	const char	*absent;
};

/* Stop less start of a user's evaluation library, in runs of their own: a claim. */
struct metric_span {
	double		 min, median, max;
};

struct metric_report {
	const char		*name, *unit, *source, *trust;
	uint64_t		 calls;			/* of a sample */
	bool			 has_per_call, has_per_iteration;
	struct metric_span	 per_call, per_iteration;
	struct shape_reals	 samples;		/* of a sample each; owned */
	const char		*absent;		/* why there is none; none: it is there */
};

/* A number that JSON may not have: then in words. */
struct number {
	double		 re, im;
	bool		 is_complex;
	const char	*words;			/* NULL: re, and im, stand for it */
};

struct bad_element {
	const char	*operand;
	uint64_t	 index;
	struct number	 got, want;
};

struct check_report {
	bool			 done, passed;
	double			 max_abs, max_rel, rtol, atol;
	uint64_t		 compared, wrong;
	bool			 has_first_bad;
	struct bad_element	 first_bad;
};

struct audits_report {
	unsigned	 rounds, calls, wrong, near, early, disturbed;
	double		 least_ns, median_ns, handoff_ns, reference_extra_ns;
};

struct clock_evidence {
	double		 at_rest, sampling;
};

struct census_report {
	const char	*name;			/* an operand's, or "return" */
	uint64_t	 finite, inf, nan, denormal, zero;	/* zero: among the finite */
};

struct range_report {
	struct shape_list numbers;		/* struct census_report */
	const char	*warning;
};

struct sentinel_report {
	const char	*off;			/* why nothing was read; NULL: it was */
	double		 least_ns, limit_ns, hot_ns;
	uint64_t	 read, not_cold;
};

/* Lines of the routine's cold code that were read (none: the clock cannot show it); in a cache. */
struct code_report {
	uint64_t	 read, not_cold;
};

/* The memory canary beside the samples. */
struct memory_report {
	double		 reading_ns;	/* median */
	/* of that to a reading at rest; share by which cold times are too long; NaN: not known */
	double		 ratio, longer;
};

/* Shares of an operand's lines, read where samples begin. */
struct place_report {
	const char	*name;			/* an operand's, or "image" */
	const char	*asked;			/* cold, partial, warm, L1, L2 or L3 */
	bool		 judged;		/* other places would have been "internal" */
	uint64_t	 read;
	double		 nearer, farther;	/* than asked */
	double		 l1, l2, l3, memory;
};

/* Copies that ran at once, by their own clocks. */
struct copies_report {
	/* from the first beginning of a region to the last: median, most */
	double		 skew_ns, most_skew_ns;
	double		 window;	/* share of its time in which all were timed; median */
};

/* Observations while samples were taken. */
struct sample_evidence {
	bool			 has_audits, has_against_audits;
	struct audits_report	 audits, against_audits;
	const char		*claimed;
	uint64_t		 taken, rejected;
	double			 reject_rate;
	uint64_t		 kept_unfit, canary_rejected, memory_rejected, canary_base_ticks;
	bool			 has_clock;
	struct clock_evidence	 clock;
	double			 patience_ms, waited_ms;
	uint64_t		 involuntary_switches, migrations, faults, own_faults;
	bool			 cut_short;
	double			 steal_ms;
	bool			 has_frequency;
	double			 frequency_mhz[2];	/* before and after */
	bool			 has_frequency_moved, frequency_moved;
	bool			 has_memory;
	struct memory_report	 memory;
	bool			 has_sentinel;
	struct sentinel_report	 sentinel;
	bool			 has_code;
	struct code_report	 code;
	struct shape_list	 places;	/* struct place_report */
	bool			 has_copies;
	struct copies_report	 copies;
	uint64_t		 warm_calls;
	double			 warm_ns, cold_over_warm;
	/* time on inputs never met, relative to the known one's */
	double			 learned, against_learned;
	bool			 has_learned_interval;
	double			 learned_interval[2];
};

/* Of evidence.conflicts. */
struct conflict_report {
	const char	*name;
	uint64_t	 stride_bytes, lines, sets, of_sets, ways;
};

/* Runs of a program, of all copies: medians over the samples, but the most memory. */
struct program_report {
	double			 floor_ns;	/* the least run of an empty program */
	double			 cpu_ns;	/* of all its processes and threads */
	uint64_t		 max_rss_bytes, page_faults, involuntary_switches, output_bytes;
	const char		*output;	/* "checked", or "not checked" */
};

struct evidence {
	double			 setup_ms, load_ms;
	struct containment	 jail;
	const char		*failed, *failed_in;
	/* most other slots that timed on the same last cache meanwhile; filled in by assayd */
	uint64_t		 timed_beside;
	/* of a cold job: why its host was not calibrated; NULL: it was; filled in by assayd */
	const char		*uncalibrated;
	bool			 has_range;
	struct range_report	 range;
	struct shape_list	 conflicts;	/* struct conflict_report */
	bool			 has_program;
	struct program_report	 program;
	bool			 is_sampled;		/* so the rest is there */
	struct sample_evidence	 sample;
};

/* Of a, the job's `against`, and b, its variant. */
struct comparison {
	const char		*verdict;	/* b is "faster" or "slower" than a, or
						 * "indistinguishable" */
	double			 ratio;		/* b / a, of the groups */
	bool			 has_interval;
	double			 interval[2];
	double			 error, resolution;
	uint64_t		 pairs, groups, looks;
	double			 within, between;	/* groups; NAN: not known */
	const char		*ended_by;
	uint64_t		 code_bytes[2];	/* of a and b */
	const char		*trust[2];
	const char		*winner, *tie_broken_by;
};

/* The times of one process at one layout. */
struct layout_round {
	struct shape_reals	 ns, slowness;	/* slowness: empty where it is not known of all */
	struct shape_sizes	 loud;
};

struct layout_point {
	const char		*varied;
	uint64_t		 code_offset, stack_offset;
	struct shape_sizes	 operand_shift;
	struct shape_list	 rounds;	/* struct layout_round */
};

struct layout_report {
	const char		*mode;
	uint64_t		 code_offset, stack_offset;	/* of a fixed one */
	uint64_t		 seed, samples;			/* these and the rest: of several */
	bool			 cut_short;
	struct shape_list	 stays;		/* struct shape_note: a factor, and why it could not
						 * be varied */
	struct shape_list	 points;	/* struct layout_point */
};

/* The slot's canary after the job, for host.get. */
struct canary_report {
	const char	*state;
	uint64_t	 base_ticks;
	double		 base_ns, clock_slowness;
	uint64_t	 readings, barren_jobs;
};

/* Parts that go into the result as they are. */
struct findings {
	bool			 has_technique, has_check, has_evidence;
	/* these two, or in their place their JSON as it came: borrowed; NULL: it did not */
	const char		*technique_text, *evidence_text;
	struct technique	 technique;
	struct shape_list	 counters;	/* struct counter_report */
	struct shape_list	 metrics;	/* struct metric_report */
	struct check_report	 check;
	struct evidence		 evidence;
	const char		*trust;		/* "claimed", "audited", "verified", "suspect";
						 * none: nothing was timed */
};

/* Of what is kept as text, that which the daemon counts and judges by. */
struct sample_tally {
	bool			 gated;		/* technique.canary: it was on */
	/* of the evidence */
	uint64_t		 taken, canary_rejected, memory_rejected;
};

struct report {
	double			 run_ms;
	double			 iterations;		/* of a call; none: not asked for */
	/* the core's clock beside the samples, by their pace; none: not known */
	double			 core_ghz;
	bool			 artifact_missing;	/* the cache let go of it: it is to be built
							 * again */
	struct samples		 samples;
	struct shape_list	 cores;		/* struct core_report; empty: no copies */
	bool			 has_tally;	/* samples were taken */
	struct sample_tally	 tally;
	struct findings		 found;
	double			 bound_ns;	/* given up: it takes longer; none: it was not */
	bool			 has_comparison, has_layout;
	struct comparison	 comparison;
	struct layout_report	 layout;
	struct canary_report	 canary;
	bool			 has_quiet;		/* now and then: it changes little from job
							 * to job */
	struct gate_state	 quiet;
};

/* of results, too */
extern const struct shape	findings_shape, readings_shape, comparison_shape;

void		 report_clear(struct report *);		/* nothing is known */

/*
 * What report_put wrote, exactly.  `doc` and `kept` have the texts: they must live as long.
 * ST_BAD_SPEC names the member.
 */
enum status	 report_get(struct report *, const json_t *doc, const struct kept *kept,
		    struct fault *);
/* As JSON, and its parts that are kept beside it.  Owned; NULL, and no part: no memory. */
char		*report_put(const struct report *, struct kept *);
void		 report_release(struct report *);	/* after reading */

#endif
