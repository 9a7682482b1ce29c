/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RT_ALONE_H
#define RT_ALONE_H

#include "worker/runner/sample/rt.h"

/*
 * What the stand-alone timer has to know of a spec beside its driver.  `assay driver` writes this
 * directory's texts and a spec.c that defines the following.  Params are macros of any name there,
 * so names begin with rt_ or RT_, as in rt.h.
 */
struct rt_alone {
	double		 rt_flops;		/* of a call; 0: not given */
	double		 rt_rtol, rt_atol;
	rt_u64		 rt_samples;		/* 0: as many as usual */
	rt_u64		 rt_calls;		/* of a warm sample; 0: found out */
	rt_u64		 rt_flush_bytes;	/* cold: read so much other memory; 0: by
						 * instructions */
	char		 rt_by_reading;		/* cold: never by instructions */
	char		 rt_restores;		/* operands that are read and written are as at
						 * first when a sample begins */
	const char	*rt_reference;		/* borrowed: its object; NULL: none */
};

/* Of each operand, in the driver's order. */
struct rt_alone_operand {
	char		 rt_cold, rt_checked;
	int		 rt_node;		/* NUMA node; -1: any */
};

struct rt_alone_variant {
	const char	*rt_name, *rt_file;	/* NULL: the last */
};

extern const struct rt_alone_operand	rt_alone_operand[];
extern const struct rt_alone_variant	rt_alone_variant[];
extern void	 rt_alone_describe(struct rt_alone *);
#endif
