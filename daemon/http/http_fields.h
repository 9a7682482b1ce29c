/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_HTTP_HTTP_FIELDS_H
#define ASSAY_DAEMON_HTTP_HTTP_FIELDS_H

#include <stdbool.h>
#include <stdint.h>

/* Values of header fields, by RFC 9110.  No I/O.  What is malformed is taken as absent. */

/* May the answer have this coding ("gzip")?  NULL: the field is absent, and it may not. */
bool	 http_accepts(const char *accept_encoding, const char *coding);
enum { HTTP_HOST_BYTES = 256 };

/* Accept names this type, and the other not with a greater weight.  NULL: the field is absent. */
bool	 http_prefers(const char *accept, const char *type, const char *other);
/*
 * Is one of If-None-Match's tags that of an answer?  tag: without its quotes; the same behind it
 * with "-gz" is that of its gzip form.  NULL: the field is absent.
 */
bool	 http_has_tag(const char *if_none_match, const char *tag);
/* Last-Event-ID of a result, which is its cursor; -1: it is none. */
int64_t	 http_event_id(const char *last_event_id);
/*
 * The name in Host, without port and brackets; false: it is none, as it has more than a name or an
 * address and a port.
 */
bool		 http_host_name(const char *host, char name[HTTP_HOST_BYTES]);
/* Of Host, with or without a port: localhost, or a loopback address. */
bool	 http_is_loopback_name(const char *host);
/*
 * What a browser says of the page that asks: none, or one of ours.  All but the scheme, "http://",
 * may be NULL.
 */
bool	 http_is_own_page(const char *scheme, const char *origin, const char *site,
	    const char *host);

#endif
