/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "daemon/http/http_link.h"
#include "daemon/view/params.h"

static void
put_escaped(struct evbuffer *out, const char *s, size_t n)
{
	static const char	plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789-._~%!$'()*+,:@/&=";

	for (; n > 0; s++, n--) {
		if (*s != '\0' && strchr(plain, *s) != NULL)
			(void)evbuffer_add(out, s, 1);
		else
			(void)evbuffer_add_printf(out, "%%%02X", (unsigned)(unsigned char)*s);
	}
}

/* A parameter, as it came, has this name. */
static bool
is_named(const char *parameter, size_t n, const char *name)
{
	char		*came = strndup(parameter, n);
	struct fault	 why;
	bool		 is;

	if (came == NULL)
		return false;
	came[strcspn(came, "=")] = '\0';
	is = params_unescape(came, true, &why) == ST_OK && strcmp(came, name) == 0;
	free(came);
	return is;
}

bool
http_put_next_link(struct evbuffer *out, const char *path, const char *query, const char *name,
    const char *value)
{
	size_t	n;

	(void)evbuffer_add(out, "<", 1);
	put_escaped(out, path, strlen(path));
	(void)evbuffer_add(out, "?", 1);
	for (; *query != '\0'; query += n, query += *query == '&') {
		n = strcspn(query, "&");
		if (n == 0 || is_named(query, n, name))
			continue;
		put_escaped(out, query, n);
		(void)evbuffer_add(out, "&", 1);
	}
	(void)evbuffer_add_printf(out, "%s=", name);
	put_escaped(out, value, strlen(value));
	return evbuffer_add_printf(out, ">; rel=\"next\"") > 0;
}
