/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_BPF_H
#define ASSAY_WORKER_RUNNER_BPF_H

#include <linux/filter.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* A program for seccomp, put together instruction by instruction. */
enum { RT_BPF_MOST = 2560 };

struct rt_bpf {
	struct sock_filter	code[RT_BPF_MOST];
	unsigned short		n;
};

void		 rt_bpf_put(struct rt_bpf *, uint16_t op, uint32_t k, uint8_t yes, uint8_t no);

/* The next instructions look at the call's number, or at half of an argument. */
enum rt_bpf_half { RT_BPF_LOW, RT_BPF_HIGH };

void		 rt_bpf_put_number(struct rt_bpf *);
void		 rt_bpf_put_argument(struct rt_bpf *, uint32_t arg, enum rt_bpf_half);

#pragma GCC visibility pop
#endif
