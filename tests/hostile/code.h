/* SPDX-License-Identifier: Apache-2.0 */
/* Where the code of others lies: of the runner (""), the driver, a library. */
#define _GNU_SOURCE
#include <link.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096 };

struct looked_for {
	const char	*name;
	char		*at;
};

static int
look(struct dl_phdr_info *of, size_t bytes, void *arg)
{
	struct looked_for	*l = arg;

	(void)bytes;
	for (int i = 0; i < of->dlpi_phnum && strstr(of->dlpi_name, l->name) != NULL; i++)
		if (of->dlpi_phdr[i].p_type == PT_LOAD && (of->dlpi_phdr[i].p_flags & PF_X) != 0)
			l->at = (char *)((of->dlpi_addr + of->dlpi_phdr[i].p_vaddr) & -PAGE);
	return l->at != NULL;
}

/* Its first page. */
static char *
code_of(const char *name)
{
	struct looked_for	l = { name, NULL };

	dl_iterate_phdr(look, &l);
	return l.at;
}
