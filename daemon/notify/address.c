/* SPDX-License-Identifier: Apache-2.0 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "daemon/notify/address.h"

struct range {
	unsigned char	 first[16];
	unsigned	 bits;
	const char	*what;
	bool		 is_private;	/* a network's own: an operator may allow it */
};

/* IANA's special-purpose registries, and the addresses of clouds' metadata services. */
static const struct range	v4[] = {
	{ { 0 }, 8, "an address of this host", false },
	{ { 127 }, 8, "a loopback address", false },
	{ { 169, 254 }, 16, "a link-local address", false },
	{ { 100, 100, 100, 200 }, 32, "a metadata service", false },
	{ { 168, 63, 129, 16 }, 32, "a metadata service", false },
	{ { 192, 0, 0 }, 24, "a special address", false },
	{ { 192, 0, 2 }, 24, "a special address", false },
	{ { 192, 88, 99 }, 24, "a special address", false },
	{ { 198, 18 }, 15, "a special address", false },
	{ { 198, 51, 100 }, 24, "a special address", false },
	{ { 203, 0, 113 }, 24, "a special address", false },
	{ { 224 }, 4, "a multicast address", false },
	{ { 240 }, 4, "a special address", false },
	{ { 10 }, 8, "a private address", true },
	{ { 172, 16 }, 12, "a private address", true },
	{ { 192, 168 }, 16, "a private address", true },
	{ { 100, 64 }, 10, "a private address", true },
};
static const struct range	v6[] = {
	{ { 0 }, 127, "a loopback address", false },	/* :: and ::1 */
	{ { 0xfe, 0x80 }, 10, "a link-local address", false },
	{ { 0xfe, 0xc0 }, 10, "a site-local address", false },
	{ { 0xff }, 8, "a multicast address", false },
	/* fd00:ec2::254 and fd20:ce::254 */
	{ { 0xfd, 0, 0x0e, 0xc2, [14] = 0x02, 0x54 }, 128, "a metadata service", false },
	{ { 0xfd, 0x20, 0, 0xce, [14] = 0x02, 0x54 }, 128, "a metadata service", false },
	{ { 0x01, 0 }, 64, "a special address", false },
	{ { 0x20, 0x01, 0, 0 }, 23, "a special address", false },	/* Teredo is in it */
	{ { 0x20, 0x01, 0x0d, 0xb8 }, 32, "a special address", false },
	{ { 0x3f, 0xff }, 20, "a special address", false },
	{ { 0x5f, 0 }, 16, "a special address", false },
	{ { 0xfc }, 7, "a private address", true },
};

/* Prefixes of IPv6 addresses that have an IPv4 address at a place in them. */
static const struct embedding {
	unsigned char	prefix[12];
	unsigned	bits, at;
} embeddings[] = {
	{ { [10] = 0xff, 0xff }, 96, 12 },		/* ::ffff:0:0/96, mapped */
	{ { [8] = 0xff, 0xff }, 96, 12 },		/* ::ffff:0:0:0/96, translated */
	{ { 0x00, 0x64, 0xff, 0x9b }, 96, 12 },		/* 64:ff9b::/96, NAT64 */
	{ { 0x20, 0x02 }, 16, 2 },			/* 2002::/16, 6to4 */
};

static bool
begins_with(const unsigned char *address, const unsigned char *prefix, unsigned bits)
{
	const unsigned	whole = bits / 8, rest = bits % 8;

	return memcmp(address, prefix, whole) == 0 && (rest == 0 ||
	    (address[whole] ^ prefix[whole]) >> (8 - rest) == 0);
}

static const char *
find(const struct range *r, size_t n, const unsigned char *address, bool private_too)
{
	for (size_t i = 0; i < n; i++)
		if (begins_with(address, r[i].first, r[i].bits))
			return r[i].is_private && private_too ? NULL : r[i].what;
	return NULL;
}

static const char *
refusal_v4(const unsigned char *address, bool private_too)
{
	return find(v4, sizeof v4 / sizeof v4[0], address, private_too);
}

/* 64:ff9b:1::/48 is a network's own translation, whose form only that network knows. */
static const char *
refusal_v6(const unsigned char *address, bool private_too)
{
	static const unsigned char	none[16], local[] = { 0x00, 0x64, 0xff, 0x9b, 0x00, 0x01 };
	const char			*what;

	if ((what = find(v6, sizeof v6 / sizeof v6[0], address, private_too)) != NULL)
		return what;
	if (begins_with(address, local, 48))
		return "a special address";
	if (begins_with(address, none, 96))		/* ::a.b.c.d, of old */
		return "a special address";
	for (size_t i = 0; i < sizeof embeddings / sizeof embeddings[0]; i++)
		if (begins_with(address, embeddings[i].prefix, embeddings[i].bits))
			return refusal_v4(address + embeddings[i].at, private_too);
	return NULL;
}

const char *
address_refusal(const struct sockaddr *sa, bool private_too)
{
	struct sockaddr_in	in;
	struct sockaddr_in6	in6;

	if (sa->sa_family == AF_INET) {
		memcpy(&in, sa, sizeof in);
		return refusal_v4((const unsigned char *)&in.sin_addr, private_too);
	}
	if (sa->sa_family != AF_INET6)
		return "no address of the internet";
	memcpy(&in6, sa, sizeof in6);
	return refusal_v6(in6.sin6_addr.s6_addr, private_too);
}

const char *
address_literal_refusal(const char *host, bool private_too)
{
	struct sockaddr_in	in = { .sin_family = AF_INET };
	struct sockaddr_in6	in6 = { .sin6_family = AF_INET6 };

	if (inet_aton(host, &in.sin_addr) != 0)
		return address_refusal((const struct sockaddr *)&in, private_too);
	if (inet_pton(AF_INET6, host, &in6.sin6_addr) == 1)
		return address_refusal((const struct sockaddr *)&in6, private_too);
	return NULL;
}

/* ---- hosts ---- */

bool
address_host(const char *url, char *host, unsigned bytes)
{
	const char	*at = strstr(url, "://");
	size_t		 n;

	if (at == NULL)
		return false;
	at += strlen("://");
	n = *at == '[' ? strcspn(at, "]") : strcspn(at, ":/?#");
	if (*at == '[') {
		if (at[n] != ']')
			return false;
		at++;
		n--;
	}
	if (n == 0 || n >= bytes || memchr(at, '@', n) != NULL)
		return false;
	memcpy(host, at, n);
	host[n] = '\0';
	return true;
}

bool
address_is_listed(const char *list, const char *host)
{
	for (size_t n; *list != '\0'; list += n) {
		list += strspn(list, " ,");
		n = strcspn(list, " ,");
		if (n == strlen(host) && n > 0 && strncasecmp(list, host, n) == 0)
			return true;
	}
	return false;
}
