/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_EXPORT_EXPORT_IMPL_H
#define ASSAY_DAEMON_EXPORT_EXPORT_IMPL_H

#include "daemon/export/export.h"
#include "proto/wire/result.h"

/* Shared by the files of this room: a format a file, and export.c, which walks the results. */

struct export_row {
	const struct result	*result;
	json_t			*doc;		/* borrowed; the result as it may be shown */
};

/* Each function appends to the text; running out of memory shows at its end. */
struct export_format {
	const char	*name, *type, *suffix;
	/* yardsticks, and results that say nothing of a variant (cancelled, internal, …), too */
	bool		 has_all;
	bool		 needs_unique;	/* it asks whether names repeat */
	enum status	(*begin)(struct export *, struct text *, struct fault *);
	/* false: it has nothing of this result */
	bool		(*row)(struct export *, struct text *, const struct export_row *);
	void		(*end)(struct export *, struct text *);
};
extern const struct export_format	export_kernel_tuner, export_t4, export_t4_1_1, export_csv,
					export_ndjson, export_markdown, export_lnt, export_bencher;

struct export {
	const struct export_format *format;
	int64_t			 sweep_id;
	export_show_fn		*show;
	void			*show_arg;	/* owned */
	bool			 is_open, is_over, has_begun;
	bool			 names_repeat;	/* needs_unique: results of one name are several */
	struct store		*store;		/* borrowed for a page */
	struct sweep_row	 sweep;
	json_t			*doc;		/* owned; of the sweep, without spec and variants */
	json_t			*first;		/* owned; the first result; NULL: none has landed */
	struct result		 head;		/* of `first`, or clear */
	json_t			*damaged;	/* owned; NULL: none */
	int64_t			 cursor;	/* of the last row */
	uint64_t		 rows;		/* written so far */
	struct text		*out;		/* borrowed for a page */
	size_t			 page_rows;
};

/* ---- the points of a sweep ---- */

/* A sweep of variants has one dimension, "variant". */
size_t		 export_dimensions(const struct export *);
const char	*export_dimension(const struct export *, size_t);
/*
 * The value of a result in a dimension as a number, a text, a boolean or null; new reference.
 * Lists of texts are joined by blanks, other values are JSON in a text.
 */
json_t		*export_value(const struct export *, size_t dimension, const struct export_row *);
/* The values of the dimension in the space; NULL: it has none (variants).  Borrowed. */
const json_t	*export_values(const struct export *, size_t dimension);
/* One of them, as export_value has it; new reference. */
json_t		*export_value_at(const struct export *, size_t dimension, size_t at);
/* What a scalar is in plain text: numbers as Python writes them; `words` for true, false, null. */
enum export_words { EXPORT_JSON_WORDS, EXPORT_PYTHON_WORDS };
char		*export_plain(const json_t *scalar, enum export_words);	/* owned; NULL: no memory */

/* "routine/name", and "#JOB" where names repeat; owned; NULL: no memory. */
char		*export_label(const struct export *, const struct result *);

/* When the last result landed, in seconds since the epoch; 0: none has. */
double		 export_last(struct export *);

/* Sources that stand in `meta`, as points of the space, become their places in it. */
void		 export_hide(const struct export *, json_t *result);

/* ---- values ---- */
bool		 export_is_timed(const struct result *);	/* ok, and its time is known */
bool		 export_is_checked(const struct result *);	/* its answer, and it was right */
double		 export_stage(double ms);			/* 0 for none */
enum { EXPORT_TIME_BYTES = 40 };
/* "2026-01-31 12:00:00.000000+00:00"; between: ' ' or 'T'. */
void		 export_moment(double unix_s, char between, char buf[EXPORT_TIME_BYTES]);
/* The device that the results are of, as far as it is known: "host class 3f0c1b2a9d47". */
void		 export_device(const struct export *, char *buf, size_t bytes);
void		 export_member_real(struct text *, const char *name, double);	/* if finite */
void		 export_member_text(struct text *, const char *name, const char *);	/* if any */

#endif
