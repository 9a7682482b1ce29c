/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#include "../pace.h"
#include "record.h"

static uint64_t
wall_ns(void)
{
	struct timespec	t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

#if defined(__x86_64__)
uint64_t
record_now(void)
{
	unsigned	cpu;
	uint64_t	t = __rdtscp(&cpu);

	_mm_lfence();
	return t;
}

static void
store(uint64_t *at, uint64_t x)
{
	_mm_stream_si64((long long *)at, (long long)x);
}
#else
uint64_t
record_now(void)
{
	return wall_ns();
}

static void
store(uint64_t *at, uint64_t x)
{
	*at = x;
}
#endif

void
record_init(struct record *r, size_t room)
{
	*r = (struct record){ .room = room };
	r->ticks = malloc(room * sizeof *r->ticks);
	r->pace = malloc(room * sizeof *r->pace);
	if (r->ticks == NULL || r->pace == NULL)
		exit(1);
	memset(r->ticks, 0, room * sizeof *r->ticks);
	memset(r->pace, 0, room * sizeof *r->pace);
}

void
record_put(struct record *r, uint64_t ticks)
{
	if (r->calls == r->room)
		return;
	store(&r->ticks[r->calls], ticks);
	r->pace[r->calls++] = pace_ns();
}

static double
ns_per_tick(void)
{
	const uint64_t	w0 = wall_ns(), t0 = record_now();
	uint64_t	w1;

	while ((w1 = wall_ns()) - w0 < 20000000)
		;
	return (double)(w1 - w0) / (double)(record_now() - t0);
}

void
record_print(const char *application, const struct record *r)
{
	const double	period = ns_per_tick();

	printf("{\"application\":\"%s\",\"calls_ns\":[", application);
	for (size_t i = 0; i < r->calls; i++)
		printf("%s%.1f", i > 0 ? "," : "", (double)r->ticks[i] * period);
	printf("],\"pace_ns\":[");
	for (size_t i = 0; i < r->calls; i++)
		printf("%s%.1f", i > 0 ? "," : "", r->pace[i]);
	printf("]}\n");
}

void
record_release(struct record *r)
{
	free(r->ticks);
	free(r->pace);
	r->ticks = NULL;
	r->pace = NULL;
}

void
record_other_work(size_t bytes)
{
	char	*table = malloc(bytes);

	if (table == NULL)
		exit(1);
	memset(table, 3, bytes);
	for (size_t i = 0; i < bytes; i += 64)
		(void)*(volatile char *)(table + i);
	free(table);
}
