/* SPDX-License-Identifier: Apache-2.0 */
#include "proto/wire/hello.h"

#define ROW(member, ...) SHAPE_ROW(struct compiler_identity, member, __VA_ARGS__)
static const struct shape_row	compiler_rows[] = {
	ROW(name, SHAPE_TEXT),
	ROW(version, SHAPE_TEXT),
	ROW(target, SHAPE_TEXT),
	ROW(id, SHAPE_TEXT),
};
const struct shape		compiler_shape = SHAPE_OF(struct compiler_identity, compiler_rows);
#undef ROW

#define ROW(member, ...) SHAPE_ROW(struct installed_compiler, member, __VA_ARGS__)
static const struct shape_row	installed_rows[] = {
	ROW(identity, SHAPE_INLINE, .of = &compiler_shape),
	ROW(path, SHAPE_TEXT),
};
static const struct shape	installed_shape =
    SHAPE_OF(struct installed_compiler, installed_rows);
#undef ROW

#define ROW(member, ...) SHAPE_ROW(struct clock_report, member, __VA_ARGS__)
static const struct shape_row	clock_rows[] = {
	ROW(kind, SHAPE_TEXT),
	ROW(counter, SHAPE_TEXT),
	ROW(tick_hz, SHAPE_REAL),
	ROW(resolution_ns, SHAPE_REAL),
	ROW(overhead_ns, SHAPE_REAL),
};
static const struct shape	clock_shape = SHAPE_OF(struct clock_report, clock_rows);
#undef ROW

#define ROW(member, ...) SHAPE_ROW(struct containment, member, __VA_ARGS__)
static const char *const	limits_words[] = { "cgroup", "rlimit", NULL };
static const char *const	filters_words[] = { "not counted", NULL };
static const struct shape_row	containment_rows[] = {
	ROW(namespaces, SHAPE_FLAG),
	ROW(seccomp, SHAPE_FLAG),
	ROW(landlock, SHAPE_FLAG),
	ROW(limits, SHAPE_TEXT, .words = limits_words),
	ROW(filters, SHAPE_TEXT, .words = filters_words, .none = SHAPE_LEFT_OUT),
};
const struct shape		containment_shape = SHAPE_OF(struct containment, containment_rows);
#undef ROW

#define ROW(member, ...) SHAPE_ROW(struct jail_report, member, __VA_ARGS__)
static const struct shape_row	jail_rows[] = {
	ROW(held, SHAPE_INLINE, .of = &containment_shape),
	ROW(user, SHAPE_FLAG),
	ROW(mount, SHAPE_FLAG),
	ROW(pid, SHAPE_FLAG),
	ROW(net, SHAPE_FLAG),
	ROW(reason, SHAPE_TEXT),
};
static const struct shape	jail_shape = SHAPE_OF(struct jail_report, jail_rows);
#undef ROW

#define ROW(member, ...) SHAPE_ROW(struct hello, member, __VA_ARGS__)
static const char *const	role_words[] = { "build", "time", NULL };
static const struct shape_row	hello_rows[] = {
	ROW(role, SHAPE_TEXT, .words = role_words),
	ROW(pid, SHAPE_INTEGER),
	ROW(cpu, SHAPE_INTEGER, .least = -1, .most = INT32_MAX),
	ROW(jail, SHAPE_OBJECT, .of = &jail_shape),
	ROW(compilers, SHAPE_LIST, .of = &installed_shape),
	ROW(clock, SHAPE_OBJECT, .of = &clock_shape, .none = SHAPE_LEFT_OUT,
	    .has = offsetof(struct hello, has_clock)),
	ROW(clocks, SHAPE_LIST, .of = &clock_shape),
	ROW(counters, SHAPE_TEXTS),
};
const struct shape		hello_shape = SHAPE_OF(struct hello, hello_rows);
#undef ROW

#define ROW(member, ...) SHAPE_ROW(struct cached_parts, member, __VA_ARGS__)
static const struct shape_row	cached_rows[] = {
	ROW(driver, SHAPE_FLAG),
	ROW(variant, SHAPE_FLAG),
	ROW(reference, SHAPE_FLAG),
};
static const struct shape	cached_shape = SHAPE_OF(struct cached_parts, cached_rows);
#undef ROW

const char *const		built_words[] = { BUILT_ALONE, BUILT_UNIT, BUILT_APART, NULL };

#define ROW(member, ...) SHAPE_ROW(struct built, member, __VA_ARGS__)
static const struct shape_row	built_rows[] = {
	ROW(compiler, SHAPE_OBJECT, .of = &compiler_shape),
	ROW(against_compiler, SHAPE_OBJECT, .of = &compiler_shape, .none = SHAPE_LEFT_OUT,
	    .has = offsetof(struct built, has_against_compiler)),
	ROW(build_jail, SHAPE_OBJECT, .of = &containment_shape),
	ROW(cached, SHAPE_OBJECT, .of = &cached_shape),
	ROW(build_ms, SHAPE_REAL),
	ROW(driver_ms, SHAPE_REAL),
	ROW(built, SHAPE_TEXT, .none = SHAPE_LEFT_OUT, .words = built_words),
	ROW(unit_variants, SHAPE_SIZE, .none = SHAPE_LEFT_OUT, .least = 2, .most = 64),
	ROW(code_bytes, SHAPE_SIZE, .none = SHAPE_LEFT_OUT, .least = 1, .most = INT64_MAX),
	ROW(content, SHAPE_TEXT, .none = SHAPE_LEFT_OUT),
	ROW(against_content, SHAPE_TEXT, .none = SHAPE_LEFT_OUT),
};
const struct shape		built_shape = SHAPE_OF(struct built, built_rows);
#undef ROW
