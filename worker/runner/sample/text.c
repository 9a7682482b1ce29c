/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/runner/sample/text.h"

#define LENGTHS	0xa54ff53a5f1d36f1u	/* names the stream of the words' lengths */

void
rt_text(const struct stream *s, char *at, uint64_t bytes)
{
	const struct stream	lengths = { s->seed ^ LENGTHS, s->secret };
	uint64_t		line = 0, i = 0;	/* a line began there */

	for (uint64_t word = 0; i < bytes; word++) {
		uint64_t	left = 1 + stream_below(&lengths, word, RT_TEXT_WORD);

		for (; left > 0 && i < bytes; left--, i++)
			at[i] = (char)('a' + stream_below(s, i, 26));
		if (i == bytes)
			break;
		at[i] = i - line < RT_TEXT_LINE ? ' ' : '\n';
		line = at[i] == '\n' ? i + 1 : line;
		i++;
	}
	if (bytes != 0)
		at[bytes - 1] = '\n';
}
