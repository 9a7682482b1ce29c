/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BUILD_BUILD_H
#define ASSAY_WORKER_BUILD_BUILD_H

#include <jansson.h>

#include "proto/spec/spec.h"
#include "proto/wire/hello.h"
#include "proto/wire/msg.h"
#include "worker/spawn/spawn.h"

/*
 * A builder turns sources into shared objects in the artifact cache, each compiled in a build jail.
 * An object's name is the SHA-256 of everything that can change its bytes: source, language, flags,
 * defines, files and libraries beside it, compiler identity (path, version, resolved target), and
 * for a driver the header rt.h.
 * So the same content is compiled once.
 */
struct builder;

struct builder_config {
	const char	*cache_dir;		/* borrowed: <state>/cache, made if absent */
	const char	*scratch_dir;		/* borrowed: <state>/scratch, if /dev/shm is full */
	const char	*libraries;		/* borrowed: see proto/text/library_list.h; NULL:
						 * none */
	uint64_t	 cache_limit_bytes;	/* beyond it least recently used objects go */
	int		 cpu;			/* compilers run there; -1: anywhere */
	stop_fn		*stop;			/* borrowed; NULL: never stops */
	void		*stop_arg;		/* borrowed */
};

enum status	 builder_new(struct builder **, const struct builder_config *, struct fault *);
void		 builder_free(struct builder *);

/*
 * Fill the list with struct installed_compiler.  The caller frees the list; its strings live as
 * long as the builder. false: out of memory.
 */
bool		 builder_compilers(struct builder *, struct shape_list *);

/*
 * Build everything that a job needs: driver, reference (if there is a check), variants, the library
 * of a metric, and with layouts the variant behind pads, named after the variant
 * (worker/plan/layout.h).  Macros among flags become defines (recipe/flag_macros.h).  Returns the
 * outcome.  *detail: the compiler's output (capped at 64 KiB, without host paths) or the reason, or
 * NULL; owned by the caller.  *report: as in proto/wire/msg.h; owned by the caller.
 */
enum status	 builder_build(struct builder *, struct job *, struct artifacts *,
		    char **detail, char **report);
/*
 * The same, with documents of jobs that come next; NULL: none.  Their variants may be built as
 * well, in a unit with this one (unit.h); then the cache has them when they come.
 */
enum status	 builder_build_with(struct builder *, struct job *, const json_t *company,
		    struct artifacts *, char **detail, char **report);

#endif
