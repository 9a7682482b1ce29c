/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "worker/runner/openmp.h"

static void
keep_zero(void)
{
	int	fd = open("/dev/zero", O_RDWR | O_CLOEXEC);

	if (fd == -1 || fd == RT_ZERO_FD)
		return;
	dup3(fd, RT_ZERO_FD, O_CLOEXEC);
	close(fd);
}

void
rt_openmp_prepare(uint32_t threads)
{
	char	text[16];

	snprintf(text, sizeof text, "%u", threads > 1 ? threads : 1);
	setenv("OMP_NUM_THREADS", text, 1);
	setenv("OMP_THREAD_LIMIT", text, 1);
	setenv("OMP_TOOL", "disabled", 1);	/* it would be searched for in each child */
	setenv("KMP_AFFINITY", "none", 1);	/* team.h */
	setenv("KMP_TOPOLOGY_METHOD", "flat", 1);	/* others go from CPU to CPU */
	keep_zero();
}

/*
 * Where threads share a CPU, one that waits sleeps at once: the first has a higher priority than
 * those that it waits for.
 */
static void
let_share(uint32_t threads)
{
	cpu_set_t	may;

	if (sched_getaffinity(0, sizeof may, &may) == 0 && threads > (uint32_t)CPU_COUNT(&may))
		setenv("KMP_BLOCKTIME", "0", 1);
}

void
rt_openmp_start(void *object, uint32_t threads)
{
	int	(*start)(void) = NULL;

	if (dlsym(object, "__kmpc_fork_call") != NULL)
		*(void **)&start = dlsym(object, "omp_get_max_threads");
	if (start == NULL)
		return;
	let_share(threads);
	start();
}

/* Called by the library that starts: the dynamic linker resolves to it.  It closes what it got. */
int
shm_open(const char *name, int flags, mode_t mode)
{
	static int	given;

	(void)name;
	(void)flags;
	(void)mode;
	if (__atomic_exchange_n(&given, 1, __ATOMIC_RELAXED)) {
		errno = EACCES;
		return -1;
	}
	return RT_ZERO_FD;
}
