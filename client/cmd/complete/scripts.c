/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>
#include <string.h>

#include "client/cmd/complete/scripts.h"

/* The bytes of a file in the tree, as text. */
#define EMBED(shell)								\
	__asm__("	.section .rodata\n"						\
	    "script_" #shell ":\n	.incbin \"client/completion/assay." #shell "\"\n"	\
	    "	.byte 0\n	.previous\n");						\
	extern const char	script_##shell[] __attribute__((visibility("hidden")))

EMBED(bash);
EMBED(zsh);
EMBED(fish);

const char *
scripts_of(const char *shell)
{
	return strcmp(shell, "bash") == 0 ? script_bash : strcmp(shell, "zsh") == 0 ? script_zsh :
	    strcmp(shell, "fish") == 0 ? script_fish : NULL;
}
