/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BUILD_UNIT_READ_UNIT_CLEAN_H
#define ASSAY_WORKER_BUILD_UNIT_READ_UNIT_CLEAN_H

/*
 * A source of C as its compiler splits it into words: each comment is one blank, each line is one
 * of the compiler's, and literals are empty, but for a file's name behind `#include` and for the
 * operand of `_Pragma`, which loses its quotes instead.  So a test that looks for words and lines
 * finds those that the compiler finds.  Owned by the caller.  NULL: out of memory, or the source
 * has what compilers could read in another way: lines that go on, trigraphs, digraphs, attributes
 * in brackets, literals that do not end, raw strings, names with `$` or beyond ASCII.
 */
char	*unit_clean(const char *source);

#endif
