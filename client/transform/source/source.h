/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_TRANSFORM_SOURCE_SOURCE_H
#define ASSAY_CLIENT_TRANSFORM_SOURCE_SOURCE_H

#include "client/transform/tree/tree.h"
#include "proto/base/fault.h"

/*
 * One routine of a C file as a tree (libclang).  What is not understood stays as it is written:
 * nodes and terms that are opaque, with the reason where one is known.
 */
struct problem {
	struct place	 at;
	const char	*text;
};

struct source {
	struct arena	 *arena;	/* borrowed; holds all of this */
	const char	 *path, *text;
	size_t		  bytes;
	const char	 *routine;
	struct symbol	**symbols;
	size_t		  nsymbols;
	struct place	  header;	/* of the routine's parameters: the ( */
	struct node	 *body;
	unsigned	  natoms;	/* ids of statements are below this */
	struct problem	 *problems;	/* why a node is opaque, in order of the text */
	size_t		  nproblems;
};

/* What the source may include of the caller's: already read, under its name beside the source. */
struct source_file {
	const char	*name, *text;
};

struct source_files {
	const struct source_file	*at;
	size_t				 n;
};

struct source_request {
	const char		*path;
	const char		*routine;	/* NULL: the one with a loop */
	const char *const	*defines;	/* "-DNAME=VALUE", NULL-terminated */
	struct source_files	 files;
};

enum status	 source_read(struct source *, struct arena *, const struct source_request *,
		    struct fault *);

/* Fault with "FILE:LINE:COLUMN" as its member. */
enum status	 source_refuse(const struct source *, struct place, struct fault *,
		    const char *fmt, ...) __attribute__((format(printf, 4, 5)));
/* The first problem in the text between two places; NULL: none. */
const struct problem	*source_problem(const struct source *, unsigned from, unsigned to);

/* The identifier occurs in a text. */
bool		 source_mentions(const char *text, const char *name);

/* The file includes standard headers by plain names and nothing else. */
enum status	 source_check_includes(const char *path, const char *text,
		    const struct source_files *, struct fault *);

#endif
