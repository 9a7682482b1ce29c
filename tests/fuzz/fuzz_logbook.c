/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The journal of a search, as --resume and --replay read it: the space of its first line, then its
 * points.  What is read is written and read again.
 */
#include "client/tune/study.h"
#include "tests/fuzz/fuzz.h"

static void
read_again(const struct field *f, const struct record *r)
{
	struct record	 again;
	struct fault	 why;
	json_t		*line = record_json(r, f);

	must(record_read(&again, f, line, &why) == ST_OK);
	must(grid_id(&f->grid, &again.point) == grid_id(&f->grid, &r->point));
	record_release(&again);
	json_decref(line);
}

static void
read_points(const struct logbook *l)
{
	struct field	*f;
	struct record	 r;
	struct fault	 why;
	json_t		*line;
	size_t		 i;

	if (field_open(&f, logbook_sweep(l->head), &why) != ST_OK) {
		must(why.text[0] != '\0');
		return;
	}
	json_array_foreach(l->lines, i, line) {
		if (record_read(&r, f, line, &why) != ST_OK)
			continue;
		read_again(f, &r);
		record_release(&r);
	}
	field_free(f);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct logbook	l;
	struct fault	why;

	if (logbook_read(&l, "journal", (const char *)data, size, &why) == ST_OK)
		read_points(&l);
	else
		must(why.text[0] != '\0');
	must(l.whole_bytes <= size);
	logbook_release(&l);
	return 0;
}
