/* SPDX-License-Identifier: Apache-2.0 */
#include <linux/audit.h>
#include <linux/filter.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "worker/runner/rules.h"

#if defined(__x86_64__)
#define ARCHITECTURE	AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE	AUDIT_ARCH_AARCH64
#else
#error "which architecture is this to seccomp?"
#endif
#define X32_BIT		0x40000000u

enum { BLOCK = 6 };

/* One rule: number, conditions, verdict; a mismatch goes on to the next rule. */
static void
put_rule(struct rt_bpf *p, const struct rt_rule *r)
{
	uint8_t		conditions = 0;

	while (conditions < RT_CONDITIONS && r->only[conditions].mask != 0)
		conditions++;
	rt_bpf_put(p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)r->call, 0,
	    (uint8_t)(3 * conditions + 1));
	for (uint8_t i = 0; i < conditions; i++) {
		const struct rt_condition	*c = &r->only[i];

		rt_bpf_put_argument(p, c->arg % RT_HIGH, c->arg < RT_HIGH ? RT_BPF_LOW :
		    RT_BPF_HIGH);
		rt_bpf_put(p, BPF_ALU | BPF_AND | BPF_K, c->mask, 0, 0);
		rt_bpf_put(p, BPF_JMP | BPF_JEQ | BPF_K,
		    i == 0 && r->own_pid ? (uint32_t)getpid() : c->value, 0,
		    (uint8_t)(3 * (conditions - i - 1) + 1));
	}
	rt_bpf_put(p, BPF_RET | BPF_K, r->errno_or_0 == 0 ? SECCOMP_RET_ALLOW :
	    SECCOMP_RET_ERRNO | (r->errno_or_0 & SECCOMP_RET_DATA), 0, 0);
	if (conditions > 0)
		rt_bpf_put_number(p);
}

/* Rules in ascending order of their calls; a greater number passes all of them by at once. */
static void
put_block(struct rt_bpf *p, const struct rt_rule *const *r, size_t n)
{
	const unsigned short	gate = p->n;

	rt_bpf_put(p, BPF_JMP | BPF_JGT | BPF_K, (uint32_t)r[n - 1]->call, 0, 0);
	for (size_t i = 0; i < n; i++)
		put_rule(p, r[i]);
	p->code[gate].jt = (uint8_t)(p->n - gate - 1);
}

/* The wanted rules, by call; rules of one call keep their order. */
static size_t
sort_rules(const struct rt_rule **to, const struct rt_rule *rules, size_t all, int wanted)
{
	size_t	n = 0;

	for (size_t i = 0; i < all && n < RT_RULES_MOST; i++) {
		size_t	at = n;

		if (!(rules[i].where & wanted))
			continue;
		for (; at > 0 && to[at - 1]->call > rules[i].call; at--)
			to[at] = to[at - 1];
		to[at] = &rules[i];
		n++;
	}
	return n;
}

/* Numbers mean nothing before their architecture is known: int 0x80 and x32 have their own. */
void
rt_rules_begin(struct rt_bpf *p)
{
	p->n = 0;
	rt_bpf_put(p, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch), 0, 0);
	rt_bpf_put(p, BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
	rt_bpf_put(p, BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS, 0, 0);
	rt_bpf_put_number(p);
	rt_bpf_put(p, BPF_JMP | BPF_JGE | BPF_K, X32_BIT, 0, 1);
	rt_bpf_put(p, BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS, 0, 0);
}

void
rt_rules_end(struct rt_bpf *p, const struct rt_rule *rules, size_t all, int wanted,
    uint32_t otherwise)
{
	const struct rt_rule	*sorted[RT_RULES_MOST];
	const size_t		 n = sort_rules(sorted, rules, all, wanted);

	for (size_t i = 0; i < n; i += BLOCK)
		put_block(p, &sorted[i], n - i < BLOCK ? n - i : BLOCK);
	rt_bpf_put(p, BPF_RET | BPF_K, otherwise, 0, 0);
}

int
rt_rules_install(const struct sock_fprog *filter, unsigned flags)
{
	return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, filter) == 0;
}
