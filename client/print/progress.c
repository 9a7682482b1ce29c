/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "client/print/format.h"
#include "client/print/progress.h"
#include "proto/base/clock.h"

enum {
	BAR_COLUMNS = 24, EVERY_MS = 100, DEFAULT_COLUMNS = 80, TEXT_BYTES = 512,
	/* before there is a speed to go by */
	SPEED_MS = 2000, SPEED_DONE = 3,
	LEFT_BYTES = 64,
};

void
progress_init(struct progress *p, bool quiet)
{
	memset(p, 0, sizeof *p);
	p->on = !quiet && isatty(STDERR_FILENO);
	p->began_ms = clock_now_ms();
	p->last_ms = p->began_ms - EVERY_MS;
	p->first_ms = -1;
}

static size_t
terminal_columns(void)
{
	struct winsize	size;

	return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col :
	    DEFAULT_COLUMNS;
}

/* "[======= ]", or a wheel if there is only one job. */
static void
put_bar(char *to, const struct progress *p, size_t done, size_t of)
{
	size_t	filled = of > 0 ? done * BAR_COLUMNS / of : 0;

	if (of <= 1) {
		(void)sprintf(to, "%c ", "|/-\\"[p->turn % 4]);
		return;
	}
	*to++ = '[';
	memset(to, '=', filled);
	memset(to + filled, ' ', BAR_COLUMNS - filled);
	(void)strcpy(to + BAR_COLUMNS, "] ");
}

/* "about 40 s left", of what has been done since the first look; "" where it is not known. */
static char *
put_left(char text[LEFT_BYTES], struct progress *p, size_t done, size_t of, int64_t now_ms)
{
	double	left_s;

	text[0] = '\0';
	if (p->first_ms < 0) {
		p->first_ms = now_ms;
		p->done_first = done;
	}
	if (done >= of || done < p->done_first + SPEED_DONE || now_ms < p->first_ms + SPEED_MS)
		return text;
	left_s = (double)(now_ms - p->first_ms) * 1e-3 / (double)(done - p->done_first) *
	    (double)(of - done);
	if (left_s < 90)
		(void)snprintf(text, LEFT_BYTES, ", about %.0f s left", left_s);
	else if (left_s < 90 * 60)
		(void)snprintf(text, LEFT_BYTES, ", about %.0f min left", left_s / 60);
	else
		(void)snprintf(text, LEFT_BYTES, ", about %.1f h left", left_s / 3600);
	return text;
}

void
progress_show(struct progress *p, size_t done, size_t of, const char *words)
{
	int64_t	now_ms = clock_now_ms();
	char	text[TEXT_BYTES], bar[BAR_COLUMNS + 4], count[64] = "", left[LEFT_BYTES];

	if (!p->on || now_ms - p->last_ms < EVERY_MS)
		return;
	p->last_ms = now_ms;
	p->turn++;
	put_bar(bar, p, done, of);
	if (of > 1)
		(void)snprintf(count, sizeof count, "%zu of %zu done, ", done, of);
	(void)snprintf(text, sizeof text, "%s%s%s%s%" PRId64 " s%s", bar, count,
	    words != NULL ? words : "", words != NULL && words[0] != '\0' ? ", " : "",
	    (now_ms - p->began_ms) / 1000, put_left(left, p, done, of, now_ms));
	text[format_cut(format_clean(text, false), terminal_columns() - 1)] = '\0';
	(void)fprintf(stderr, "\r\033[K%s", text);
	(void)fflush(stderr);
	p->shown = true;
}

void
progress_clear(struct progress *p)
{
	if (!p->shown)
		return;
	(void)fprintf(stderr, "\r\033[K");
	(void)fflush(stderr);
	p->shown = false;
}
