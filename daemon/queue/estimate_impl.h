/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_QUEUE_ESTIMATE_IMPL_H
#define ASSAY_DAEMON_QUEUE_ESTIMATE_IMPL_H

#include "daemon/queue/estimate.h"
#include "daemon/queue/queue_impl.h"

/* Shared by estimate*.c: what the queue is like at the time of an estimate (survey.c). */
struct survey {
	struct queue		*queue;		/* borrowed */
	double			 now_s;
	double			 slots[QUEUE_WIDTHS], builders;	/* at least 1 */
	bool			 has_slot[QUEUE_WIDTHS], has_builder;
	struct work		 timing;	/* the rest of what is being timed */
};

/* Fills work and level of each user: what may start, or is being built. */
void		 survey_make(struct survey *, struct queue *, const struct queue_places *);
/* The mean of a user's jobs, or what stands for it. */
struct pace	 survey_user_pace(const struct survey *, const struct queue_user *);
/* A group's mean, or what stands for it. */
struct pace	 survey_pace(const struct survey *, const struct queue_group *);
void		 survey_add(const struct survey *, struct work *, const struct pace *,
		    unsigned width, double jobs, double unbuilt);
/* Of a job at work, until its stage is over. */
double		 survey_rest_s(const struct survey *, const struct queued_job *);
void		 work_add(struct work *, const struct work *, double part);
/* Seconds of all places for this. */
double		 work_takes_s(const struct work *);
/* The rank of the user's next job. */
int		 survey_rank(const struct queue_user *);

#endif
