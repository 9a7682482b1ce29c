/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_TESTS_SUPPORT_ROWS_H
#define ASSAY_TESTS_SUPPORT_ROWS_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "client/print/results/results.h"
#include "client/print/results/row.h"

/* Rows of results that a test writes as documents, in the order in which they were added. */
enum { ROWS = 40 };

static struct row		 rows[ROWS];
static const struct row		*at[ROWS];
static size_t			 n;

static void
rows_add(const char *document)
{
	json_t		*doc = json_loads(document, 0, NULL);
	struct result	 r;
	struct fault	 why;

	assert_true(n < ROWS);
	assert_non_null(doc);
	assert_int_equal(results_read_one(&r, doc, &why), ST_OK);
	assert_true(row_init(&rows[n], &r));
	result_release(&r);
	json_decref(doc);
	at[n] = &rows[n];
	n++;
}

/* After each test. */
static int
rows_forget(void **state)
{
	(void)state;
	while (n > 0)
		row_release(&rows[--n]);
	return 0;
}

#endif
