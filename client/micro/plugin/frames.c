/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "client/micro/plugin/frames.h"

enum { MARK = 0x41534d46 };		/* "FMSA": no text begins so */

#define TOTAL_BYTES (UINT64_C(1) << 30)	/* of all frames of a run */

struct head {
	uint32_t	mark, kind;
	uint64_t	value;
	uint32_t	bytes[FRAME_PARTS];
};

bool
frame_put(FILE *to, const struct frame *f)
{
	struct head	h = { .mark = MARK, .kind = f->kind, .value = f->value };

	for (int i = 0; i < FRAME_PARTS; i++)
		h.bytes[i] = f->part[i] != NULL ? (uint32_t)strlen(f->part[i]) : 0;
	(void)fwrite(&h, sizeof h, 1, to);
	for (int i = 0; i < FRAME_PARTS; i++)
		if (h.bytes[i] > 0)
			(void)fwrite(f->part[i], 1, h.bytes[i], to);
	return fflush(to) == 0 && !ferror(to);
}

void
frames_init(struct frames *f, frame_fn *take, void *arg)
{
	*f = (struct frames){ .take = take, .arg = arg };
}

void
frames_release(struct frames *f)
{
	free(f->held);
	f->held = NULL;
}

static bool
add(struct frames *f, const void *bytes, size_t n)
{
	char	*more;

	if (f->room - f->n < n) {
		f->room = (f->n + n) * 2;
		if ((more = realloc(f->held, f->room)) == NULL)
			return false;
		f->held = more;
	}
	memcpy(f->held + f->n, bytes, n);
	f->n += n;
	return true;
}

/* A name becomes a file's: it must stay in its folder. */
static bool
is_name(const char *name)
{
	return name[0] != '\0' && name[0] != '.' && name[0] != '-' && strlen(name) ==
	    strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-+=");
}

static enum status
check_head(const struct head *h, struct fault *why)
{
	static const uint32_t	limit[FRAME_NKINDS][FRAME_PARTS] = {
		[FRAME_PROGRAM] = { FRAME_NAME_BYTES, FRAME_NAME_BYTES, FRAME_TEXT_BYTES,
		    FRAME_META_BYTES },
		[FRAME_FAULT] = { sizeof why->member, sizeof why->text, sizeof why->hint },
	};

	if (h->mark != MARK || h->kind >= FRAME_NKINDS)
		return fault_set(why, ST_BAD_SPEC, "it sent what is no program");
	for (int i = 0; i < FRAME_PARTS; i++)
		if (h->bytes[i] > limit[h->kind][i])
			return fault_set(why, ST_BAD_SPEC, "it sent %u bytes where %u are the most",
			    h->bytes[i], limit[h->kind][i]);
	return ST_OK;
}

/* Each part gets a NUL of its own, in `to`. */
static enum status
separate(const struct head *h, const char *at, char *to, struct frame *one, struct fault *why)
{
	for (int i = 0; i < FRAME_PARTS; i++) {
		one->part[i] = to;
		memcpy(to, at, h->bytes[i]);
		to[h->bytes[i]] = '\0';
		if (strlen(to) != h->bytes[i])
			return fault_set(why, ST_BAD_SPEC, "it sent a NUL in a text");
		at += h->bytes[i];
		to += h->bytes[i] + 1;
	}
	return ST_OK;
}

static enum status
check_program(const struct frame *one, struct fault *why)
{
	if (!is_name(one->part[0]))
		return fault_set(why, ST_BAD_SPEC, "it named a program \"%s\": a name has "
		    "letters, digits, and . _ - + = but not in front", one->part[0]);
	if (one->part[2][0] == '\0')
		return fault_set(why, ST_BAD_SPEC, "its program %s has no text", one->part[0]);
	return ST_OK;
}

static enum status
take(struct frames *f, const struct head *h, size_t bytes, const char *at, struct fault *why)
{
	struct frame	 one = { .kind = (enum frame_kind)h->kind, .value = h->value };
	char		*copy = malloc(bytes + FRAME_PARTS);
	enum status	 st;

	if (copy == NULL)
		return fault_set(why, ST_NOMEM, "a program");
	st = separate(h, at, copy, &one, why);
	if (st == ST_OK && one.kind == FRAME_PROGRAM)
		st = check_program(&one, why);
	if (st == ST_OK) {
		st = f->take(f->arg, &one, why);
		f->has_ended = one.kind == FRAME_END || one.kind == FRAME_FAULT;
	}
	free(copy);
	return st;
}

static enum status
read_one(struct frames *f, size_t *at, bool *is_whole, struct fault *why)
{
	struct head	h;
	enum status	st;
	size_t		bytes = sizeof h;

	*is_whole = false;
	if (f->has_ended)
		return fault_set(why, ST_BAD_SPEC, "it sent more behind its last program");
	if (f->n - *at < sizeof h)
		return ST_OK;
	memcpy(&h, f->held + *at, sizeof h);
	if ((st = check_head(&h, why)) != ST_OK)
		return st;
	for (int i = 0; i < FRAME_PARTS; i++)
		bytes += h.bytes[i];
	if (f->n - *at < bytes)
		return ST_OK;
	*is_whole = true;
	st = take(f, &h, bytes, f->held + *at + sizeof h, why);
	*at += bytes;
	return st;
}

enum status
frames_read(struct frames *f, const void *bytes, size_t n, struct fault *why)
{
	size_t		at = 0;
	bool		is_whole = true;
	enum status	st = ST_OK;

	f->taken_bytes += n;
	if (f->taken_bytes > TOTAL_BYTES)
		return fault_set(why, ST_BAD_SPEC, "it sent more than %u MiB",
		    (unsigned)(TOTAL_BYTES >> 20));
	if (!add(f, bytes, n))
		return fault_set(why, ST_NOMEM, "a program");
	while (st == ST_OK && is_whole && at < f->n)
		st = read_one(f, &at, &is_whole, why);
	memmove(f->held, f->held + at, f->n - at);
	f->n -= at;
	return st;
}
