/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_NOTIFY_ADDRESS_H
#define ASSAY_DAEMON_NOTIFY_ADDRESS_H

#include <stdbool.h>

#include <sys/socket.h>

/*
 * Which addresses a webhook may lead to.  Users write the address, and the daemon's host sends the
 * request: it must not reach what only this host, or its network, is meant to reach.  Checked is
 * the address that is connected to, whatever a name stands for.  Pure.
 */

/*
 * Why it may not be connected to, as "a loopback address"; NULL: it may.  private_too: addresses
 * of private networks may.  IPv6 addresses with an IPv4 address in them are what that is.
 */
const char	*address_refusal(const struct sockaddr *, bool private_too);

/* Of a host that is an address itself, in any form that resolvers take: 0x7f.1, 2130706433. */
const char	*address_literal_refusal(const char *host, bool private_too);

/* The host of "https://host:port/path", without the brackets of an IPv6 one; false: none fits. */
bool		 address_host(const char *url, char *host, unsigned bytes);
/* Is the host in a list "host, host, private"?  Upper and lower case are the same. */
bool		 address_is_listed(const char *list, const char *host);

#endif
