/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_TUNE_RECORD_H
#define ASSAY_CLIENT_TUNE_RECORD_H

#include "client/tune/field.h"

/* What became of a point: in each cell a time, a bound, or the reason why there is none. */
enum cell_state {
	CELL_ABSENT,			/* `where` leaves the point out of this cell */
	CELL_TIMED,
	CELL_BOUND,			/* stopped early: it takes low_ns at least */
	CELL_FAILED
};

struct cell_time {
	enum cell_state	state;
	double		ns;		/* of CELL_BOUND: what the first look showed, no time, or
					 * low_ns, of the daemon's race */
	double		low_ns, high_ns;	/* 95 % interval; NaN: unknown */
	int64_t		job;		/* 0: none */
	uint64_t	code_bytes;	/* 0: unknown */
	char		outcome[24];	/* the status's word */
	char		note[160];	/* why it failed; "" */
};

struct record {
	struct point		 point;
	double			 value;		/* what the search made of it; INFINITY: failed */
	unsigned		 phase;
	double			 at_s;		/* seconds since the beginning */
	struct cell_time	*cell;		/* owned; of each cell of the field */
};

enum status	 record_init(struct record *, const struct field *, const struct point *,
		    struct fault *);
void		 record_release(struct record *);	/* zeroed memory is fine */
/* In all its cells. */
bool		 record_is_timed(const struct record *, const struct field *);
/* Of the largest of its routines; 0: unknown in one of its cells. */
uint64_t	 record_code_bytes(const struct record *, const struct field *);
bool		 record_is_bound(const struct record *, const struct field *);

/*
 * { point, phase, value, at_s, cells: [{ cell, status, time_ns, ci95_ns, bound_ns, job, code_bytes,
 * note }] }.
 * New reference.
 */
json_t		*record_json(const struct record *, const struct field *);
/* The reverse, into an initialised record; ST_BAD_SPEC: it is none of this field. */
enum status	 record_read(struct record *, const struct field *, const json_t *,
		    struct fault *);

/* All of a search, in the order of proposals. */
struct ledger {
	struct record	*at;		/* owned; n */
	size_t		 n, room;
	size_t		 best;		/* the least value that is a time; n: none */
};

/* The record is taken, in any case. */
enum status	 ledger_add(struct ledger *, struct record *, const struct field *,
		    struct fault *);
void		 ledger_release(struct ledger *);
const struct record *ledger_best(const struct ledger *);	/* NULL: none is timed */
/* The place of the k-th best in a cell, or by value (cell: the number of cells); n: none. */
size_t		 ledger_rank(const struct ledger *, const struct field *, size_t cell, size_t k);

#endif
