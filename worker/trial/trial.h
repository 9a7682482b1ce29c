/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_TRIAL_TRIAL_H
#define ASSAY_WORKER_TRIAL_TRIAL_H

#include "worker/check/answer.h"
#include "worker/chain/copies.h"
#include "worker/chain/program_lane.h"
#include "worker/check/checkpoint.h"
#include "worker/evidence/range.h"
#include "worker/plan/plan.h"
#include "worker/plan/tick.h"
#include "worker/take/counter.h"
#include "worker/take/learned.h"
#include "worker/stop/looks.h"
#include "worker/take/metric.h"
#include "worker/take/spread.h"
#include "worker/take/take.h"
#include "worker/trial/objects.h"
#include "worker/trial/pipeline.h"
#include "worker/trial/supervise.h"

/*
 * The steps of one job's trial, in the order of worker/trial/supervise.c.  Each returns ST_OK or
 * the job's outcome, with its words in t->why.
 *
 * All steps read what is given (s, job, artifacts, compares) and the deadline.  Other
 * members that a step reads and sets stand beside it, as "reads ► sets".
 */
/* lane of the variant, and before it of the reference */
#define TRIAL_LANE	((unsigned)PAIRS_VARIANT)

/* State that stays from one job to the next. */
struct supervisor {
	struct slot		 slot;
	struct tick		 tick[CLK_N];	/* hz 0: not measured yet */
	enum clock_kind		auto_clock;	/* what CLK_AUTO is here; itself: not asked yet */
	struct gate		 gate;
	/* when the gate's state was last reported; 0: never */
	uint64_t		 quiet_sent_ns;

	struct bench		*bench;		/* owned; NULL: none */
	struct hash		 driver;	/* of the bench */
	uid_t			 submitter;	/* of all jobs that the bench has had */
	/* that a spec named last; the bench's if it has one */
	struct checkpoint	 checkpoint;
	uint64_t		 memory_bytes;	/* the bench's limit */
	unsigned		 threads;	/* that it lets a routine have */
	unsigned		 copies;	/* that it has lanes for */
	enum jail_profile	 profile;	/* rights beyond the usual that it gives one */
	uint64_t		 least_load_ns;	/* of all loads with its areas; 0: none yet */
	/* of another process instead of one: drop, load, two checks; 0: none yet */
	uint64_t		 least_renewal_ns;
	uint64_t		 tables_bytes;	/* runner_setup has it */
	bool			 links;		/* bench_config has it */
	uint64_t		 flush_bytes;	/* areas it has */
	struct runner_sets	 far;
	uint64_t		 far_bytes;
	struct bench_audit	 audit;		/* its state for audits */
	struct audit_blanks	 blanks;	/* of the slot, on all benches so far */

	struct hash		 reference;	/* computed these outputs */
	void			*want;		/* its outputs; owned; of an image twice */

	/*
	 * Meaning of auto on this bench, so that all variants of a routine are timed by one method.
	 * The reference's length decides, or the first variant's.
	 */
	bool			 is_settled;
	struct hash		 settled_by;	/* the reference; "" for a spec that has none */
	uint64_t		 settled_moving;	/* for which operands cold */
	double			 settled_ns;	/* one cold call */

	struct bench_reply	 reply;		/* to the last order */
};

/* One job at hand. */
struct trial {
	/* input */
	struct supervisor	*s;		/* borrowed */
	const struct job	*job;		/* borrowed */
	const struct artifacts	*artifacts;	/* borrowed */
	bool			 compares;	/* there is another variant, timed in turn */
	uint64_t		 began_ns, deadline_ns;

	/* means of timing */
	struct objects		 objects;
	bool			 artifact_missing;
	struct plan		 plan;
	bool			 has_plan;
	struct pipeline		 pipeline;	/* on the supervisor's bench */
	const char		*path;		/* of the object on TRIAL_LANE; in objects */
	bool			 is_variant;	/* that is: so it is on the lanes of all copies */
	struct copies		 copies;	/* n 0: there is one */

	/* results */
	uint64_t		 setup_ns, load_ns;
	struct learned		 learned[PAIRS_SIDES];	/* of one input */
	bool			 rotates_by_itself;	/* because of that */
	uint64_t		 code_at;	/* of the variant, in the default layout */
	struct bench_lodging	 lodging[RUNNER_OPERANDS];	/* of each operand */
	int			 node;		/* that owns its operands (bench/proc/numa.h) */
	struct answer		 answer;	/* its outputs, beside the reference's */
	bool			 has_answer;
	double			 iterations;	/* of a call, once it was checked; NaN: not known */
	struct take		 take;		/* the samples that count */
	bool			 has_samples;
	struct looks		 looks;		/* of a comparison */
	struct dice		 dice;		/* of places of its processes */
	struct looks_end	 looks_end;
	struct spread		 spread;	/* over layouts */
	bool			 has_spread;
	unsigned		 halvings;	/* of the slot's patience, when the layouts began */
	struct range		 range;
	struct counters		 counters;
	struct metric_taken	 metric;
	bool			 has_metric;
	struct host_evidence	 host;		/* while samples were taken */
	uint64_t		 image_calls;	/* of the routine in a sample; 0: no image */
	struct program_lane	 program;	/* of a job that times a whole program */

	/* failure */
	const char		*failed;		/* of two that are compared; or NULL */
	const char		*phase;
	struct fault		 why;
};

/* Measured at its first use. */
const struct tick *supervisor_tick(struct supervisor *, enum clock_kind);
const struct tick *trial_tick(struct trial *);		/* of the job's clock */

/* ---- trial_bench.c ---- */

/* Does this host grant the rights that the job asks for, and the slot have CPUs for its copies? */
enum status	 trial_check_slot(struct trial *);

/*
 * The bench that is there, if it serves, or a new one; the pipeline on it.
 * plan, objects ► pipeline, setup_ns; of the supervisor: bench, driver, checkpoint, memory_bytes,
 * threads, audit
 */
enum status	 trial_open_bench(struct trial *);
uint64_t	 trial_output_bytes(const struct trial *);	/* that a check leaves */
void		 trial_close_bench(struct supervisor *);	/* with all that was learnt on it */

/*
 * The areas that a plan needs, if they are not there.  They are made in the template, so what is
 * loaded is dropped.  Does not cost the job time.
 * ► deadline_ns; of the supervisor: flush_bytes, far
 */
enum status	 trial_make_areas(struct trial *, const struct plan *);
/* Loaded objects are loaded anew then. objects, path, is_variant ► what loading sets, too */
enum status	 trial_make_areas_anew(struct trial *, const struct plan *);

/*
 * Returns the outcome as bench_load does, the words being in the reply: trial_fault puts them into
 * why.  ► path, load_ns; of the supervisor: gate, reply
 */
enum status	 trial_load(struct trial *, unsigned lane, const char *path);
/*
 * The timed variants, each on its first lane.
 * objects, plan ► code_at, failed, pairs of the pipeline
 */
enum status	 trial_load_variants(struct trial *);
/*
 * An object of the variant, on TRIAL_LANE or as so many copies as the job has; as trial_load.
 * ► is_variant, too
 */
enum status	 trial_load_variant(struct trial *, const char *path);
unsigned	 trial_copies(const struct trial *);	/* 1: there is one */
void		 trial_drop(struct trial *);		/* what is loaded, on all lanes */
unsigned	 trial_lane(const struct trial *, enum pairs_side);	/* of its process */
/* Loads both anew for more pairs. objects ► lanes of the pipeline, path */
struct pairs_loader trial_loader(struct trial *);	/* borrows */

enum status	 trial_fault(struct trial *);		/* as the last reply says ► why, phase */
enum status	 trial_blame(struct trial *, enum pairs_side, enum status);	/* ► failed */

/* Setting of samples: on TRIAL_LANE alone, or as the pipeline has them.  Borrows. */
struct take_setting trial_setting_of_lane(struct trial *);
struct take_setting trial_setting(struct trial *);

/* ---- trial_reference.c ---- */

/*
 * The reference's outputs, and what else of it stays on the bench; nothing for a spec without, or
 * where they are there.
 * plan, objects, pipeline ► of the supervisor: want, reference, settled_*, audit
 */
enum status	 trial_learn_reference(struct trial *);
/* Of all that is timed.  plan ► audits of the pipeline */
enum status	 trial_begin_audits(struct trial *);
/* It has been timed, and is still loaded.  take, plan ► audits of the pipeline, failed */
enum status	 trial_judge_audits(struct trial *);
/* It is gone; the reference answers its challenges.  objects ► audits of the pipeline, failed */
enum status	 trial_replay_audits(struct trial *);

/*
 * Resolve method auto by timing one cold call of what is loaded.  Returns as trial_load does.
 * plan ► of the supervisor: settled_*
 */
enum status	 trial_settle(struct trial *);
void		 trial_close_plan(struct trial *);	/* if it is settled ► plan */

/* ---- trial_metric.c ---- */

/*
 * What the user's evaluation library says of samples of their own; loads and drops.  Whatever fails
 * but for a cancellation is the metric's reason to be absent.
 * plan, objects ► metric, deadline_ns
 */
enum status	 trial_take_metric(struct trial *);

/* ---- trial_check.c ---- */

/* One untimed call; as trial_load.  ► of the supervisor: reply, the bench's output */
enum status	 trial_run_check(struct trial *, unsigned lane);
enum status	 trial_check_answer(struct trial *, unsigned lane);	/* ► answer, range */
enum status	 trial_check_copies(struct trial *);	/* of the variant, each of its copies */
enum status	 trial_check_answers(struct trial *);	/* of all that is timed ► failed, too */

/* ---- trial_report.c ---- */

/*
 * The report of the trial (proto/wire/report.h), for this outcome; owned by the caller; NULL: out
 * of memory.  Reads all of it.
 */
char		*trial_report(struct trial *, enum status outcome, struct kept *);

/* ---- trial_inputs.c ---- */

/* By what is loaded.  plan, pipeline ► learned; plan, rotates_by_itself */
enum status	 trial_learn_inputs(struct trial *);

/* ---- trial_time.c ---- */

/*
 * Samples of what is loaded, and the events after them.  ST_TOO_NOISY: they are there, but hardly
 * any was clean.  plan, pipeline, objects ► plan's calls, take, looks_end, range, counters, host,
 * node, image_calls
 */
enum status	 trial_take_time(struct trial *);
/* ST_TOO_NOISY: too few of the samples that were taken count. */
enum status	 trial_judge_noise(struct trial *);
/* In several layouts; loads and drops.  plan, objects ► spread, halvings */
enum status	 trial_take_layouts(struct trial *);

/* ---- trial_program.c ---- */

/*
 * The whole trial of a job whose variant is a program.
 * ► plan, objects, copies, program, take, host, trust in the pipeline's audit
 */
enum status	 trial_program(struct trial *);
void		 trial_put_program(struct program_report *, const struct trial *);

#endif
