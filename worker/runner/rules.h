/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_RULES_H
#define ASSAY_WORKER_RUNNER_RULES_H

#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>

#include "worker/runner/bpf.h"

#pragma GCC visibility push(hidden)

/*
 * A filter of system calls as a table of rules, assembled by hand because what runs submitted code
 * links nothing but libc and libm.  A rule is a system call and at most four conditions on its
 * arguments; the first that fits decides.
 *
 * When a filter is installed the kernel walks it for every call there is: rules lie in blocks by
 * number, so that most of those walks are short.
 */
enum { RT_CONDITIONS = 4, RT_HIGH = 8, RT_OWN_PID = 1, RT_PRETEND = SECCOMP_RET_DATA + 1,
    RT_RULES_MOST = 256 };

/*
 * Argument `arg` (+ RT_HIGH: its upper half), of the bits in `mask`, is `value`. mask 0: no
 * condition.
 */
struct rt_condition {
	uint32_t	arg, mask, value;
};

struct rt_rule {
	int			where;		/* bits: in which filters it is */
	long			call;
	struct rt_condition	only[RT_CONDITIONS];
	/* 0: allowed; RT_PRETEND: not made, but succeeds; else it fails with this */
	uint32_t		errno_or_0;
	int			own_pid;	/* RT_OWN_PID: the first condition's value is our
						 * process */
};

/* Calls of other architectures end the process. */
void		 rt_rules_begin(struct rt_bpf *);
/* The rules of which `where` has a bit of `wanted`; a call that fits none: `otherwise`. */
void		 rt_rules_end(struct rt_bpf *, const struct rt_rule *, size_t n, int wanted,
		    uint32_t otherwise);
/* For all threads of this process, for good.  0: this kernel will not. */
int		 rt_rules_install(const struct sock_fprog *, unsigned flags);

#pragma GCC visibility pop
#endif
