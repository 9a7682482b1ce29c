/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The names of programs: load_store_017_u3_LSL.  The number makes a name unique; what follows is
 * what a reader looks for: copies, loads and stores in their order, and each choice that differs
 * from program to program.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "client/micro/write/write.h"

enum { NAME_BYTES = 160, SEQUENCE_SHOWN = 32 };

struct name {
	char	 text[NAME_BYTES];
	size_t	 n;
	char	 last[32];		/* choice that was put last: in a row it is there once */
	unsigned shown;
};

static void __attribute__((format(printf, 2, 3)))
put(struct name *to, const char *fmt, ...)
{
	va_list	ap;
	int	n;

	va_start(ap, fmt);
	n = vsnprintf(to->text + to->n, sizeof to->text - to->n, fmt, ap);
	va_end(ap);
	to->n += n > 0 ? (size_t)n : 0;
	if (to->n >= sizeof to->text)
		to->n = sizeof to->text - 1;
}

static void __attribute__((format(printf, 2, 3)))
put_choice(struct name *to, const char *fmt, ...)
{
	char	text[sizeof to->last];
	va_list	ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	if (strcmp(text, to->last) == 0 || to->n + sizeof text >= sizeof to->text)
		return;
	memcpy(to->last, text, sizeof text);
	put(to, "_%s", text);
}

/* ---- choices ---- */

static bool
put_kernel(void *arg, struct kernel *k)
{
	struct name	*to = arg;

	if (range_is_open(&k->unrolling) || k->unrolling.linked != NULL)
		put_choice(to, "u%" PRIu64, k->unroll);
	for (size_t i = 0; i < k->ninductions; i++)
		if (range_is_open(&k->inductions[i].strides))
			put_choice(to, "s%" PRId64, k->inductions[i].stride);
	return true;
}

static bool
put_pattern(void *arg, struct pattern *p)
{
	struct name		*to = arg;
	const struct slot	*v = pattern_open_immediate(p);

	if (p->is_induction)
		return true;
	if (range_is_open(&p->repetition) && p->copy == 0)
		put_choice(to, "r%" PRIu64, p->repeats);
	if (p->ncandidates > 1)
		put_choice(to, "%.20s", pattern_operation(p));
	if (v != NULL && range_is_open(&v->values))
		put_choice(to, "i%" PRId64, v->value);
	return true;
}

/* A load, a store, or what is not in memory. */
static bool
put_letter(void *arg, struct pattern *p)
{
	struct name	*to = arg;

	if (p->is_induction || to->shown == SEQUENCE_SHOWN)
		return true;
	put(to, "%s%c", to->shown++ == 0 ? "_" : "", pattern_letter(p));
	return true;
}

/* ---- the whole ---- */

/* "load_store" of tests/load_store.xml; of a description whose kernel has a name, that. */
static void
put_base(struct name *to, const struct micro *m)
{
	const char	*slash = strrchr(m->path, '/');
	const char	*file = slash != NULL ? slash + 1 : m->path;

	for (size_t i = 0; i < m->root->nstatements; i++) {
		const struct statement	*s = &m->root->statements[i];

		if (s->kind == STATEMENT_KERNEL && s->kernel->name != NULL) {
			put(to, "%s%.60s", isalpha((unsigned char)s->kernel->name[0]) ? "" :
			    "_", s->kernel->name);
			return;
		}
	}
	if (!isalpha((unsigned char)file[0]))
		put(to, "_");
	put(to, "%.*s", (int)(strcspn(file, ".") < 60 ? strcspn(file, ".") : 60), file);
}

/* A name is also a symbol of assembly and of C. */
static void
make_symbol(struct name *to)
{
	for (size_t i = 0; i < to->n; i++)
		if (!isascii((unsigned char)to->text[i]) || !isalnum((unsigned char)to->text[i]))
			to->text[i] = '_';
}

static int
digits(uint64_t n)
{
	int	count = 1;

	for (; n > 9; n /= 10)
		count++;
	return count;
}

const char *
write_name(const struct program *of)
{
	struct name	to = { .n = 0 };

	put_base(&to, of->micro);
	put(&to, "_%0*" PRIu64, digits(of->micro->count > 0 ? of->micro->count - 1 : 0),
	    of->index);
	(void)kernel_each(of->root, put_kernel, &to);
	(void)kernel_each_pattern(of->root, put_pattern, &to);
	(void)kernel_each_pattern(of->root, put_letter, &to);
	make_symbol(&to);
	return arena_text(of->arena, to.text, to.n);
}
