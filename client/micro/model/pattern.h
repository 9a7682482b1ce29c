/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_MICRO_MODEL_PATTERN_H
#define ASSAY_CLIENT_MICRO_MODEL_PATTERN_H

#include <stddef.h>

#include "client/arena/arena.h"
#include "client/micro/machine/moves.h"
#include "client/micro/model/range.h"

/*
 * An instruction as a description has it: with operations, values and registers that are still to
 * be chosen.  Passes narrow it down until code generation can write it.
 */

/* A register, logical (r0, x3) or by its name (%eax, or %xmm in front of a number). */
struct described {
	struct place	 at;
	const char	*logical;	/* or NULL */
	const char	*physical;	/* or NULL */
	struct range	 numbers;	/* behind the name; each copy takes the next one */
	unsigned	 induction;	/* id of the one that moves it; 0: none does */
	bool		 is_allocated;
	struct reg	 reg;		/* by register allocation */
};

enum slot_kind { SLOT_REGISTER, SLOT_MEMORY, SLOT_INDIRECT, SLOT_IMMEDIATE };

/* An operand.  base: the register, or that which holds the address. */
struct slot {
	enum slot_kind	 kind;
	struct place	 at;
	struct described base;
	struct described index;		/* SLOT_INDIRECT */
	int64_t		 multiplier;	/* of the index */
	int64_t		 offset;	/* of memory */
	struct range	 values;	/* SLOT_IMMEDIATE */
	bool		 has_value;	/* <value> */
	int64_t		 value;		/* chosen */
};

/* A choice is made for an instruction, or for each copy that unrolling makes of it. */
enum when { WHEN_NEVER, WHEN_BEFORE, WHEN_AFTER };

/* One of those to choose among.  A move of many bytes may take several pieces. */
struct candidate {
	const char	*operation;
	unsigned	 pieces;		/* instructions it takes: 1 but of a move */
	unsigned	 bytes;			/* between one piece and the next */
	enum register_class class;		/* of a move's register, if that has no name */
};

/*
 * Choices that are ahead, as one number each: of what all copies share, and of what each of
 * `copies` copies has for itself, `each_ways` possibilities a copy.  See space/space.h.
 */
struct choice {
	uint64_t	 once, each;
	uint64_t	 each_ways, copies;
};

enum { PATTERN_SLOTS = 4 };

struct pattern {
	struct place		 at;
	const char		*name;		/* for `linked`; or NULL */
	struct candidate	*candidates;
	size_t			 ncandidates;
	size_t			 candidate;	/* chosen */
	struct slot		 slots[PATTERN_SLOTS];
	size_t			 nslots;
	enum when		 choose, swap, immediate;
	bool			 is_swapped;
	bool			 is_move;	/* <move>: candidates come from the wish */
	struct move_wish	 wish;
	struct range		 repetition;
	uint64_t		 repeats;	/* chosen */
	struct choice		 choice;
	unsigned		 copy, copies;	/* of unrolling: which one, from 0, of how many */
	const char		*comment;	/* behind it; or NULL */
	bool			 is_induction;	/* made by induction insertion */
};

struct pattern	*pattern_new(struct arena *, struct place);
struct pattern	*pattern_clone(struct arena *, const struct pattern *);
void		 pattern_add_candidate(struct arena *, struct pattern *, struct candidate);
const char	*pattern_operation(const struct pattern *);	/* the chosen one */
/* The immediate with a range or a link; NULL: there is none. */
struct slot	*pattern_open_immediate(const struct pattern *);
/* The first operand in memory; NULL: there is none. */
struct slot	*pattern_memory(const struct pattern *);
bool		 pattern_is_load(const struct pattern *);	/* memory is not the last operand */
bool		 pattern_is_store(const struct pattern *);
char		 pattern_letter(const struct pattern *);	/* L, S, or A for neither */

/* "r1" or "%eax", with a number that ranges: "%xmm"; for messages and comparisons. */
const char	*described_name(const struct described *);
bool		 described_is_equal(const struct described *, const struct described *);

#endif
