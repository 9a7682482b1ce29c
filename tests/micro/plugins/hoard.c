/* SPDX-License-Identifier: Apache-2.0 */
/* Takes memory until there is no more, and says how much that was. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay-micro.h"

enum { PIECE = 64 << 20, MOST = 4096 };

const unsigned	assay_micro_plugin_version = ASSAY_MICRO_VERSION;

static bool
run(struct program *p, struct fault *why)
{
	static char	*piece[MOST];
	char		 words[64];
	int		 n = 0;

	(void)p;
	while (n < MOST && (piece[n] = malloc(PIECE)) != NULL)
		piece[n++][0] = 1;
	(void)snprintf(words, sizeof words, "no memory behind %d MiB", n * (PIECE >> 20));
	while (n > 0)
		free(piece[--n]);
	return assay_micro_refuse(why, words);
}

int
assay_micro_plugin(struct micro *m)
{
	static const struct assay_micro_pass	pass = {
		.version = ASSAY_MICRO_VERSION, .name = "hoard", .text = "takes all memory",
		.kind = ASSAY_MICRO_PROGRAM, .run = run,
	};

	return assay_micro_insert_after(m, "unroll", &pass) ? 0 : 1;
}
