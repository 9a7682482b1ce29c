/* SPDX-License-Identifier: Apache-2.0 */
#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "worker/cache/codesize.h"

/* Bytes of code in section i; 0: no code, or a size larger than the file. */
static uint64_t
code_in(int fd, const Elf64_Ehdr *h, unsigned i, uint64_t file_bytes)
{
	Elf64_Shdr	s;

	if (pread(fd, &s, sizeof s, (off_t)(h->e_shoff + (uint64_t)i * sizeof s)) != sizeof s)
		return 0;
	return s.sh_type == SHT_PROGBITS && (s.sh_flags & SHF_EXECINSTR) != 0 &&
	    s.sh_size <= file_bytes ? s.sh_size : 0;
}

static uint64_t
sum_of(int fd)
{
	struct stat	sb;
	Elf64_Ehdr	h;
	uint64_t	bytes = 0;

	if (fstat(fd, &sb) != 0 || pread(fd, &h, sizeof h, 0) != sizeof h)
		return 0;
	if (memcmp(h.e_ident, ELFMAG, SELFMAG) != 0 || h.e_ident[EI_CLASS] != ELFCLASS64 ||
	    h.e_shentsize != sizeof (Elf64_Shdr) || h.e_shoff > (uint64_t)sb.st_size)
		return 0;
	for (unsigned i = 0; i < h.e_shnum; i++)
		bytes += code_in(fd, &h, i, (uint64_t)sb.st_size);
	return bytes;
}

uint64_t
codesize_of(const char *path)
{
	int		fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	uint64_t	bytes;

	if (fd == -1)
		return 0;
	bytes = sum_of(fd);
	close(fd);
	return bytes;
}
