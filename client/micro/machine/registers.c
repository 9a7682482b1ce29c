/* SPDX-License-Identifier: Apache-2.0 */
/* The registers of x86-64, and those that stand for them on AArch64. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/micro/machine/registers.h"

enum { NGENERAL = 16, NSIZES = 4, NARGUMENTS = 6, NARGUMENTS_AARCH64 = 8 };

static const unsigned	size_bits[NSIZES] = { 64, 32, 16, 8 };

/* x0 to x5 are the arguments in x86-64's order; x16 and x17 are for addresses and constants. */
static const struct {
	const char	*name[NSIZES];
	unsigned	 aarch64;
} general[NGENERAL] = {
	{ { "%rax", "%eax", "%ax", "%al" }, 8 },
	{ { "%rcx", "%ecx", "%cx", "%cl" }, 3 },
	{ { "%rdx", "%edx", "%dx", "%dl" }, 2 },
	{ { "%rbx", "%ebx", "%bx", "%bl" }, 11 },
	{ { "%rsp", "%esp", "%sp", "%spl" }, 31 },
	{ { "%rbp", "%ebp", "%bp", "%bpl" }, 29 },
	{ { "%rsi", "%esi", "%si", "%sil" }, 1 },
	{ { "%rdi", "%edi", "%di", "%dil" }, 0 },
	{ { "%r8", "%r8d", "%r8w", "%r8b" }, 4 },
	{ { "%r9", "%r9d", "%r9w", "%r9b" }, 5 },
	{ { "%r10", "%r10d", "%r10w", "%r10b" }, 9 },
	{ { "%r11", "%r11d", "%r11w", "%r11b" }, 10 },
	{ { "%r12", "%r12d", "%r12w", "%r12b" }, 12 },
	{ { "%r13", "%r13d", "%r13w", "%r13b" }, 13 },
	{ { "%r14", "%r14d", "%r14w", "%r14b" }, 14 },
	{ { "%r15", "%r15d", "%r15w", "%r15b" }, 15 },
};

/* Numbers of rdi rsi rdx rcx r8 r9; the two after them exist on AArch64 alone, as x6 and x7. */
static const unsigned	arguments[NARGUMENTS_AARCH64] = { 7, 6, 2, 1, 8, 9, 16, 17 };

static const struct {
	const char	*name;
	unsigned	 bytes;
	unsigned	 count[MACHINE_NMACHINES];
	unsigned	 encodable;	/* numbers that a name may have */
} classes[REG_NCLASSES] = {
	[REG_GENERAL] = { "%r", 8, { 16, 16 }, 16 },
	[REG_XMM]     = { "%xmm", 16, { 16, 31 }, 32 },
	[REG_YMM]     = { "%ymm", 32, { 16, 0 }, 32 },
	[REG_ZMM]     = { "%zmm", 64, { 32, 0 }, 32 },
	[REG_MASK]    = { "%k", 8, { 8, 0 }, 8 },
	[REG_MMX]     = { "%mm", 8, { 8, 8 }, 8 },
};

unsigned
register_arguments(const struct target *t)
{
	return t->machine == MACHINE_AARCH64 ? NARGUMENTS_AARCH64 : NARGUMENTS;
}

bool
register_logical(const struct target *t, unsigned index, struct reg *to)
{
	if (index >= register_arguments(t))
		return false;
	*to = (struct reg){ REG_GENERAL, arguments[index], 64 };
	return true;
}

unsigned
register_count(const struct target *t, enum register_class class)
{
	return classes[class].count[t->machine];
}

bool
register_class_parse(const char *name, enum register_class *to)
{
	for (int c = 0; c < REG_NCLASSES; c++)
		if (strcmp(name, classes[c].name) == 0) {
			*to = (enum register_class)c;
			return true;
		}
	return false;
}

static bool
parse_general(const char *name, struct reg *to)
{
	for (unsigned n = 0; n < NGENERAL; n++)
		for (unsigned s = 0; s < NSIZES; s++)
			if (strcmp(name, general[n].name[s]) == 0) {
				*to = (struct reg){ REG_GENERAL, n, size_bits[s] };
				return true;
			}
	return false;
}

/* Of "12" all, and only as many as the class has. */
static bool
parse_number(const char *digits, unsigned end, unsigned *to)
{
	char		*rest;
	unsigned long	 number;

	if (*digits < '0' || *digits > '9' || (*digits == '0' && digits[1] != '\0'))
		return false;
	number = strtoul(digits, &rest, 10);
	*to = (unsigned)number;
	return *rest == '\0' && number < end;
}

bool
register_parse(const char *name, struct reg *to)
{
	size_t	stem = strcspn(name, "0123456789");

	if (parse_general(name, to))
		return true;
	for (int c = REG_XMM; c < REG_NCLASSES; c++) {
		*to = (struct reg){ .class = (enum register_class)c };
		if (strlen(classes[c].name) == stem && strncmp(name, classes[c].name, stem) == 0)
			return parse_number(name + stem, classes[c].encodable, &to->number);
	}
	return false;
}

void
register_name(struct reg r, char to[REGISTER_NAME_BYTES])
{
	unsigned	s = 0;

	if (r.class != REG_GENERAL) {
		(void)snprintf(to, REGISTER_NAME_BYTES, "%s%u", classes[r.class].name, r.number);
		return;
	}
	while (s < NSIZES - 1 && size_bits[s] != r.bits)
		s++;
	(void)snprintf(to, REGISTER_NAME_BYTES, "%s",
	    r.number < NGENERAL ? general[r.number].name[s] : "%none");
}

unsigned
register_aarch64(struct reg r)
{
	return r.number < NGENERAL ? general[r.number].aarch64 : r.number - NGENERAL + NARGUMENTS;
}

unsigned
register_bytes(struct reg r)
{
	return r.class == REG_GENERAL ? r.bits / 8 : classes[r.class].bytes;
}
