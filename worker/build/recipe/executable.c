/* SPDX-License-Identifier: Apache-2.0 */
#include <elf.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "worker/build/recipe/executable.h"

#if defined(__x86_64__)
#define HERE	EM_X86_64
#elif defined(__aarch64__)
#define HERE	EM_AARCH64
#else
#define HERE	EM_NONE
#endif

enum { MOST_SEGMENTS = 128, LINKER_BYTES = 256 };

static const struct {
	unsigned	 machine;
	const char	*name;
} machines[] = {
	{ EM_X86_64, "x86-64" }, { EM_AARCH64, "AArch64" }, { EM_386, "x86, 32 bits" },
	{ EM_ARM, "ARM, 32 bits" }, { EM_RISCV, "RISC-V" }, { EM_PPC64, "POWER" },
	{ EM_S390, "IBM Z" },
};

static const char *
machine_name(unsigned machine)
{
	for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++)
		if (machines[i].machine == machine)
			return machines[i].name;
	return "another machine";
}

static enum status
refuse(struct fault *why, const char *reason)
{
	return fault_set(why, ST_LOAD_FAILED, "not a program: %s", reason);
}

/* Both classes have type and machine in the same place. */
static enum status
check_head(const Elf64_Ehdr *h, size_t n, struct fault *why)
{
	if (n >= 2 && memcmp(h, "#!", 2) == 0)
		return refuse(why, "a script, which would start another program");
	if (n < sizeof *h || memcmp(h->e_ident, ELFMAG, SELFMAG) != 0)
		return refuse(why, "not ELF");
	if (h->e_machine != HERE)
		return fault_set(why, ST_LOAD_FAILED, "not a program for this machine: it is for "
		    "%s, and this is %s", machine_name(h->e_machine), machine_name(HERE));
	if (h->e_ident[EI_CLASS] != ELFCLASS64 || h->e_ident[EI_DATA] != ELFDATA2LSB)
		return refuse(why, "not ELF of 64 bits");
	if (h->e_type == ET_REL)
		return refuse(why, "a relocatable object; its language is \"object\"");
	if (h->e_type != ET_EXEC && h->e_type != ET_DYN)
		return refuse(why, "no executable");
	if (h->e_phentsize != sizeof(Elf64_Phdr) || h->e_phnum == 0 ||
	    h->e_phnum > MOST_SEGMENTS || h->e_phoff > n ||
	    n - h->e_phoff < (size_t)h->e_phnum * sizeof(Elf64_Phdr))
		return refuse(why, "its program headers are not in the file");
	return ST_OK;
}

/* The path behind PT_INTERP. */
static enum status
check_linker(const char *bytes, const Elf64_Phdr *p, struct fault *why)
{
	char	path[LINKER_BYTES];

	if (p->p_filesz < 2 || p->p_filesz > sizeof path ||
	    bytes[p->p_offset + p->p_filesz - 1] != '\0')
		return refuse(why, "the path of its dynamic linker is none");
	memcpy(path, bytes + p->p_offset, p->p_filesz);
	if (path[0] != '/')
		return refuse(why, "the path of its dynamic linker is none");
	if (access(path, X_OK) == 0)
		return ST_OK;
	for (char *c = path; *c != '\0'; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
	(void)fault_set(why, ST_LOAD_FAILED, "its dynamic linker %s is not on this host", path);
	fault_hint(why, "link it statically");
	return ST_LOAD_FAILED;
}

static bool
has_entry(const Elf64_Phdr *p, uint64_t entry)
{
	return p->p_type == PT_LOAD && (p->p_flags & PF_X) != 0 && entry >= p->p_vaddr &&
	    entry - p->p_vaddr < p->p_filesz;
}

enum status
executable_check(const void *bytes, size_t n, struct fault *why)
{
	Elf64_Ehdr	h = { .e_type = ET_NONE };
	bool		enters = false;
	enum status	st;

	memcpy(&h, bytes, n < sizeof h ? n : sizeof h);
	if ((st = check_head(&h, n, why)) != ST_OK)
		return st;
	for (unsigned i = 0; i < h.e_phnum; i++) {
		Elf64_Phdr	p;

		memcpy(&p, (const char *)bytes + h.e_phoff + i * sizeof p, sizeof p);
		if (p.p_type != PT_LOAD && p.p_type != PT_INTERP)
			continue;
		if (p.p_offset > n || p.p_filesz > n - p.p_offset)
			return refuse(why, "the file ends before its segments do");
		if (p.p_type == PT_INTERP && (st = check_linker(bytes, &p, why)) != ST_OK)
			return st;
		enters |= has_entry(&p, h.e_entry);
	}
	return enters ? ST_OK :
	    refuse(why, "a shared object without an entry; it takes a main to start");
}
