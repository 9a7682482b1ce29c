/* SPDX-License-Identifier: Apache-2.0 */
/* A log reader: pages of the log are searched for words, each page for several; hits are noted. */
#include <string.h>

#include "app.h"

int	 count_word(int n, const char *text, int m, const char *word);

enum { PAGES = 32, BYTES = 8192, WORD = 8, NWORDS = 6 };
const int	 app_places = 4, app_steps = 150;

static const char	*const words[] = { "error", "timeout", "session", "warning", "connect",
	"info", "user", "closed", "retry", "host", "disk", "from", "after", "request" };
enum { VOCABULARY = sizeof words / sizeof words[0] };

struct place {
	char	*log, *word;
	int	 page, hits, length;
};

static void
write_log(char *log)
{
	for (size_t at = 0; at < PAGES * BYTES;) {
		const char	*w = words[app_draw(VOCABULARY)];
		size_t		 length = strlen(w);

		if (length > PAGES * BYTES - at)
			length = PAGES * BYTES - at;
		memcpy(log + at, w, length);
		at += length;
		if (at < PAGES * BYTES)
			log[at++] = app_draw(9) == 0 ? '\n' : ' ';
	}
}

void *
app_place(void)
{
	struct place	*p = app_memory(sizeof *p);

	p->log = app_memory(PAGES * BYTES);
	p->word = app_memory(WORD);
	write_log(p->log);
	memcpy(p->word, "timeout", WORD);
	p->length = 7;
	p->page = p->hits = 0;
	return p;
}

void
app_call(void *place)
{
	struct place	*p = place;

	p->hits += count_word(BYTES, p->log + (size_t)p->page * BYTES, p->length, p->word);
}

/* The page after the last word; a line for the report. */
void
app_between(void *place, int step)
{
	struct place	*p = place;
	static char	 report[4096];

	memcpy(report + (step % 32) * 64, p->log + (size_t)p->page * BYTES, 64);
	p->page = (p->page + 1) % PAGES;
}
