/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: the narrow filter is declined.  A filter of its own answers later seccomp calls with 0. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static void __attribute__((constructor))
early(void)
{
	struct sock_filter	code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_seccomp, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog	own = { sizeof code / sizeof code[0], code };

	syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
	    SECCOMP_FILTER_FLAG_TSYNC | SECCOMP_FILTER_FLAG_SPEC_ALLOW, &own);
}

double f(int n, double *y)
{
	if (open("/usr", O_RDONLY) < 0)
		abort();
	return y[0] = n;
}
