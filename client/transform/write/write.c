/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "client/transform/write/print.h"
#include "client/transform/write/write.h"

static unsigned
depth_of(const struct source *s, unsigned offset)
{
	unsigned	line = offset, depth = 0;

	while (line > 0 && s->text[line - 1] != '\n')
		line--;
	while (s->text[line + depth] == '\t')
		depth++;
	if (depth == 0 && s->text[line] == ' ')
		depth = (unsigned)strspn(s->text + line, " ") / 4;
	return depth > 0 ? depth : 1;
}

/* The next edit at or behind an offset; NULL: there is none before `to`. */
static const struct edit *
next_edit(const struct work *w, unsigned from, unsigned to)
{
	const struct edit	*first = NULL;

	for (size_t i = 0; i < w->nedits; i++)
		if (w->edits[i].at >= from && w->edits[i].at < to &&
		    (first == NULL || w->edits[i].at < first->at))
			first = &w->edits[i];
	return first;
}

static const char *
source_with_edits(const struct work *w, unsigned from, unsigned to)
{
	const char		*text = "";
	const struct edit	*e;
	unsigned		 at = from;

	while ((e = next_edit(w, from, to)) != NULL) {
		text = arena_format(w->arena, "%s%.*s%s", text, (int)(e->at - at),
		    w->source->text + at, e->text);
		at = e->at;
		from = e->at + 1;
	}
	return arena_format(w->arena, "%s%.*s", text, (int)(to - at), w->source->text + at);
}

/* Offset behind a statement, with its semicolon. */
static unsigned
end_of(const struct source *s, const struct node *n)
{
	unsigned	end = n->end;

	while (n->kind == NODE_STATEMENT && s->text[end] != '\0' && s->text[end] != ';')
		end++;
	if (s->text[end] == ';' && (end == n->end || n->kind == NODE_STATEMENT))
		end++;
	return end;
}

static unsigned
line_start(const struct source *s, unsigned offset)
{
	unsigned	at = offset;

	while (at > 0 && (s->text[at - 1] == '\t' || s->text[at - 1] == ' '))
		at--;
	return at == 0 || s->text[at - 1] == '\n' ? at : offset;
}

static int
by_place(const void *x, const void *y)
{
	const struct region	*a = x, *b = y;

	return a->base->at.offset < b->base->at.offset ? -1 : 1;
}

struct outside {
	const struct work	*work;
	unsigned		 from, to;	/* of the region */
};

static bool
is_free(void *arg, const char *name)
{
	const struct outside	*o = arg;
	const struct source	*s = o->work->source;
	struct arena		*a = o->work->arena;
	unsigned		 first = s->header.offset, end = s->body->end;

	return !source_mentions(arena_text(a, s->text + first, o->from - first), name) &&
	    !source_mentions(arena_text(a, s->text + o->to, end > o->to ? end - o->to : 0), name);
}

const char *
write_source(struct work *w)
{
	const struct source	*s = w->source;
	const char		*text = "";
	unsigned		 at = 0, from, to;

	if (w->nregions > 1)
		qsort(w->regions, w->nregions, sizeof *w->regions, by_place);
	for (size_t i = 0; i < w->nregions; i++) {
		struct region	*r = &w->regions[i];

		if (!r->is_changed && !r->is_printed)
			continue;
		from = line_start(s, r->base->at.offset);
		to = end_of(s, r->block->kids[r->first + r->n - 1]);
		text = arena_format(w->arena, "%s%s%s", text, source_with_edits(w, at, from),
		    print_nodes(w->arena, w->names, r->root, depth_of(s, r->base->at.offset),
		    is_free, &(struct outside){ w, from, to }));
		at = to + (s->text[to] == '\n');
	}
	return arena_format(w->arena, "%s%s", text, source_with_edits(w, at,
	    (unsigned)s->bytes));
}
