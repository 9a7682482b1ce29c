/* SPDX-License-Identifier: Apache-2.0 */
/* Operations, and what they are called with wider registers and on AArch64. */
#include <stddef.h>
#include <string.h>

#include "client/micro/machine/operations.h"

#define COUNT(table) (sizeof (table) / sizeof *(table))

static const struct operation	operations[] = {
	/* Of whole registers. */
	{ "movaps", SHAPE_MOVE, 16, NULL, "", "16b" },
	{ "movups", SHAPE_MOVE, 16, NULL, "", "16b" },
	{ "movapd", SHAPE_MOVE, 16, NULL, "", "16b" },
	{ "movupd", SHAPE_MOVE, 16, NULL, "", "16b" },
	{ "movdqa", SHAPE_MOVE, 16, "movdqa64", "", "16b" },
	{ "movdqu", SHAPE_MOVE, 16, "movdqu64", "", "16b" },
	{ "movdqa32", SHAPE_MOVE, 16, NULL, "", "16b" },
	{ "movdqu32", SHAPE_MOVE, 16, NULL, "", "16b" },
	{ "movdqu16", SHAPE_MOVE, 16, NULL, "", "16b" },
	{ "movdqu8", SHAPE_MOVE, 16, NULL, "", "16b" },
	{ "lddqu", SHAPE_MOVE, 16, "movdqu64", "", "16b" },
	{ "movntps", SHAPE_MOVE, 16, NULL, NULL, NULL },
	{ "movntpd", SHAPE_MOVE, 16, NULL, NULL, NULL },
	{ "movntdq", SHAPE_MOVE, 16, NULL, NULL, NULL },
	{ "movntdqa", SHAPE_MOVE, 16, NULL, NULL, NULL },
	{ "addps", SHAPE_BINARY, 16, NULL, "fadd", "4s" },
	{ "addpd", SHAPE_BINARY, 16, NULL, "fadd", "2d" },
	{ "subps", SHAPE_BINARY, 16, NULL, "fsub", "4s" },
	{ "subpd", SHAPE_BINARY, 16, NULL, "fsub", "2d" },
	{ "mulps", SHAPE_BINARY, 16, NULL, "fmul", "4s" },
	{ "mulpd", SHAPE_BINARY, 16, NULL, "fmul", "2d" },
	{ "divps", SHAPE_BINARY, 16, NULL, "fdiv", "4s" },
	{ "divpd", SHAPE_BINARY, 16, NULL, "fdiv", "2d" },
	{ "minps", SHAPE_BINARY, 16, NULL, "fmin", "4s" },
	{ "minpd", SHAPE_BINARY, 16, NULL, "fmin", "2d" },
	{ "maxps", SHAPE_BINARY, 16, NULL, "fmax", "4s" },
	{ "maxpd", SHAPE_BINARY, 16, NULL, "fmax", "2d" },
	{ "sqrtps", SHAPE_UNARY, 16, NULL, "fsqrt", "4s" },
	{ "sqrtpd", SHAPE_UNARY, 16, NULL, "fsqrt", "2d" },
	{ "andps", SHAPE_BINARY, 16, NULL, "and", "16b" },
	{ "andpd", SHAPE_BINARY, 16, NULL, "and", "16b" },
	{ "orps", SHAPE_BINARY, 16, NULL, "orr", "16b" },
	{ "orpd", SHAPE_BINARY, 16, NULL, "orr", "16b" },
	{ "xorps", SHAPE_BINARY, 16, NULL, "eor", "16b" },
	{ "xorpd", SHAPE_BINARY, 16, NULL, "eor", "16b" },
	{ "paddb", SHAPE_BINARY, 16, NULL, "add", "16b" },
	{ "paddw", SHAPE_BINARY, 16, NULL, "add", "8h" },
	{ "paddd", SHAPE_BINARY, 16, NULL, "add", "4s" },
	{ "paddq", SHAPE_BINARY, 16, NULL, "add", "2d" },
	{ "psubb", SHAPE_BINARY, 16, NULL, "sub", "16b" },
	{ "psubw", SHAPE_BINARY, 16, NULL, "sub", "8h" },
	{ "psubd", SHAPE_BINARY, 16, NULL, "sub", "4s" },
	{ "psubq", SHAPE_BINARY, 16, NULL, "sub", "2d" },
	{ "pmullw", SHAPE_BINARY, 16, NULL, "mul", "8h" },
	{ "pmulld", SHAPE_BINARY, 16, NULL, "mul", "4s" },
	{ "pand", SHAPE_BINARY, 16, "pandq", "and", "16b" },
	{ "por", SHAPE_BINARY, 16, "porq", "orr", "16b" },
	{ "pxor", SHAPE_BINARY, 16, "pxorq", "eor", "16b" },
	/* Of one element. */
	{ "movss", SHAPE_MOVE, 4, NULL, "", "s" },
	{ "movsd", SHAPE_MOVE, 8, NULL, "", "d" },
	{ "movd", SHAPE_MOVE, 4, NULL, "", "s" },
	{ "movq", SHAPE_MOVE, 8, NULL, "", "d" },
	{ "movlps", SHAPE_MOVE, 8, NULL, NULL, NULL },
	{ "movhps", SHAPE_MOVE, 8, NULL, NULL, NULL },
	{ "movlpd", SHAPE_MOVE, 8, NULL, NULL, NULL },
	{ "movhpd", SHAPE_MOVE, 8, NULL, NULL, NULL },
	{ "addss", SHAPE_BINARY, 4, NULL, "fadd", "s" },
	{ "addsd", SHAPE_BINARY, 8, NULL, "fadd", "d" },
	{ "subss", SHAPE_BINARY, 4, NULL, "fsub", "s" },
	{ "subsd", SHAPE_BINARY, 8, NULL, "fsub", "d" },
	{ "mulss", SHAPE_BINARY, 4, NULL, "fmul", "s" },
	{ "mulsd", SHAPE_BINARY, 8, NULL, "fmul", "d" },
	{ "divss", SHAPE_BINARY, 4, NULL, "fdiv", "s" },
	{ "divsd", SHAPE_BINARY, 8, NULL, "fdiv", "d" },
	{ "minss", SHAPE_BINARY, 4, NULL, "fmin", "s" },
	{ "minsd", SHAPE_BINARY, 8, NULL, "fmin", "d" },
	{ "maxss", SHAPE_BINARY, 4, NULL, "fmax", "s" },
	{ "maxsd", SHAPE_BINARY, 8, NULL, "fmax", "d" },
	{ "sqrtss", SHAPE_UNARY, 4, NULL, "fsqrt", "s" },
	{ "sqrtsd", SHAPE_UNARY, 8, NULL, "fsqrt", "d" },
};

/* add, sub and and leave the flags that jumps after them look at; or and xor do not. */
static const struct general_operation	generals[] = {
	{ "mov", GENERAL_MOVE, "mov", NULL },
	{ "add", GENERAL_ADD, "adds", "subs" },
	{ "sub", GENERAL_ADD, "subs", "adds" },
	{ "and", GENERAL_LOGIC, "ands", NULL },
	{ "or", GENERAL_LOGIC, "orr", NULL },
	{ "xor", GENERAL_LOGIC, "eor", NULL },
	{ "imul", GENERAL_LOGIC, "mul", NULL },
	{ "shl", GENERAL_SHIFT, "lsl", NULL },
	{ "sal", GENERAL_SHIFT, "lsl", NULL },
	{ "shr", GENERAL_SHIFT, "lsr", NULL },
	{ "sar", GENERAL_SHIFT, "asr", NULL },
	{ "cmp", GENERAL_COMPARE, "cmp", NULL },
	{ "test", GENERAL_COMPARE, "tst", NULL },
	{ "inc", GENERAL_ONE, "adds", NULL },
	{ "dec", GENERAL_ONE, "subs", NULL },
	{ "nop", GENERAL_NONE, "nop", NULL },
	{ "prefetcht0", GENERAL_PREFETCH, "pldl1keep", NULL },
	{ "prefetcht1", GENERAL_PREFETCH, "pldl2keep", NULL },
	{ "prefetcht2", GENERAL_PREFETCH, "pldl3keep", NULL },
	{ "prefetchnta", GENERAL_PREFETCH, "pldl1strm", NULL },
	{ "prefetchw", GENERAL_PREFETCH, "pstl1keep", NULL },
	{ "jmp", GENERAL_BRANCH, "b", NULL },
	{ "je", GENERAL_BRANCH, "b.eq", NULL },
	{ "jz", GENERAL_BRANCH, "b.eq", NULL },
	{ "jne", GENERAL_BRANCH, "b.ne", NULL },
	{ "jnz", GENERAL_BRANCH, "b.ne", NULL },
	{ "jg", GENERAL_BRANCH, "b.gt", NULL },
	{ "jge", GENERAL_BRANCH, "b.ge", NULL },
	{ "jl", GENERAL_BRANCH, "b.lt", NULL },
	{ "jle", GENERAL_BRANCH, "b.le", NULL },
	{ "jns", GENERAL_BRANCH, "b.pl", NULL },
	{ "js", GENERAL_BRANCH, "b.mi", NULL },
	/* After a subtraction or a comparison alone: AArch64's carry is the other way round. */
	{ "ja", GENERAL_BRANCH, "b.hi", NULL },
	{ "jae", GENERAL_BRANCH, "b.hs", NULL },
	{ "jnb", GENERAL_BRANCH, "b.hs", NULL },
	{ "jb", GENERAL_BRANCH, "b.lo", NULL },
	{ "jbe", GENERAL_BRANCH, "b.ls", NULL },
};

static const struct operation *
find(const char *name)
{
	for (size_t i = 0; i < COUNT(operations); i++)
		if (strcmp(name, operations[i].name) == 0)
			return &operations[i];
	return NULL;
}

const struct operation *
operation_find(const char *name)
{
	const struct operation	*o = find(name[0] == 'v' ? name + 1 : name);

	for (size_t i = 0; o == NULL && name[0] == 'v' && i < COUNT(operations); i++)
		if (operations[i].zmm != NULL && strcmp(name + 1, operations[i].zmm) == 0)
			return &operations[i];
	return o;
}

const struct general_operation *
general_find(const char *name)
{
	size_t	n = strlen(name);
	size_t	stem = n > 0 && strchr("bwlq", name[n - 1]) != NULL ? n - 1 : n;

	for (size_t i = 0; i < COUNT(generals); i++)
		if (strcmp(name, generals[i].name) == 0)
			return &generals[i];
	for (size_t i = 0; i < COUNT(generals); i++)
		if (generals[i].kind < GENERAL_BRANCH && strlen(generals[i].name) == stem &&
		    strncmp(name, generals[i].name, stem) == 0)
			return &generals[i];
	return NULL;
}
