/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BUILD_RECIPE_STEPS_H
#define ASSAY_WORKER_BUILD_RECIPE_STEPS_H

#include "worker/cache/digest.h"

/*
 * What a compiler's driver runs for one build (compiler, assembler, linker), as its option -###
 * prints it.  To run that without the driver saves a tenth to a half of a build's time.  The names
 * of temporary files, which differ from run to run, become .1.s, .2.o and so on.
 *
 * The linker has two steps.  The first links the objects alone, without the C library's start files
 * and without looking for libraries; it is for objects that name nothing outside themselves.  The
 * second is the driver's own.
 */
enum {
	STEPS_MAX	= 40,
	STEPS_MAX_WORDS	= 1100,
	STEPS_COUNTS	= 8 * STEPS_MAX,
};

struct step {
	size_t	first, nwords;		/* of struct steps' words; the program is the first */
	bool	alone;			/* see above; nothing follows if it runs */
};

struct steps {
	char		*text;		/* owned: what the words borrow */
	size_t		 nwords;
	char		*words[STEPS_MAX_WORDS];
	size_t		 n;
	struct step	 step[STEPS_MAX];
	char		 program[STEPS_MAX][64];
};

/* A command line of all steps, one behind the other. */
struct step_line {
	size_t		 nwords;
	const char	*words[STEPS_MAX_WORDS + 1];	/* borrowed; NULL-terminated */
	char		 counts[STEPS_COUNTS];		/* as in jail_order's steps */
};

/*
 * Of what -### printed about a build that leaves the file `object`.  ST_BAD_SPEC: it is not
 * understood; the fault says why.
 */
enum status	 steps_parse(struct steps **, const char *printed, const char *object,
		    struct fault *);
void		 steps_free(struct steps *);

/* In the command line that -### is asked about, in place of all macros. */
#define STEPS_MACROS	"ASSAY_MACROS="

/*
 * With the macros, words such as "-DN=1", in that place.  false: there are more words than
 * STEPS_MAX_WORDS, or no step takes macros.
 */
bool		 steps_put(const struct steps *, const char *const *macros, size_t nmacros,
		    struct step_line *);

/*
 * With the macros, the steps before the links, and the file that the last of them makes.  And the
 * links, with the object that they read.  false: there are other steps.
 */
bool		 steps_put_first(const struct steps *, const char *const *macros, size_t nmacros,
		    struct step_line *, const char **object);
bool		 steps_put_links(const struct steps *, struct step_line *, const char **object);

/*
 * The words, and which files the programs are now.  Words with `dir`, the builder's directory, are
 * left out.
 */
void		 steps_digest(struct digest *, const struct steps *, const char *dir);

#endif
