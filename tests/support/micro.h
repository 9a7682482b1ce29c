/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_TESTS_SUPPORT_MICRO_H
#define ASSAY_TESTS_SUPPORT_MICRO_H

#include <stdlib.h>
#include <string.h>

#include "client/micro/read/reader.h"
#include "client/micro/space/space.h"

/* A description in a test: its text is read, prepared and counted. */
struct kit {
	struct micro	 micro;
	struct passes	 passes;
	struct arena	*arena;
	struct fault	 why;
};

static inline int
kit_set_up(void **state)
{
	struct kit	*k = calloc(1, sizeof *k);

	k->arena = arena_new();
	passes_init(&k->passes);
	k->micro = (struct micro){ .arena = k->arena, .path = "d.xml", .passes = &k->passes,
	    .function = "f" };
	*state = k;
	return 0;
}

static inline int
kit_tear_down(void **state)
{
	struct kit	*k = *state;

	arena_free(k->arena);
	free(k);
	return 0;
}

/* What stands in <description><kernel>…, without them. */
static inline enum status
kit_read(struct kit *k, const char *kernel)
{
	const char	*text = arena_format(k->arena,
			    "<description><kernel>%s</kernel></description>", kernel);
	enum status	 st = reader_parse(&k->micro, text, strlen(text), &k->why);

	if (st == ST_OK)
		st = space_prepare(&k->micro, &k->why);
	if (st == ST_OK)
		st = space_count(&k->micro, &k->micro.count, &k->why);
	return st;
}

static inline struct program
kit_program(struct kit *k, uint64_t index)
{
	struct program	p;

	if (space_program(&k->micro, k->arena, index, &p, &k->why) != ST_OK)
		p.text = NULL;
	return p;
}

#define LOAD "<instruction><operation>movaps</operation><memory><register><name>r1</name>" \
	"</register><offset>0</offset></memory><register><phyName>%xmm</phyName><min>0</min>" \
	"<max>8</max></register>"
#define UNROLL(from, to) "<unrolling><min>" #from "</min><max>" #to "</max></unrolling>"
#define POINTER "<induction><register><name>r1</name></register><increment>16</increment>" \
	"<offset>16</offset></induction>"
#define COUNTER "<induction><register><name>r0</name></register><increment>-1</increment>" \
	"<linked><register><name>r1</name></register></linked><last_induction/></induction>"
#define ITERATIONS "<induction><register><phyName>%eax</phyName></register>" \
	"<increment>1</increment><not_affected_unroll/></induction>"
#define BRANCH "<branch_information><label>L6</label><test>jge</test></branch_information>"

#endif
