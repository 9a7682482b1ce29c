/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "worker/build/recipe/direct.h"
#include "worker/build/recipe/quick.h"

enum { ASK_MS = 10000 };

/* An answer.  steps: owned; NULL: the driver builds what has this command line. */
struct answer {
	struct hash	 question;
	struct steps	*steps;
	uint64_t	 used;
};

struct direct {
	uint64_t	 now;
	struct answer	 kept[DIRECT_KEPT];
};

/* A driver's command line with -### and no macros of its own. */
struct question {
	size_t		 nwords;
	const char	*words[RECIPE_MAX_WORDS + 2];	/* borrowed */
	struct hash	 hash;
};

enum status
direct_new(struct direct **out, struct fault *why)
{
	if ((*out = calloc(1, sizeof **out)) == NULL)
		return fault_set(why, ST_NOMEM, "steps");
	return ST_OK;
}

void
direct_free(struct direct *d)
{
	for (size_t i = 0; d != NULL && i < DIRECT_KEPT; i++)
		steps_free(d->kept[i].steps);
	free(d);
}

/* ---- asking ---- */

/* With -pipe, steps run at the same time; for the object it means nothing. */
static void
put_question(struct question *q, const struct recipe *r)
{
	const size_t	behind = r->first_macro + r->nmacros;

	*q = (struct question){ .nwords = 2, .words = { r->words[0], "-###" } };
	for (size_t i = 1; i < r->nwords; i++) {
		if (i == r->first_macro && r->nmacros > 0)
			q->words[q->nwords++] = "-D" STEPS_MACROS;
		if ((i < r->first_macro || i >= behind) && strcmp(r->words[i], "-pipe") != 0)
			q->words[q->nwords++] = r->words[i];
	}
	q->words[q->nwords] = NULL;
}

static enum status
hash_question(struct question *q, const struct recipe *r)
{
	struct digest	*d;
	enum status	 st = digest_new(&d, NULL);

	if (st != ST_OK)
		return st;
	digest_text(d, r->compiler->id);
	for (size_t i = 0; i < q->nwords; i++)
		digest_text(d, q->words[i]);
	return digest_end(d, &q->hash);
}

/* A driver looks whether the files are there. */
static void
run_question(const struct question *q, const struct recipe *r, const struct scratch *scratch,
    const struct compile *where, struct compiled *said)
{
	struct compile	order = *where;

	order.argv = q->words;
	order.wall_ms = ASK_MS;
	*said = (struct compiled){ .status = ST_INTERNAL };
	scratch_empty(scratch);
	if (recipe_put(r, scratch, NULL) == ST_OK)
		compile_run(&order, said);
	scratch_empty(scratch);
}

/* A driver that refuses the command line says so again when it builds. */
static struct steps *
understand(const struct recipe *r, const struct compiled *said)
{
	struct steps	*steps = NULL;
	struct fault	 why;

	if (said->status == ST_OK && steps_parse(&steps, said->words != NULL ? said->words : "",
	    RECIPE_OBJECT, &why) != ST_OK)
		(void)fprintf(stderr, "warn compiler=%s its driver builds: -### is not "
		    "understood: %s\n", r->compiler->name, why.text);
	return steps;
}

/* ---- answers ---- */

static struct answer *
find(struct direct *d, const struct hash *question)
{
	for (size_t i = 0; i < DIRECT_KEPT; i++)
		if (strcmp(d->kept[i].question.hex, question->hex) == 0)
			return &d->kept[i];
	return NULL;
}

static struct answer *
oldest(struct direct *d)
{
	struct answer	*a = &d->kept[0];

	for (size_t i = 1; i < DIRECT_KEPT; i++)
		if (d->kept[i].used < a->used)
			a = &d->kept[i];
	return a;
}

enum status
direct_set(struct direct *d, struct recipe *r, const struct scratch *scratch,
    const struct compile *where)
{
	struct question	 q;
	struct compiled	 said;
	struct answer	*a;

	if (r->compiler == NULL || r->needs_driver || r->no_memory)
		return ST_OK;
	put_question(&q, r);
	if (hash_question(&q, r) != ST_OK)
		return ST_OK;
	if ((a = find(d, &q.hash)) == NULL) {
		if (quick_is(r->compiler->name))
			said = (struct compiled){ .status = ST_OK,
			    .words = quick_steps(q.words, q.nwords) };
		else
			run_question(&q, r, scratch, where, &said);
		if (said.status == ST_OK || said.status == ST_BUILD_FAILED) {
			a = oldest(d);
			steps_free(a->steps);
			*a = (struct answer){ q.hash, understand(r, &said), 0 };
		}
		free(said.words);
		if (a == NULL)
			return said.status == ST_CANCELLED ? ST_CANCELLED : ST_OK;
	}
	a->used = ++d->now;
	r->steps = a->steps;
	return ST_OK;
}
