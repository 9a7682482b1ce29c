/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_TRIAL_TRIAL_H
#define ASSAY_WORKER_TRIAL_TRIAL_H

#include "worker/bench/bench.h"
#include "worker/check/answer.h"
#include "worker/check/checkpoint.h"
#include "worker/plan/plan.h"
#include "worker/plan/tick.h"
#include "worker/take/counter.h"
#include "worker/take/pairs.h"
#include "worker/take/range.h"
#include "worker/take/spread.h"
#include "worker/take/take.h"
#include "worker/trial/objects.h"
#include "worker/trial/supervise.h"
#include "worker/trust/vet.h"

/*
 * The steps of one job's trial, whose order worker/trial/supervise.c has.  Each returns ST_OK or the job's outcome, with its
 * words in t->why.
 */
#define TRIAL_LANE	((unsigned)PAIRS_VARIANT)	/* of the variant, and before it of the reference */

/* What stays from one job to the next. */
struct supervisor {
	struct slot		 slot;
	struct tick		 tick[CLK_N];	/* hz 0: not measured yet */
	struct gate		 gate;
	uint64_t		 quiet_told_ns;	/* when the gate's state was last reported; 0: never */

	struct bench		*bench;		/* owned; NULL: none */
	struct hash		 driver;	/* of the bench */
	struct checkpoint	 checkpoint;	/* what a spec named last; the bench's if that has one */
	uint64_t		 memory_bytes;	/* the bench's limit */
	unsigned		 threads;	/* that it lets a routine have */
	uint64_t		 flush_bytes, sets, moving;	/* areas it has */

	struct hash		 reference;	/* whose outputs these are */
	void			*want;		/* owned; NULL: none; of an image twice, one behind the other */

	/*
	 * What auto came to on this bench, so that all variants of a routine are timed by one method: the reference's
	 * length decides, or the first variant's.
	 */
	bool			 is_settled;
	struct hash		 settled_by;		/* the reference; "" for a spec that has none */
	uint64_t		 settled_moving;	/* for which operands cold */
	double			 settled_ns;		/* one cold call */

	struct vet		 vet;		/* of the bench */
	struct vetting		 vetting[PAIRS_SIDES];	/* of the job at hand; of a lane each */

	struct bench_reply	 reply;
};

/* One job at hand. */
struct trial {
	struct supervisor	*s;
	const struct job	*job;
	const struct artifacts	*artifacts;
	struct objects		 objects;
	const char		*path;		/* of the object that is loaded; borrowed from above */
	bool			 compares;	/* there is another variant to be timed in turn */
	struct pairs		 pairs;
	struct pairs_end	 pairs_end;
	const char		*who;		/* of the two failed; NULL: neither, or there is but one */
	struct plan		 plan;
	struct take		 take;
	struct answer		 answer;
	struct range		 range;
	struct counters		 counters;
	struct spread		 spread;
	bool			 has_plan, has_samples, has_answer, has_spread, artifact_missing;
	unsigned		 doubt;		/* of the gate, when the layouts began */
	uint64_t		 code_at;	/* of the variant in the default layout */
	int			 node;		/* that owns its operands (worker/bench/numa.h) */
	struct host_evidence	 host;		/* while samples were taken */
	const char		*phase;
	uint64_t		 image_calls;	/* of the routine in a sample; 0: no image */
	uint64_t		 began_ns, deadline_ns, setup_ns, load_ns;
	struct fault		 why;
};

/* Measured at its first use. */
const struct tick *supervisor_tick(struct supervisor *, enum clock_kind);
const struct tick *trial_tick(struct trial *);		/* of the job's clock */

/* ---- trial_bench.c ---- */

enum status	 trial_open_bench(struct trial *);	/* the one that is there, if it serves */
uint64_t	 trial_output_bytes(const struct trial *);	/* that a check leaves */
void		 trial_close_bench(struct supervisor *);	/* with all that was learnt on it */

/*
 * Areas are made in the template, so a variant that is there already must be loaded anew; if that fails, words are
 * where trial_load has them.  Does not cost it time.
 */
enum status	 trial_make_areas(struct trial *, const struct plan *, bool loaded);

/* Returns the outcome as bench_load does, the words being in the answer: trial_fault has them told. */
enum status	 trial_load(struct trial *, unsigned lane, const char *path);
enum status	 trial_load_variants(struct trial *);	/* what is timed, each on its lane */
void		 trial_drop(struct trial *);		/* whatever is loaded */

enum status	 trial_fault(struct trial *);		/* what the last answer says */
enum status	 trial_blame(struct trial *, enum pairs_side, enum status);	/* names it where two are compared */
/* One order to what is loaded there, perhaps with an audit before it. */
enum status	 trial_order(struct trial *, unsigned lane, const struct runner_run *, struct bench_reply *);
struct take_runner trial_runner(struct trial *);	/* what is loaded on TRIAL_LANE, for worker/take/take.h; borrows */

/* ---- trial_reference.c ---- */

/* The reference's outputs, and what else of it stays on the bench; nothing for a spec without, or where it is there. */
enum status	 trial_learn_reference(struct trial *);
enum status	 trial_begin_vetting(struct trial *);		/* of all that is timed */
enum status	 trial_judge_claims(struct trial *);		/* it has been, and is still loaded */
enum status	 trial_replay_audits(struct trial *);	/* it is gone; the reference answers its challenges */

/* What auto is, by one cold call of what is loaded.  Returns as trial_load does. */
enum status	 trial_settle(struct trial *);
void		 trial_close_plan(struct trial *);	/* if it is settled */

/* ---- trial_check.c ---- */

enum status	 trial_run_check(struct trial *, unsigned lane);	/* one untimed call; as trial_load */
enum status	 trial_check_answer(struct trial *, unsigned lane);
enum status	 trial_check_answers(struct trial *);	/* of all that is timed */

/* ---- trial_report.c ---- */

/* The report of it (proto/wire/report.h), for this outcome; owned by the caller; NULL: out of memory. */
char		*trial_report(struct trial *, enum status outcome);

/* ---- trial_time.c ---- */

/* Samples of what is loaded, and the events after them.  ST_TOO_NOISY: they are there, but hardly any was clean. */
enum status	 trial_take_time(struct trial *);
enum status	 trial_take_layouts(struct trial *);	/* in t->spread; loads and drops */

#endif
