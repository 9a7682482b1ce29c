/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes to move → the instructions that can move them.  A row loads and stores alike, so that its
 * operands can be swapped; moves that bypass the caches mean something else and are not here.
 */
#include "client/micro/machine/moves.h"

struct move_row {
	const char		*operation;
	enum register_class	 class;
	unsigned		 bytes;
	bool			 is_aligned;
	bool			 is_vector;
	bool			 is_aarch64;	/* has it, in no row before this one */
	const char		*isa;
};

static const struct move_row	rows[] = {
	{ "vmovaps", REG_ZMM, 64, true, true, false, "AVX512F" },
	{ "vmovups", REG_ZMM, 64, false, true, false, "AVX512F" },
	{ "vmovapd", REG_ZMM, 64, true, true, false, "AVX512F" },
	{ "vmovupd", REG_ZMM, 64, false, true, false, "AVX512F" },
	{ "vmovdqa32", REG_ZMM, 64, true, true, false, "AVX512F" },
	{ "vmovdqa64", REG_ZMM, 64, true, true, false, "AVX512F" },
	{ "vmovdqu32", REG_ZMM, 64, false, true, false, "AVX512F" },
	{ "vmovdqu64", REG_ZMM, 64, false, true, false, "AVX512F" },
	{ "vmovdqu8", REG_ZMM, 64, false, true, false, "AVX512BW" },
	{ "vmovdqu16", REG_ZMM, 64, false, true, false, "AVX512BW" },
	{ "vmovaps", REG_YMM, 32, true, true, false, "AVX" },
	{ "vmovups", REG_YMM, 32, false, true, false, "AVX" },
	{ "vmovapd", REG_YMM, 32, true, true, false, "AVX" },
	{ "vmovupd", REG_YMM, 32, false, true, false, "AVX" },
	{ "vmovdqa", REG_YMM, 32, true, true, false, "AVX" },
	{ "vmovdqu", REG_YMM, 32, false, true, false, "AVX" },
	{ "vmovdqa32", REG_YMM, 32, true, true, false, "AVX512F AVX512VL" },
	{ "vmovdqa64", REG_YMM, 32, true, true, false, "AVX512F AVX512VL" },
	{ "vmovdqu32", REG_YMM, 32, false, true, false, "AVX512F AVX512VL" },
	{ "vmovdqu64", REG_YMM, 32, false, true, false, "AVX512F AVX512VL" },
	{ "vmovdqu8", REG_YMM, 32, false, true, false, "AVX512VL AVX512BW" },
	{ "vmovdqu16", REG_YMM, 32, false, true, false, "AVX512VL AVX512BW" },
	{ "movaps", REG_XMM, 16, true, true, false, "SSE" },
	{ "movups", REG_XMM, 16, false, true, true, "SSE" },
	{ "movapd", REG_XMM, 16, true, true, false, "SSE2" },
	{ "movupd", REG_XMM, 16, false, true, false, "SSE2" },
	{ "movdqa", REG_XMM, 16, true, true, false, "SSE2" },
	{ "movdqu", REG_XMM, 16, false, true, false, "SSE2" },
	{ "vmovaps", REG_XMM, 16, true, true, false, "AVX" },
	{ "vmovups", REG_XMM, 16, false, true, false, "AVX" },
	{ "vmovapd", REG_XMM, 16, true, true, false, "AVX" },
	{ "vmovupd", REG_XMM, 16, false, true, false, "AVX" },
	{ "vmovdqa", REG_XMM, 16, true, true, false, "AVX" },
	{ "vmovdqu", REG_XMM, 16, false, true, false, "AVX" },
	{ "vmovdqa32", REG_XMM, 16, true, true, false, "AVX512F AVX512VL" },
	{ "vmovdqa64", REG_XMM, 16, true, true, false, "AVX512F AVX512VL" },
	{ "vmovdqu32", REG_XMM, 16, false, true, false, "AVX512F AVX512VL" },
	{ "vmovdqu64", REG_XMM, 16, false, true, false, "AVX512F AVX512VL" },
	{ "vmovdqu8", REG_XMM, 16, false, true, false, "AVX512VL AVX512BW" },
	{ "vmovdqu16", REG_XMM, 16, false, true, false, "AVX512VL AVX512BW" },
	{ "movsd", REG_XMM, 8, false, false, true, "SSE2" },
	{ "movq", REG_XMM, 8, false, false, false, "SSE2" },
	{ "movlps", REG_XMM, 8, false, false, false, "SSE" },
	{ "movhps", REG_XMM, 8, false, false, false, "SSE" },
	{ "movlpd", REG_XMM, 8, false, false, false, "SSE2" },
	{ "movhpd", REG_XMM, 8, false, false, false, "SSE2" },
	{ "vmovsd", REG_XMM, 8, false, false, false, "AVX" },
	{ "vmovq", REG_XMM, 8, false, false, false, "AVX" },
	{ "mov", REG_GENERAL, 8, false, false, true, "" },
	{ "movss", REG_XMM, 4, false, false, true, "SSE" },
	{ "movd", REG_XMM, 4, false, false, false, "SSE2" },
	{ "vmovss", REG_XMM, 4, false, false, false, "AVX" },
	{ "vmovd", REG_XMM, 4, false, false, false, "AVX" },
	{ "mov", REG_GENERAL, 4, false, false, true, "" },
	{ "mov", REG_GENERAL, 2, false, false, true, "" },
	{ "mov", REG_GENERAL, 1, false, false, true, "" },
};

enum { NROWS = sizeof rows / sizeof *rows };
_Static_assert((int)NROWS <= MOVE_MAX_FORMS, "a wish may be met by all rows");

static bool
is_wished(const struct target *t, const struct move_wish *wish, const struct move_row *r)
{
	if (t->machine == MACHINE_AARCH64 && !r->is_aarch64)
		return false;
	if (wish->bytes % r->bytes != 0 || wish->bytes / r->bytes > MOVE_MAX_COPIES)
		return false;
	if (wish->alignment != MOVE_ANY_ALIGNMENT &&
	    r->is_aligned != (wish->alignment == MOVE_ALIGNED))
		return false;
	return wish->kind == MOVE_ANY_KIND || r->is_vector == (wish->kind == MOVE_VECTOR);
}

enum status
moves_find(const struct target *t, const struct move_wish *wish, const char *member,
    struct move_form forms[MOVE_MAX_FORMS], unsigned *n, struct fault *why)
{
	*n = 0;
	if (wish->bytes == 0 || wish->bytes > 64 || (wish->bytes & (wish->bytes - 1)) != 0)
		return fault_at(why, ST_BAD_SPEC, member, "%u bytes cannot be moved: 1, 2, 4, 8, "
		    "16, 32 or 64 can", wish->bytes);
	for (unsigned i = 0; i < NROWS; i++)
		if (is_wished(t, wish, &rows[i]))
			forms[(*n)++] = (struct move_form){
				.operation = rows[i].operation, .class = rows[i].class,
				.bytes = rows[i].bytes, .copies = wish->bytes / rows[i].bytes,
				.isa = rows[i].isa
			};
	if (*n > 0)
		return ST_OK;
	(void)fault_at(why, ST_BAD_SPEC, member, "%s has no instruction that moves %u bytes so",
	    machine_word(t->machine), wish->bytes);
	fault_hint(why, "leave out the alignment or the kind");
	return ST_BAD_SPEC;
}
