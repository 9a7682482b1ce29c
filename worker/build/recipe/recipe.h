/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BUILD_RECIPE_RECIPE_H
#define ASSAY_WORKER_BUILD_RECIPE_RECIPE_H

#include "proto/spec/spec.h"
#include "worker/build/recipe/compiler.h"
#include "worker/build/recipe/library.h"
#include "worker/build/recipe/steps.h"
#include "worker/cache/scratch.h"

/*
 * All that can change an object's bytes: the words of a compiler's command line and the steps that
 * it stands for, a source, the files and libraries beside it, and for a driver its header.
 */
enum {
	/* a library's file and folder are words made for the recipe */
	RECIPE_MAX_WORDS = SPEC_MAX_FLAGS + SPEC_MAX_DEFINES + SPEC_MAX_PARAMS +
			    5 * SPEC_MAX_FILES + 2 * SPEC_MAX_LIBRARIES + 16,
	RECIPE_FILE_BYTES = 32,
};
#define RECIPE_OBJECT	"out.so"
#define RECIPE_PROGRAM	"setup"

struct recipe {
	const struct compiler	*compiler;	/* borrowed; NULL: the source is the object */
	size_t			 nwords;
	const char		*words[RECIPE_MAX_WORDS + 1];	/* borrowed; NULL-terminated */
	size_t			 nmade;
	char			*made[RECIPE_MAX_WORDS];	/* owned: words built for it */
	bool			 no_memory;	/* or more words than RECIPE_MAX_WORDS */
	size_t			 first_macro, nmacros;	/* words that define params and macros */
	bool			 is_plain;	/* assembly without macros (plain.h) */
	bool			 needs_driver;	/* an object or a flag may need its plugins */
	const struct steps	*steps;		/* borrowed; NULL: the driver runs */
	const char		*dir;		/* borrowed: where it is built; NULL: in no step */
	char			 file[RECIPE_FILE_BYTES];	/* the source's name */
	const void		*source;	/* borrowed */
	size_t			 source_bytes;
	const char		*header;	/* borrowed: the text of rt.h; NULL: none */
	const struct variant	*beside;	/* borrowed: its files; NULL: none */
	size_t			 nlibraries;
	struct hash		 library[SPEC_MAX_LIBRARIES];	/* of their contents */
	struct hash		 filled_by;	/* the program behind `filled`; "": none */
	const void		*filled;	/* borrowed: bytes of operands; NULL: none */
	size_t			 filled_bytes;
	char			 pad[256];	/* assembly linked before it; "": none */
};

/* What words are made of; borrowed. */
struct recipe_means {
	struct compilers	*compilers;
	struct libraries	*libraries;
};

/*
 * Of a variant's object.  `stem` is the source's name in the compiler's messages: "variant",
 * "reference" or "metric".  `pad` is the layout's (worker/plan/layout.h).  Release it in any case.
 */
enum status	 recipe_of_variant(struct recipe *, const struct recipe_means *,
		    const struct spec *, const struct variant *, const char *stem, unsigned pad,
		    struct fault *);
/* Of a driver with this text. */
enum status	 recipe_of_driver(struct recipe *, const struct recipe_means *,
		    const struct spec *, const char *text, struct fault *);
/* Of the program that fills a spec's operands (setup.h). */
enum status	 recipe_of_setup(struct recipe *, const struct recipe_means *,
		    const struct spec *, const struct variant *program, struct fault *);

enum status	 recipe_hash(const struct recipe *, struct hash *, struct fault *);
enum status	 recipe_put(const struct recipe *, const struct scratch *, struct fault *);
void		 recipe_release(struct recipe *);

#endif
