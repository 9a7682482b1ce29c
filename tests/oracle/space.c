/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#include "space.h"

enum { LINE = 64, HUGE_PAGE = 2 << 20 };

void *
space_new(size_t bytes, size_t align, size_t misalign)
{
	const size_t	 room = sizeof(void *) + 2 * align + misalign;
	char		*given = malloc(bytes + room);
	uintptr_t	 at;

	if (given == NULL) {
		fprintf(stderr, "oracle: no memory for %zu bytes\n", bytes);
		exit(1);
	}
	at = ((uintptr_t)given + sizeof(void *) + align - 1) / align * align;
	if (misalign > align && at % misalign == 0)
		at += align;
	((void **)at)[-1] = given;
	return (void *)at;
}

void *
space_new_huge(size_t bytes, size_t align)
{
	const size_t	 whole = (bytes + align + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
	char		*at = space_new(whole + HUGE_PAGE, HUGE_PAGE, 0);

	madvise(at, whole, MADV_HUGEPAGE);
	return at;
}

void
space_free(void *at)
{
	if (at != NULL)
		free(((void **)at)[-1]);
}

void
space_fill(double *at, size_t doubles, unsigned seed, int tiny)
{
	const double	scale = tiny ? 1e-160 : 1.0;

	srand(seed);
	for (size_t i = 0; i < doubles; i++)
		at[i] = scale * (2.0 * rand() / RAND_MAX - 1.0);
}

void
space_sweep(const char *area, size_t bytes)
{
	for (size_t i = 0; i < bytes; i += LINE)
		(void)*(const volatile char *)(area + i);
}

void
space_touch_pages(const char *area, size_t pages)
{
	for (size_t i = 0; i < pages; i++)
		(void)*(const volatile char *)(area + i * SPACE_PAGE + i * LINE % SPACE_PAGE);
}

void
space_fence(void)
{
#if defined(__x86_64__)
	_mm_lfence();
#elif defined(__aarch64__)
	__asm__ volatile("dsb sy\n\tisb" ::: "memory");
#endif
}

#if defined(__x86_64__)
int
space_flush_lines(const void *at, size_t bytes)
{
	const uintptr_t	end = (uintptr_t)at + bytes;

	for (uintptr_t line = (uintptr_t)at / LINE * LINE; line < end; line += LINE)
		_mm_clflush((const void *)line);
	_mm_mfence();
	return 0;
}
#else
int
space_flush_lines(const void *at, size_t bytes)
{
	(void)at;
	(void)bytes;
	return -1;
}
#endif
