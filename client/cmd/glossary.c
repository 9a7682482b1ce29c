/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "client/cmd/glossary.h"
#include "client/print/output.h"
#include "client/print/results/entry.h"

enum { INDENT = 2, WORD_COLUMNS = 18 };

/* As in the glossary of daemon/ARCHITECTURE.md, which a test compares. */
static const struct {
	const char	*word, *meaning;
} glossary[] = {
	{ "answer", "what a routine computes" },
	{ "artifact", "a shared object in the cache, named by its content" },
	{ "audit", "calls on a fresh challenge, timed from outside the variant's process and "
	  "checked" },
	{ "canary", "a short computation of known time, run beside a sample to detect a "
	  "neighbour on the core" },
	{ "cell", "the results of a sweep under one spec, with its params and context; variants "
	  "compete within one" },
	{ "challenge", "operands that were drawn anew, and are hidden until the clock runs" },
	{ "checkpoint image", "an application's memory in a file, restarted to time a routine on "
	  "its own data" },
	{ "context", "where operands are when a call begins: cold, warm, or in between" },
	{ "driver", "the generated C that calls a routine as the spec says" },
	{ "evidence", "in a result: what happened on the host during the timing" },
	{ "flush pass", "one reading of the flush area" },
	{ "gate", "accepts or rejects a sample by what the canaries and the kernel report" },
	{ "layout", "where code, operands and stack lie" },
	{ "pace", "the core's clock speed as seen by a chain of additions" },
	{ "plan", "how one job is timed: method, flushes, calls, samples" },
	{ "quiet", "state of a core or of memory without neighbours" },
	{ "race", "timing that ends early once its variant is surely slower than a given time; "
	  "raced: a result of one that did" },
	{ "reference", "the routine that answers are checked against" },
	{ "region", "the timed part of a sample: one or more calls between two readings of the "
	  "clock" },
	{ "result", "what a job ended in, as stored and published" },
	{ "sample", "one timed region, divided by its calls" },
	{ "sweep", "a named set of jobs under one spec; also the mode of layouts that varies one "
	  "factor at a time" },
	{ "variant", "one implementation of a routine" },
	{ "working set", "one set of a call's operands" },
	{ "yardstick", "a kernel that is timed again and again: of the daemon's own, to know the "
	  "host's noise floor (host.reference); of a sweep, to know its drift" },
};

void
glossary_print(void)
{
	struct page	page;

	page_init(&page, stdout, output_columns(), INDENT, WORD_COLUMNS);
	for (size_t i = 0; i < sizeof glossary / sizeof glossary[0]; i++)
		entry_put(&page, glossary[i].word, "%s", glossary[i].meaning);
}
