/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "proto/base/base64.h"

static void
test_base64_the_vectors_of_rfc_4648(void **state)
{
	static const struct { const char *plain, *coded; } vectors[] = {
		{ "", "" }, { "f", "Zg==" }, { "fo", "Zm8=" }, { "foo", "Zm9v" },
		{ "foob", "Zm9vYg==" }, { "fooba", "Zm9vYmE=" }, { "foobar", "Zm9vYmFy" },
		{ "\xff\xef\xbe", "/+++" },
	};
	struct fault	 why;
	char		*text;
	size_t		 bytes;

	(void)state;
	for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
		assert_non_null(text = base64_encode(vectors[i].plain, strlen(vectors[i].plain)));
		assert_string_equal(text, vectors[i].coded);
		free(text);
		assert_int_equal(base64_decode(&text, &bytes, vectors[i].coded,
		    strlen(vectors[i].coded), &why), ST_OK);
		assert_int_equal(bytes, strlen(vectors[i].plain));
		assert_string_equal(text, vectors[i].plain);
		free(text);
	}
}

static void
test_base64_any_bytes_come_back(void **state)
{
	unsigned char	 data[300];
	struct fault	 why;
	char		*text, *again;
	size_t		 bytes;

	(void)state;
	for (size_t i = 0; i < sizeof data; i++)
		data[i] = (unsigned char)(i * 167 + i / 7);
	for (size_t n = 0; n <= sizeof data; n++) {
		assert_non_null(text = base64_encode(data, n));
		assert_in_range(n, 0, base64_decoded_bytes(strlen(text)));
		assert_int_equal(base64_decode(&again, &bytes, text, strlen(text), &why), ST_OK);
		assert_int_equal(bytes, n);
		assert_memory_equal(again, data, n);
		free(text);
		free(again);
	}
}

static void
test_base64_anything_else_is_refused(void **state)
{
	static const char *const	cases[] = { "A", "AB", "ABC", "ABCDE", "AB=C", "A===",
		"====", "=AAA", "AA=A", "AB C", "ABC\n", "AB-_", "AB==AB==", "AA==AAAA", "AB==",
		"AAB=", "ABC\xc3" };
	struct fault			why;
	char				*text;
	size_t				bytes;

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		if (base64_decode(&text, &bytes, cases[i], strlen(cases[i]), &why) != ST_BAD_SPEC)
			fail_msg("\"%s\" passes", cases[i]);
		assert_null(text);
		assert_non_null(strstr(why.hint, "base64 -w0"));
	}
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_base64_the_vectors_of_rfc_4648),
		cmocka_unit_test(test_base64_any_bytes_come_back),
		cmocka_unit_test(test_base64_anything_else_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
