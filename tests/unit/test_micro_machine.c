/* SPDX-License-Identifier: Apache-2.0 */
/* Registers, instructions and moves of the machines that micro-kernels are generated for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "client/micro/machine/instruction.h"
#include "client/micro/machine/moves.h"

#define R(name_) { .kind = OPERAND_REGISTER, .reg = reg(name_) }
#define I(value) { .kind = OPERAND_IMMEDIATE, .immediate = (value) }
#define M(base_, offset_) { .kind = OPERAND_MEMORY, .memory = { .base = reg(base_), \
	.offset = (offset_) } }
#define MI(base_, index_, by, offset_) { .kind = OPERAND_MEMORY, .memory = { \
	.base = reg(base_), .index = reg(index_), .multiplier = (by), .offset = (offset_) } }
#define L(name_) { .kind = OPERAND_LABEL, .label = (name_) }
#define DO(name_, n_, ...) (&(const struct instruction){ .operation = (name_), \
	.operand = { __VA_ARGS__ }, .n = (n_) })

static const struct target	x86 = { .machine = MACHINE_X86_64 };
static const struct target	avx = { .machine = MACHINE_X86_64, .vector_bytes = 32 };
static const struct target	avx512 = { .machine = MACHINE_X86_64, .vector_bytes = 64 };
static const struct target	aarch64 = { .machine = MACHINE_AARCH64 };

static struct reg
reg(const char *name)
{
	struct reg	r;

	assert_true(register_parse(name, &r));
	return r;
}

static char	written[1024];

/* The text of an instruction, valid until the next call. */
static const char *
text(const struct target *t, const struct instruction *in)
{
	struct fault	 why;
	FILE		*to = fmemopen(written, sizeof written, "w");

	assert_non_null(to);
	if (instruction_write(t, in, to, &why) != ST_OK)
		fail_msg("%s: %s", why.member, why.text);
	(void)fclose(to);
	return written;
}

static void
refused(const struct target *t, const struct instruction *in, const char *words)
{
	struct fault	 why;
	char		 scratch[256];
	FILE		*to = fmemopen(scratch, sizeof scratch, "w");

	assert_non_null(to);
	assert_int_equal(instruction_write(t, in, to, &why), ST_BAD_SPEC);
	assert_string_equal(why.member, in->operation);
	assert_non_null(strstr(why.text, words));
	(void)fclose(to);
}

/* Whether the assembler takes the text without a word. */
static void
assembles(const char *assembler, const char *source)
{
	char	 command[128];
	FILE	*as;

	(void)snprintf(command, sizeof command, "%s --fatal-warnings -o /dev/null -", assembler);
	assert_non_null(as = popen(command, "w"));
	(void)fputs(source, as);
	assert_int_equal(pclose(as), 0);
}

static void
test_micro_machine_M22_logical_registers_are_the_arguments_of_a_function(void **state)
{
	static const char *const	names[] = { "%rdi", "%rsi", "%rdx", "%rcx", "%r8", "%r9" };
	struct reg			r;
	char				name[REGISTER_NAME_BYTES];

	(void)state;
	for (unsigned i = 0; i < 6; i++) {
		assert_true(register_logical(&x86, i, &r));
		register_name(r, name);
		assert_string_equal(name, names[i]);
		assert_int_equal(register_aarch64(r), i);
	}
	assert_false(register_logical(&x86, 6, &r));
	for (unsigned i = 0; i < 8; i++) {
		assert_true(register_logical(&aarch64, i, &r));
		assert_int_equal(register_aarch64(r), i);
	}
	assert_false(register_logical(&aarch64, 8, &r));
}

static void
test_micro_machine_every_general_register_has_a_name_of_each_size(void **state)
{
	static const unsigned	sizes[] = { 8, 16, 32, 64 };
	char			name[REGISTER_NAME_BYTES];
	struct reg		r;

	(void)state;
	for (unsigned n = 0; n < 16; n++)
		for (unsigned s = 0; s < 4; s++) {
			register_name((struct reg){ REG_GENERAL, n, sizes[s] }, name);
			assert_true(register_parse(name, &r));
			assert_int_equal(r.number, n);
			assert_int_equal(r.bits, sizes[s]);
		}
}

static void
test_micro_machine_a_register_that_does_not_exist_is_not_parsed(void **state)
{
	static const char *const	names[] = { "", "%", "rax", "%xmm", "%xmm32", "%xmm-1",
		"%xmm01", "%xmm1x", "%xmm99999999999999999999", "%k8", "%mm8", "%r16", "%eaxx" };
	struct reg			r;

	(void)state;
	for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
		assert_false(register_parse(names[i], &r));
	assert_true(register_parse("%zmm31", &r));
	assert_int_equal(register_bytes(r), 64);
}

static void
test_micro_machine_instructions_of_x86_are_written_as_figure_8_has_them(void **state)
{
	(void)state;
	assert_string_equal(text(&x86, DO("movaps", 2, R("%xmm0"), M("%rsi", 0))),
	    "movaps %xmm0, 0(%rsi)\n");
	assert_string_equal(text(&x86, DO("movaps", 2, M("%rsi", 16), R("%xmm1"))),
	    "movaps 16(%rsi), %xmm1\n");
	assert_string_equal(text(&x86, DO("add", 2, I(48), R("%rsi"))), "add $48, %rsi\n");
	assert_string_equal(text(&x86, DO("jge", 1, L(".L6"))), "jge .L6\n");
	assert_string_equal(text(&x86, DO("mov", 2, MI("%rsi", "%rcx", 4, -8), R("%r10d"))),
	    "mov -8(%rsi,%rcx,4), %r10d\n");
}

static void
test_micro_machine_M43_vector_registers_and_operations_become_as_wide_as_wanted(void **state)
{
	(void)state;
	assert_string_equal(text(&avx, DO("movaps", 2, M("%rsi", 32), R("%xmm1"))),
	    "vmovaps 32(%rsi), %ymm1\n");
	assert_string_equal(text(&avx512, DO("movdqu", 2, M("%rsi", 0), R("%xmm1"))),
	    "vmovdqu64 0(%rsi), %zmm1\n");
	assert_string_equal(text(&avx512, DO("addps", 2, R("%xmm0"), R("%xmm1"))),
	    "vaddps %zmm0, %zmm1, %zmm1\n");
	assert_string_equal(text(&avx, DO("sqrtps", 2, R("%xmm0"), R("%xmm1"))),
	    "vsqrtps %ymm0, %ymm1\n");
	assert_string_equal(text(&avx, DO("addss", 2, R("%xmm0"), R("%xmm1"))),
	    "vaddss %xmm0, %xmm1, %xmm1\n");
	assert_string_equal(text(&avx, DO("vmovdqa64", 2, M("%rsi", 0), R("%zmm1"))),
	    "vmovdqa 0(%rsi), %ymm1\n");
	assert_string_equal(text(&avx, DO("add", 2, I(1), R("%rdi"))), "add $1, %rdi\n");
	assert_string_equal(text(&avx, DO("movlps", 2, M("%rsi", 0), R("%xmm1"))),
	    "vmovlps 0(%rsi), %xmm1, %xmm1\n");
	assert_string_equal(text(&avx, DO("movhpd", 2, R("%xmm1"), M("%rsi", 0))),
	    "vmovhpd %xmm1, 0(%rsi)\n");
	assert_string_equal(text(&avx, DO("vmovdqu8", 2, M("%rsi", 0), R("%xmm1"))),
	    "vmovdqu8 0(%rsi), %ymm1\n");
	refused(&avx, DO("pclmulqdq", 3, I(0), R("%xmm0"), R("%xmm1")), "32 bytes is not known");
}

static void
test_micro_machine_only_operations_on_whole_registers_say_that_they_were_widened(void **state)
{
	struct scale	s = instruction_scale(&avx512, DO("movaps", 2, M("%rsi", 0), R("%xmm1")));

	(void)state;
	assert_int_equal(s.by, 64);
	assert_int_equal(s.of, 16);
	s = instruction_scale(&avx512, DO("movss", 2, M("%rsi", 0), R("%xmm1")));
	assert_int_equal(s.by, s.of);
	s = instruction_scale(&x86, DO("movaps", 2, M("%rsi", 0), R("%xmm1")));
	assert_int_equal(s.by, s.of);
}

static void
test_micro_machine_M43_the_same_instructions_are_loads_and_stores_on_aarch64(void **state)
{
	(void)state;
	assert_string_equal(text(&aarch64, DO("movaps", 2, M("%rsi", 16), R("%xmm1"))),
	    "ldr q1, [x1, #16]\n");
	assert_string_equal(text(&aarch64, DO("movss", 2, R("%xmm1"), M("%rsi", -4))),
	    "str s1, [x1, #-4]\n");
	assert_string_equal(text(&aarch64, DO("addps", 2, M("%rsi", 0), R("%xmm1"))),
	    "ldr q31, [x1, #0]\nfadd v1.4s, v1.4s, v31.4s\n");
	assert_string_equal(text(&aarch64, DO("vmulsd", 3, R("%xmm0"), R("%xmm1"), R("%xmm2"))),
	    "fmul d2, d1, d0\n");
	assert_string_equal(text(&aarch64, DO("add", 2, I(48), R("%rsi"))), "adds x1, x1, #48\n");
	assert_string_equal(text(&aarch64, DO("add", 2, I(-1), R("%rdi"))), "subs x0, x0, #1\n");
	assert_string_equal(text(&aarch64, DO("add", 2, I(1), R("%eax"))), "adds w8, w8, #1\n");
	assert_string_equal(text(&aarch64, DO("sub", 2, I(65537), R("%rdi"))),
	    "movz x17, #1\nmovk x17, #1, lsl #16\nsubs x0, x0, x17\n");
	assert_string_equal(text(&aarch64, DO("jge", 1, L(".L6"))), "b.ge .L6\n");
}

static void
test_micro_machine_an_address_that_aarch64_cannot_name_is_computed_first(void **state)
{
	(void)state;
	assert_string_equal(text(&aarch64, DO("movaps", 2, M("%rsi", 65536), R("%xmm0"))),
	    "movz x17, #0\nmovk x17, #1, lsl #16\nadd x16, x1, x17\nldr q0, [x16]\n");
	assert_string_equal(text(&aarch64, DO("movss", 2, MI("%rsi", "%rcx", 4, 0), R("%xmm0"))),
	    "ldr s0, [x1, x3, lsl #2]\n");
	assert_string_equal(text(&aarch64, DO("movaps", 2, MI("%rsi", "%rcx", 8, 16), R("%xmm0"))),
	    "add x16, x1, x3, lsl #3\nldr q0, [x16, #16]\n");
}

static void
test_micro_machine_what_aarch64_has_not_is_refused_by_name(void **state)
{
	(void)state;
	refused(&aarch64, DO("movntps", 2, R("%xmm0"), M("%rsi", 0)), "no such instruction");
	refused(&aarch64, DO("vmovaps", 2, M("%rsi", 0), R("%ymm0")), "no register for %ymm0");
	refused(&aarch64, DO("movaps", 2, M("%rsi", 0), R("%xmm31")), "no register for %xmm31");
	refused(&aarch64, DO("add", 2, R("%rdx"), M("%rsi", 0)), "no arithmetic on memory");
	refused(&aarch64, DO("cpuid", 0, L("")), "no instruction");
	refused(&aarch64, DO("add", 1, R("%rdx")), "so many operands");
}

/* Whether forms have `copies` times `operation` of so many bytes. */
static bool
has(const struct move_form *forms, unsigned n, const char *operation, unsigned bytes,
    unsigned copies)
{
	for (unsigned i = 0; i < n; i++)
		if (strcmp(forms[i].operation, operation) == 0 && forms[i].bytes == bytes &&
		    forms[i].copies == copies)
			return true;
	return false;
}

static void
test_micro_machine_M23_sixteen_bytes_are_moved_by_every_instruction_that_can(void **state)
{
	static const char *const	whole[] = { "movaps", "movups", "movapd", "movupd",
		"movdqa", "movdqu", "vmovaps", "vmovups", "vmovapd", "vmovupd", "vmovdqa",
		"vmovdqu", "vmovdqa32", "vmovdqa64", "vmovdqu8", "vmovdqu16", "vmovdqu32",
		"vmovdqu64" };
	static const char *const	half[] = { "movsd", "movq", "movlps", "movhps", "movlpd",
		"movhpd", "vmovsd", "vmovq", "mov" };
	struct move_form		forms[MOVE_MAX_FORMS];
	struct fault			why;
	unsigned			n;

	(void)state;
	assert_int_equal(moves_find(&x86, &(struct move_wish){ .bytes = 16 }, "bytes", forms, &n,
	    &why), ST_OK);
	for (unsigned i = 0; i < sizeof whole / sizeof whole[0]; i++)
		assert_true(has(forms, n, whole[i], 16, 1));
	for (unsigned i = 0; i < sizeof half / sizeof half[0]; i++)
		assert_true(has(forms, n, half[i], 8, 2));
	assert_true(has(forms, n, "movss", 4, 4));
	assert_true(has(forms, n, "vmovss", 4, 4));
	assert_true(has(forms, n, "movd", 4, 4));
	assert_true(has(forms, n, "vmovd", 4, 4));
	assert_true(has(forms, n, "mov", 1, 16));
	for (unsigned i = 0; i < n; i++)
		assert_int_equal(forms[i].bytes * forms[i].copies, 16);
}

static void
test_micro_machine_M23_alignment_and_kind_leave_out_the_other_forms(void **state)
{
	struct move_form	forms[MOVE_MAX_FORMS];
	struct move_wish	wish = { 16, MOVE_ALIGNED, MOVE_VECTOR };
	struct fault		why;
	unsigned		n;

	(void)state;
	assert_int_equal(moves_find(&x86, &wish, "bytes", forms, &n, &why), ST_OK);
	assert_int_equal(n, 8);		/* 3 of SSE, 3 of AVX, 2 of AVX-512 */
	wish = (struct move_wish){ 64, MOVE_UNALIGNED, MOVE_VECTOR };
	assert_int_equal(moves_find(&x86, &wish, "bytes", forms, &n, &why), ST_OK);
	assert_true(has(forms, n, "vmovdqu8", 64, 1));
	assert_true(has(forms, n, "vmovups", 32, 2));
	assert_true(has(forms, n, "movups", 16, 4));
	assert_false(has(forms, n, "vmovaps", 64, 1));
}

static void
test_micro_machine_a_move_that_no_instruction_can_do_names_its_node(void **state)
{
	struct move_form	forms[MOVE_MAX_FORMS];
	struct move_wish	wish = { .bytes = 24 };
	struct fault		why;
	unsigned		n;

	(void)state;
	assert_int_equal(moves_find(&x86, &wish, "bytes", forms, &n, &why), ST_BAD_SPEC);
	assert_string_equal(why.member, "bytes");
	wish = (struct move_wish){ 8, MOVE_ANY_ALIGNMENT, MOVE_VECTOR };
	assert_int_equal(moves_find(&aarch64, &wish, "bytes", forms, &n, &why), ST_BAD_SPEC);
	assert_int_equal(n, 0);
}

/* A load and a store of each form, as the target's assembler reads them. */
static void
assemble_forms(const struct target *t, const char *assembler)
{
	char		*all = NULL;
	size_t		 bytes = 0;
	FILE		*to = open_memstream(&all, &bytes);
	struct fault	 why;

	assert_non_null(to);
	for (unsigned wish = 1; wish <= 64; wish *= 2) {
		struct move_form	forms[MOVE_MAX_FORMS];
		unsigned		n;

		if (t->machine == MACHINE_AARCH64 && wish > 16)
			break;
		assert_int_equal(moves_find(t, &(struct move_wish){ .bytes = wish }, "bytes", forms,
		    &n, &why), ST_OK);
		for (unsigned i = 0; i < n; i++) {
			const struct operand	 moved = { .kind = OPERAND_REGISTER, .reg = {
				forms[i].class, 1, forms[i].bytes * 8 } }, cell = M("%rsi", 64);

			(void)fputs(text(t, DO(forms[i].operation, 2, moved, cell)), to);
			(void)fputs(text(t, DO(forms[i].operation, 2, cell, moved)), to);
		}
	}
	(void)fclose(to);
	assembles(assembler, all);
	free(all);
}

static void
test_micro_machine_M23_every_form_assembles_as_load_and_as_store(void **state)
{
	(void)state;
	assemble_forms(&x86, "as");
}

static void
test_micro_machine_M43_every_form_assembles_for_aarch64(void **state)
{
	(void)state;
	if (system("command -v aarch64-linux-gnu-as >/dev/null") != 0)
		skip();
	assemble_forms(&aarch64, "aarch64-linux-gnu-as");
}

static void
test_micro_machine_the_options_name_a_machine_and_a_width_that_it_has(void **state)
{
	struct target	t;
	struct fault	why;

	(void)state;
	assert_int_equal(target_from_words(&t, "aarch64", "16", &why), ST_OK);
	assert_int_equal(t.machine, MACHINE_AARCH64);
	assert_int_equal(target_from_words(&t, NULL, "64", &why), ST_OK);
	assert_int_equal(t.vector_bytes, 64);
	assert_int_equal(target_from_words(&t, "aarch64", "32", &why), ST_BAD_REQUEST);
	assert_string_equal(why.member, "--vector");
	assert_int_equal(target_from_words(&t, NULL, "48", &why), ST_BAD_REQUEST);
	assert_int_equal(target_from_words(&t, "ia64", NULL, &why), ST_BAD_REQUEST);
	assert_string_equal(why.member, "--machine");
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(
		    test_micro_machine_M22_logical_registers_are_the_arguments_of_a_function),
		cmocka_unit_test(
		    test_micro_machine_every_general_register_has_a_name_of_each_size),
		cmocka_unit_test(test_micro_machine_a_register_that_does_not_exist_is_not_parsed),
		cmocka_unit_test(
		    test_micro_machine_instructions_of_x86_are_written_as_figure_8_has_them),
		cmocka_unit_test(
		    test_micro_machine_M43_vector_registers_and_operations_become_as_wide_as_wanted),
		cmocka_unit_test(
		    test_micro_machine_only_operations_on_whole_registers_say_that_they_were_widened),
		cmocka_unit_test(
		    test_micro_machine_M43_the_same_instructions_are_loads_and_stores_on_aarch64),
		cmocka_unit_test(
		    test_micro_machine_an_address_that_aarch64_cannot_name_is_computed_first),
		cmocka_unit_test(test_micro_machine_what_aarch64_has_not_is_refused_by_name),
		cmocka_unit_test(
		    test_micro_machine_M23_sixteen_bytes_are_moved_by_every_instruction_that_can),
		cmocka_unit_test(
		    test_micro_machine_M23_alignment_and_kind_leave_out_the_other_forms),
		cmocka_unit_test(
		    test_micro_machine_a_move_that_no_instruction_can_do_names_its_node),
		cmocka_unit_test(test_micro_machine_M23_every_form_assembles_as_load_and_as_store),
		cmocka_unit_test(test_micro_machine_M43_every_form_assembles_for_aarch64),
		cmocka_unit_test(
		    test_micro_machine_the_options_name_a_machine_and_a_width_that_it_has),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
