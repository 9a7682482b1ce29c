/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "proto/base/clock.h"
#include "proto/base/log.h"
#include "proto/base/log_limit.h"

static enum log_level	 threshold = LOG_LEVEL_INFO;
static struct log_limit	 limit;
static bool		 is_limited;
static pthread_mutex_t	 lock = PTHREAD_MUTEX_INITIALIZER;	/* of the limit: threads log too */

void
log_set_level(enum log_level level)
{
	threshold = level;
}

enum { LINE_BYTES = 2048 };

/* n bytes and room for one more. */
static void
write_line(char *line, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)line[i] < ' ' || line[i] == 0x7f)
			line[i] = '?';
	line[n++] = '\n';
	if (write(STDERR_FILENO, line, n) < 0) {
		/* Nowhere left to say it. */
	}
}

/* The lock is held. */
static void
report_left_out(bool all)
{
	char	line[LOG_LIMIT_SHORT];
	size_t	n;

	while ((n = log_limit_report(&limit, line, sizeof line - 1, clock_now_s(), all)) != 0)
		write_line(line, n);
}

/* The bytes that may be written, of n and the end of the line. */
static size_t
admit(const char *fmt, enum log_level level, const char *line, size_t n)
{
	size_t	may;

	if (!is_limited || level == LOG_LEVEL_DEBUG)
		return n;
	(void)pthread_mutex_lock(&lock);
	report_left_out(false);
	may = log_limit_take(&limit, fmt, level, strchr(line, ' ') + 1, n + 1, clock_now_s());
	(void)pthread_mutex_unlock(&lock);
	return may > 0 ? may - 1 : 0;
}

/* One write per line, so that lines of several processes on one descriptor stay whole. */
static void
put_line(const char *word, enum log_level level, const char *fmt, va_list ap)
{
	char	line[LINE_BYTES];
	int	saved = errno, n, m;
	size_t	may;

	n = snprintf(line, sizeof line, "%s ", word);
	m = vsnprintf(line + n, sizeof line - (size_t)n - 1, fmt, ap);
	if (m > 0)
		n += m;
	if (n > (int)sizeof line - 2)
		n = (int)sizeof line - 2;
	if ((may = admit(fmt, level, line, (size_t)n)) > 0)
		write_line(line, may);
	errno = saved;
}

void
log_begin_limit(void)
{
	log_limit_init(&limit, clock_now_s());
	is_limited = true;
}

static void
report_now(bool all)
{
	const int	saved = errno;

	(void)pthread_mutex_lock(&lock);
	if (is_limited)
		report_left_out(all);
	(void)pthread_mutex_unlock(&lock);
	errno = saved;
}

void
log_tick(void)
{
	report_now(false);
}

void
log_end(void)
{
	report_now(true);
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
	put_line(&#name[4], (level), fmt, ap);			\
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
	is_limited = false;
	put_line("bug", LOG_LEVEL_ERROR, fmt, ap);
	va_end(ap);
	abort();
}
