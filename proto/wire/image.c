/* SPDX-License-Identifier: Apache-2.0 */
/* Reading an image that anybody may have written: each number is checked before it is used. */
#include <ctype.h>
#include <string.h>

#include "proto/wire/image.h"

#define MXCSR_BITS	0xffffu			/* another faults when it is loaded */
#define FCW_BITS	0xffffu
#define LOWEST	((uint64_t)65536)		/* what a kernel lets anybody map */
#define HIGHEST	((uint64_t)1 << 47)		/* of a user's half, one page less */

static bool
is_whole_pages(uint64_t at, uint64_t bytes)
{
	return at % IMAGE_PAGE == 0 && bytes % IMAGE_PAGE == 0 && bytes != 0;
}

static bool
is_mappable(uint64_t at, uint64_t bytes)
{
	return is_whole_pages(at, bytes) && at >= LOWEST && at < HIGHEST &&
	    bytes <= HIGHEST - IMAGE_PAGE - at;
}

const struct image_segment *
image_find(const struct image *m, uint64_t at, uint64_t bytes, uint32_t protection)
{
	for (uint32_t i = 0; i < m->header->segments; i++) {
		const struct image_segment	*s = &m->segment[i];

		if (at >= s->at && at - s->at < s->bytes && bytes <= s->bytes - (at - s->at))
			return (s->protection & protection) == protection ? s : NULL;
	}
	return NULL;
}

static const char *
check_header(const struct image_header *h, uint64_t size)
{
	if (memcmp(h->magic, IMAGE_MAGIC, sizeof h->magic) != 0)
		return "it is no checkpoint image";
	if (h->version != IMAGE_VERSION)
		return "it was written by another version of Assay";
	if (h->machine != IMAGE_X86_64)
		return "it was made on another architecture";
	if (h->bytes > size)
		return "it is truncated";
	if (h->bytes != size || size > IMAGE_MAX_BYTES)
		return "its size is not what it says";
	if (h->segments == 0 || h->segments > IMAGE_MAX_SEGMENTS ||
	    h->segments > (size - sizeof *h) / sizeof(struct image_segment))
		return "its table of memory is damaged";
	return NULL;
}

static const char *
check_segments(const struct image *m)
{
	uint64_t	least_at = 0;
	uint64_t	least_offset = sizeof *m->header + m->header->segments * sizeof *m->segment;

	for (uint32_t i = 0; i < m->header->segments; i++) {
		const struct image_segment	*s = &m->segment[i];

		if (!is_mappable(s->at, s->bytes) || s->at < least_at)
			return "a piece of its memory lies where none can";
		if (s->offset % IMAGE_PAGE != 0 || s->offset < least_offset ||
		    s->offset > m->header->bytes || s->bytes > m->header->bytes - s->offset)
			return "a piece of its memory is not in the file";
		if (!(s->protection & IMAGE_READ) ||
		    s->protection > (IMAGE_READ | IMAGE_WRITE | IMAGE_EXEC) ||
		    (s->protection & (IMAGE_WRITE | IMAGE_EXEC)) == (IMAGE_WRITE | IMAGE_EXEC) ||
		    s->flags > (IMAGE_STACK | IMAGE_LOADER))
			return "a piece of its memory has a strange protection";
		least_at = s->at + s->bytes;
		least_offset = s->offset + s->bytes;
	}
	return NULL;
}

static bool
is_clear_of_segments(const struct image *m, uint64_t at, uint64_t bytes)
{
	for (uint32_t i = 0; i < m->header->segments; i++)
		if (m->segment[i].at < at + bytes && at < m->segment[i].at + m->segment[i].bytes)
			return false;
	return true;
}

static const char *
check_vdso(const struct image *m)
{
	const struct image_header	*h = m->header;

	if (h->vdso_bytes == 0)
		return NULL;
	if (!is_mappable(h->vdso_at, h->vdso_bytes) || h->vdso_bytes > IMAGE_MAX_VDSO ||
	    !is_clear_of_segments(m, h->vdso_at, h->vdso_bytes))
		return "its clocks lie where none can";
	for (unsigned i = 0; i < IMAGE_CLOCKS; i++)
		if (h->clock[i] > h->vdso_bytes - IMAGE_STUB_BYTES)
			return "its clocks lie where none can";
	return NULL;
}

static bool
is_pointer_at(const struct image *m, uint64_t at)
{
	return at % sizeof at == 0 && image_find(m, at, sizeof at, IMAGE_WRITE) != NULL;
}

static const char *
check_context(const struct image *m)
{
	const struct image_header	*h = m->header;

	if (h->context.mxcsr > MXCSR_BITS || h->context.fcw > FCW_BITS ||
	    image_find(m, h->context.rip, 1, IMAGE_EXEC) == NULL || h->context.rsp % 8 != 0 ||
	    image_find(m, h->context.rsp - 8, 8, IMAGE_WRITE) == NULL ||
	    image_find(m, h->context.fs, 64, IMAGE_WRITE) == NULL)
		return "its registers lead nowhere";
	if (!is_pointer_at(m, h->entry_at) || !is_pointer_at(m, h->stop_at) ||
	    h->entry_at == h->stop_at || image_find(m, h->routine, 1, IMAGE_EXEC) == NULL)
		return "it names no routine: the application calls assay_checkpoint_routine "
		    "before it enters";
	return NULL;
}

static const char *
check_name(const char *name)
{
	size_t	n = strnlen(name, IMAGE_NAME_BYTES);

	if (n == 0 || n == IMAGE_NAME_BYTES)
		return "it does not name its routine";
	for (size_t i = 0; i < n; i++)
		if (!isalnum((unsigned char)name[i]) && name[i] != '_')
			return "it does not name its routine";
	return NULL;
}

const char *
image_parse(struct image *m, const void *bytes, uint64_t size)
{
	const char	*why;

	if (size < sizeof *m->header)
		return "it is too short to be a checkpoint image";
	m->bytes = bytes;
	m->header = bytes;
	m->segment = (const struct image_segment *)(m->header + 1);
	if ((why = check_header(m->header, size)) != NULL || (why = check_segments(m)) != NULL ||
	    (why = check_vdso(m)) != NULL || (why = check_context(m)) != NULL)
		return why;
	return check_name(m->header->name);
}

bool
image_is_compared(const struct image_segment *s)
{
	return (s->protection & IMAGE_WRITE) && s->flags == 0;
}

uint64_t
image_compared_bytes(const struct image *m)
{
	uint64_t	bytes = 0;

	for (uint32_t i = 0; i < m->header->segments; i++)
		if (image_is_compared(&m->segment[i]))
			bytes += m->segment[i].bytes;
	return bytes;
}

const char *
image_lacks(const struct image_cpu *needs, const struct image_cpu *here)
{
	if (memcmp(needs->vendor, here->vendor, sizeof needs->vendor) != 0)
		return "it was made on a CPU of another vendor";
	for (unsigned i = 0; i < sizeof needs->features / sizeof needs->features[0]; i++)
		if ((needs->features[i] & ~here->features[i]) != 0)
			return "it was made on a CPU that has instructions which this one has not";
	return needs->xcr0 == here->xcr0 ? NULL :
	    "it was made on a CPU with other registers than this one's";
}
