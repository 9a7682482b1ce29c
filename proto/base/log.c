/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "proto/base/log.h"

static enum log_level	 threshold = LOG_LEVEL_INFO;

void
log_set_level(enum log_level level)
{
	threshold = level;
}

/* One write per line, so that lines of several processes on one descriptor stay whole. */
static void
put_line(const char *level, const char *fmt, va_list ap)
{
	char	line[2048];
	int	saved = errno, n, m;

	n = snprintf(line, sizeof line, "%s ", level);
	m = vsnprintf(line + n, sizeof line - (size_t)n - 1, fmt, ap);
	if (m > 0)
		n += m;
	if (n > (int)sizeof line - 2)
		n = (int)sizeof line - 2;
	for (int i = 0; i < n; i++)
		if ((unsigned char)line[i] < ' ' || line[i] == 0x7f)
			line[i] = '?';
	line[n++] = '\n';
	if (write(STDERR_FILENO, line, (size_t)n) < 0) {
		/* Nowhere left to say it. */
	}
	errno = saved;
}

#define LOG_FUNCTION(name, level)				\
void								\
name(const char *fmt, ...)					\
{								\
	va_list	ap;						\
								\
	if ((level) > threshold)				\
		return;						\
	va_start(ap, fmt);					\
	put_line(&#name[4], fmt, ap);				\
	va_end(ap);						\
}
LOG_FUNCTION(log_error, LOG_LEVEL_ERROR)
LOG_FUNCTION(log_warn, LOG_LEVEL_WARN)
LOG_FUNCTION(log_info, LOG_LEVEL_INFO)
LOG_FUNCTION(log_debug, LOG_LEVEL_DEBUG)

void
bug(const char *fmt, ...)
{
	va_list	ap;

	va_start(ap, fmt);
	put_line("bug", fmt, ap);
	va_end(ap);
	abort();
}
