/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BUILD_BUILD_H
#define ASSAY_WORKER_BUILD_BUILD_H

#include "proto/spec/spec.h"
#include "proto/wire/hello.h"
#include "proto/wire/msg.h"
#include "worker/spawn/spawn.h"

/*
 * Turn sources into shared objects in the artifact cache, each compiled in a build jail.  An object's name is the
 * SHA-256 of everything that can change its bytes: source, language, flags, defines, compiler identity (path, version,
 * resolved target), and for a driver the rt header it includes.  Same content, same name: compiled once.
 */
struct builder;

struct builder_config {
	const char	*cache_dir;		/* <state>/cache, made if absent */
	const char	*scratch_dir;		/* <state>/scratch, made if absent; for builds that
						 * memory has no room for */
	uint64_t	 cache_limit_bytes;	/* least recently used objects beyond it are removed */
	int		 cpu;
	stop_fn		*stop;
	void		*stop_arg;
};

enum status	 builder_new(struct builder **, const struct builder_config *, struct fault *);
void		 builder_free(struct builder *);
/* Of struct installed_compiler, to be freed; its texts stay as long as the builder.  false: no memory. */
bool		 builder_compilers(struct builder *, struct shape_list *);

/*
 * Build all that a job needs: driver, reference (with a check), variant, and for layouts that vary the variant behind
 * pads, whose names follow from the variant's (worker/plan/layout.h).  Returns the outcome; `detail` gets the
 * compiler's words (owned by the caller, capped at 64 KiB, host paths removed) or NULL; `report` as in proto/wire/msg.h.
 */
enum status	 builder_build(struct builder *, const struct job *, struct artifacts *,
		    char **detail, char **report);

#endif
