/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <threads.h>

#include "worker/runner/team.h"

typedef void	*thread_fn(void *);
typedef int	 create_fn(pthread_t *, const pthread_attr_t *, thread_fn *, void *);

/* A new thread's work, and where it was counted. */
struct birth {
	thread_fn	*fn;
	void		*arg;
	uint32_t	 member;
};

struct order {
	pthread_t		*out;
	const pthread_attr_t	*attr;
	struct birth		*birth;
	int			 error;
};

static struct {
	pthread_mutex_t	 lock;
	struct rt_crew	*crew;			/* borrowed; NULL: threads are started where they
						 * are asked for */
	uint32_t	 threads[RT_CREW_MAX];	/* alive, by member */
} team = { .lock = PTHREAD_MUTEX_INITIALIZER };

static int
libc_create(pthread_t *out, const pthread_attr_t *attr, thread_fn *fn, void *arg)
{
	static create_fn	*create;

	if (create == NULL)
		*(void **)&create = dlsym(RTLD_NEXT, "pthread_create");
	return create != NULL ? create(out, attr, fn, arg) : EAGAIN;
}

/* The CPU with the fewest threads, the first of them. */
static uint32_t
join_team(void)
{
	uint32_t	least = 0;

	pthread_mutex_lock(&team.lock);
	for (uint32_t i = 1; i < rt_crew_size(team.crew); i++)
		if (team.threads[i] < team.threads[least])
			least = i;
	team.threads[least]++;
	pthread_mutex_unlock(&team.lock);
	return least;
}

static void
leave_team(void *member)
{
	pthread_mutex_lock(&team.lock);
	team.threads[*(uint32_t *)member]--;
	pthread_mutex_unlock(&team.lock);
}

static void *
live(void *arg)
{
	struct birth	 b = *(struct birth *)arg;
	void		*end;

	free(arg);
	pthread_cleanup_push(leave_team, &b.member);
	end = b.fn(b.arg);
	pthread_cleanup_pop(1);
	return end;
}

static void
create_here(void *arg, uint32_t member)
{
	struct order	*o = arg;

	(void)member;
	o->error = libc_create(o->out, o->attr, live, o->birth);
}

void
rt_team_bind(struct rt_crew *crew)
{
	if (crew == NULL)
		return;
	team.threads[0] = 1;
	team.crew = crew;
}

/* Called by the code under test: the dynamic linker resolves to it. */
int
pthread_create(pthread_t *out, const pthread_attr_t *attr, thread_fn *fn, void *arg)
{
	struct order	 o = { .out = out, .attr = attr };

	if (team.crew == NULL)
		return libc_create(out, attr, fn, arg);
	if ((o.birth = malloc(sizeof *o.birth)) == NULL)
		return EAGAIN;
	*o.birth = (struct birth){ fn, arg, join_team() };
	rt_crew_run_on(team.crew, o.birth->member, create_here, &o);
	if (o.error != 0) {
		leave_team(&o.birth->member);
		free(o.birth);
	}
	return o.error;
}

/* ---- threads of C11 ---- */

struct c11_work {
	thrd_start_t	 fn;
	void		*arg;
};

static void *
run_c11(void *arg)
{
	const struct c11_work	work = *(struct c11_work *)arg;

	free(arg);
	return (void *)(intptr_t)work.fn(work.arg);	/* as thrd_join reads it */
}

/* libc's own does not call pthread_create by its name, so that those threads were not placed. */
int
thrd_create(thrd_t *out, thrd_start_t fn, void *arg)
{
	struct c11_work	*work = malloc(sizeof *work);
	int		 error;

	if (work == NULL)
		return thrd_nomem;
	*work = (struct c11_work){ fn, arg };
	if ((error = pthread_create(out, NULL, run_c11, work)) == 0)
		return thrd_success;
	free(work);
	return error == ENOMEM ? thrd_nomem : thrd_error;
}
