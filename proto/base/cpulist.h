/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_PROTO_BASE_CPULIST_H
#define ASSAY_PROTO_BASE_CPULIST_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * The two ways in which a kernel writes sets of CPUs: lists ("0-3,5", or "0 1 2" in cpufreq) and
 * masks ("ff,ffffffff", 32 bits a group).  CPUs beyond CPU_SETSIZE (1024) are refused.  An empty
 * text is the empty set.
 */
bool	 cpulist_parse(const char *text, cpu_set_t *);
/* Lists with ; between them ("2; 4-7"), each of one CPU at least; *n: how many, at most `most`. */
bool	 cpulist_parse_lists(const char *text, cpu_set_t *out, unsigned most, unsigned *n);
bool	 cpulist_parse_mask(const char *text, cpu_set_t *);
char	*cpulist_format(const cpu_set_t *, char *buf, size_t bytes);	/* buf, cut to fit */
char	*cpulist_format_mask(const cpu_set_t *, char *buf, size_t bytes);	/* "0" when empty */
void	 cpulist_subtract(cpu_set_t *from, const cpu_set_t *what);
bool	 cpulist_overlap(const cpu_set_t *, const cpu_set_t *);
unsigned cpulist_split(const cpu_set_t *, cpu_set_t *out);	/* a set for each; how many:
								 * CPU_COUNT of them */
int	 cpulist_first(const cpu_set_t *);					/* -1: empty */

#endif
