/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_PROTO_JSON_SHAPE_H
#define ASSAY_PROTO_JSON_SHAPE_H

#include "proto/json/decode.h"
#include "proto/json/text.h"

/*
 * A struct and the JSON object that carries it.  A shape has one row for each member: its name,
 * its type, its bounds or words, and where it is in the struct.  Reading and writing follow from
 * the rows, in their order.
 *
 * Texts of a struct that was read belong to the document, which must live as long as the struct.
 * Its arrays and lists are its own: shape_release frees them.  A struct that is filled in by hand
 * has its arrays from shape_*_make, or borrows them and is not released.
 *
 * Documents of users are read by the same rows (SHAPE_WRITTEN), which then also have defaults.
 * Such a struct is not released here: what its rows allocate, its owner frees.
 */
enum shape_kind {
	SHAPE_FLAG,		/* bool; none: the bool at `has` is false */
	SHAPE_COUNT,		/* unsigned; none: UINT_MAX */
	SHAPE_SIZE,		/* uint64_t; none: SHAPE_NO_SIZE */
	SHAPE_INTEGER,		/* int64_t; none: INT64_MIN */
	SHAPE_REAL,		/* double; none: NaN */
	SHAPE_TEXT,		/* const char *; one of `words` where there are any; none: NULL */
	SHAPE_WORD,		/* an enumeration, the place in `words`; none: as SHAPE_FLAG */
	SHAPE_OBJECT,		/* a struct of the shape `of`; none: as SHAPE_FLAG */
	/* a struct of the shape `of`, its members in this object; none: as SHAPE_FLAG */
	SHAPE_INLINE,
	SHAPE_PAIR,		/* double[2]; none: as SHAPE_FLAG */
	SHAPE_REALS,		/* struct shape_reals; none, of this and the next five: empty */
	SHAPE_SIZES,		/* struct shape_sizes */
	SHAPE_TEXTS,		/* struct shape_texts */
	SHAPE_LIST,		/* struct shape_list: objects of the shape `of` */
	SHAPE_MAP,		/* struct shape_list: members of any names, each an object of the
				 * shape `of` */
	SHAPE_NOTES,		/* struct shape_list of struct shape_note: members of any names,
				 * each a text */
	SHAPE_OWN,		/* by the row's own functions */

	/* Of documents of users alone. */
	SHAPE_OWN_PART,		/* by the row's own function, which gets only the member */
	SHAPE_LABEL,		/* char *, owned: least to most bytes without control characters */
	SHAPE_STRING,		/* char *, owned: the same of any characters but NUL */
};
#define SHAPE_NO_SIZE	UINT64_MAX

/* The form in which a missing value is written; reading takes no other. */
enum shape_none {
	SHAPE_NEVER,		/* it is always there */
	SHAPE_NULL,		/* null */
	SHAPE_LEFT_OUT,		/* no member */
	SHAPE_ABSENT,		/* "absent" */
};

struct shape_reals { double *x; size_t n; };
struct shape_sizes { uint64_t *x; size_t n; };
struct shape_texts { const char **x; size_t n; };
struct shape_list { void *at; size_t n; };	/* structs one behind the other; of a map each
						 * begins with its name, a text */

struct shape_note { const char *name, *text; };

struct shape;
/*
 * out: the whole struct, but of SHAPE_OWN_PART the member.  A node without a value: set it to none,
 * or to a default that depends on other members.
 */
typedef enum status shape_get_fn(void *out, const struct node *, struct fault *);
typedef void	 shape_put_fn(struct text *, const void *in);
typedef bool	 shape_none_fn(const void *in);

struct shape_row {
	const char		*name;
	enum shape_kind		 kind;
	enum shape_none		 none;
	size_t			 offset, has;
	int64_t			 least, most;	/* of counts, sizes and integers; both 0: any that
						 * is not negative */
	double			 low, high;	/* of reals; both 0: any */
	const char *const	*words;		/* NULL-terminated */
	const struct shape	*of;
	shape_get_fn		*get;
	shape_put_fn		*put;
	shape_none_fn		*is_none;	/* NULL: it always is something */
	/*
	 * Of an object, or an inlined one: where its JSON is, a text that is written in its place.
	 * 0 or NULL: none.
	 */
	size_t			 kept;

	/* Of documents of users alone. */
	bool			 required;
	bool			 power_of_two;	/* of sizes */
	bool			 always;	/* get or check is called for a missing one, too */
	shape_get_fn		*check;		/* after it was read; gets the whole struct */
	bool			 has_default;	/* without one: 0, or what get or check sets */
	double			 preset;	/* the default; of words the place of one */
	const char		*preset_text;	/* of labels; of rows with a get of their own as
						 * JSON */

	/*
	 * A row with a get of its own accepts `words`, objects of the shape `of`, and these.  Its
	 * get does the checking; documents and tests are made from these members.
	 */
	unsigned		 forms;		/* enum shape_form, or'ed */
	const struct shape_row	*each;		/* an element of the list, a member of the map */
};

/* least and most: of integers their value, else of the first of these the length. */
enum shape_form {
	FORM_INTEGER = 1,
	FORM_TEXT = 2,
	FORM_BASE64 = 4,	/* of so many bytes */
	FORM_LIST = 8,
	FORM_MAP = 16,		/* an object with any names */
	FORM_NUMBER = 32,	/* without bounds, as all that follow */
	FORM_FLAG = 64,
	FORM_NULL = 128,
};

struct shape {
	const struct shape_row	*row;
	size_t			 rows, bytes;	/* bytes: of the struct */
};
/* SHAPE_ROW(struct x, member, kind, .words = …): a row whose name is the member's. */
#define SHAPE_ROW(type, member, ...)	\
	{ .name = #member, .offset = offsetof(type, member), .kind = __VA_ARGS__ }
#define SHAPE_DEFAULT(x)	.has_default = true, .preset = (x)
#define SHAPE_OF(type, table)	{ (table), sizeof (table) / sizeof (table)[0], sizeof(type) }

enum shape_way {
	SHAPE_EXACT,		/* every member is there as it should be, and no other */
	SHAPE_SPARSE,		/* the same, but a member that is none is left out, however that is
				 * written elsewhere */
	SHAPE_LENIENT,		/* of another version: what is missing, unknown or of another type
				 * is none */
	SHAPE_WRITTEN,		/* by a user: what is missing has its default, other members are
				 * refused */
};

/*
 * Read an object.  ST_BAD_SPEC names the member, and nothing is left to release; ST_NOMEM.
 * SHAPE_WRITTEN wants a zeroed struct and may leave it half filled.
 */
enum status	 shape_get(const struct shape *, void *out, const struct node *, enum shape_way,
		    struct fault *);

/* The row of this name, of a shape inlined in it too; NULL: there is none. */
const struct shape_row *shape_row(const struct shape *, const char *name);

/*
 * The object as JSON, its members in the order of the rows: exact, or sparse.  Owned; NULL: out of
 * memory.
 */
char		*shape_put(const struct shape *, const void *in, enum shape_way);
void		 shape_put_object(struct text *, const struct shape *, const void *in);	/* exact */
void		 shape_put_pair(struct text *, const double *);	/* [x, y] */

/* Room for n elements of a struct that is filled in by hand and then released; false: no memory. */
bool		 shape_reals_make(struct shape_reals *, size_t n);
bool		 shape_sizes_make(struct shape_sizes *, size_t n);
bool		 shape_texts_make(struct shape_texts *, size_t n);
bool		 shape_list_make(struct shape_list *, size_t n, size_t element_bytes);

void		 shape_clear(const struct shape *, void *out);		/* all of it is none */
void		 shape_release(const struct shape *, void *);	/* after reading */

#endif
