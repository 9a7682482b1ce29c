/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A job needs a few objects, each made by a recipe: the words of a compiler's command line, a
 * source, and for a driver the header beside it.  A recipe holds everything that can change the
 * object's bytes, so its hash is the object's name.  An object that is not in the cache is compiled
 * in the build jail and put there.
 */
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "proto/wire/hello.h"
#include "worker/build/build.h"
#include "worker/build/compile.h"
#include "worker/build/compiler.h"
#include "worker/build/driver.h"
#include "worker/cache/cache.h"
#include "worker/cache/digest.h"
#include "worker/cache/scratch.h"
#include "worker/plan/layout.h"
#include "worker/spawn/containment.h"

enum {
	MAX_WORDS	= SPEC_MAX_FLAGS + SPEC_MAX_DEFINES + SPEC_MAX_PARAMS + 16,
	NAME_BYTES	= 32,
};
#define OBJECT_NAME	"out.so"
#define PAD_NAME	"pad.s"
#define RECIPE_FORMAT	"assay object 1"	/* bump it when recipes change */

struct builder {
	struct builder_config	 config;	/* strings borrowed */
	struct scratch		 scratch;
	struct cache		*cache;		/* owned */
	struct compilers	*compilers;	/* owned */
};

struct recipe {
	const struct compiler	*compiler;	/* borrowed; NULL: the source is the object */
	size_t			 nwords;
	const char		*words[MAX_WORDS];	/* borrowed; NULL-terminated when it runs */
	size_t			 nmade;
	char			*made[MAX_WORDS];	/* owned: words built for this recipe */
	bool			 no_memory;		/* or more words than MAX_WORDS */
	char			 file[NAME_BYTES];	/* the source's name in the scratch */
	const void		*source;		/* borrowed */
	size_t			 source_bytes;
	const char		*header;		/* borrowed: the text of rt.h; NULL: none */
	char			 pad[256];		/* assembly linked before it; "": none */
};

/* The origin of one object. */
struct made {
	bool	 cached;
	double	 ms;			/* compiling took; 0: cached */
};

/* The objects of one job. */
struct build {
	struct builder		*builder;			/* borrowed */
	const struct job	*job;				/* borrowed */
	struct artifacts	*artifacts;			/* borrowed */
	const struct compiler	*compiler, *against_compiler;	/* borrowed: the variants' */
	struct made		 driver, variant, reference, against;
	double			 pads_ms;	/* compiling the variant behind pads took */
	char			*detail;	/* owned until it is handed out */
};

/* ---- recipes ---- */

static void
recipe_release(struct recipe *r)
{
	for (size_t i = 0; i < r->nmade; i++)
		free(r->made[i]);
}

static void
add(struct recipe *r, const char *word)
{
	if (r->nwords < MAX_WORDS - 1)
		r->words[r->nwords++] = word;
	else
		r->no_memory = true;
}

static void
add_macro(struct recipe *r, const char *name, const char *text)
{
	char	*word;

	if (r->nmade == MAX_WORDS || asprintf(&word, "-D%s=%s", name, text) == -1) {
		r->no_memory = true;
		return;
	}
	r->made[r->nmade++] = word;
	add(r, word);
}

static void
add_param(struct recipe *r, const struct param *p)
{
	char	text[SPEC_PARAM_TEXT];

	(void)param_put_text(p, text, sizeof text);
	add_macro(r, p->name, text);
}

static void
add_output(struct recipe *r)
{
	static const char *const	words[] = { "-shared", "-fPIC", "-o", OBJECT_NAME };

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		add(r, words[i]);
}

static void
add_inputs(struct recipe *r)
{
	if (r->pad[0] != '\0')
		add(r, PAD_NAME);
	add(r, r->file);
	add(r, "-lm");
	add(r, "-Wl,-z,now");
	add(r, "-Wl,-z,noexecstack");	/* else assembly without a note gets an executable stack */
}

/*
 * Align functions to 64 bytes, so that fetching and decoding see all of them start alike.  Behind a
 * pad align them to 16, because a pad would move nothing otherwise.  The variant's own flags come
 * later and override it.
 */
static void
add_alignment(struct recipe *r, enum language language)
{
	if (language != LANG_ASM && language != LANG_OBJECT)
		add(r, r->pad[0] != '\0' ? "-falign-functions=16" : "-falign-functions=64");
}

/*
 * The pad is linked first.  It moves the code after it, hot functions too, to `pad` times 16 bytes
 * past a multiple of 64.
 */
static void
put_pad(struct recipe *r, unsigned pad)
{
	const unsigned	bytes = pad * LAYOUT_PAD_BYTES;

	if (pad != 0)
		(void)snprintf(r->pad, sizeof r->pad, "\t.text\n\t.p2align 6\n\t.skip %u\n"
		    "\t.section .text.hot,\"ax\",%%progbits\n\t.p2align 6\n\t.skip %u\n"
		    "\t.section .note.GNU-stack,\"\",%%progbits\n", bytes, bytes);
}

/* Params and the variant's defines as macros. */
static void
add_macros(struct recipe *r, const struct spec *spec, const struct variant *v)
{
	for (size_t i = 0; i < spec->nparams; i++)
		if (!spec_param_is_argument(spec, &spec->params[i]))
			add_param(r, &spec->params[i]);
	for (size_t i = 0; i < v->ndefines; i++)
		add_macro(r, v->defines[i].name, v->defines[i].text);
}

/*
 * `stem` is the source's name in the compiler's messages: "variant" or "reference".  `pad` is the
 * layout's (worker/plan/layout.h).
 */
static enum status
put_variant_recipe(struct recipe *r, const struct build *b, const struct variant *v,
    const char *stem, unsigned pad, struct fault *why)
{
	static const char *const	suffixes[LANG_N] = {
		[LANG_C] = "c", [LANG_CXX] = "cc", [LANG_FORTRAN] = "F90", [LANG_ASM] = "S",
		[LANG_OBJECT] = "o", [LANG_SHARED] = "so",
	};
	enum status			st;

	*r = (struct recipe){ .source = v->source, .source_bytes = v->source_bytes };
	(void)snprintf(r->file, sizeof r->file, "%s.%s", stem, suffixes[v->language]);
	if (v->language == LANG_SHARED)
		return ST_OK;
	/* A linker takes a file that is not an object for a script. */
	if (v->language == LANG_OBJECT &&
	    !cache_is_object(v->source, v->source_bytes, v->source_bytes, ET_REL))
		return fault_set(why, ST_LOAD_FAILED, "not an object file for this machine");
	st = compilers_find(b->builder->compilers, v->compiler[0] != '\0' ? v->compiler : "gcc",
	    &r->compiler, why);
	if (st != ST_OK)
		return st;
	put_pad(r, pad);
	add(r, r->compiler->path);
	if (strncmp(r->compiler->name, "clang", 5) == 0)
		add(r, "-fno-crash-diagnostics");
	add_alignment(r, v->language);
	for (size_t i = 0; i < v->nflags; i++)
		add(r, v->flags[i]);
	add_output(r);
	if (v->language != LANG_OBJECT)
		add_macros(r, &b->job->spec, v);
	add_inputs(r);
	return ST_OK;
}

/*
 * A call whose target no core foresees.  Else it fetches the routine's first lines while the fence
 * before the clock's reading holds everything else back, and cold code is not as cold as it is.
 */
static void
add_unforeseen_calls(struct recipe *r)
{
#if defined(__x86_64__)
	if (strncmp(r->compiler->name, "clang", 5) == 0) {
		add(r, "-mretpoline");
		return;
	}
	add(r, "-fcf-protection=none");		/* gcc has not both */
	add(r, "-mindirect-branch=thunk");
#else
	(void)r;
#endif
}

static enum status
put_driver_recipe(struct recipe *r, struct builder *b, const struct spec *spec, const char *text,
    struct fault *why)
{
	enum status	st;

	*r = (struct recipe){ .file = "driver.c", .source = text, .source_bytes = strlen(text),
	    .header = rt_header };
	if (compilers_find(b->compilers, "gcc", &r->compiler, NULL) != ST_OK &&
	    (st = compilers_find(b->compilers, "clang", &r->compiler, why)) != ST_OK)
		return st;
	add(r, r->compiler->path);
	add(r, "-O2");
	/*
	 * An image calls it with its own thread-local variables, where a stack protector would
	 * look.
	 */
	if (spec->checkpoint != NULL)
		add(r, "-fno-stack-protector");
	if (spec->code == CODE_COLD)
		add_unforeseen_calls(r);
	add_output(r);
	for (size_t i = 0; i < spec->nparams; i++)
		add_param(r, &spec->params[i]);
	add_inputs(r);
	return ST_OK;
}

static enum status
recipe_hash(const struct recipe *r, struct hash *hash, struct fault *why)
{
	struct digest	*d;
	enum status	 st;

	if (r->no_memory)
		return fault_set(why, ST_NOMEM, "the compiler's command line");
	if ((st = digest_new(&d, why)) != ST_OK)
		return st;
	digest_text(d, RECIPE_FORMAT);
	digest_text(d, r->compiler != NULL ? r->compiler->id : "");
	for (size_t i = 1; i < r->nwords; i++)		/* the first is the compiler's path */
		digest_text(d, r->words[i]);
	digest_text(d, r->header != NULL ? r->header : "");
	digest_add(d, r->source, r->source_bytes);
	if ((st = digest_end(d, hash)) != ST_OK)
		(void)fault_set(why, st, "SHA-256 failed");
	return st;
}

/* ---- one object ---- */

static enum status
run_compiler(struct builder *b, struct recipe *r, unsigned wall_ms, int object_fd,
    struct compiled *c)
{
	const struct compile	order = { .phase = JAIL_BUILD, .argv = r->words,
				    .dir = b->scratch.path, .result = OBJECT_NAME,
				    .result_fd = object_fd, .cpu = b->config.cpu,
				    .wall_ms = wall_ms, .stop = b->config.stop,
				    .stop_arg = b->config.stop_arg };

	r->words[r->nwords] = NULL;
	compile_run(&order, c);
	return c->status;
}

/* Make this fault the detail, in place of the compiler's output. */
static enum status
explain(enum status st, const struct fault *why, char **detail)
{
	free(*detail);
	*detail = strdup(why->text);
	return st;
}

static enum status
put_sources(struct builder *b, const struct recipe *r, struct fault *why)
{
	enum status	st;

	scratch_empty(&b->scratch);
	st = scratch_put(&b->scratch, r->file, r->source, r->source_bytes, why);
	if (st == ST_OK && r->header != NULL)
		st = scratch_put(&b->scratch, "rt.h", r->header, strlen(r->header), why);
	if (st == ST_OK && r->pad[0] != '\0')
		st = scratch_put(&b->scratch, PAD_NAME, r->pad, strlen(r->pad), why);
	return st;
}

/* Write the object into object_fd: compiled, or as it was submitted. */
static enum status
put_object(struct builder *b, struct recipe *r, unsigned wall_ms, int object_fd, struct made *m,
    char **detail)
{
	struct compiled	c;
	struct fault	why;
	enum status	st;

	if (r->compiler == NULL) {
		if (write(object_fd, r->source, r->source_bytes) == (ssize_t)r->source_bytes)
			return ST_OK;
		(void)fault_set(&why, ST_INTERNAL, "an object in memory: %s", strerror(errno));
		return explain(ST_INTERNAL, &why, detail);
	}
	if (put_sources(b, r, &why) != ST_OK)
		return explain(ST_INTERNAL, &why, detail);
	st = run_compiler(b, r, wall_ms, object_fd, &c);
	m->ms = c.ms;
	*detail = c.words;
	return st;
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

/* The same under the recipe's hash, which goes to *hash. */
static enum status
provide(struct builder *b, struct recipe *r, unsigned wall_ms, struct hash *hash, struct made *m,
    char **detail)
{
	struct fault	why;

	if (recipe_hash(r, hash, &why) == ST_OK)
		return provide_named(b, r, wall_ms, hash, m, detail);
	*m = (struct made){ 0 };
	recipe_release(r);
	return explain(ST_INTERNAL, &why, detail);
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

/* We wrote the driver, so its failures are ours. */
static enum status
build_driver(struct build *b)
{
	struct recipe	 r;
	struct fault	 why;
	char		*text = NULL;
	enum status	 st;

	if (driver_generate(&b->job->spec, &text, &why) != ST_OK ||
	    put_driver_recipe(&r, b->builder, &b->job->spec, text, &why) != ST_OK) {
		free(text);
		(void)explain(ST_INTERNAL, &why, &b->detail);
		detail_prefix(b, "the driver: ");
		return ST_INTERNAL;
	}
	st = provide(b->builder, &r, b->job->build_timeout_ms, &b->artifacts->driver,
	    &b->driver, &b->detail);
	free(text);
	if (st == ST_OK || st == ST_CANCELLED)
		return st;
	detail_prefix(b, "the driver does not build: ");
	return ST_INTERNAL;
}

static enum status
build_reference(struct build *b)
{
	struct recipe	r;
	struct fault	why;
	enum status	st;

	st = put_variant_recipe(&r, b, &b->job->spec.check.reference, "reference", 0, &why);
	if (st != ST_OK)
		(void)explain(st, &why, &b->detail);
	else
		st = provide(b->builder, &r, b->job->build_timeout_ms, &b->artifacts->reference,
		    &b->reference, &b->detail);
	if (st == ST_OK || st == ST_CANCELLED || st == ST_INTERNAL)
		return st;
	detail_prefix(b, "check.reference: ");
	return ST_BAD_SPEC;
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

	st = put_variant_recipe(&r, b, v, "variant", 0, &why);
	if (st == ST_BAD_SPEC) {
		(void)explain(st, &why, &b->detail);
		detail_prefix(b, ".compiler: ");
		detail_prefix(b, member);
		return st;
	}
	if (st != ST_OK)
		return blame_member(b, member, explain(st, &why, &b->detail));
	*compiler = r.compiler;
	return blame_member(b, member, provide(b->builder, &r, b->job->build_timeout_ms, hash,
	    made, &b->detail));
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
	st = put_variant_recipe(&r, b, &b->job->variant, "variant", pad, &why);
	if (st != ST_OK)
		return explain(st, &why, &b->detail);
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

static char *
build_report(const struct build *b)
{
	const struct built	r = {
		.compiler = compiler_report(b->compiler),
		.against_compiler = compiler_report(b->against_compiler),
		.has_against_compiler = b->job->against.source != NULL,
		.build_jail = containment_now(),
		.cached = { b->driver.cached, b->variant.cached, b->reference.cached },
		.build_ms = b->variant.ms + b->reference.ms + b->against.ms + b->pads_ms,
		.driver_ms = b->driver.ms,
	};

	return shape_put(&built_shape, &r, SHAPE_EXACT);
}

enum status
builder_build(struct builder *builder, const struct job *job, struct artifacts *a, char **detail,
    char **report)
{
	struct build	b = { .builder = builder, .job = job, .artifacts = a };
	enum status	st;

	memset(a, 0, sizeof *a);
	st = build_driver(&b);
	if (st == ST_OK && job->spec.check.present)
		st = build_reference(&b);
	if (st == ST_OK)
		st = build_variants(&b);
	if (st == ST_OK)
		st = build_layouts(&b);
	*detail = b.detail;
	*report = build_report(&b);
	return st;
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
		st = compilers_new(&b->compilers, config->cpu, why);
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
	compilers_free(b->compilers);
	scratch_remove(&b->scratch);
	free(b);
}

bool
builder_compilers(struct builder *b, struct shape_list *out)
{
	return compilers_report(b->compilers, out);
}
