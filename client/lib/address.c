/* SPDX-License-Identifier: Apache-2.0 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/lib/address.h"
#include "client/lib/problem.h"

static const char	known[] = "give a socket's path, ssh://[user@]host[:port][/path], "
			    "https://host[:port], http://host:port or http+unix:PATH";

/* The text behind the prefix; NULL: it has another. */
static const char *
behind(const char *text, const char *prefix)
{
	const size_t	n = strlen(prefix);

	return strncmp(text, prefix, n) == 0 ? text + n : NULL;
}

/* false: it is empty or does not fit. */
static bool
copy_part(char *to, size_t room, const char *from, size_t bytes)
{
	if (bytes == 0 || bytes >= room)
		return false;
	memcpy(to, from, bytes);
	to[bytes] = '\0';
	return true;
}

static int
parse_path(struct address *a, enum address_kind kind, const char *path, struct assay_error *why)
{
	a->kind = kind;
	path += strncmp(path, "//", 2) == 0 ? 2 : 0;
	if (!copy_part(a->path, ADDRESS_SOCKET_BYTES, path, strlen(path)))
		return problem(why, "bad_request", "%.300s: the path of a socket has 1 to %d bytes",
		    path, ADDRESS_SOCKET_BYTES - 1);
	return 0;
}

/* A leading dash would be an option of ssh's. */
static bool
is_name(const char *text)
{
	return text[0] != '-' && text[strcspn(text, " \t\r\n'\"\\$`;&|<>()")] == '\0';
}

/* host[:port], [address of IPv6][:port] */
static bool
split_host(struct address *a, const char *text, size_t bytes)
{
	const char	*end = text + bytes, *colon;
	size_t		 host_bytes;

	if (text < end && *text == '[') {
		const char	*bracket = memchr(text, ']', bytes);

		if (bracket == NULL || !copy_part(a->host, sizeof a->host, text + 1,
		    (size_t)(bracket - text) - 1))
			return false;
		colon = bracket + 1;
	} else {
		colon = memchr(text, ':', bytes);
		host_bytes = colon != NULL ? (size_t)(colon - text) : bytes;
		if (!copy_part(a->host, sizeof a->host, text, host_bytes))
			return false;
		colon = text + host_bytes;
	}
	if (colon == end)
		return true;
	return *colon == ':' && copy_part(a->port, sizeof a->port, colon + 1,
	    (size_t)(end - colon) - 1) && strspn(a->port, "0123456789") == strlen(a->port) &&
	    atoi(a->port) > 0 && atoi(a->port) < 65536;
}

static int
parse_ssh(struct address *a, const char *text, const char *rest, struct assay_error *why)
{
	const size_t	 n = strcspn(rest, "/");
	const char	*at = memchr(rest, '@', n), *host = at != NULL ? at + 1 : rest;
	bool		 ok = at == NULL || copy_part(a->user, sizeof a->user, rest,
			    (size_t)(at - rest));

	a->kind = ADDRESS_SSH;
	ok = ok && split_host(a, host, n - (size_t)(host - rest)) && is_name(a->host) &&
	    is_name(a->user);
	if (ok && rest[n] == '/' && rest[n + 1] != '\0')
		ok = copy_part(a->path, ADDRESS_SOCKET_BYTES, rest + n, strlen(rest + n));
	if (ok)
		return 0;
	(void)problem(why, "bad_request", "%.300s: is no address of a host", text);
	return problem_hint(why, "ssh://[user@]host[:port][/path of the daemon's socket there]");
}

static int
parse_url(struct address *a, enum address_kind kind, const char *text, const char *rest,
    struct assay_error *why)
{
	size_t	n = strlen(text);

	a->kind = kind;
	if (rest[0] == '\0' || rest[0] == '/' || n >= sizeof a->url)
		return problem(why, "bad_request", "%.300s: has no host", text);
	if (strchr(rest, '@') != NULL) {
		(void)problem(why, "bad_request", "an address has no user or password");
		return problem_hint(why, "a token says who calls: $ASSAY_TOKEN, or --token-file");
	}
	while (text[n - 1] == '/')
		n--;
	(void)copy_part(a->url, sizeof a->url, text, n);
	return 0;
}

int
address_parse(struct address *a, const char *text, struct assay_error *why)
{
	const char	*rest;

	memset(a, 0, sizeof *a);
	if ((rest = behind(text, "ssh://")) != NULL)
		return parse_ssh(a, text, rest, why);
	if ((rest = behind(text, "https://")) != NULL)
		return parse_url(a, ADDRESS_HTTPS, text, rest, why);
	if ((rest = behind(text, "http://")) != NULL)
		return parse_url(a, ADDRESS_HTTP, text, rest, why);
	if ((rest = behind(text, "http+unix:")) != NULL)
		return parse_path(a, ADDRESS_HTTP_UNIX, rest, why);
	if ((rest = behind(text, "unix:")) != NULL)
		return parse_path(a, ADDRESS_UNIX, rest, why);
	if (strchr(text, '/') != NULL && strstr(text, "://") == NULL)
		return parse_path(a, ADDRESS_UNIX, text, why);
	(void)problem(why, "bad_request", "%.300s: is no address of a daemon", text);
	return problem_hint(why, "%s", known);
}
