/* SPDX-License-Identifier: Apache-2.0 */
#include <linux/seccomp.h>
#include <stddef.h>

#include "worker/runner/bpf.h"

void
rt_bpf_put(struct rt_bpf *p, uint16_t op, uint32_t k, uint8_t yes, uint8_t no)
{
	p->code[p->n++] = (struct sock_filter){ op, yes, no, k };
}

void
rt_bpf_put_number(struct rt_bpf *p)
{
	rt_bpf_put(p, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr), 0, 0);
}

void
rt_bpf_put_argument(struct rt_bpf *p, uint32_t arg, enum rt_bpf_half half)
{
	const int	is_second = (half == RT_BPF_HIGH) ==
			    (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);

	rt_bpf_put(p, BPF_LD | BPF_W | BPF_ABS,
	    (uint32_t)offsetof(struct seccomp_data, args) + 8 * arg + (is_second ? 4 : 0), 0, 0);
}
