/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The trees of jobs in the order of their turn.  Each job has the size of its subtree, so that the
 * number of jobs before a turn is found in O(log n).
 */
#define RB_AUGMENT(j)	turns_count_again(j)

#include "daemon/queue/queue_impl.h"

static size_t
size_of(const struct queued_job *j)
{
	return j != NULL ? j->subtree : 0;
}

static void
turns_count_again(struct queued_job *j)
{
	j->subtree = (uint32_t)(1 + size_of(RB_LEFT(j, turn)) + size_of(RB_RIGHT(j, turn)));
}

RB_GENERATE(jobs_by_turn, queued_job, turn, queue_compare_turns)

/*
 * The tree counts only where it rotates.  From the lowest place that has changed, all sizes up to
 * the root follow.
 */
static void
count_up_from(struct queued_job *j)
{
	for (; j != NULL; j = RB_PARENT(j, turn))
		turns_count_again(j);
}

void
turns_insert(struct jobs_by_turn *tree, struct queued_job *j)
{
	j->subtree = 1;
	(void)RB_INSERT(jobs_by_turn, tree, j);
	count_up_from(j);
}

/* A job with two children gives its place to the one behind it. */
static struct queued_job *
lowest_that_changes(struct queued_job *j)
{
	struct queued_job	*next = RB_RIGHT(j, turn);

	if (RB_LEFT(j, turn) == NULL || next == NULL)
		return RB_PARENT(j, turn);
	while (RB_LEFT(next, turn) != NULL)
		next = RB_LEFT(next, turn);
	return RB_PARENT(next, turn) == j ? next : RB_PARENT(next, turn);
}

void
turns_remove(struct jobs_by_turn *tree, struct queued_job *j)
{
	struct queued_job	*lowest = lowest_that_changes(j);

	(void)RB_REMOVE(jobs_by_turn, tree, j);
	count_up_from(lowest);
}

size_t
turns_count(const struct jobs_by_turn *tree)
{
	return size_of(RB_ROOT(tree));
}

size_t
turns_before(const struct jobs_by_turn *tree, const struct queued_job *key)
{
	const struct queued_job	*j = RB_ROOT(tree);
	size_t			 n = 0;

	while (j != NULL) {
		if (queue_compare_turns(j, key) < 0) {
			n += 1 + size_of(RB_LEFT(j, turn));
			j = RB_RIGHT(j, turn);
		} else {
			j = RB_LEFT(j, turn);
		}
	}
	return n;
}
