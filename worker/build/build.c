/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A job needs a few objects, each made by a recipe (recipe.h).  That holds everything that can
 * change the object's bytes, so its hash is the object's name.  An object that is not in the cache
 * is compiled in the build jail and put there.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "proto/driver/driver.h"
#include "proto/driver/mangle.h"
#include "proto/wire/hello.h"
#include "worker/build/build.h"
#include "worker/build/content.h"
#include "worker/build/recipe/compile.h"
#include "worker/build/recipe/compiler.h"
#include "worker/build/recipe/direct.h"
#include "worker/build/recipe/flag_macros.h"
#include "worker/build/recipe/inproc.h"
#include "worker/build/recipe/recipe.h"
#include "worker/build/recipe/run.h"
#include "worker/build/setup.h"
#include "worker/build/unit/unit.h"
#include "worker/cache/cache.h"
#include "worker/cache/codesize.h"
#include "worker/cache/scratch.h"
#include "worker/plan/layout.h"
#include "worker/spawn/containment.h"

struct builder {
	struct builder_config	 config;	/* strings borrowed */
	struct scratch		 scratch;
	struct cache		*cache;		/* owned */
	struct direct		*direct;	/* owned */
	struct inproc		*inproc;	/* owned */
	struct units		*units;		/* owned */
	struct recipe_means	 means;		/* owned */
};

/* The origin of one object. */
struct made {
	bool	 cached;
	double	 ms;			/* compiling took; 0: cached */
	unsigned unit;			/* variants compiled with it; 0: it was built alone */
};

/* The objects of one job. */
struct build {
	struct builder		*builder;			/* borrowed */
	const struct job	*job;				/* borrowed */
	const json_t		*company;			/* borrowed; NULL: none */
	struct artifacts	*artifacts;			/* borrowed */
	const struct compiler	*compiler, *against_compiler;	/* borrowed: the variants' */
	struct made		 driver, variant, reference, against, metric;
	double			 pads_ms;	/* compiling the variant behind pads took */
	struct hash		 content, against_content;	/* "": not known */
	char			*detail;	/* owned until it is handed out */
};

/* ---- one object ---- */

/* In a jail of this builder. */
static struct compile
order_of(const struct builder *b, unsigned wall_ms)
{
	return (struct compile){ .phase = JAIL_BUILD, .dir = b->scratch.path, .cpu = b->config.cpu,
	    .wall_ms = wall_ms, .stop = b->config.stop, .stop_arg = b->config.stop_arg };
}

/* Have the recipe's steps, before it is hashed. */
static enum status
set_steps(struct builder *b, struct recipe *r)
{
	const struct compile	where = order_of(b, 0);

	r->dir = b->scratch.path;
	return direct_set(b->direct, r, &b->scratch, &where);
}

/* Make this fault the detail, in place of the compiler's output. */
static enum status
explain(enum status st, const struct fault *why, char **detail)
{
	free(*detail);
	*detail = strdup(why->text);
	return st;
}

/* Write the object into object_fd: compiled, or as it was submitted. */
static enum status
put_object(struct builder *b, struct recipe *r, unsigned wall_ms, int object_fd, struct made *m,
    char **detail)
{
	const struct compile	where = order_of(b, wall_ms);
	struct compiled		c;
	struct fault		why;

	if (r->compiler == NULL) {
		if (write(object_fd, r->source, r->source_bytes) == (ssize_t)r->source_bytes)
			return ST_OK;
		(void)fault_set(&why, ST_INTERNAL, "an object in memory: %s", strerror(errno));
		return explain(ST_INTERNAL, &why, detail);
	}
	recipe_run(r, &b->scratch, b->inproc, &where, object_fd, &c);
	m->ms = c.ms;
	*detail = c.words;
	return c.status;
}

static enum status
keep_object(struct builder *b, const struct hash *hash, int object_fd, char **detail)
{
	struct fault	why;
	enum status	st = cache_put(b->cache, hash, object_fd, &why);

	if (st != ST_OK)
		return explain(st == ST_IO ? ST_INTERNAL : st, &why, detail);
	free(*detail);			/* a successful compiler's warnings */
	*detail = NULL;
	return ST_OK;
}

static enum status
make_object(struct builder *b, struct recipe *r, const struct hash *hash, unsigned wall_ms,
    struct made *m, char **detail)
{
	int		object_fd = memfd_create("assay-object", MFD_CLOEXEC);
	struct fault	why;
	enum status	st;

	if (object_fd == -1) {
		(void)fault_set(&why, ST_INTERNAL, "an object in memory: %s", strerror(errno));
		return explain(ST_INTERNAL, &why, detail);
	}
	st = put_object(b, r, wall_ms, object_fd, m, detail);
	if (st == ST_OK)
		st = keep_object(b, hash, object_fd, detail);
	(void)close(object_fd);
	return st;
}

/* Have the recipe's object in the cache under this name.  Takes the recipe. */
static enum status
provide_named(struct builder *b, struct recipe *r, unsigned wall_ms, const struct hash *hash,
    struct made *m, char **detail)
{
	enum status	st = ST_OK;

	*m = (struct made){ .cached = cache_has(b->cache, hash) };
	if (!m->cached) {
		st = make_object(b, r, hash, wall_ms, m, detail);
		scratch_empty(&b->scratch);
	}
	recipe_release(r);
	return st;
}

/* The recipe's hash.  Releases the recipe unless it is ST_OK. */
static enum status
name_recipe(struct builder *b, struct recipe *r, struct hash *hash, char **detail)
{
	struct fault	why;
	enum status	st;

	if ((st = set_steps(b, r)) == ST_OK && (st = recipe_hash(r, hash, &why)) == ST_OK)
		return ST_OK;
	recipe_release(r);
	return st == ST_CANCELLED ? st : explain(ST_INTERNAL, &why, detail);
}

/* As provide_named, under the recipe's hash, which goes to *hash. */
static enum status
provide(struct builder *b, struct recipe *r, unsigned wall_ms, struct hash *hash, struct made *m,
    char **detail)
{
	const enum status	st = name_recipe(b, r, hash, detail);

	*m = (struct made){ 0 };
	return st == ST_OK ? provide_named(b, r, wall_ms, hash, m, detail) : st;
}

/* The same for the job's variant, with those of its company that can be built together with it. */
static enum status
provide_variant(struct build *b, struct recipe *r, struct hash *hash, struct made *m)
{
	struct builder		*builder = b->builder;
	const struct unit_means	 means = { builder->cache, &builder->scratch, builder->direct,
				    &builder->means, order_of(builder, 0) };
	struct unit_made	 made;
	enum status		 st;

	*m = (struct made){ 0 };
	if ((st = name_recipe(builder, r, hash, &b->detail)) != ST_OK)
		return st;
	if (b->company != NULL && !b->job->spec.program.present &&
	    !cache_has(builder->cache, hash))
		st = units_try(builder->units, &means, b->job, r, hash, b->company);
	if (st != ST_OK) {
		recipe_release(r);
		return st;
	}
	st = provide_named(builder, r, b->job->build_timeout_ms, hash, m, &b->detail);
	made = units_claim(builder->units, hash);
	if (m->cached && made.n > 0)
		*m = (struct made){ .ms = made.ms, .unit = made.n };
	return st;
}

/* ---- a job's objects ---- */

static void
detail_prefix(struct build *b, const char *prefix)
{
	char	*text;

	if (asprintf(&text, "%s%s", prefix, b->detail != NULL ? b->detail : "") == -1)
		return;
	free(b->detail);
	b->detail = text;
}

/* Have the spec's functions fill operands, unless there is a driver with their bytes. */
static enum status
fill_operands(struct build *b, struct recipe *driver, void **filled)
{
	struct builder		*builder = b->builder;
	const struct compile	 where = order_of(builder, b->job->build_timeout_ms);
	struct hash		 name;
	struct setup		 setup;
	struct fault		 why;
	enum status		 st;

	*filled = NULL;
	if (b->job->spec.setup == NULL)
		return ST_OK;
	if (set_steps(builder, driver) != ST_OK)
		return ST_CANCELLED;
	if (setup_init(&setup, &b->job->spec, &builder->means, &why) != ST_OK ||
	    recipe_hash(&setup.recipe, &driver->filled_by, &why) != ST_OK ||
	    recipe_hash(driver, &name, &why) != ST_OK)
		st = explain(ST_INTERNAL, &why, &b->detail);
	else
		st = cache_has(builder->cache, &name) ? ST_OK :
		    setup_run(&setup, &builder->scratch, &where, filled, &b->detail);
	setup_release(&setup);
	driver->filled = *filled;
	for (size_t i = 0; i < b->job->spec.routine.nparams; i++)
		if (spec_is_filled(&b->job->spec, i))
			driver->filled_bytes += spec_filled_bytes(&b->job->spec, i);
	return st;
}

/* We wrote the driver, so its failures are ours.  Takes the recipe. */
static enum status
provide_driver(struct build *b, struct recipe *r)
{
	enum status	st = provide(b->builder, r, b->job->build_timeout_ms,
			    &b->artifacts->driver, &b->driver, &b->detail);

	if (st == ST_OK || st == ST_CANCELLED)
		return st;
	detail_prefix(b, "the driver does not build: ");
	return ST_INTERNAL;
}

/* Offsets come with a load (worker/bench/bench.h): operands elsewhere have the same driver. */
static enum status
generate_driver(const struct spec *spec, char **text, struct fault *why)
{
	struct spec	*placeless = malloc(sizeof *placeless);
	enum status	 st;

	*text = NULL;
	if (placeless == NULL)
		return fault_set(why, ST_NOMEM, "a spec");
	*placeless = *spec;
	for (size_t i = 0; i < spec->routine.nparams; i++)
		placeless->args[i].operand.offset = 0;
	st = driver_generate(placeless, text, why);
	free(placeless);
	return st;
}

static enum status
build_driver(struct build *b)
{
	struct recipe	 r;
	struct fault	 why;
	char		*text = NULL;
	void		*filled;
	enum status	 st;

	if (generate_driver(&b->job->spec, &text, &why) != ST_OK ||
	    recipe_of_driver(&r, &b->builder->means, &b->job->spec, text, &why) != ST_OK) {
		free(text);
		(void)explain(ST_INTERNAL, &why, &b->detail);
		detail_prefix(b, "the driver: ");
		return ST_INTERNAL;
	}
	if ((st = fill_operands(b, &r, &filled)) == ST_OK)
		st = provide_driver(b, &r);
	else
		recipe_release(&r);
	free(filled);
	free(text);
	return st;
}

/* What the spec has beside the variant, at this place of it. */
static enum status
build_beside(struct build *b, const struct variant *v, const char *stem, const char *place,
    struct hash *hash, struct made *made)
{
	struct recipe	r;
	struct fault	why;
	enum status	st;

	st = recipe_of_variant(&r, &b->builder->means, &b->job->spec, v, stem, 0, &why);
	if (st != ST_OK)
		(void)explain(st, &why, &b->detail);
	else
		st = provide(b->builder, &r, b->job->build_timeout_ms, hash, made, &b->detail);
	if (st == ST_OK || st == ST_CANCELLED || st == ST_INTERNAL)
		return st;
	detail_prefix(b, ": ");
	detail_prefix(b, place);
	return ST_BAD_SPEC;
}

static enum status
build_reference(struct build *b)
{
	return build_beside(b, &b->job->spec.check.reference, "reference", "check.reference",
	    &b->artifacts->reference, &b->reference);
}

/* The library that measures a metric. */
static enum status
build_metric(struct build *b)
{
	return build_beside(b, &b->job->spec.timing.metric.library, "metric",
	    "timing.metric.library", &b->artifacts->metric, &b->metric);
}

/* Name the variant that failed, where the job has two. */
static enum status
blame_member(struct build *b, const char *member, enum status st)
{
	if (st == ST_OK || st == ST_CANCELLED || st == ST_INTERNAL ||
	    b->job->against.source == NULL)
		return st;
	detail_prefix(b, ": ");
	detail_prefix(b, member);
	return st;
}

/* `member` is the variant's name in the job: "variant" or "against". */
static enum status
build_one(struct build *b, const struct variant *v, const char *member,
    const struct compiler **compiler, struct hash *hash, struct made *made)
{
	struct recipe	r;
	struct fault	why;
	enum status	st;

	st = recipe_of_variant(&r, &b->builder->means, &b->job->spec, v, "variant", 0, &why);
	if (st == ST_BAD_SPEC) {
		(void)fault_within(&why, member);
		(void)explain(st, &why, &b->detail);
		detail_prefix(b, ": ");
		detail_prefix(b, why.member);
		recipe_release(&r);
		return st;
	}
	if (st != ST_OK)
		return blame_member(b, member, explain(st, &why, &b->detail));
	*compiler = r.compiler;
	return blame_member(b, member, provide_variant(b, &r, hash, made));
}

/* Both have the same file name, so the same source makes the same object. */
static enum status
build_variants(struct build *b)
{
	const struct job	*job = b->job;
	bool			 compares = job->against.source != NULL;
	enum status		 st;

	st = build_one(b, &job->variant, "variant", &b->compiler,
	    &b->artifacts->variant, &b->variant);
	if (st == ST_OK && compares)
		return build_one(b, &job->against, "against", &b->against_compiler,
		    &b->artifacts->against, &b->against);
	return st;
}

static enum status
build_behind_pad(struct build *b, unsigned pad)
{
	struct recipe	r;
	struct hash	name;
	struct made	made;
	struct fault	why;
	enum status	st;

	if (layout_artifact(&b->artifacts->variant, pad, &name) != ST_OK)
		return ST_INTERNAL;
	st = recipe_of_variant(&r, &b->builder->means, &b->job->spec, &b->job->variant, "variant",
	    pad, &why);
	if (st != ST_OK)
		return explain(st, &why, &b->detail);
	if ((st = set_steps(b->builder, &r)) != ST_OK) {
		recipe_release(&r);
		return st;
	}
	st = provide_named(b->builder, &r, b->job->build_timeout_ms, &name, &made, &b->detail);
	b->pads_ms += made.ms;
	return st;
}

static enum status
build_layouts(struct build *b)
{
	enum status	st = ST_OK;

	for (unsigned pad = 1; pad < LAYOUT_PADS && st == ST_OK; pad++)
		if (layout_needs_pad(b->job, pad))
			st = build_behind_pad(b, pad);
	return st;
}

static void
note_contents(struct build *b)
{
	const char	*dir = b->builder->config.cache_dir;

	content_of(&b->content, dir, b->job, &b->job->variant, &b->artifacts->variant);
	if (b->job->against.source != NULL)
		content_of(&b->against_content, dir, b->job, &b->job->against,
		    &b->artifacts->against);
}

/* A failed build may have left no variant. */
static uint64_t
code_bytes(const struct build *b)
{
	const struct prototype	*r = &b->job->spec.routine;
	char			 path[PATH_MAX], cxx[MANGLE_BYTES], fortran[MANGLE_BYTES];
	const char *const	 names[] = { r->name, cxx, fortran };
	uint64_t		 bytes;

	mangle_cxx(r, cxx);
	mangle_fortran(r, fortran);
	if (!artifact_path(b->builder->config.cache_dir, &b->artifacts->variant, path,
	    sizeof path))
		return SHAPE_NO_SIZE;
	bytes = codesize_of_routine(path, names, sizeof names / sizeof *names);
	return bytes != 0 ? bytes : SHAPE_NO_SIZE;
}

/* A failed build may have made no variant. */
static const char *
built_word(const struct build *b)
{
	if (b->variant.cached || b->artifacts->variant.hex[0] == '\0')
		return NULL;
	return b->variant.unit > 0 ? BUILT_UNIT :
	    units_differ(b->builder->units, b->job) ? BUILT_APART : BUILT_ALONE;
}

static char *
build_report(const struct build *b)
{
	const struct built	r = {
		.compiler = compiler_report(b->compiler),
		.against_compiler = compiler_report(b->against_compiler),
		.has_against_compiler = b->job->against.source != NULL,
		.build_jail = containment_now(),
		.cached = { b->driver.cached, b->variant.cached, b->reference.cached },
		.build_ms = b->variant.ms + b->reference.ms + b->against.ms + b->metric.ms +
		    b->pads_ms,
		.driver_ms = b->driver.ms,
		.built = built_word(b),
		.unit_variants = b->variant.unit > 0 ? b->variant.unit : SHAPE_NO_SIZE,
		.code_bytes = code_bytes(b),
		.content = b->content.hex[0] != '\0' ? b->content.hex : NULL,
		.against_content = b->against_content.hex[0] != '\0' ? b->against_content.hex :
		    NULL,
	};

	return shape_put(&built_shape, &r, SHAPE_EXACT);
}

enum status
builder_build_with(struct builder *builder, struct job *job, const json_t *company,
    struct artifacts *a, char **detail, char **report)
{
	struct build	b = { .builder = builder, .job = job, .company = company, .artifacts = a };
	enum status	st;

	memset(a, 0, sizeof *a);
	flag_macros_take(&job->variant);
	flag_macros_take(&job->against);
	st = job->spec.program.present ? ST_OK : build_driver(&b);
	if (st == ST_OK && job->spec.check.present)
		st = build_reference(&b);
	if (st == ST_OK)
		st = build_variants(&b);
	if (st == ST_OK && job->spec.timing.metric.present)
		st = build_metric(&b);
	if (st == ST_OK)
		st = build_layouts(&b);
	if (st == ST_OK)
		note_contents(&b);
	*detail = b.detail;
	*report = build_report(&b);
	return st;
}

enum status
builder_build(struct builder *builder, struct job *job, struct artifacts *a, char **detail,
    char **report)
{
	return builder_build_with(builder, job, NULL, a, detail, report);
}

/* ---- the builder ---- */

enum status
builder_new(struct builder **out, const struct builder_config *config, struct fault *why)
{
	struct builder	*b = calloc(1, sizeof *b);
	enum status	 st;

	*out = NULL;
	if (b == NULL)
		return fault_set(why, ST_NOMEM, "builder");
	b->config = *config;
	st = cache_open(&b->cache, config->cache_dir, config->cache_limit_bytes, why);
	if (st == ST_OK)
		st = scratch_make(&b->scratch, config->scratch_dir, why);
	if (st == ST_OK)
		st = direct_new(&b->direct, why);
	if (st == ST_OK)
		st = inproc_new(&b->inproc, why);
	if (st == ST_OK)
		st = units_new(&b->units, why);
	if (st == ST_OK)
		st = compilers_new(&b->means.compilers, config->cpu, why);
	if (st == ST_OK)
		st = libraries_new(&b->means.libraries, config->libraries, why);
	if (st != ST_OK)
		goto fail;
	*out = b;
	return ST_OK;
fail:
	builder_free(b);
	return st;
}

void
builder_free(struct builder *b)
{
	if (b == NULL)
		return;
	cache_free(b->cache);
	direct_free(b->direct);
	inproc_free(b->inproc);
	units_free(b->units);
	compilers_free(b->means.compilers);
	libraries_free(b->means.libraries);
	scratch_remove(&b->scratch);
	free(b);
}

bool
builder_compilers(struct builder *b, struct shape_list *out)
{
	return compilers_report(b->means.compilers, out);
}
