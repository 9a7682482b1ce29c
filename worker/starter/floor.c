/* SPDX-License-Identifier: Apache-2.0 */
#include <elf.h>

#include "worker/starter/floor.h"

#define BASE	0x400000u

#if defined(__x86_64__)
#define MACHINE	EM_X86_64
/* mov $60, %eax; xor %edi, %edi; syscall */
#define CODE	0xb8, 0x3c, 0, 0, 0, 0x31, 0xff, 0x0f, 0x05
enum { CODE_BYTES = 9 };
#elif defined(__aarch64__)
#define MACHINE	EM_AARCH64
/* mov x8, #93; mov x0, #0; svc #0 */
#define CODE	0xa8, 0x0b, 0x80, 0xd2, 0, 0, 0x80, 0xd2, 0x01, 0, 0, 0xd4
enum { CODE_BYTES = 12 };
#endif

struct smallest {
	Elf64_Ehdr	head;
	Elf64_Phdr	all;
	unsigned char	code[CODE_BYTES];
};

static const struct smallest	program = {
	.head = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
		    EV_CURRENT },
		.e_type = ET_EXEC, .e_machine = MACHINE, .e_version = EV_CURRENT,
		.e_entry = BASE + offsetof(struct smallest, code),
		.e_phoff = offsetof(struct smallest, all), .e_ehsize = sizeof(Elf64_Ehdr),
		.e_phentsize = sizeof(Elf64_Phdr), .e_phnum = 1,
	},
	.all = {
		.p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_vaddr = BASE, .p_paddr = BASE,
		.p_filesz = offsetof(struct smallest, code) + CODE_BYTES,
		.p_memsz = offsetof(struct smallest, code) + CODE_BYTES, .p_align = 0x1000,
	},
	.code = { CODE },
};

const unsigned char	*const floor_program = (const unsigned char *)&program;
const size_t		 floor_bytes = offsetof(struct smallest, code) + CODE_BYTES;
