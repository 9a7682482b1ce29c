/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_PROTO_TEXT_PROTOTYPE_H
#define ASSAY_PROTO_TEXT_PROTOTYPE_H

#include <stddef.h>

#include "proto/base/fault.h"

/*
 * A C function prototype as a spec's `routine` gives it (Templates: POET's `routine=`, automated
 * timer generation, section 4, Figure 4): "void axpy(const int n, double alpha, const double
 * *restrict x, double *y)".
 *
 * Types: every arithmetic type of C, the fixed-width names of stdint.h, size_t, ptrdiff_t,
 * _Bool/bool, float/double _Complex; structs, by pointer alone.  A pointer, an array of any
 * dimensions, a pointer to such an array, or an array of pointers to rows; const, restrict,
 * volatile; void as result.  Every parameter has a name.
 */
/*
 * Enumerator, C name, bytes on LP64, class: i signed, u unsigned, f real, c complex, s struct,
 * v none.  A struct's size is its operand's (struct record).
 */
#define CTYPE_LIST(X)										\
	X(VOID, "void", 0, 'v')									\
	X(BOOL, "_Bool", 1, 'u')								\
	X(CHAR, "char", 1, 'i')									\
	X(SCHAR, "signed char", 1, 'i')								\
	X(UCHAR, "unsigned char", 1, 'u')							\
	X(SHORT, "short", 2, 'i')								\
	X(USHORT, "unsigned short", 2, 'u')							\
	X(INT, "int", 4, 'i')									\
	X(UINT, "unsigned int", 4, 'u')								\
	X(LONG, "long", 8, 'i')									\
	X(ULONG, "unsigned long", 8, 'u')							\
	X(LLONG, "long long", 8, 'i')								\
	X(ULLONG, "unsigned long long", 8, 'u')							\
	X(FLOAT, "float", 4, 'f')								\
	X(DOUBLE, "double", 8, 'f')								\
	X(LDOUBLE, "long double", 16, 'f')							\
	X(CFLOAT, "float _Complex", 8, 'c')							\
	X(CDOUBLE, "double _Complex", 16, 'c')							\
	X(STRUCT, "struct", 0, 's')
/*
 * int8_t … uint64_t, size_t, ssize_t, ptrdiff_t, intptr_t, uintptr_t, bool map onto these (LP64).
 */

enum ctype {
#define X(name, c, bytes, class) CTYPE_##name,
	CTYPE_LIST(X)
#undef X
	CTYPE_N
};

const char	*ctype_name(enum ctype);	/* canonical C spelling */
size_t		 ctype_bytes(enum ctype);
char		 ctype_class(enum ctype);	/* 'i', 'u', 'f', 'c', 's', 'v' */
bool		 ctype_is_floating(enum ctype);	/* complex ones too */
/* Any spelling that C allows, without const. */
enum status	 ctype_parse(enum ctype *, const char *text, struct fault *);

enum { PROTOTYPE_MAX_PARAMS = 64, PROTOTYPE_MAX_BYTES = 4096, PROTOTYPE_NAME_MAX = 128 };

struct proto_param {
	char		 name[PROTOTYPE_NAME_MAX];
	enum ctype	 type;		/* of the pointed-to element if is_pointer */
	bool		 is_pointer;
	bool		 is_const;	/* of the element if is_pointer: then the operand's access
					 * defaults to `in` */
	bool		 is_restrict;
	bool		 is_rows;	/* it points to pointers, one to each row */
	bool		 is_array;	/* it points to rows of a fixed length */
	char		 tag[PROTOTYPE_NAME_MAX];	/* of a struct; "": it is none */
};

struct prototype {
	char			 name[PROTOTYPE_NAME_MAX];
	enum ctype		 result;		/* CTYPE_VOID: none; results are never
							 * pointers */
	size_t			 nparams;
	struct proto_param	 params[PROTOTYPE_MAX_PARAMS];
};

/* The fault's text has the place. */
enum status	 prototype_parse(struct prototype *, const char *text, struct fault *);

#endif
