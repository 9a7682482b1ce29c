/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mprotect, munmap, mremap, madvise and mmap all have the address as their first argument and the
 * number of bytes as their second.  So one comparison serves all.  Registers have 32 bits: numbers
 * are compared by halves, from the upper one.
 *
 * The sum of address and bytes may overflow only where the kernel refuses the call anyway.
 */
#include <errno.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "worker/runner/guard.h"

enum { FROM_HIGH, FROM_LOW, END_HIGH, END_LOW };	/* words of the filter's own memory */
enum { ADDRESS = 0, BYTES = 1, FLAGS = 3, SPAN_STEPS = 12 };

#define LOAD	(BPF_LD | BPF_MEM)
#define NUMBER	(BPF_LD | BPF_IMM)
#define COPY	(BPF_MISC | BPF_TAX)
#define ADD	(BPF_ALU | BPF_ADD | BPF_X)
#define ABOVE	(BPF_JMP | BPF_JGT | BPF_K)
#define NOT_LESS (BPF_JMP | BPF_JGE | BPF_K)
#define EQUAL	(BPF_JMP | BPF_JEQ | BPF_K)
#define SKIP	(BPF_JMP | BPF_JA)

/* Calls that change no mapping leave by the last instruction. */
static void
put_calls(struct rt_bpf *p)
{
	rt_bpf_put(p, EQUAL, SYS_mprotect, 7, 0);
	rt_bpf_put(p, EQUAL, SYS_munmap, 6, 0);
	rt_bpf_put(p, EQUAL, SYS_mremap, 5, 0);
	rt_bpf_put(p, EQUAL, SYS_madvise, 4, 0);
	rt_bpf_put(p, EQUAL, SYS_mmap, 0, 2);
	rt_bpf_put_argument(p, FLAGS, RT_BPF_LOW);
	rt_bpf_put(p, BPF_JMP | BPF_JSET | BPF_K, MAP_FIXED, 1, 0);
	rt_bpf_put(p, SKIP, 0, 0, 0);
}

/*
 * Beginning and end to their words.  The upper byte is no part of an address where the kernel takes
 * tagged pointers.
 */
static void
put_sum(struct rt_bpf *p)
{
	rt_bpf_put_argument(p, BYTES, RT_BPF_LOW);
	rt_bpf_put(p, COPY, 0, 0, 0);
	rt_bpf_put_argument(p, ADDRESS, RT_BPF_LOW);
	rt_bpf_put(p, BPF_ST, FROM_LOW, 0, 0);
	rt_bpf_put(p, ADD, 0, 0, 0);
	rt_bpf_put(p, BPF_ST, END_LOW, 0, 0);
	rt_bpf_put(p, BPF_JMP | BPF_JGE | BPF_X, 0, 2, 0);
	rt_bpf_put(p, NUMBER, 1, 0, 0);			/* it carries */
	rt_bpf_put(p, SKIP, 1, 0, 0);
	rt_bpf_put(p, NUMBER, 0, 0, 0);
	rt_bpf_put(p, COPY, 0, 0, 0);
	rt_bpf_put_argument(p, ADDRESS, RT_BPF_HIGH);
	rt_bpf_put(p, BPF_ALU | BPF_AND | BPF_K, 0x00ffffff, 0, 0);
	rt_bpf_put(p, BPF_ST, FROM_HIGH, 0, 0);
	rt_bpf_put(p, ADD, 0, 0, 0);
	rt_bpf_put(p, COPY, 0, 0, 0);
	rt_bpf_put_argument(p, BYTES, RT_BPF_HIGH);
	rt_bpf_put(p, ADD, 0, 0, 0);
	rt_bpf_put(p, BPF_ST, END_HIGH, 0, 0);
}

/*
 * SPAN_STEPS instructions.  Spans ascend: the first that ends behind the beginning decides, `left`
 * of them are behind it.
 */
static void
put_span(struct rt_bpf *p, const struct rt_kept_span *s, unsigned left)
{
	rt_bpf_put(p, LOAD, FROM_HIGH, 0, 0);
	rt_bpf_put(p, ABOVE, (uint32_t)(s->to >> 32), 10, 0);
	rt_bpf_put(p, EQUAL, (uint32_t)(s->to >> 32), 0, 2);
	rt_bpf_put(p, LOAD, FROM_LOW, 0, 0);
	rt_bpf_put(p, NOT_LESS, (uint32_t)s->to, 7, 0);
	rt_bpf_put(p, LOAD, END_HIGH, 0, 0);
	rt_bpf_put(p, ABOVE, (uint32_t)(s->from >> 32), 3, 0);
	rt_bpf_put(p, EQUAL, (uint32_t)(s->from >> 32), 0, 3);
	rt_bpf_put(p, LOAD, END_LOW, 0, 0);
	rt_bpf_put(p, ABOVE, (uint32_t)s->from, 0, 1);
	rt_bpf_put(p, BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM, 0, 0);
	rt_bpf_put(p, SKIP, left * SPAN_STEPS, 0, 0);
}

void
rt_guard_put(struct rt_bpf *p, const struct rt_kept *k)
{
	unsigned short	behind;

	put_calls(p);
	behind = p->n;
	put_sum(p);
	for (unsigned i = 0; i < k->n; i++)
		put_span(p, &k->span[i], k->n - i - 1);
	p->code[behind - 1].k = p->n - behind;
	rt_bpf_put_number(p);
}
