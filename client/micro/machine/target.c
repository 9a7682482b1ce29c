/* SPDX-License-Identifier: Apache-2.0 */
/* The machines that programs are generated for, one row each. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "client/micro/machine/target.h"

static const struct {
	const char	*word;
	const char	*leave;
	const char	*comment;
	unsigned	 widest;	/* bytes of its widest vector register */
} machines[MACHINE_NMACHINES] = {
	[MACHINE_X86_64]  = { "x86_64", "\tret\n", "#", 64 },
	[MACHINE_AARCH64] = { "aarch64", "\tmov w0, w8\n\tret\n", "//", 16 },
};

const char *
machine_word(enum machine m)
{
	return machines[m].word;
}

enum machine
machine_of_host(void)
{
#if defined(__aarch64__)
	return MACHINE_AARCH64;
#else
	return MACHINE_X86_64;
#endif
}

const char *
machine_return(enum machine m)
{
	return machines[m].leave;
}

const char *
machine_comment(enum machine m)
{
	return machines[m].comment;
}

static enum status
set_machine(struct target *t, const char *word, struct fault *why)
{
	for (int m = 0; m < MACHINE_NMACHINES; m++)
		if (strcmp(word, machines[m].word) == 0) {
			t->machine = (enum machine)m;
			return ST_OK;
		}
	(void)fault_at(why, ST_BAD_REQUEST, "--machine", "there is no machine \"%s\"", word);
	fault_hint(why, "x86_64 and aarch64 are known");
	return ST_BAD_REQUEST;
}

static enum status
set_vector(struct target *t, const char *word, struct fault *why)
{
	char		*end;
	unsigned long	 bytes = strtoul(word, &end, 10);

	if (*end != '\0' || (bytes != 16 && bytes != 32 && bytes != 64)) {
		(void)fault_at(why, ST_BAD_REQUEST, "--vector", "\"%s\" is no width", word);
		fault_hint(why, "16, 32 or 64 bytes");
		return ST_BAD_REQUEST;
	}
	if (bytes > machines[t->machine].widest) {
		(void)fault_at(why, ST_BAD_REQUEST, "--vector", "vector registers of %s have "
		    "%u bytes, not %lu", machines[t->machine].word,
		    machines[t->machine].widest, bytes);
		fault_hint(why, "leave out --vector");
		return ST_BAD_REQUEST;
	}
	t->vector_bytes = (unsigned)bytes;
	return ST_OK;
}

enum status
target_from_words(struct target *t, const char *machine, const char *vector, struct fault *why)
{
	enum status	st = ST_OK;

	*t = (struct target){ .machine = MACHINE_X86_64 };
	if (machine != NULL)
		st = set_machine(t, machine, why);
	return st == ST_OK && vector != NULL ? set_vector(t, vector, why) : st;
}
