/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <stdarg.h>
#include <string.h>

#include "client/print/format.h"
#include "client/print/results/entry.h"

enum { LEAST_COLUMNS = 20, UNIT_BYTES = 3 };

void
page_init(struct page *p, FILE *to, size_t terminal_columns, unsigned indent, unsigned label)
{
	*p = (struct page){ .to = to, .indent = indent, .label = label,
	    .columns = terminal_columns != 0 && terminal_columns < PAGE_COLUMNS ?
	    terminal_columns : PAGE_COLUMNS };
}

/* ---- wrapping ---- */

/* "404.3 ns", "95 %": a number and the short word behind it stay together. */
static bool
is_before_unit(const char *text, const char *blank)
{
	const char	*unit = blank + 1;
	size_t		 n = strcspn(unit, " ,;.:)");

	return blank > text && isdigit((unsigned char)blank[-1]) && n <= UNIT_BYTES;
}

/* The bytes of `text` that fit into the line: one word at least. */
static size_t
bytes_of_line(const char *text, size_t columns)
{
	size_t	most = format_cut(text, columns), cut = 0;

	if (text[most] == '\0')
		return most;
	for (size_t i = 0; text[i] != '\0' && (i <= most || cut == 0); i++)
		if (text[i] == ' ' && !is_before_unit(text, text + i))
			cut = i;
	return cut > 0 ? cut : strlen(text);
}

static void
print_wrapped(const struct page *p, const char *label, const char *text)
{
	const size_t	left = p->indent + p->label;
	const size_t	columns = p->columns > left + LEAST_COLUMNS ? p->columns - left :
			    LEAST_COLUMNS;

	(void)fprintf(p->to, "%*s%-*s", (int)p->indent, "", (int)p->label, label);
	for (;;) {
		size_t	n = bytes_of_line(text, columns);

		(void)fwrite(text, 1, n, p->to);
		(void)fputc('\n', p->to);
		text += n;
		if (*text == '\0')
			return;
		text++;				/* the blank */
		(void)fprintf(p->to, "%*s", (int)left, "");
	}
}

/* ---- entries ---- */

void
entry_begin(struct entry *e, const struct page *page, const char *label)
{
	e->page = page;
	e->label = label;
	e->text[0] = '\0';
	e->used = 0;
}

/* `separator` only behind another part. */
static void
append(struct entry *e, const char *separator, const char *fmt, va_list ap)
{
	size_t	room;
	int	n;

	if (e->used > 0 && e->used + strlen(separator) < sizeof e->text)
		e->used = (size_t)(stpcpy(e->text + e->used, separator) - e->text);
	room = sizeof e->text - e->used;
	n = vsnprintf(e->text + e->used, room, fmt, ap);
	if (n > 0)
		e->used += (size_t)n < room ? (size_t)n : room - 1;
}

void
entry_add(struct entry *e, const char *fmt, ...)
{
	va_list	ap;

	va_start(ap, fmt);
	append(e, ", ", fmt, ap);
	va_end(ap);
}

void
entry_clause(struct entry *e, const char *fmt, ...)
{
	va_list	ap;

	va_start(ap, fmt);
	append(e, "; ", fmt, ap);
	va_end(ap);
}

void
entry_append(struct entry *e, const char *fmt, ...)
{
	va_list	ap;

	va_start(ap, fmt);
	append(e, "", fmt, ap);
	va_end(ap);
}

void
entry_end(struct entry *e)
{
	if (e->used > 0)
		print_wrapped(e->page, e->label, format_clean(e->text, false));
}

void
entry_put(const struct page *page, const char *label, const char *fmt, ...)
{
	struct entry	e;
	va_list		ap;

	entry_begin(&e, page, label);
	va_start(ap, fmt);
	append(&e, "", fmt, ap);
	va_end(ap);
	entry_end(&e);
}
