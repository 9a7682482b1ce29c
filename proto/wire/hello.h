/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_PROTO_WIRE_HELLO_H
#define ASSAY_PROTO_WIRE_HELLO_H

#include "proto/json/shape.h"

/* A worker's report of itself when it starts, and of each build. */
struct compiler_identity {
	const char	*name, *version, *target, *id;	/* "" each: none, an object was handed in */
};

struct installed_compiler {
	struct compiler_identity identity;
	const char		*path;
};

struct clock_report {
	const char	*kind, *counter;
	double		 tick_hz, resolution_ns, overhead_ns;
};

/*
 * What holds foreign code; limits: "cgroup", of all its processes together, or "rlimit", of each by
 * itself.
 */
struct containment {
	bool		 namespaces, seccomp, landlock;
	const char	*limits;
	const char	*filters;	/* a variant's; "not counted": the kernel does not report
					 * their number; NULL: it does, or there are none */
};

struct jail_report {
	struct containment held;
	bool		 user, mount, pid, net;		/* the namespaces, one by one */
	const char	*reason;			/* why one is missing; "" */
};

struct hello {
	const char		*role;			/* "build", "time" */
	int64_t			 pid, cpu;		/* cpu -1: any */
	struct jail_report	 jail;
	struct shape_list	 compilers;		/* struct installed_compiler; a builder's */
	bool			 has_clock;		/* this and the rest: of a timing slot */
	struct clock_report	 clock;			/* what auto is */
	struct shape_list	 clocks;		/* struct clock_report */
	struct shape_texts	 counters;		/* this machine's events, by libpfm */
};

struct cached_parts {
	bool	driver, variant, reference;
};

struct built {
	struct compiler_identity compiler, against_compiler;
	bool			 has_against_compiler;
	struct containment	 build_jail;
	struct cached_parts	 cached;		/* found in the cache */
	double			 build_ms, driver_ms;
	/* how the variant was built (built_words), and variants in its unit; NULL, none: cached */
	const char		*built;
	uint64_t		 unit_variants;
	uint64_t		 code_bytes;		/* of the routine; none: not known */
	/* worker/build/content.h: equal ones are the same code; NULL: not known */
	const char		*content, *against_content;
};

extern const struct shape	hello_shape, built_shape;
/* Alone; in a unit; alone, because the code in a unit has differed. */
#define BUILT_ALONE	"alone"
#define BUILT_UNIT	"unit"
#define BUILT_APART	"apart"
extern const char *const	built_words[];
extern const struct shape	compiler_shape, containment_shape;	/* of results, too */

#endif
