/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_PROTO_SPEC_WORDS_H
#define ASSAY_PROTO_SPEC_WORDS_H

#include "proto/spec/spec.h"

/*
 * The words of a spec's enumerations, in their order, each list ended by NULL.  Private to proto/.
 */
extern const char *const	words_language[LANG_N + 1];
extern const char *const	words_link[LINK_N + 1];
extern const char *const	words_access[ACCESS_N + 1];
extern const char *const	words_data[DATA_ROTATE + 1];
extern const char *const	words_cache[CACHE_N + 1];
extern const char *const	words_state[LINE_N + 1];
extern const char *const	words_memory[MEMORY_N + 1];
extern const char *const	words_pages[PAGES_N + 1];
extern const char *const	words_home[3];		/* others are numbers */
extern const char *const	words_context[CONTEXT_FLUSH_BYTES + 1];	/* the others are objects */
extern const char *const	words_code[CODE_N + 1];
extern const char *const	words_profile[PROFILE_N + 1];
extern const char *const	words_visibility[];
extern const char *const	words_clock[CLK_N + 1];
extern const char *const	words_flush[FLUSH_N + 1];
extern const char *const	words_walk[WALK_N + 1];
extern const char *const	words_tables[TABLES_N + 1];
extern const char *const	words_estimator[EST_N + 1];
extern const char *const	words_layout[LAYOUT_N + 1];
extern const char *const	words_guard[GUARD_N + 1];
extern const char *const	words_trust_asked[TRUST_ASKED_N + 1];
extern const char *const	words_init[5];		/* the others are numbers and objects */
extern const char *const	words_order[ORDER_N + 1];

#endif
