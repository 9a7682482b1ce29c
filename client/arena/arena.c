/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/arena/arena.h"
#include "proto/base/status.h"

enum { CHUNK_BYTES = 1 << 16, ALIGN_BYTES = 16 };

struct chunk {
	struct chunk	*next;		/* owned */
	size_t		 used, size;
	_Alignas(ALIGN_BYTES) char	 bytes[];
};

struct arena {
	struct chunk	*top;		/* owned */
};

static void *
must(void *memory)
{
	if (memory == NULL) {
		(void)fprintf(stderr, "%s: out of memory\n", program_invocation_short_name);
		exit(status_exit_code(ST_NOMEM));
	}
	return memory;
}

struct arena *
arena_new(void)
{
	return must(calloc(1, sizeof(struct arena)));
}

void
arena_free(struct arena *a)
{
	struct chunk	*next;

	if (a == NULL)
		return;
	for (struct chunk *c = a->top; c != NULL; c = next) {
		next = c->next;
		free(c);
	}
	free(a);
}

void *
arena_take(struct arena *a, size_t bytes)
{
	size_t		 need = (bytes + ALIGN_BYTES - 1) / ALIGN_BYTES * ALIGN_BYTES, size;
	struct chunk	*c = a->top;
	void		*p;

	if (c == NULL || c->size - c->used < need) {
		size = need > CHUNK_BYTES ? need : CHUNK_BYTES;
		c = must(calloc(1, sizeof *c + size));
		c->size = size;
		c->next = a->top;
		a->top = c;
	}
	p = c->bytes + c->used;
	c->used += need;
	return p;
}

/* Sizes are powers of two, so that `have` says when the array is full. */
void *
arena_grow(struct arena *a, void *array, size_t have, size_t element_bytes)
{
	void	*more;

	if (array != NULL && (have & (have - 1)) != 0)
		return array;
	more = arena_take(a, (have == 0 ? 1 : 2 * have) * element_bytes);
	if (have > 0)
		memcpy(more, array, have * element_bytes);
	return more;
}

char *
arena_text(struct arena *a, const char *text, size_t bytes)
{
	char	*copy = arena_take(a, bytes + 1);

	memcpy(copy, text, bytes);
	return copy;
}

char *
arena_format(struct arena *a, const char *fmt, ...)
{
	va_list	 ap;
	char	*text = NULL, *copy;
	int	 n;

	va_start(ap, fmt);
	n = vasprintf(&text, fmt, ap);
	va_end(ap);
	copy = arena_text(a, must(n < 0 ? NULL : text), (size_t)n);
	free(text);
	return copy;
}
