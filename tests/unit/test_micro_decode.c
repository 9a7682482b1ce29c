/* SPDX-License-Identifier: Apache-2.0 */
/* Programs of assembly → what is in their code, alone and many at a time. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "client/micro/decode/assemble.h"
#include "client/micro/decode/batch.h"
#include "client/micro/machine/moves.h"

/* A routine around a body. */
#define ROUTINE(body) "\t.text\n\t.globl f\n\t.type f,@function\nf:\n" body "\tret\n" \
	"\t.size f,.-f\n"

/* Figure 8 of the paper. */
#define FIGURE_8 ".L6:\n#Unrolling iterations\nmovaps %xmm0, 0(%rsi)\n" \
	"movaps 16(%rsi), %xmm1\nmovaps %xmm2, 32(%rsi)\n#Induction variables\n" \
	"add $48, %rsi\nsub $12, %rdi\njge .L6\n"

static struct decoded
decode_body(const char *text)
{
	struct source_text	program = { "program", text, "f", NULL };
	struct decoded		d;
	struct fault		why;

	if (batch_decode_one(MACHINE_X86_64, &program, &d, &why) != ST_OK)
		fail_msg("%s: %s", why.member, why.text);
	return d;
}

/* Whether a decoded program's extensions are these, one after another. */
static void
needs(const struct decoded *d, const char *const *names)
{
	unsigned	i;

	for (i = 0; names[i] != NULL; i++) {
		assert_non_null(isa_name(&d->isa, i));
		assert_string_equal(isa_name(&d->isa, i), names[i]);
	}
	assert_null(isa_name(&d->isa, i));
}

static void
test_micro_decode_what_figure_8_does_is_counted_from_its_code(void **state)
{
	static const char *const	names[] = { "SSE", NULL };
	struct decoded			d = decode_body(ROUTINE("xor %eax, %eax\n" FIGURE_8));

	(void)state;
	assert_true(d.has_loop && d.is_straight);
	assert_int_equal(d.instructions, 8);
	assert_int_equal(d.loop.instructions, 6);
	assert_int_equal(d.loop.loads, 1);
	assert_int_equal(d.loop.stores, 2);
	assert_int_equal(d.loop.loaded_bytes, 16);
	assert_int_equal(d.loop.stored_bytes, 32);
	needs(&d, names);
}

static void
test_micro_decode_the_innermost_loop_is_counted(void **state)
{
	struct decoded	d = decode_body(ROUTINE(".La: mov %rdi, %rcx\n"
			    ".Lb: addl $1, (%rsi)\n dec %rcx\n jne .Lb\n"
			    "nop\nnop\nnop\nnop\n dec %rdx\n jne .La\n"));

	(void)state;
	assert_false(d.is_straight);
	assert_int_equal(d.loop.instructions, 3);
	assert_int_equal(d.loop.loads, 1);
	assert_int_equal(d.loop.stores, 1);
	assert_int_equal(d.loop.loaded_bytes, 4);
}

static void
test_micro_decode_a_loop_is_straight_if_each_of_its_instructions_is_executed(void **state)
{
	struct decoded	before = decode_body(ROUTINE("test %edi, %edi\njle .Le\n"
			    ".La: inc %eax\ndec %edi\njg .La\n.Le: nop\n"));
	struct decoded	within = decode_body(ROUTINE(".La: test %eax, %eax\njle .Lb\nnop\n"
			    ".Lb: dec %edi\njg .La\n"));
	struct decoded	two = decode_body(ROUTINE(".La: dec %edi\njg .La\n"
			    ".Lb: dec %esi\njg .Lb\n"));

	(void)state;
	assert_true(before.is_straight);
	assert_false(within.is_straight || two.is_straight);
}

static void
test_micro_decode_without_a_loop_the_whole_function_is_counted(void **state)
{
	struct decoded	d = decode_body(ROUTINE("lea 8(%rsi), %rax\nprefetcht0 (%rsi)\n"));

	(void)state;
	assert_false(d.has_loop);
	assert_int_equal(d.loop.instructions, 3);
	assert_int_equal(d.loop.stores, 0);
}

static void
test_micro_decode_extensions_are_named_as_the_code_needs_them(void **state)
{
	static const char *const	avx512[] = { "AVX512F", "AVX512BW", NULL };
	static const char *const	narrow[] = { "AVX512F", "AVX512VL", NULL };
	static const char *const	avx[] = { "SSE2", "BMI2", "AVX", "FMA", "AVX2", NULL };
	static const char *const	none[] = { NULL };
	struct decoded			d;

	(void)state;
	d = decode_body(ROUTINE("vmovaps (%rsi), %zmm1\nvmovdqu8 (%rsi), %zmm1\n"));
	needs(&d, avx512);
	d = decode_body(ROUTINE("vmovdqa64 (%rsi), %ymm17\n"));
	needs(&d, narrow);
	d = decode_body(ROUTINE("vmovaps (%rsi), %ymm1\nmovapd %xmm1, %xmm0\n"
	    "vfmadd231ps %ymm1, %ymm1, %ymm1\nvpaddd %ymm1, %ymm1, %ymm1\n"
	    "shlx %rdi, %rsi, %rax\n"));
	needs(&d, avx);
	d = decode_body(ROUTINE("imul %rdi, %rax\ncmovg %rax, %rdi\npause\n"));
	needs(&d, none);
}

static void
test_micro_decode_what_this_host_lacks_is_refused_by_name(void **state)
{
	struct decoded	d = decode_body(ROUTINE("movaps (%rsi), %xmm1\n"));
	struct fault	why;

	(void)state;
	assert_int_equal(decoded_check_host(&d, "p", &why), ST_OK);
	/* no processor has both */
	d = decode_body(ROUTINE("v4fmaddps (%rsi), %zmm0, %zmm1\nvfmaddps %xmm1, %xmm2, %xmm3, "
	    "%xmm4\n"));
	assert_int_equal(decoded_check_host(&d, "p", &why), ST_BAD_SPEC);
	assert_string_equal(why.member, "p");
	assert_true(strstr(why.text, "AVX512_4FMAPS") != NULL || strstr(why.text, "FMA4") != NULL);
	assert_null(strstr(why.hint, "--vector"));	/* narrower registers need it, too */
}

/* "AVX512F AVX512VL" → two names. */
static void
needs_all(const struct decoded *d, const char *isa)
{
	char		 words[64];
	const char	*names[4] = { NULL };
	unsigned	 n = 0;

	(void)snprintf(words, sizeof words, "%s", isa);
	for (char *name = strtok(words, " "); name != NULL && n < 3; name = strtok(NULL, " "))
		names[n++] = name;
	needs(d, names);
}

/* A load and a store of each form: Zydis says how many bytes they move, the table need not. */
static void
decode_forms(const struct move_form *forms, unsigned n, unsigned wish)
{
	static char		text[2 * MOVE_MAX_FORMS][128];
	struct source_text	programs[2 * MOVE_MAX_FORMS];
	struct decoded		d[2 * MOVE_MAX_FORMS];
	char			name[REGISTER_NAME_BYTES];
	struct fault		why;

	for (unsigned i = 0; i < n; i++) {
		register_name((struct reg){ forms[i].class, 1, forms[i].bytes * 8 }, name);
		(void)snprintf(text[2 * i], sizeof text[0], ROUTINE("%s (%%rsi), %s\n"),
		    forms[i].operation, name);
		(void)snprintf(text[2 * i + 1], sizeof text[0], ROUTINE("%s %s, (%%rsi)\n"),
		    forms[i].operation, name);
		programs[2 * i] = (struct source_text){ "load", text[2 * i], "f", NULL };
		programs[2 * i + 1] = (struct source_text){ "store", text[2 * i + 1], "f", NULL };
	}
	if (batch_decode(MACHINE_X86_64, programs, 2 * n, d, &why) != ST_OK)
		fail_msg("%s: %s", why.member, why.text);
	for (unsigned i = 0; i < 2 * n; i++) {
		needs_all(&d[i], forms[i / 2].isa);
		assert_int_equal(d[i].loop.loaded_bytes * forms[i / 2].copies, i % 2 ? 0 : wish);
		assert_int_equal(d[i].loop.stored_bytes * forms[i / 2].copies, i % 2 ? wish : 0);
	}
}

static void
test_micro_decode_M23_each_form_of_a_move_moves_so_many_bytes_and_no_more(void **state)
{
	static const struct target	x86 = { .machine = MACHINE_X86_64 };
	struct move_form		forms[MOVE_MAX_FORMS];
	struct fault			why;
	unsigned			n;

	(void)state;
	for (unsigned wish = 1; wish <= 64; wish *= 2) {
		assert_int_equal(moves_find(&x86, &(struct move_wish){ .bytes = wish }, "bytes",
		    forms, &n, &why), ST_OK);
		decode_forms(forms, n, wish);
	}
}

static void
test_micro_decode_meta_has_what_was_decoded(void **state)
{
	struct decoded	d = decode_body(ROUTINE(FIGURE_8));
	json_t		*meta = decoded_meta(&d);
	char		*text = json_dumps(meta, JSON_COMPACT);

	(void)state;
	assert_string_equal(text, "{\"instructions\":6,\"loads\":1,\"stores\":2,"
	    "\"loaded_bytes\":16,\"stored_bytes\":32,\"straight\":true,\"isa\":[\"SSE\"]}");
	free(text);
	json_decref(meta);
}

/* 32 programs with loops of all lengths, labels of the same names, alignment and data. */
enum { PROGRAMS = 32, TEXT_BYTES = 4096 };

static char	texts[PROGRAMS][TEXT_BYTES];

static void
make_programs(struct source_text programs[PROGRAMS])
{
	for (unsigned i = 0; i < PROGRAMS; i++) {
		size_t	at = (size_t)sprintf(texts[i], "\t.data\n\t.text # f: no label\n"
			    "\t.globl f\n\t.type f,@function\nhelp:\n\tret\n\t.p2align %u\nf:\n"
			    "\txor %%eax, %%eax\n.L6: /* f: */ inc %%eax\n", i % 7);

		for (unsigned k = 0; k < i; k++)
			at += (size_t)sprintf(texts[i] + at, "\tmovaps %u(%%rsi), %%xmm%u\n",
			    16 * k, k % 16);
		(void)sprintf(texts[i] + at, "\tmovaps here(%%rip), %%xmm0; add $%u, %%rsi\n"
		    "\tsub $4, %%rdi\n\tjge .L6\n1:\tjne 1b\n\tcall help\n\tret\n\t.size f,.-f\n"
		    "\t.section .rodata,\"a\",@progbits\n\t.balign 16\nhere: .ascii \"here f \"\n",
		    16 * i);
		programs[i] = (struct source_text){ "program", texts[i], "f", NULL };
	}
}

static void
test_micro_decode_a_batch_has_the_code_that_its_programs_have_alone(void **state)
{
	struct source_text	programs[PROGRAMS];
	struct decoded		together[PROGRAMS], alone;
	struct fault		why;

	(void)state;
	make_programs(programs);
	assert_int_equal(batch_decode(MACHINE_X86_64, programs, PROGRAMS, together, &why), ST_OK);
	for (unsigned i = 0; i < PROGRAMS; i++) {
		assert_int_equal(batch_decode_one(MACHINE_X86_64, &programs[i], &alone, &why),
		    ST_OK);
		assert_int_equal(together[i].code_bytes, alone.code_bytes);
		assert_int_equal(together[i].code_hash, alone.code_hash);
		assert_memory_equal(&together[i].loop, &alone.loop, sizeof alone.loop);
		assert_int_equal(alone.instructions, i + 9);
	}
}

static void
test_micro_decode_an_error_in_a_batch_is_its_programs_own(void **state)
{
	struct source_text	programs[] = {
		{ "good", ROUTINE(FIGURE_8), "f", NULL },
		{ "bad", ROUTINE("movaps %xmm0, %eax\n"), "f", NULL },
	};
	struct decoded		d[2];
	struct fault		why;

	(void)state;
	assert_int_equal(batch_decode(MACHINE_X86_64, programs, 2, d, &why), ST_BUILD_FAILED);
	assert_string_equal(why.member, "bad");
	assert_non_null(strstr(why.text, "5: Error: "));
	assert_non_null(strstr(why.text, "movaps"));
}

/* Text 3 lines long before its first line mark, which is the file's line 7. */
#define MARKED(body) "\t.text\n\t.globl f\nf:\n# 7 \"d.xml\"\n" body "\n# 9 \"d.xml\"\nret\n"

static void
refused_at(const char *text, const char *member, const char *words)
{
	struct source_text	programs[] = {
		{ "good", MARKED("nop"), "f", "d.xml" }, { "bad", text, "f", "d.xml" },
	};
	struct decoded		d[2];
	struct fault		why;

	assert_int_equal(batch_decode(MACHINE_X86_64, programs, 2, d, &why), ST_BUILD_FAILED);
	assert_string_equal(why.member, member);
	assert_non_null(strstr(why.text, words));
	assert_int_equal(batch_check(MACHINE_X86_64, programs, 2, &why), ST_BUILD_FAILED);
	assert_string_equal(why.member, member);
	assert_non_null(strstr(why.text, words));
}

static void
test_micro_decode_an_error_has_the_line_of_what_the_program_was_made_of(void **state)
{
	(void)state;
	refused_at(MARKED("movaps %xmm0, %eax"), "d.xml:7", "the assembler: operand type mismatch");
	/* found late, and said of a line of the text */
	refused_at(MARKED("jge .Lx\n.fill 4000000000\n.Lx:"), "d.xml:7", "out of range");
	refused_at("movaps %xmm0, %eax\n" MARKED("nop"), "d.xml", "program bad: the assembler: op");
}

static void
test_micro_decode_the_assembler_has_a_gibibyte_and_no_more(void **state)
{
	struct source_text	program = { "p", MARKED(".rept 300000000\nnop\n.endr"), "f",
				    "d.xml" };
	struct fault		why;

	(void)state;
	assert_int_equal(batch_check(MACHINE_X86_64, &program, 1, &why), ST_BUILD_FAILED);
	assert_string_equal(why.member, "d.xml");
	assert_non_null(strstr(why.text, "program p: the assembler: it needs more than 1024 MiB"));
	assert_non_null(strstr(why.hint, ".rept"));
}

/* Landlock's first version came with Linux 5.13; a kernel may be built without it. */
static bool
has_landlock(void)
{
	return syscall(SYS_landlock_create_ruleset, NULL, 0, 1) >= 1;
}

static void
test_micro_decode_the_assembler_opens_no_file_of_the_user(void **state)
{
	static const char	secret[] = "/etc/passwd";
	char			text[256];
	struct source_text	program = { "p", text, "f", "d.xml" };
	struct fault		why;

	(void)state;
	if (!has_landlock() || access(secret, R_OK) != 0)
		skip();
	(void)snprintf(text, sizeof text, MARKED(".incbin \"%s\""), secret);
	assert_int_equal(batch_check(MACHINE_X86_64, &program, 1, &why), ST_BUILD_FAILED);
	assert_non_null(strstr(why.text, secret));
	(void)snprintf(text, sizeof text, MARKED(".include \"%s\""), secret);
	assert_int_equal(batch_check(MACHINE_X86_64, &program, 1, &why), ST_BUILD_FAILED);
	assert_null(strstr(why.text, "root"));
}

/* An assembler that ends its caller, and goes on. */
static void
put_assembler(const char *path)
{
	FILE	*to = fopen(path, "w");

	assert_non_null(to);
	(void)fprintf(to, "#!/bin/sh\nkill -9 $PPID\nexec sleep 1000\n");
	assert_int_equal(fclose(to), 0);
	assert_int_equal(chmod(path, 0755), 0);
}

static void
test_micro_decode_the_assembler_dies_with_its_caller(void **state)
{
	char			folder[] = "/tmp/assay-micro-XXXXXX", path[64], search[256];
	struct source_text	program = { "p", MARKED("nop"), "f", "d.xml" };
	struct fault		why;
	int			ended;
	pid_t			pid;

	(void)state;
	assert_non_null(mkdtemp(folder));
	(void)snprintf(path, sizeof path, "%s/as", folder);
	(void)snprintf(search, sizeof search, "%s:/usr/bin:/bin", folder);
	put_assembler(path);
	assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
	if ((pid = fork()) == 0) {
		(void)setenv("PATH", search, 1);
		(void)batch_check(machine_of_host(), &program, 1, &why);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &ended, 0), pid);
	assert_true(WIFSIGNALED(ended));
	/* the assembler has become this process's child; left alone, its alarm ends it */
	assert_true(waitpid(-1, &ended, 0) > 0);
	assert_true(WIFSIGNALED(ended) && WTERMSIG(ended) == SIGKILL);
	assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 0), 0);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(rmdir(folder), 0);
}

static void
test_micro_decode_programs_that_cannot_stand_in_one_text_are_assembled_alone(void **state)
{
	struct source_text	programs[] = {
		{ "ends", ROUTINE("nop\n") "\t.end\n", "f", NULL },
		{ "macro", "\t.macro m\n\tnop\n\t.endm\n" ROUTINE("m\n"), "f", NULL },
		{ "same macro", "\t.macro m\n\tnop\n\t.endm\n" ROUTINE("m\nm\n"), "f", NULL },
	};
	struct decoded		d[3];
	struct fault		why;

	(void)state;
	assert_int_equal(batch_decode(MACHINE_X86_64, programs, 3, d, &why), ST_OK);
	assert_int_equal(d[0].instructions, 2);
	assert_int_equal(d[1].instructions, 2);
	assert_int_equal(d[2].instructions, 3);
}

static void
test_micro_decode_a_function_that_is_not_there_is_named(void **state)
{
	struct source_text	program = { "p", ROUTINE("nop\n"), "g", NULL };
	struct decoded		d;
	struct fault		why;

	(void)state;
	assert_int_equal(batch_decode(MACHINE_X86_64, &program, 1, &d, &why), ST_NOT_FOUND);
	assert_non_null(strstr(why.text, "function g"));
	assert_non_null(strstr(why.hint, "f"));
}

static void
test_micro_decode_bytes_that_are_no_instruction_are_refused(void **state)
{
	struct source_text	program = { "p", ROUTINE("nop\n.byte 0x06\n"), "f", NULL };
	struct decoded		d;
	struct fault		why;

	(void)state;
	assert_int_equal(batch_decode(MACHINE_X86_64, &program, 1, &d, &why), ST_BAD_SPEC);
	assert_non_null(strstr(why.text, "byte 1 "));
}

static void
test_micro_decode_M43_instructions_of_aarch64_are_counted_and_not_decoded(void **state)
{
	struct source_text	programs[] = {
		{ "a", "\t.text\n\t.globl f\nf:\n.L6:\n\tldr q0, [x1, #0]\n\tsubs x0, x0, #4\n"
		    "\tb.ge .L6\n\tret\n\t.size f, .-f\n", "f", NULL },
		{ "b", "\t.text\n\t.globl f\nf:\n\tret // f: is over\n", "f", NULL },
	};
	struct decoded		d[2];
	struct fault		why;
	json_t			*meta;

	(void)state;
	if (system("command -v aarch64-linux-gnu-as >/dev/null") != 0)
		skip();
	assert_int_equal(batch_decode(MACHINE_AARCH64, programs, 2, d, &why), ST_OK);
	assert_int_equal(d[0].instructions, 4);
	assert_int_equal(d[1].instructions, 1);
	assert_non_null(meta = decoded_meta(&d[0]));
	assert_string_equal(json_string_value(json_array_get(json_object_get(meta, "isa"), 0)),
	    "unknown: AArch64 is not decoded");
	json_decref(meta);
}

/* An object with each of its bytes changed in turn, and with each of its lengths. */
static void
test_micro_decode_a_damaged_object_is_refused_or_decoded(void **state)
{
	static const char	text[] = ROUTINE(FIGURE_8);
	struct object		o;
	struct decoded		d;
	struct fault		why;
	unsigned char		*copy;

	(void)state;
	assert_int_equal(assemble(MACHINE_X86_64, text, strlen(text), &o, &why), ST_OK);
	for (size_t n = 0; n <= o.bytes; n++) {
		assert_non_null(copy = malloc(n + 1));
		memcpy(copy, o.at, n);
		(void)decoded_of_object(copy, n, "f", &d, &why);
		free(copy);
	}
	assert_non_null(copy = malloc(o.bytes));
	for (size_t i = 0; i < o.bytes; i++) {
		memcpy(copy, o.at, o.bytes);
		copy[i] ^= 0xff;
		(void)decoded_of_object(copy, o.bytes, "f", &d, &why);
	}
	free(copy);
	object_release(&o);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_micro_decode_what_figure_8_does_is_counted_from_its_code),
		cmocka_unit_test(test_micro_decode_the_innermost_loop_is_counted),
		cmocka_unit_test(
		    test_micro_decode_a_loop_is_straight_if_each_of_its_instructions_is_executed),
		cmocka_unit_test(test_micro_decode_without_a_loop_the_whole_function_is_counted),
		cmocka_unit_test(test_micro_decode_extensions_are_named_as_the_code_needs_them),
		cmocka_unit_test(
		    test_micro_decode_what_this_host_lacks_is_refused_by_name),
		cmocka_unit_test(
		    test_micro_decode_M23_each_form_of_a_move_moves_so_many_bytes_and_no_more),
		cmocka_unit_test(test_micro_decode_meta_has_what_was_decoded),
		cmocka_unit_test(
		    test_micro_decode_a_batch_has_the_code_that_its_programs_have_alone),
		cmocka_unit_test(test_micro_decode_an_error_in_a_batch_is_its_programs_own),
		cmocka_unit_test(
		    test_micro_decode_an_error_has_the_line_of_what_the_program_was_made_of),
		cmocka_unit_test(test_micro_decode_the_assembler_has_a_gibibyte_and_no_more),
		cmocka_unit_test(test_micro_decode_the_assembler_opens_no_file_of_the_user),
		cmocka_unit_test(test_micro_decode_the_assembler_dies_with_its_caller),
		cmocka_unit_test(
		    test_micro_decode_programs_that_cannot_stand_in_one_text_are_assembled_alone),
		cmocka_unit_test(test_micro_decode_a_function_that_is_not_there_is_named),
		cmocka_unit_test(test_micro_decode_bytes_that_are_no_instruction_are_refused),
		cmocka_unit_test(
		    test_micro_decode_M43_instructions_of_aarch64_are_counted_and_not_decoded),
		cmocka_unit_test(test_micro_decode_a_damaged_object_is_refused_or_decoded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
