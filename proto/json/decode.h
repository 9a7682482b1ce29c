/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_PROTO_JSON_DECODE_H
#define ASSAY_PROTO_JSON_DECODE_H

#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "proto/base/fault.h"

/*
 * Typed access to a JSON document that knows where it is.  A node is a value and the way to it,
 * kept on the stack of the functions that walk the document.  So a path costs nothing until
 * something is wrong.  For proto/spec and proto/wire.
 */
struct node {
	const struct node	*up;		/* NULL: the root */
	const char		*name;		/* of a member; NULL: an element */
	size_t			 index;		/* of an element */
	const json_t		*value;
};

/*
 * Refuse what is at the node, or what should be in its member `name` (NULL: the node itself).
 * Returns ST_BAD_SPEC.
 */
enum status	 decode_refuse(const struct node *, const char *name, struct fault *,
		    const char *fmt, ...) __attribute__((format(printf, 4, 5)));
/* It must be `wanted` ("a string"), and is of another type. */
enum status	 decode_refuse_type(const struct node *, const char *wanted, struct fault *);
/* Put the node's path in front of a fault that knows no path; returns its status. */
enum status	 decode_place(const struct node *, struct fault *);
/* The hint for a word that is none of `names`: the nearest, or all of them if they are few. */
void		 decode_hint(struct fault *, const char *word, const char *const *names);

enum status	 decode_object(const struct node *, struct fault *);	/* it is an object */
struct node	 decode_member(const struct node *, const char *name);	/* value NULL: not there */
struct node	 decode_element(const struct node *, size_t index);

/*
 * Scalars.  Text is owned by the caller, at most max_bytes long, without NUL; a label has neither
 * control characters nor such as reorder or hide text (utf8_is_unseen).
 */
enum status	 decode_text(const struct node *, size_t max_bytes, char **out, struct fault *);
enum status	 decode_label(const struct node *, size_t max_bytes, char **out, struct fault *);
enum status	 decode_integer(const struct node *, int64_t min, int64_t max, int64_t *out,
		    struct fault *);
enum status	 decode_size(const struct node *, uint64_t min, uint64_t max, uint64_t *out,
		    struct fault *);
enum status	 decode_real(const struct node *, double min, double max, double *out,
		    struct fault *);
enum status	 decode_word(const struct node *, const char *const *words, unsigned *out,
		    struct fault *);
/*
 * The same into an enumeration whose enumerators are the words' places; left as it is if there is
 * no such word.
 */
enum status	 decode_enum(const struct node *, const char *const *words, void *out,
		    struct fault *);
enum status	 decode_base64(const struct node *, size_t max_bytes, char **out, size_t *bytes,
		    struct fault *);

/* The shortest decimal that reads back as the same number. */
void		 decode_put_real(double, char *buf, size_t bytes);

#endif
