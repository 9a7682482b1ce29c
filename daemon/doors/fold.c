/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "daemon/doors/fold.h"

enum { CONTAINER_WEIGHT = 4 };

void
folds_init(struct folds *f, const char *text, size_t bytes)
{
	f->text = text;
	f->bytes = bytes;
	f->at = f->weight = f->depth = 0;
	f->list = f->inner = 0;
	f->nkept = 0;
	f->fold = NULL;
	f->source = NULL;
	f->n = f->max = f->nsources = f->max_sources = 0;
}

void
folds_release(struct folds *f)
{
	free(f->fold);
	free(f->source);
}

/* ---- paths ---- */

static bool
is_same_text(const struct folds *f, struct fold_span a, struct fold_span b)
{
	return a.bytes == b.bytes && memcmp(f->text + a.at, f->text + b.at, a.bytes) == 0;
}

/* The keys of the objects at these depths; false: too many, or not plain. */
static bool
get_path(const struct folds *f, size_t first, size_t last, struct fold_path *path)
{
	path->n = 0;
	for (size_t d = first; d <= last; d++) {
		const struct fold_span	key = f->level[d - 1].key;

		if (!f->level[d - 1].is_object || path->n == FOLD_KEYS ||
		    memchr(f->text + key.at, '\\', key.bytes) != NULL)
			return false;
		path->key[path->n++] = key;
	}
	return true;
}

/* A member's value in an element of the list, with objects alone on the way to it. */
static bool
may_fold(const struct folds *f)
{
	return f->list != 0 && f->inner == 0 && f->depth > f->list &&
	    f->level[f->depth - 1].is_object && f->level[f->depth - 1].is_value;
}

/* The value before at the path of this one; NULL: none. */
static struct fold_kept *
find_kept(struct folds *f)
{
	const size_t	n = f->depth - f->list;

	for (unsigned i = 0; i < f->nkept; i++) {
		struct fold_kept	*k = &f->kept[i];
		size_t			 same = 0;

		while (k->path.n == n && same < n &&
		    is_same_text(f, k->path.key[same], f->level[f->list + same].key))
			same++;
		if (same == n)
			return k;
	}
	return NULL;
}

/* From `at` on, the value that ends here. */
static void
keep(struct folds *f, size_t at, size_t weight)
{
	struct fold_kept	*k, kept = { .value = { at, f->at - at },
				    .weight = f->weight - weight, .element = f->element };

	if (kept.value.bytes < FOLD_LEAST_BYTES || !may_fold(f) ||
	    !get_path(f, f->list + 1, f->depth, &kept.path))
		return;
	if ((k = find_kept(f)) == NULL && f->nkept < FOLD_KEPT)
		k = &f->kept[f->nkept++];
	if (k != NULL)
		*k = kept;
}

/* ---- folding ---- */

/* The array, with room for one more; NULL: no memory, and it stays as it was. */
static void *
grown(void *array, size_t n, size_t *max, size_t bytes)
{
	const size_t	 more = *max != 0 ? *max * 2 : 64;
	void		*bigger = array;

	if (n == *max && (bigger = realloc(array, more * bytes)) != NULL)
		*max = more;
	return bigger;
}

static bool
add_source(struct folds *f, struct fold_kept *k)
{
	struct fold_source	 source = { .path = k->path, .element = k->element };
	void			*more;

	if (k->source != 0)
		return true;
	if (!get_path(f, 1, f->list - 1, &source.list) ||
	    (more = grown(f->source, f->nsources, &f->max_sources, sizeof source)) == NULL)
		return false;
	f->source = more;
	f->source[f->nsources++] = source;
	k->source = f->nsources;
	return true;
}

static bool
add_fold(struct folds *f, const struct fold *new)
{
	void	*more = grown(f->fold, f->n, &f->max, sizeof *new);

	if (more == NULL)
		return false;
	f->fold = more;
	f->fold[f->n++] = *new;
	return true;
}

/* The value that begins here, if it was there before; then the scan goes on behind it. */
static bool
fold(struct folds *f)
{
	struct fold_kept	*k;
	struct fold		 new = { .element = f->element };

	if (!may_fold(f) || (k = find_kept(f)) == NULL || f->bytes - f->at < k->value.bytes ||
	    f->weight + k->weight > API_MAX_WEIGHT)
		return false;
	new.value = (struct fold_span){ f->at, k->value.bytes };
	if (!is_same_text(f, k->value, new.value) || !add_source(f, k))
		return false;
	new.source = k->source - 1;
	if (!add_fold(f, &new))
		return false;
	f->weight += k->weight;
	f->at += k->value.bytes;
	return true;
}

/* ---- the scan ---- */

static void
scan_string(struct folds *f)
{
	const size_t		 at = f->at;
	struct fold_level	*l = f->depth > 0 ? &f->level[f->depth - 1] : NULL;

	for (f->at++; f->at < f->bytes && f->text[f->at] != '"'; f->at++)
		if (f->text[f->at] == '\\')
			f->at++;
	if (f->at >= f->bytes) {
		f->at = f->bytes;
		return;
	}
	f->at++;
	if (l != NULL && l->is_object && !l->is_value)
		l->key = (struct fold_span){ at + 1, f->at - at - 2 };
	else
		keep(f, at, f->weight);
}

static enum fold_limit
scan_begin(struct folds *f, bool is_object)
{
	if (f->depth == API_MAX_NESTING)
		return FOLD_TOO_DEEP;
	f->level[f->depth++] = (struct fold_level){ .is_object = is_object, .at = f->at,
	    .weight = f->weight };
	if (!is_object && f->list == 0) {
		f->list = f->depth;
		f->element = 0;
	} else if (!is_object && f->inner == 0) {
		f->inner = f->depth;
	}
	f->weight += CONTAINER_WEIGHT;
	f->at++;
	return FOLD_WITHIN;
}

static void
scan_end(struct folds *f)
{
	struct fold_level	ended;

	f->at++;
	if (f->depth == 0)
		return;
	ended = f->level[f->depth - 1];
	if (f->inner == f->depth)
		f->inner = 0;
	if (f->list == f->depth)
		f->list = f->nkept = 0;
	f->depth--;
	keep(f, ended.at, ended.weight);
}

static void
scan_comma(struct folds *f)
{
	if (f->depth > 0)
		f->level[f->depth - 1].is_value = false;
	if (f->depth == f->list)
		f->element++;
	f->weight++;
	f->at++;
}

static enum fold_limit
scan_token(struct folds *f)
{
	const char	c = f->text[f->at];

	if ((c == '"' || c == '{' || c == '[') && fold(f))
		return FOLD_WITHIN;
	switch (c) {
	case '"':
		scan_string(f);
		return FOLD_WITHIN;
	case '[':
	case '{':
		return scan_begin(f, c == '{');
	case ']':
	case '}':
		scan_end(f);
		return FOLD_WITHIN;
	case ',':
		scan_comma(f);
		return FOLD_WITHIN;
	case ':':
		if (f->depth > 0)
			f->level[f->depth - 1].is_value = true;
		break;
	default:
		break;
	}
	f->at++;
	return FOLD_WITHIN;
}

enum fold_limit
folds_scan(struct folds *f)
{
	while (f->at < f->bytes) {
		const size_t		at = f->at;
		const enum fold_limit	limit = scan_token(f);

		if (limit == FOLD_WITHIN && f->weight <= API_MAX_WEIGHT)
			continue;
		f->at = at;
		return limit != FOLD_WITHIN ? limit : FOLD_TOO_MANY;
	}
	return FOLD_WITHIN;
}

/* ---- parsing ---- */

/* The text without what is left out. */
struct reading {
	const struct folds	*f;		/* borrowed */
	size_t			 at, next;	/* of the text; among the folds */
	const char		*word;		/* borrowed; rest of a fold's stand-in; "" none */
};

static size_t
read_piece(struct reading *r, char *out, size_t room)
{
	const struct folds	*f = r->f;
	const bool		 is_last = r->next == f->n;
	const size_t		 end = is_last ? f->bytes : f->fold[r->next].value.at;
	size_t			 n = strlen(r->word);

	if (n != 0) {
		n = n < room ? n : room;
		memcpy(out, r->word, n);
		r->word += n;
		return n;
	}
	n = end - r->at < room ? end - r->at : room;
	memcpy(out, f->text + r->at, n);
	r->at += n;
	if (r->at == end && !is_last) {
		r->at += f->fold[r->next++].value.bytes;
		r->word = "null";
	}
	return n;
}

static size_t
read_text(void *buffer, size_t room, void *arg)
{
	struct reading	*r = arg;
	size_t		 n = 0, piece = 1;

	while (n < room && (piece != 0 || r->word[0] != '\0')) {
		piece = read_piece(r, (char *)buffer + n, room - n);
		n += piece;
	}
	return n;
}

/* All keys but the last `less`. */
static json_t *
walk(const struct folds *f, json_t *from, const struct fold_path *path, unsigned less)
{
	for (unsigned i = 0; i + less < path->n; i++)
		from = json_object_getn(from, f->text + path->key[i].at, path->key[i].bytes);
	return from;
}

static bool
unfold(const struct folds *f, json_t *doc, const struct fold *fold)
{
	const struct fold_source	*s = &f->source[fold->source];
	const struct fold_span		 last = s->path.key[s->path.n - 1];
	json_t	*list = walk(f, doc, &s->list, 0);
	json_t	*value = walk(f, json_array_get(list, s->element), &s->path, 0);
	json_t	*parent = walk(f, json_array_get(list, fold->element), &s->path, 1);

	return json_object_setn_new_nocheck(parent, f->text + last.at, last.bytes,
	    json_incref(value)) == 0;
}

json_t *
folds_parse(const struct folds *f, size_t flags)
{
	struct reading	 r = { .f = f, .word = "" };
	json_error_t	 error;
	json_t		*doc = f->n != 0 ? json_load_callback(read_text, &r, flags, &error) : NULL;

	for (size_t i = 0; doc != NULL && i < f->n; i++) {
		if (unfold(f, doc, &f->fold[i]))
			continue;
		json_decref(doc);
		doc = NULL;
	}
	return doc;
}
