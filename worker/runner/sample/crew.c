/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include "worker/runner/sample/crew.h"

_Static_assert(RT_CREW_MAX == CPU_SETSIZE, "a member for each CPU");

struct member {
	struct rt_crew	*crew;		/* borrowed */
	uint32_t	 number;
	int		 cpu;
	uint64_t	 job;		/* number of the last that was given to it */
	pthread_cond_t	 called;
	pthread_t	 thread;
};

struct rt_crew {
	pthread_mutex_t	 turn;		/* one job at a time */
	pthread_mutex_t	 lock;
	pthread_cond_t	 over;
	uint32_t	 size, busy;
	int		 ends;
	void		 (*fn)(void *, uint32_t);
	void		*arg;
	struct member	 member[RT_CREW_MAX];
};

static void
pin(int cpu)
{
	cpu_set_t	only;

	CPU_ZERO(&only);
	CPU_SET((size_t)cpu, &only);
	sched_setaffinity(0, sizeof only, &only);
}

static void
done(struct rt_crew *c)
{
	if (--c->busy == 0)
		pthread_cond_signal(&c->over);
}

static void *
serve(void *arg)
{
	struct member	*m = arg;
	struct rt_crew	*c = m->crew;
	uint64_t	 last = 0;

	pin(m->cpu);
	pthread_mutex_lock(&c->lock);
	done(c);
	for (;;) {
		while (m->job == last && !c->ends)
			pthread_cond_wait(&m->called, &c->lock);
		if (c->ends)
			break;
		last = m->job;
		pthread_mutex_unlock(&c->lock);
		c->fn(c->arg, m->number);
		pthread_mutex_lock(&c->lock);
		done(c);
	}
	pthread_mutex_unlock(&c->lock);
	return NULL;
}

static void
wait_for_all(struct rt_crew *c)
{
	while (c->busy != 0)
		pthread_cond_wait(&c->over, &c->lock);
}

static int
start(struct rt_crew *c, int cpu)
{
	struct member	*m = &c->member[c->size];

	*m = (struct member){ .crew = c, .number = c->size, .cpu = cpu };
	pthread_cond_init(&m->called, NULL);
	pthread_mutex_lock(&c->lock);
	c->busy++;
	pthread_mutex_unlock(&c->lock);
	if (pthread_create(&m->thread, NULL, serve, m) == 0) {
		c->size++;
		return 1;
	}
	pthread_mutex_lock(&c->lock);
	c->busy--;
	pthread_mutex_unlock(&c->lock);
	return 0;
}

static void
wait_until_idle(struct rt_crew *c)
{
	pthread_mutex_lock(&c->lock);
	wait_for_all(c);
	pthread_mutex_unlock(&c->lock);
}

struct rt_crew *
rt_crew_new(void)
{
	cpu_set_t	 may;
	struct rt_crew	*c;
	int		 ok = 1;

	if (sched_getaffinity(0, sizeof may, &may) != 0 || CPU_COUNT(&may) < 2 ||
	    (c = calloc(1, sizeof *c)) == NULL)
		return NULL;
	pthread_mutex_init(&c->turn, NULL);
	pthread_mutex_init(&c->lock, NULL);
	pthread_cond_init(&c->over, NULL);
	for (int cpu = 0; cpu < CPU_SETSIZE && ok; cpu++)
		if (CPU_ISSET((size_t)cpu, &may))
			ok = start(c, cpu);
	wait_until_idle(c);
	if (ok)
		return c;
	rt_crew_free(c);
	return NULL;
}

void
rt_crew_free(struct rt_crew *c)
{
	if (c == NULL)
		return;
	pthread_mutex_lock(&c->lock);
	c->ends = 1;
	for (uint32_t i = 0; i < c->size; i++)
		pthread_cond_signal(&c->member[i].called);
	pthread_mutex_unlock(&c->lock);
	for (uint32_t i = 0; i < c->size; i++) {
		pthread_join(c->member[i].thread, NULL);
		pthread_cond_destroy(&c->member[i].called);
	}
	pthread_cond_destroy(&c->over);
	pthread_mutex_destroy(&c->lock);
	pthread_mutex_destroy(&c->turn);
	free(c);
}

uint32_t
rt_crew_size(const struct rt_crew *c)
{
	return c != NULL ? c->size : 1;
}

/* Members `first` to the one before `end` begin. */
static void
call(struct rt_crew *c, uint32_t first, uint32_t end, void (*fn)(void *, uint32_t), void *arg)
{
	pthread_mutex_lock(&c->turn);
	pthread_mutex_lock(&c->lock);
	c->fn = fn;
	c->arg = arg;
	c->busy = end - first;
	for (uint32_t i = first; i < end; i++) {
		c->member[i].job++;
		pthread_cond_signal(&c->member[i].called);
	}
	pthread_mutex_unlock(&c->lock);
}

static void
await(struct rt_crew *c)
{
	wait_until_idle(c);
	pthread_mutex_unlock(&c->turn);
}

/* Is the caller bound to the first member's CPU?  Then the two would be in each other's way. */
static int
is_first(const struct rt_crew *c)
{
	cpu_set_t	may;

	return sched_getaffinity(0, sizeof may, &may) == 0 && CPU_COUNT(&may) == 1 &&
	    CPU_ISSET((size_t)c->member[0].cpu, &may);
}

void
rt_crew_run(struct rt_crew *c, void (*fn)(void *, uint32_t), void *arg)
{
	int	first = c == NULL || is_first(c);

	if (c != NULL)
		call(c, first ? 1 : 0, c->size, fn, arg);
	if (first)
		fn(arg, 0);
	if (c != NULL)
		await(c);
}

void
rt_crew_run_on(struct rt_crew *c, uint32_t member, void (*fn)(void *, uint32_t), void *arg)
{
	call(c, member, member + 1, fn, arg);
	await(c);
}
