/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/judge/processes.h"
#include "proto/base/rank.h"

#define APART		(1.0 / 12)	/* of the faster state: less is no state of its own */
#define TIMES_RANGE	3.0
enum { LEAST_OF_STATE = 2, STATES = 2 };

/* The processes' medians; owned; NULL: no memory. */
static double *
medians_of(const double *x, const uint64_t *process, size_t n, size_t *processes)
{
	double	*medians = calloc(n + 1, sizeof *medians);

	if (medians == NULL)
		return NULL;
	memcpy(medians, x, n * sizeof *x);
	*processes = rank_medians(medians, process, n, medians);
	return medians;
}

enum status
processes_rank(double *x, const uint64_t *process, size_t n, struct stats *s)
{
	size_t	 processes, r;
	double	*medians = medians_of(x, process, n, &processes);

	if (medians == NULL)
		return ST_NOMEM;
	if (processes > 1) {
		qsort(medians, processes, sizeof *medians, rank_ascending);
		r = rank_median(processes, RANK_MISS);
		s->median = rank_middle(medians, processes);
		s->has_ci95 = r != 0;
		s->ci95[0] = medians[r != 0 ? r - 1 : 0];
		s->ci95[1] = medians[r != 0 ? processes - r : processes - 1];
	}
	free(medians);
	return ST_OK;
}

/* ---- spreads ---- */

/* The median of the processes' own coefficients of variation; those of one sample have none. */
static double
spread_within(double *scratch, const double *x, const uint64_t *process, size_t n)
{
	size_t	spreads = 0, from = 0, to;

	for (; from < n; from = to) {
		struct stats	s;

		for (to = from + 1; to < n && process[to] == process[from]; to++)
			;
		if (to - from < 2)
			continue;
		memcpy(scratch + spreads, x + from, (to - from) * sizeof *x);
		stats_of(scratch + spreads, to - from, &s);
		scratch[spreads++] = s.cv;
	}
	qsort(scratch, spreads, sizeof *scratch, rank_ascending);
	return spreads > 0 ? rank_middle(scratch, spreads) : NAN;
}

/* ---- states ---- */

/* Where the second state begins among the sorted medians; 0: there is one only. */
static size_t
second_state(const double *m, size_t n)
{
	size_t	at = 0;
	double	widest = 0, range;

	for (size_t i = LEAST_OF_STATE; i + LEAST_OF_STATE <= n; i++)
		if (m[i] - m[i - 1] > widest) {
			widest = m[i] - m[i - 1];
			at = i;
		}
	if (at == 0)
		return 0;
	range = m[at - 1] - m[0] > m[n - 1] - m[at] ? m[at - 1] - m[0] : m[n - 1] - m[at];
	return widest >= APART * m[at - 1] && widest >= TIMES_RANGE * range ? at : 0;
}

static bool
put_states(const double *m, size_t n, struct shape_list *out)
{
	const size_t		 at = second_state(m, n);
	struct process_state	*state;

	if (at == 0)
		return true;
	if (!shape_list_make(out, STATES, sizeof *state))
		return false;
	state = out->at;
	state[0] = (struct process_state){ rank_middle(m, at), at };
	state[1] = (struct process_state){ rank_middle(m + at, n - at), n - at };
	return true;
}

static enum status
put_all(const double *x, const uint64_t *process, size_t n, double *sorted,
    struct result_processes *out)
{
	const size_t	processes = out->medians_ns.n;
	struct stats	between;

	out->within = spread_within(sorted, x, process, n);
	memcpy(sorted, out->medians_ns.x, processes * sizeof *sorted);
	stats_of(sorted, processes, &between);
	out->between = between.cv;
	return put_states(sorted, processes, &out->states) ? ST_OK : ST_NOMEM;
}

enum status
processes_judge(const double *x, const uint64_t *process, size_t n, struct result_processes *out)
{
	double		*sorted;
	enum status	 st;

	memset(out, 0, sizeof *out);
	if ((out->medians_ns.x = medians_of(x, process, n, &out->medians_ns.n)) == NULL ||
	    (sorted = calloc(n + 1, sizeof *sorted)) == NULL)
		return ST_NOMEM;
	out->count = out->medians_ns.n;
	st = put_all(x, process, n, sorted, out);
	free(sorted);
	return st;
}

void
processes_release(struct result_processes *p)
{
	free(p->medians_ns.x);
	free(p->states.at);
	memset(p, 0, sizeof *p);
}
