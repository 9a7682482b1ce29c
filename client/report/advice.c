/* SPDX-License-Identifier: Apache-2.0 */
#include "client/print/results/results.h"
#include "client/report/part.h"

static const struct {
	enum status	 outcome;
	const char	*text;
} advice[] = {
	{ ST_BAD_SPEC, "Mend the spec or the source: the message above names the place." },
	{ ST_BUILD_FAILED, "Mend the source, or build it otherwise: -O sets compiler flags, "
	    "-D macros, --compiler the compiler." },
	{ ST_BUILD_TIMEOUT, "Make the source smaller, or raise timeout_ms.build of the job." },
	{ ST_BUILD_LIMIT, "Make the source smaller, or unroll and inline less: compilers have "
	    "a limit of memory and output here." },
	{ ST_LOAD_FAILED, "Add the symbol or library that the message names to the source "
	    "or to the flags." },
	{ ST_CRASHED, "Run the routine in a debugger, with operands of the spec's sizes. "
	    "Often an index or the spec's dims are wrong." },
	{ ST_RUN_TIMEOUT, "Look for an endless loop; if the routine rightly takes so long, raise "
	    "timeout_ms.run of the job." },
	{ ST_RUN_LIMIT, "Make the operands smaller: routines have a limit of memory here." },
	{ ST_FORBIDDEN, "Take files, network and other system calls out of the routine: "
	    "it may only compute." },
	{ ST_WRONG_ANSWER, "Mend the routine. If it differs by rounding alone, raise rtol or atol "
	    "in check of the spec." },
	{ ST_NOT_FINITE, "Look for a division by zero or an overflow in the routine, "
	    "or give it other numbers by init in the spec." },
	{ ST_SUSPECT, "Do not use this time: the message above has the contradiction. A routine "
	    "that keeps results of earlier calls, or returns before its work is done, "
	    "looks like this." },
	{ ST_TOO_NOISY, "Time it again when other programs are at rest. assay host shows "
	    "what disturbs; timing.gate in the spec says how long to wait for quiet." },
	{ ST_EXPIRED, "Submit it again with a later deadline." },
	{ ST_INTERNAL, "This is a fault of Assay, not of the routine: please report it, "
	    "with the daemon's log." },
};

void
advice_put(const struct page *page, const struct result *r)
{
	for (unsigned i = 0; i < sizeof advice / sizeof advice[0]; i++)
		if (advice[i].outcome == results_outcome(r))
			entry_put(page, "what to do", "%s", advice[i].text);
}
