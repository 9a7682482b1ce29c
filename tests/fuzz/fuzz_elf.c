/* SPDX-License-Identifier: Apache-2.0 */
/* Objects: what is read of them lies in them, and what is counted fits what was read. */
#include <string.h>

#include "client/micro/decode/decode.h"
#include "tests/fuzz/fuzz.h"

struct check {
	const struct elf	*elf;
	struct fault		*why;
};

static bool
check(void *arg, const struct function *f)
{
	const struct check	*c = arg;
	const unsigned char	*end = c->elf->at + c->elf->bytes;
	struct decoded		 d;
	json_t			*meta;

	must(f->bytes > 0 && f->code >= c->elf->at && f->code < end &&
	    f->bytes <= (size_t)(end - f->code));
	must(strlen(f->name) < c->elf->bytes);
	if (decoded_of(c->elf->machine, f, &d, c->why) != ST_OK) {
		must(c->why->text[0] != '\0');
		return true;
	}
	must(d.loop.instructions > 0 || f->bytes < 4);
	must(d.loop.instructions <= d.instructions && d.instructions <= f->bytes);
	must((meta = decoded_meta(&d)) != NULL);
	json_decref(meta);
	return true;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fault	why = { .status = ST_OK };
	struct elf	e;
	struct check	c = { .elf = &e, .why = &why };

	if (elf_open(&e, data, size, &why) == ST_OK)
		elf_each_function(&e, check, &c);
	else
		must(why.text[0] != '\0');
	return 0;
}
