/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An application's main().  After a place is made the application reads its input, a large table,
 * so the first call there finds operands out of cache; later calls find what the work before them
 * left.  The calls on the first place are the code's first, and are not counted.
 *
 * Prints a line of JSON: times of first and later calls in nanoseconds.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../oracle/apps/record.h"
#include "app.h"

enum { TABLE_BYTES = 256 << 20, EARLY = 3, POINTERS_BYTES = 128 };

static char	*table;

static void
read_input(void)
{
	for (size_t i = 0; i < TABLE_BYTES; i += 64)
		(void)*(volatile char *)(table + i);
}

/* An application has the pointers of its operands at hand. */
static uint64_t
timed_call(void *place)
{
	uint64_t	began;

	for (int i = 0; i < POINTERS_BYTES; i += 64)
		(void)*(volatile char *)((char *)place + i);
	began = record_now();
	app_call(place);
	return record_now() - began;
}

/* Calls between the first and the later ones belong to neither. */
static void
work_at(struct record *first, struct record *later, bool counts)
{
	void	*place = app_place();

	read_input();
	for (int step = 0; step < app_steps; step++) {
		const uint64_t	took = timed_call(place);

		if (counts && (step == 0 || step > EARLY))
			record_put(step == 0 ? first : later, took);
		app_between(place, step);
	}
}

int
main(void)
{
	struct record	first, later;

	record_init(&first, (size_t)app_places);
	record_init(&later, (size_t)(app_places * app_steps));
	table = app_memory(TABLE_BYTES);
	memset(table, 3, TABLE_BYTES);
	work_at(&first, &later, false);
	for (int i = 0; i < app_places; i++)
		work_at(&first, &later, true);
	printf("[");
	record_print("first", &first);
	printf(",");
	record_print("later", &later);
	printf("]\n");
	record_release(&first);
	record_release(&later);
	free(table);
	return 0;
}
