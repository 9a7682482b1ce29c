/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a cheat finds what is not its own: the memory shared with the supervisor, the driver, and
 * the functions that the runner calls through a table.  Of use in a constructor, while memory may
 * still be made writable. cheats.py puts this text into a cheat's source.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rt.h"

#define MAYBE_UNUSED __attribute__((unused))

/* The kernel reads a mask of signals there, before it finds that it shall do nothing with it. */
static MAYBE_UNUSED int
can_be_read(const void *at)
{
	return syscall(SYS_rt_sigprocmask, -1, at, NULL, 8) == -1 && errno == EINVAL;
}

static MAYBE_UNUSED int
is_header(const char *at)
{
	return (uintptr_t)at > 4096 && (uintptr_t)at % 4096 == 0 && can_be_read(at) &&
	    *(const uint32_t *)(const void *)at == SHM_MAGIC;
}

/* The header is where a pointer in the runner's data leads. */
static MAYBE_UNUSED int
find_header(struct dl_phdr_info *of, size_t size, void *arg)
{
	char	**found = arg;

	(void)size;
	for (int i = 0; i < of->dlpi_phnum; i++) {
		const ElfW(Phdr)	*p = &of->dlpi_phdr[i];
		char			**word = (char **)(of->dlpi_addr + p->p_vaddr);

		if (p->p_type != PT_LOAD || !(p->p_flags & PF_W))
			continue;
		for (size_t n = p->p_memsz / sizeof *word; n-- > 0; word++)
			if (is_header(*word))
				*found = *word;
	}
	return 1;				/* the first is the runner's own */
}

/* Memory of a lane, `at` bytes from its beginning; NULL: it cannot be had. */
static MAYBE_UNUSED void *
memory_of(int lane, size_t at)
{
	char		*header = NULL;
	uint64_t	 lane_bytes;

	dl_iterate_phdr(find_header, &header);
	if (header == NULL)
		return NULL;
	memcpy(&lane_bytes, header + LANE_BYTES, sizeof lane_bytes);
	return header + HEADER_BYTES + (size_t)lane * lane_bytes + at;
}

/* A comparison has each side on the other's lane in every second group; that one cannot be read. */
static MAYBE_UNUSED void *
shared(size_t at)
{
	void	*own = memory_of(LANE, at);

	return can_be_read(own) ? own : memory_of(1 - LANE, at);
}

/* Where an area of the lane begins whose place the header has. */
static MAYBE_UNUSED char *
area(size_t place)
{
	char		*header = NULL;
	uint64_t	 at;

	dl_iterate_phdr(find_header, &header);
	if (header == NULL)
		return NULL;
	memcpy(&at, header + place, sizeof at);
	return shared(at);
}

static MAYBE_UNUSED int
make_writable(const void *at, size_t bytes, int how)
{
	const uintptr_t	from = (uintptr_t)at & -(uintptr_t)4096;

	return mprotect((void *)from, (uintptr_t)at + bytes - from, how) == 0;
}

/* The driver's table, to be changed; NULL: it cannot be had. */
static MAYBE_UNUSED struct rt_driver *
driver(void)
{
	void			*handle = dlopen("./driver.so", RTLD_NOW | RTLD_NOLOAD);
	struct rt_driver	*d = handle != NULL ? dlsym(handle, "assay_driver") : NULL;

	return d != NULL && make_writable(d, sizeof *d, PROT_READ | PROT_WRITE) ? d : NULL;
}

struct wanted {
	const char	*name;
	void		**slot;
};

static MAYBE_UNUSED uintptr_t
entry_of(const ElfW(Dyn) *d, ElfW(Sxword) tag)
{
	while (d->d_tag != DT_NULL && d->d_tag != tag)
		d++;
	return d->d_tag == tag ? d->d_un.d_ptr : 0;
}

static MAYBE_UNUSED void
look_in(struct wanted *w, uintptr_t base, const ElfW(Dyn) *d, ElfW(Sxword) table, ElfW(Sxword) size)
{
	const ElfW(Sym)		*symbol = (const void *)entry_of(d, DT_SYMTAB);
	const char		*text = (const void *)entry_of(d, DT_STRTAB);
	const ElfW(Rela)	*r = (const void *)entry_of(d, table);
	size_t			 n = r != NULL ? entry_of(d, size) / sizeof *r : 0;

	for (size_t i = 0; i < n; i++)
		if (strcmp(text + symbol[ELF64_R_SYM(r[i].r_info)].st_name, w->name) == 0)
			w->slot = (void **)(base + r[i].r_offset);
}

static MAYBE_UNUSED int
look_at(struct dl_phdr_info *of, size_t bytes, void *arg)
{
	(void)bytes;
	for (int i = 0; i < of->dlpi_phnum; i++) {
		const ElfW(Phdr)	*p = &of->dlpi_phdr[i];
		const ElfW(Dyn)		*d = (const void *)(of->dlpi_addr + p->p_vaddr);

		if (p->p_type != PT_DYNAMIC)
			continue;
		look_in(arg, of->dlpi_addr, d, DT_JMPREL, DT_PLTRELSZ);
		look_in(arg, of->dlpi_addr, d, DT_RELA, DT_RELASZ);
	}
	return 1;				/* the first is the runner's own */
}

/* The runner calls `instead` from now on; the function that it called before, or NULL. */
static MAYBE_UNUSED void *
runner_calls(const char *name, void *instead)
{
	struct wanted	 w = { name, NULL };
	void		*before;

	dl_iterate_phdr(look_at, &w);
	if (w.slot == NULL || !make_writable(w.slot, sizeof *w.slot, PROT_READ | PROT_WRITE))
		return NULL;
	before = *w.slot;
	*w.slot = instead;
	return before;
}
