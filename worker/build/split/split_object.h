/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BUILD_SPLIT_SPLIT_OBJECT_H
#define ASSAY_WORKER_BUILD_SPLIT_SPLIT_OBJECT_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * An object in memory, for split.c and split_same.c.  Its bytes are a compiler's, which submitted
 * code may have misled: nothing is read outside of them.
 */
enum { SPLIT_SYMBOLS_MOST = 4096, SPLIT_NONE = 16 };

struct split_object {
	unsigned char		*at;		/* borrowed */
	size_t			 bytes;
	size_t			 nsections, nsymbols;
	uint64_t		 sections;	/* offset of their headers */
	Elf64_Shdr		 names, table, symbol_names;
	size_t			 table_index;
};

/* `symbols` is the type of its table: SHT_SYMTAB or SHT_DYNSYM. */
bool		 split_open(struct split_object *, const void *, size_t bytes, unsigned symbols);

/* Section i, if the object has all of it. */
bool		 split_section(const struct split_object *, size_t i, Elf64_Shdr *);

/* Of a table of names; "" for one that has no end in there. */
const char	*split_name(const struct split_object *, const Elf64_Shdr *names, uint32_t at);
Elf64_Sym	 split_symbol(const struct split_object *, size_t i);

/*
 * Whose symbol or section this is: of "f__assay3", "f__assay3.cold" and ".text.f__assay3" it is 3.
 * SPLIT_NONE: it has no mark, and is there for all.
 */
unsigned	 split_version(const char *name);
unsigned	 split_owner(const struct split_object *, const Elf64_Shdr *);
/* Of the section in which a symbol is defined. */
unsigned	 split_home(const struct split_object *, const Elf64_Sym *);

/* Is it the routine itself, in version k? */
bool		 split_is_routine(const char *name, const char *routine, unsigned k);

bool		 split_has_relocations(const Elf64_Shdr *);
uint32_t	 split_relocation_bytes(const Elf64_Shdr *);

#endif
