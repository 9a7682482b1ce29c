/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_PROTO_SPEC_SPEC_H
#define ASSAY_PROTO_SPEC_SPEC_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <jansson.h>

#include "proto/text/expr.h"
#include "proto/text/prototype.h"

/*
 * A job's JSON ↔ struct job. schema/job.schema.json describes the document.  It accepts exactly
 * what job_decode accepts, as far as a schema can say it: names, expressions and prototypes are
 * checked only here.  A struct job owns everything in it.
 */
enum {
	SPEC_MAX_DIMS		= 8,
	SPEC_MAX_PARAMS		= 256,
	SPEC_MAX_FLAGS		= 256,
	SPEC_MAX_DEFINES	= 256,
	SPEC_MAX_IMAGE_NAME	= 255,			/* bytes of a checkpoint's: it is a file */
	SPEC_MAX_NAME		= 200,			/* bytes of a variant's or sweep's name, a
							 * key */
	SPEC_MAX_SOURCE		= 1 << 20,		/* bytes of one source, decoded */
	SPEC_MAX_FILES		= 64,			/* beside a variant's source */
	SPEC_MAX_FILE_NAME	= 100,			/* bytes */
	SPEC_MAX_FILE_DEPTH	= 8,			/* folders below the build's */
	SPEC_MAX_ALL_FILES	= 4 << 20,		/* bytes of all of them */
	SPEC_MAX_LIBRARIES	= 16,
	SPEC_MAX_MEMBERS	= 64,			/* of a struct */
	SPEC_MAX_MEMBER_COUNT	= 65536,		/* elements of one that is an array */
	SPEC_MAX_DATA		= 4 << 20,		/* bytes of one operand's `data` */
	SPEC_MAX_FILLED		= 12 << 20,		/* bytes that functions fill, together */
	SPEC_MAX_SAMPLES	= 10000,
	SPEC_MAX_PROCESSES	= 256,
	SPEC_MAX_DISTINCT	= 1 << 20,		/* values of an operand */
	SPEC_MAX_AUDITED_ORDER	= 1 << 20,		/* bytes put in order before a call */
	SPEC_MAX_INPUTS		= 65535,		/* that take turns */
	SPEC_MAX_CALLS		= 1 << 24,
	SPEC_MAX_VARIANTS	= 100000,		/* in one list */
	SPEC_MAX_POINTS		= 1000000,		/* of a sweep's space */
	SPEC_MAX_THREADS	= 1024,
	SPEC_MAX_COPIES		= 64,			/* of a variant at once */
	SPEC_MAX_RETRIES	= 100,
	SPEC_MAX_READERS	= 100,			/* named by a visibility */
	SPEC_MAX_USER		= 64,			/* bytes of a user's name */
	SPEC_MAX_COUNTERS	= 8,
	SPEC_MAX_KHZ		= 100000000,
	SPEC_COUNTER_BYTES	= 64,			/* a name, with its NUL */
	SPEC_MAX_METRIC		= 63,			/* bytes of its name, of its unit */
	SPEC_MAX_WORDS		= 256,			/* of a program's command line */
	SPEC_MAX_WORD		= 4096,			/* bytes of one */
	SPEC_MAX_INPUT		= 4 << 20,		/* bytes of a program's standard input */
	SPEC_SHA256_HEX		= 64,
	SPEC_MOST_SAMPLES	= 1000,			/* of an interval, default */
	SPEC_MAX_BUDGET_MS	= 3600 * 1000,
	SPEC_MAX_LAYOUTS	= 64,
	SPEC_MAX_TIMEOUT_MS	= 24 * 3600 * 1000,
	SPEC_MAX_TEXT		= 1024,			/* bytes of a define's or a text param's
							 * value */
	SPEC_DEFAULT_ALIGN	= 64,
	SPEC_MAX_ALIGN		= 2 << 20,
	SPEC_MAX_MISALIGN	= 4 << 20,
	SPEC_MAX_STRIDE		= 1 << 30,
	SPEC_MAX_STATIC		= 1 << 30,		/* bytes of a static operand */
	SPEC_MAX_NODE		= 1023,
	SPEC_MIN_PAIRS		= 11,			/* of a comparison */
	SPEC_MAX_PAIRS		= 1001,
	SPEC_PAIRS		= 400,			/* default */
	SPEC_MAX_COMPARED	= 1000,			/* variants of one comparison document */
};
#define SPEC_RETURN	SIZE_MAX			/* in place of an argument's number */
#define SPEC_MAX_OPERAND_BYTES	((size_t)4 << 30)	/* all operands of one working set */
#define SPEC_MAX_FLUSH_BYTES	((uint64_t)4 << 30)
#define SPEC_MAX_OUTPUT		((uint64_t)256 << 20)	/* bytes that a program may print */
#define SPEC_MAX_PROGRAM_BYTES	((uint64_t)1 << 40)	/* its memory limit */

enum language { LANG_C, LANG_CXX, LANG_FORTRAN, LANG_ASM, LANG_OBJECT, LANG_SHARED, LANG_PROGRAM,
		LANG_N };

struct define {
	char	*name, *text;		/* -Dname=text */
};

/* A file beside a variant's source when that is compiled. */
struct source_file {
	char		*name;		/* below the build's folder: "inc/table.h" */
	char		*bytes;		/* terminated */
	size_t		 nbytes;
	bool		 compile;	/* and link it; others wait to be included */
};

struct variant {
	char		*name;		/* "" when not given */
	enum language	 language;
	char		*source;	/* text, or the decoded bytes of an object; terminated
					 * either way */
	size_t		 source_bytes;
	char		*compiler;	/* bare name on the allow-list: "gcc", "clang", …; "" for
					 * object, shared */
	char		**flags;	/* on the allow-list (proto/spec/flags.h); default: -O2 */
	size_t		 nflags;
	struct define	*defines;
	size_t		 ndefines;
	struct source_file *files;
	size_t		 nfiles;
	char		**libraries;	/* names on the administrator's list (assayd.conf) */
	size_t		 nlibraries;
};

struct param {
	char		*name;
	struct value	 value;		/* text owned */
};

enum init_kind {
	INIT_RANDOM, INIT_VALUE, INIT_INDEX, INIT_PERMUTATION, INIT_DATA, INIT_TEXT, INIT_FUNCTION,
	INIT_N
};
enum order_kind { ORDER_RANDOM, ORDER_SORTED, ORDER_NEARLY_SORTED, ORDER_REVERSED, ORDER_N };
enum access_kind { ACCESS_IN, ACCESS_OUT, ACCESS_INOUT, ACCESS_N };
/* Of an operand with other inputs: AUTO is one, or many if a call learns the one by heart. */
enum data_kind { DATA_AUTO, DATA_ONE, DATA_ROTATE, DATA_N };
enum cache_state { CACHE_COLD, CACHE_WARM, CACHE_L1, CACHE_L2, CACHE_L3, CACHE_N };
enum line_state { LINE_CLEAN, LINE_DIRTY, LINE_N };	/* of lines in a cache */
enum memory_kind { MEMORY_HEAP, MEMORY_STATIC, MEMORY_N };
enum page_kind { PAGES_AUTO, PAGES_SMALL, PAGES_HUGE, PAGES_N };
enum home_kind { HOME_ANY, HOME_LOCAL, HOME_REMOTE, HOME_NUMBER };	/* NUMA node of memory */

struct init {
	enum init_kind	 kind;
	uint64_t	 seed;		/* random, permutation, text; default: 1 + the operand's
					 * place */
	double		 min, max;	/* random; default -1 … 1 (mixed sign, W47); of
					 * integers -100 … 100 or 0 … 100 */
	enum order_kind	 order;		/* random, as the next three */
	double		 swaps;		/* nearly sorted: per element */
	unsigned	 distinct;	/* different values at most; 0: any number */
	double		 density;	/* share of the elements that are drawn; others are 0 */
	struct expr	*value;		/* INIT_VALUE */
	struct expr	*imaginary;	/* of a complex one; NULL: 0 */
	unsigned char	*data;		/* INIT_DATA */
	size_t		 data_bytes;
	char		*function;	/* owned; INIT_FUNCTION: of the spec's setup */
};

/* Inputs that calls meet. */
struct data {
	enum data_kind	 kind;
	unsigned	 rotate;	/* DATA_ROTATE: so many by turns */
};

/* A struct by its members. */
struct record_member {
	char		*name;		/* owned */
	enum ctype	 type;
	size_t		 count;		/* of an array; else 1 */
	size_t		 offset;	/* bytes */
};

struct record {
	size_t			 nmembers;
	struct record_member	 member[SPEC_MAX_MEMBERS];
	size_t			 bytes, align;
};

struct operand {
	enum ctype	 type;
	struct record	*record;	/* owned; of CTYPE_STRUCT; else NULL */
	size_t		 ndims;
	struct expr	*dims[SPEC_MAX_DIMS];
	size_t		 size[SPEC_MAX_DIMS];	/* the dims, evaluated */
	size_t		 elements;	/* product of the sizes: as many are allocated and
					 * initialised */
	struct init	 init;
	enum access_kind own_access;	/* by its own argument */
	enum access_kind access;	/* by that and the arguments that share it */
	bool		 checked;	/* compared with the reference's, if it is written */
	size_t		 align;		/* bytes, a power of two */
	size_t		 misalign;	/* 0: none; else a larger power of two the address must not
					 * be a multiple of */
	size_t		 offset;	/* bytes that it begins behind such an address; below
					 * align */
	size_t		 stride;	/* of the elements only every stride-th is touched (W38);
					 * default 1 */
	enum cache_state cache;		/* default: the context's (a partial flush: CACHE_COLD) */
	enum memory_kind memory;	/* a mapping of its own, or a static array */
	enum page_kind	 pages;		/* AUTO: huge from 4 MiB on, in a mapping of its own */
	enum home_kind	 home;
	unsigned	 node;		/* HOME_NUMBER */
	enum line_state	 state;		/* when a call begins; default: dirty if the routine writes
					 * it and it is not cold */
	struct data	 data;		/* default: the spec's */
};

/* An argument that points into the memory of another one. */
struct shared {
	size_t		 of;		/* the argument whose operand it is */
	struct expr	*from;		/* the element that it points to; NULL: the first */
	size_t		 first;		/* evaluated */
	enum access_kind access;
};

struct arg {
	bool		 is_operand;
	bool		 is_null;	/* a null pointer */
	bool		 is_shared;
	struct shared	 shared;
	struct expr	*scalar;	/* of no pointer */
	struct expr	*imaginary;	/* of a complex one; NULL: 0 */
	struct value	 value;		/* of the scalar, evaluated; VALUE_INT exactly if the
					 * parameter is an integer */
	struct operand	 operand;
};

enum context_kind { CONTEXT_COLD, CONTEXT_WARM, CONTEXT_FLUSH_BYTES,
		    CONTEXT_FLUSH_LEVEL, CONTEXT_N };
/* Rights of a job's code beyond those that every routine has. */
enum jail_profile { PROFILE_PLAIN, PROFILE_IO, PROFILE_FORK, PROFILE_N };
enum code_state { CODE_WARM, CODE_COLD, CODE_N };
enum clock_kind { CLK_AUTO, CLK_WALL, CLK_CYCLE, CLK_CPU, CLK_N };
enum flush_method { FLUSH_AUTO, FLUSH_ONE_CALL_LRU, FLUSH_ONE_CALL_X86,
		    FLUSH_MULTI_CALL_LRU, FLUSH_N };
enum tlb_kind { TLB_AUTO, TLB_WARM, TLB_COLD };
/* AUTO: cached, but with a flush of a given size as that leaves them. */
enum tables_kind { TABLES_AUTO, TABLES_CACHED, TABLES_MEMORY, TABLES_N };
enum walk_kind { WALK_AUTO, WALK_BACKWARD, WALK_FORWARD, WALK_RANDOM, WALK_N };
enum layout_kind { LAYOUT_FIXED, LAYOUT_SWEEP, LAYOUT_RANDOM, LAYOUT_N };
enum gating { GATING_AUTO, GATING_ON, GATING_OFF, GATING_N };
/* AUTO: audited where that is possible, else claimed. */
enum trust_asked { TRUST_ASKED_AUTO, TRUST_ASKED_CLAIMED, TRUST_ASKED_AUDITED, TRUST_ASKED_VERIFIED,
		    TRUST_ASKED_N };
enum estimator { EST_AUTO, EST_MIN, EST_MEDIAN, EST_NORMALISED, EST_N };

/* Ways to keep numbers in range over many calls (RangeGuard; Whaley and Castaldo, section 5.2). */
enum range_guard {
	GUARD_AUTO,		/* restore where an operand is inout, else none */
	GUARD_RESTORE,		/* inout operands are as at first when each sample begins */
	GUARD_ALTERNATE,	/* a scalar's sign, or that by which results are summed, flips at
				 * every traversal */
	GUARD_PAIR,		/* the sign of an input with two copies flips at every traversal */
	GUARD_SEPARATE,		/* each call of a sample writes outputs of its own */
	GUARD_NONE,
	GUARD_N
};

/* Beside the time: what functions of a library measure (worker/runner/method/evaluation.h). */
struct metric {
	bool		 present;
	struct variant	 library;
	char		*name, *unit;		/* owned; NULL: the library's own */
};

/* perf's name of an event that counts energy: "power/energy-pkg/". */
#define SPEC_ENERGY	"power/"
static inline bool
spec_is_energy(const char *counter)
{
	return strncmp(counter, SPEC_ENERGY, sizeof SPEC_ENERGY - 1) == 0;
}

struct timing {
	enum clock_kind		 clock;
	unsigned		 samples;	/* 0: the context's default */
	bool			 serialised;	/* each call waits until the one before is over */
	bool			 difference;	/* a sample is the difference of a region and one of
						 * twice the calls */
	enum gating		 gate;		/* only samples that the canary finds quiet count */
	double			 interval;	/* until the median's 95 % interval is so narrow,
						 * relative to it; 0: no */
	unsigned		 max_samples;	/* with an interval; 0: none was given */
	bool			 has_budget;	/* budget_ms was asked for: then auto waits for
						 * quiet as long as that */
	unsigned		 budget_ms;	/* for samples beyond the first `samples` that
						 * count; default 1000 */
	unsigned		 processes;	/* that share the samples; 0: a few */
	char			 counters[SPEC_MAX_COUNTERS][SPEC_COUNTER_BYTES];
	unsigned		 ncounters;
	struct metric		 metric;
	unsigned		 calls;		/* per sample; 0: found by calibration */
	enum flush_method	 method;
	uint64_t		 flush_bytes;	/* size of the LRU area; 0: the host's */
	enum walk_kind		 walk;
	enum tlb_kind		 tlb;		/* translations of cold operands; auto: cold unless
						 * a size is given */
	enum tables_kind	 page_tables;	/* where those of cold operands are, at best, when a
						 * call begins */
	enum trust_asked	 trust;
	enum estimator		 estimator;	/* see timing_estimator */
	enum layout_kind	 layout;	/* where code, operands and stack lie: see
						 * worker/plan/layout.h */
	unsigned		 layouts;	/* unless fixed: how many, each in a process of its
						 * own; default 8 */
	uint64_t		 layout_seed;	/* of what is random about them; default 1 */
	unsigned		 frequency_khz;	/* of the slot's clock, set for the job and put
						 * back; 0: as the host has it */
	enum range_guard	 guard;		/* see spec_range_guard */
	size_t			 guard_arg;	/* ALTERNATE, PAIR: of which argument; SPEC_RETURN:
						 * of the result */
};

struct check {
	bool		 present;	/* there is a reference */
	bool		 image;		/* a checkpoint's: the routine in the image is the reference
					 * where there is no other */
	struct variant	 reference;
	/*
	 * |got - want| <= atol + rtol * |want|. One given: the other is 0.  None: both are 1e-9, or
	 * 1e-4 if a float is among the outputs, or 0 if all of them are integers.
	 */
	double		 rtol, atol;
	bool		 has_rtol, has_atol;	/* given in the spec */
	struct expr	*iterations;		/* that the routine must return; NULL: any */
	double		 iterations_count;	/* evaluated */
};

/*
 * Variants are whole programs, started anew for each sample (worker/starter/),
 * in place of a routine.
 */
enum link_kind { LINK_DYNAMIC, LINK_STATIC, LINK_BARE, LINK_N };	/* BARE: without libc */
struct program {
	bool		 present;
	enum link_kind	 link;			/* of what is built */
	char		**args;			/* behind its name; owned */
	size_t		 nargs;
	char		*input;			/* standard input; NULL: none */
	char		*output;		/* that it must print; NULL: any */
	char		*output_sha256;		/* or its digest in hex; NULL: any */
	uint64_t	 output_bytes;		/* that it may print, to each of the two */
	uint64_t	 memory_bytes;		/* address space of each process */
	bool		 subtract_floor;	/* what an empty program takes, from each time */
};

struct spec {
	char			*routine_text;	/* of a program "int program()" */
	bool			 has_routine;
	struct prototype	 routine;
	struct param		*params;
	size_t			 nparams;
	struct arg		 args[PROTOTYPE_MAX_PARAMS];	/* as many as routine.nparams, in
								 * its order */
	struct expr		*flops, *bytes;			/* NULL when not given */
	double			 flops_count, bytes_count;	/* evaluated; 0 when not given */
	struct expr		*iterations;			/* of a call; NULL when not given */
	double			 iterations_count;		/* evaluated */
	bool			 iterations_returned;		/* the routine returns them */
	enum context_kind	 context;
	uint64_t		 context_flush_bytes;		/* CONTEXT_FLUSH_BYTES */
	enum cache_state	 context_level;			/* CONTEXT_FLUSH_LEVEL: CACHE_L1 to
								 * CACHE_L3 */
	enum code_state		 code;		/* where the routine's is when a call begins */
	struct data		 data;		/* of operands that do not say it themselves */
	bool			 data_sensitive;		/* which memory it touches depends
								 * on what is in it */
	char			*setup;		/* owned; C with functions that fill operands; NULL:
						 * none */
	char			*checkpoint;	/* the image with the calls that are timed: then
						 * args are no operands and have no values;
						 * NULL: none */
	struct timing		 timing;
	struct check		 check;
	struct program		 program;
};

/* The rule by which a variant is compared with another (Whaley and Castaldo, section 6). */
struct contest {
	double		 error;		/* chance of calling equal ones different, over all looks;
					 * default 0.05 */
	double		 resolution;	/* ratios within 1 ± this count as equal; default 0.01 */
	unsigned	 max_pairs;	/* default SPEC_PAIRS */
	bool		 by_size;	/* of indistinguishable ones the smaller is named */
};

/* A variant that is surely slower is given up early (worker/stop/race.h). */
enum { SPEC_RACE_LEAST = 5 };	/* processes, or samples of one: none is given up on fewer */
struct race {
	bool		 is_asked;
	double		 above_ns;	/* of a call, as value_ns */
};

struct job {
	struct variant	 variant;
	struct variant	 against;		/* timed in turn with variant; source NULL: none */
	struct contest	 contest;		/* of the two */
	struct race	 race;
	struct spec	 spec;
	json_t		*meta;			/* any object; NULL when not given */
	int64_t		 priority;		/* -100 … 100, higher first */
	int64_t		 not_before, deadline;	/* seconds since the epoch; 0: none */
	int		 window_from, window_to;	/* minutes of the day, host time; -1: none;
						 * from > to passes midnight */
	unsigned	 build_timeout_ms, run_timeout_ms;
	unsigned	 threads, retries;
	unsigned	 copies;		/* of the variant, at once on as many CPUs */
	enum jail_profile profile;		/* "jail": what an operator has to allow */
	bool		 yardstick;		/* of its sweep: its time is not ranked */
	bool		 fresh;			/* timed even if a stored result is the same */
	char		*visibility;	/* owned; JSON: "all", or a list of users' names; NULL:
					 * private */
	char		*key;			/* idempotency; "" when not given */
};

/* A value of "visibility" by itself. */
enum status	 spec_check_visibility(const json_t *, struct fault *);
/* "private", "all", or names with commas between, as such a value; a new reference, unchecked. */
json_t		*spec_read_visibility(const char *text);

/*
 * Decode: on failure `why` names the member from the document's root and nothing is left to
 * release.
 */
enum status	 job_decode(struct job *, const json_t *doc, struct fault *);
/*
 * The same for one of many jobs.  The struct has the job of the document `before`, or is all zero.
 * A spec that equals the spec of that job is not decoded again.
 */
enum status	 job_decode_next(struct job *, const json_t *doc, const json_t *before,
		    struct fault *);
void		 job_release(struct job *);

/* CPUs that it is timed on, if there are as many. */
static inline unsigned
job_cpus(const struct job *j)
{
	return j->copies > j->threads ? j->copies : j->threads;
}

/*
 * A spec as a document that decodes to the same spec, with nothing left to be filled in: defaults,
 * states of operands, and numbers in place of expressions over params.  New reference.
 */
json_t		*spec_encode(const struct spec *);

/*
 * A sweep document → its jobs' documents, one at a time: { name, spec, variants } or { name,
 * spec, template, space, where }.  Any member of a job (priority, …) applies to all.
 *
 * In the space, the name of a variant's member or of a param replaces it; any other name becomes a
 * define.  Each point's values are added to `meta` and to the variant's name ("dot UNROLL=4").  The
 * last dimension runs fastest.  Points for which an expression of `where` is 0 are skipped.  With a
 * `key` each job gets "key#POINT".
 *
 * `each` gets a new reference to a job that is not decoded yet.  A result other than ST_OK stops
 * the walk and is returned, its member renamed to the sweep's (variants[3], template, space.X).
 */
typedef enum status sweep_each_fn(void *arg, json_t *job_doc, struct fault *);
typedef enum status expand_fn(const json_t *doc, sweep_each_fn *, void *arg, struct fault *);
enum status	 sweep_expand(const json_t *doc, sweep_each_fn *, void *arg, struct fault *);

/*
 * The same as a walk that can rest at any place: a variant, or a point of the space.  sweep_next
 * gives a new reference to the job of the next place, NULL if `where` leaves it out.
 */
struct sweep;
enum status	 sweep_open(struct sweep **, const json_t *doc, struct fault *);
enum status	 sweep_next(struct sweep *, json_t **job_doc, struct fault *);
/* A fault of the job given last, in the terms of the sweep.  Returns `st`. */
enum status	 sweep_blame(const struct sweep *, enum status st, struct fault *);
bool		 sweep_is_over(const struct sweep *);
uint64_t	 sweep_places(const struct sweep *);
void		 sweep_close(struct sweep *);		/* NULL is fine */

/*
 * A document of one spec and several variants → its jobs' documents.  It also has the members of
 * a job that a sweep may have for all of its jobs.  Each variant makes a job.  With a `key` each
 * job gets "key#PLACE"; places are counted from 0.
 */
enum status	 variants_expand(const json_t *doc, sweep_each_fn *, void *arg, struct fault *);

/*
 * A comparison document is one with at least two variants and maybe a rule, `compare`.  The first
 * variant is the `against` of the jobs of the others, so there is one job less.
 */
enum status	 contest_expand(const json_t *doc, sweep_each_fn *, void *arg, struct fault *);

/*
 * A param that has the name of one of the routine's arguments is not a macro for variants: it would
 * break the argument's declaration in their source.  The driver gets every param.
 */
bool		 spec_param_is_argument(const struct spec *, const struct param *);

/* Of one element; and the alignment that C gives it. */
size_t		 spec_element_bytes(const struct operand *);
size_t		 spec_natural_alignment(const struct operand *);

/* Other seeds give it other contents. */
bool		 spec_is_random(const struct operand *);

/* A function of the spec's setup fills it, with so many bytes. */
bool		 spec_is_filled(const struct spec *, size_t arg);
size_t		 spec_filled_bytes(const struct spec *, size_t arg);

/* The range of random numbers of this type, if none is given. */
void		 spec_random_range(enum ctype, double *min, double *max);

/* Random, but it takes too long to draw anew before each call of an audit. */
bool		 spec_is_slow_to_draw(const struct operand *);
/* How many inputs the operand can have: 1 if only the given one. */
uint64_t	 spec_inputs(const struct operand *);
/* So many of them take turns if nothing is asked: together they are more than a core learns. */
unsigned	 spec_inputs_by_turns(const struct operand *);

/* The guard that is used, which is never auto; and whether inout operands are restored with it. */
enum range_guard spec_range_guard(const struct spec *);
bool		 spec_restores(const struct spec *);
/* Are caches flushed before its calls, or walked through? */
bool		 spec_is_cold(const struct spec *);
bool		 spec_is_paired(const struct spec *, size_t arg);	/* it has a negated copy */

/* Other arguments point into its memory. */
bool		 spec_is_joint(const struct spec *, size_t arg);

/* A flush that leaves data in caches: of a given size, or of inner caches. */
bool		 spec_is_partial(const struct spec *);
/*
 * The state of operand `arg` holds for one call: lines that only a store beside the routine makes
 * dirty, or that the routine itself makes dirty.
 */
bool		 spec_is_for_one_call(const struct spec *, size_t arg);

/*
 * The value as C writes it, for -DNAME=value; returns its length, as snprintf does.
 * SPEC_PARAM_TEXT bytes will do.
 */
enum { SPEC_PARAM_TEXT = SPEC_MAX_TEXT + 1 };
size_t		 param_put_text(const struct param *, char *buf, size_t bytes);

const char	*language_name(enum language);
bool		 language_is_binary(enum language);	/* its source is bytes, not text */
const char	*jail_profile_name(enum jail_profile);
const char	*cache_state_name(enum cache_state);
const char	*line_state_name(enum line_state);
const char	*memory_name(enum memory_kind);
const char	*access_name(enum access_kind);
const char	*init_name(enum init_kind);
const char	*order_name(enum order_kind);
const char	*clock_name(enum clock_kind);
const char	*flush_method_name(enum flush_method);
const char	*tables_name(enum tables_kind);
const char	*estimator_name(enum estimator);
const char	*layout_kind_name(enum layout_kind);
const char	*range_guard_name(enum range_guard);
const char	*trust_asked_name(enum trust_asked);

/*
 * The estimator that ranks a result.  "normalised" is the median of times divided by how slow the
 * clock was; it needs samples that were gated, each with a reading.
 *
 *	asked for		such samples	not
 *	normalised		normalised	median
 *	min, median		as asked	as asked
 *	auto: cpu clock		median		median
 *	auto: random layouts	normalised	median
 *	auto: difference	normalised	median		(the least one has most noise)
 *	auto			normalised	min		(Whaley and Castaldo, section 2.1)
 */
enum estimator	 timing_estimator(const struct timing *, bool is_normalised);

#endif
