/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BUILD_UNIT_UNIT_PARTS_H
#define ASSAY_WORKER_BUILD_UNIT_UNIT_PARTS_H

#include "worker/build/unit/unit.h"

/*
 * A unit on its way: its members, their versions in one object, and a shared object of each.  What
 * returns ST_BAD_SPEC has found that these variants are to be built alone.
 */
struct member {
	struct job	 job;		/* of company; the first has none */
	bool		 has_job;
	struct recipe	 own;
	struct hash	 name;
	int		 fd;		/* its shared object; -1: none */
};

struct unit {
	struct units		*units;		/* borrowed, as are the next four */
	const struct unit_means	*means;
	const struct job	*job;
	const struct recipe	*first;
	const struct compile	*where;
	struct member		*all;		/* owned: UNIT_MOST of them */
	unsigned		 taken;		/* of all; some have left again */
	unsigned		 n;
	struct member		*member[UNIT_MOST];	/* borrowed: of all */
	const struct recipe	*recipe[UNIT_MOST];	/* borrowed: of members */
	/* the first variant, with files as the unit has them, and with an error in each; owned: the
	 * lists, and the texts of the former */
	struct variant		 beside, barred;
	bool			 has_names;	/* its source defines more than the routine */
	char			*text;		/* owned */
	char			*words;		/* owned: the compiler's; NULL: none */
	void			*object;	/* owned */
	size_t			 bytes;
	double			 ms;
};

/* ---- unit_members.c ---- */

bool		 unit_may_begin(const struct units *, const struct job *, const struct recipe *,
		    const struct hash *name);
/* The first variant, `name`, and those of its company that fit and are not in the cache. */
void		 unit_take_members(struct unit *, const struct hash *name, const json_t *company);
/*
 * Those that the compiler has errors for leave, and are built alone.  False: it has not said whose
 * they are, or fewer than two are left.
 */
bool		 unit_drop_guilty(struct unit *);

/* ---- unit_compile.c ---- */

/* Without those that have errors.  ► object; text, words */
enum status	 unit_compile(struct unit *);
/* Of variant k by itself, with a section for each thing if the unit has that.  False: no steps. */
bool		 unit_lone_recipe(struct unit *, struct recipe *, unsigned k);
/* The recipe's steps up to its object, into fd; no linker has seen it.  ► words, ms */
enum status	 unit_run_first(struct unit *, const struct recipe *, int fd);

/* ---- unit_link.c ---- */

enum status	 unit_link(struct unit *);	/* ► fd of each member */

/* ---- unit_check.c ---- */

/* One variant beside a lone build of it, where one is due. */
enum status	 unit_check(struct unit *);

#endif
