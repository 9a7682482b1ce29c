/* SPDX-License-Identifier: Apache-2.0 */
#include "client/import/functions.h"
#include "client/import/scan.h"
#include "proto/base/name.h"

/* One statement or function from *at on.  True: a function, with its body from *at on. */
static bool
read_outer(const struct foreign *s, const char **at, const char *end, struct function *f)
{
	const char	*start = *at, *c = start, *close;
	struct span	 word = { start, 0 };

	for (; c < end; c = scan_outline(s->text, c, end)) {
		if (*c == ';' || *c == '}') {
			*at = c + 1;
			return false;
		}
		if (*c == '(' || *c == '{' || *c == '[') {
			if ((close = scan_close(c, end)) == end)
				break;
			if (*c == '(' && word.n > 0)
				*f = (struct function){ word, span_between(start, close + 1) };
			c = scan_outline(s->text, close + 1, end);
			if (f->head.n > 0 && c < end && *c == '{') {
				*at = c;
				return true;
			}
			word.n = 0;
			continue;
		}
		word = (struct span){ c, name_length(c) };
		c = scan_past(c, end);
	}
	*at = end;
	return false;
}

bool
function_next(const struct foreign *s, const char **at, struct function *f)
{
	const char	*end = s->text + s->bytes;

	for (*at = scan_outline(s->text, *at, end); *at < end;
	    *at = scan_outline(s->text, *at, end)) {
		if (**at == '{') {		/* a body */
			*at = scan_close(*at, end);
			*at += *at < end;
			continue;
		}
		*f = (struct function){ { *at, 0 }, { *at, 0 } };
		if (read_outer(s, at, end, f))
			return true;
	}
	return false;
}
