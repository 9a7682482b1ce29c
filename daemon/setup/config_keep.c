/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "daemon/setup/config_parts.h"

enum { MAX_KEEP_DAYS = 36500 };

enum status
config_set_keep(void *config, const char *v, struct fault *why)
{
	static const char	letters[] = "dhw";
	static const uint64_t	seconds[] = { 86400, 3600, 7 * 86400 };
	struct config		*c = config;
	char			*end;
	const unsigned long	 n = strtoul(v, &end, 10);
	const char		*unit = *end != '\0' ? strchr(letters, *end) : NULL;

	if (strcmp(v, "0") == 0) {
		c->keep_s = 0;
		return ST_OK;
	}
	if (v[0] < '0' || v[0] > '9' || unit == NULL || end[1] != '\0' || n == 0 ||
	    n > MAX_KEEP_DAYS)
		return fault_set(why, ST_BAD_REQUEST, "\"%s\" must be 0, or a number up to %d "
		    "with its unit: 90d, 12h or 4w", v, MAX_KEEP_DAYS);
	c->keep_s = n * seconds[unit - letters];
	return ST_OK;
}
