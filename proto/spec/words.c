/* SPDX-License-Identifier: Apache-2.0 */
#include "proto/spec/words.h"

const char *const	words_link[LINK_N + 1] = {
	[LINK_DYNAMIC] = "dynamic", [LINK_STATIC] = "static", [LINK_BARE] = "bare",
};

const char *const	words_language[LANG_N + 1] = {
	[LANG_C] = "c", [LANG_CXX] = "c++", [LANG_FORTRAN] = "fortran", [LANG_ASM] = "asm",
	[LANG_OBJECT] = "object", [LANG_SHARED] = "shared", [LANG_PROGRAM] = "program",
};

const char *const	words_access[ACCESS_N + 1] = {
	[ACCESS_IN] = "in", [ACCESS_OUT] = "out", [ACCESS_INOUT] = "inout",
};

const char *const	words_cache[CACHE_N + 1] = {
	[CACHE_COLD] = "cold", [CACHE_WARM] = "warm", [CACHE_L1] = "L1", [CACHE_L2] = "L2",
	[CACHE_L3] = "L3",
};

const char *const	words_state[LINE_N + 1] = {
	[LINE_CLEAN] = "clean", [LINE_DIRTY] = "dirty",
};

const char *const	words_memory[MEMORY_N + 1] = {
	[MEMORY_HEAP] = "heap", [MEMORY_STATIC] = "static",
};

const char *const	words_pages[PAGES_N + 1] = {
	[PAGES_AUTO] = "auto", [PAGES_SMALL] = "small", [PAGES_HUGE] = "huge",
};

const char *const	words_home[3] = { "local", "remote" };

const char *const	words_data[DATA_ROTATE + 1] = {
	[DATA_AUTO] = "auto", [DATA_ONE] = "one",
};

const char *const	words_context[CONTEXT_FLUSH_BYTES + 1] = {
	[CONTEXT_COLD] = "cold", [CONTEXT_WARM] = "warm",
};

const char *const	words_visibility[] = { "private", "all", NULL };
const char *const	words_profile[PROFILE_N + 1] = {
	[PROFILE_PLAIN] = "plain", [PROFILE_IO] = "io", [PROFILE_FORK] = "fork",
};

const char *const	words_code[CODE_N + 1] = {
	[CODE_WARM] = "warm", [CODE_COLD] = "cold",
};

const char *const	words_init[5] = { "random", "index", "permutation", "text" };

const char *const	words_order[ORDER_N + 1] = {
	[ORDER_RANDOM] = "random", [ORDER_SORTED] = "sorted",
	[ORDER_NEARLY_SORTED] = "nearly_sorted", [ORDER_REVERSED] = "reversed",
};

const char *const	words_clock[CLK_N + 1] = {
	[CLK_AUTO] = "auto", [CLK_WALL] = "wall", [CLK_CYCLE] = "cycle", [CLK_CPU] = "cpu",
};

const char *const	words_flush[FLUSH_N + 1] = {
	[FLUSH_AUTO] = "auto", [FLUSH_ONE_CALL_LRU] = "OneCallFlushLRU",
	[FLUSH_ONE_CALL_X86] = "OneCallFlushX86", [FLUSH_MULTI_CALL_LRU] = "MultiCallFlushLRU",
};

const char *const	words_walk[WALK_N + 1] = {
	[WALK_AUTO] = "auto", [WALK_BACKWARD] = "backward", [WALK_FORWARD] = "forward",
	[WALK_RANDOM] = "random",
};

const char *const	words_tables[TABLES_N + 1] = {
	[TABLES_AUTO] = "auto", [TABLES_CACHED] = "cached", [TABLES_MEMORY] = "memory",
};

const char *const	words_estimator[EST_N + 1] = {
	[EST_AUTO] = "auto", [EST_MIN] = "min", [EST_MEDIAN] = "median",
	[EST_NORMALISED] = "normalised",
};

const char *const	words_layout[LAYOUT_N + 1] = {
	[LAYOUT_FIXED] = "fixed", [LAYOUT_SWEEP] = "sweep", [LAYOUT_RANDOM] = "random",
};

const char *const	words_guard[GUARD_N + 1] = {
	[GUARD_AUTO] = "auto", [GUARD_RESTORE] = "restore", [GUARD_ALTERNATE] = "alternate",
	[GUARD_PAIR] = "pair", [GUARD_SEPARATE] = "separate", [GUARD_NONE] = "none",
};

const char *const	words_trust_asked[TRUST_ASKED_N + 1] = {
	[TRUST_ASKED_AUTO] = "auto", [TRUST_ASKED_CLAIMED] = "claimed",
	[TRUST_ASKED_AUDITED] = "audited", [TRUST_ASKED_VERIFIED] = "verified",
};

static const char *const	words_init_kind[INIT_N + 1] = {
	[INIT_RANDOM] = "random", [INIT_VALUE] = "value", [INIT_INDEX] = "index",
	[INIT_PERMUTATION] = "permutation", [INIT_DATA] = "data", [INIT_TEXT] = "text",
	[INIT_FUNCTION] = "function",
};

/* Names for people and results; "?" for what is none. */
#define NAME_OF(function, type, words)								\
	const char *										\
	function(enum type i)									\
	{											\
		return (unsigned)i < sizeof words / sizeof words[0] - 1 ? words[i] : "?";	\
	}

bool
language_is_binary(enum language l)
{
	return l == LANG_OBJECT || l == LANG_SHARED || l == LANG_PROGRAM;
}

NAME_OF(language_name, language, words_language)
NAME_OF(init_name, init_kind, words_init_kind)
NAME_OF(order_name, order_kind, words_order)
NAME_OF(access_name, access_kind, words_access)
NAME_OF(jail_profile_name, jail_profile, words_profile)
NAME_OF(cache_state_name, cache_state, words_cache)
NAME_OF(line_state_name, line_state, words_state)
NAME_OF(memory_name, memory_kind, words_memory)
NAME_OF(clock_name, clock_kind, words_clock)
NAME_OF(flush_method_name, flush_method, words_flush)
NAME_OF(tables_name, tables_kind, words_tables)
NAME_OF(estimator_name, estimator, words_estimator)
NAME_OF(layout_kind_name, layout_kind, words_layout)
NAME_OF(range_guard_name, range_guard, words_guard)
NAME_OF(trust_asked_name, trust_asked, words_trust_asked)
