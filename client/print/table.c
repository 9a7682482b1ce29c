/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "client/print/format.h"
#include "client/print/style.h"
#include "client/print/table.h"
#include "proto/json/markdown.h"

enum { GAP = 2, FIRST_ROWS = 32 };

struct table {
	const struct table_column	*columns;	/* borrowed */
	size_t				 ncolumns;
	char				**cells;	/* owned, each text too; nrows × ncolumns */
	size_t				 nrows, room;
	size_t				 width[TABLE_MAX_COLUMNS];	/* 0: all cells are empty */
};

enum status
table_new(struct table **out, const struct table_column *columns, struct fault *why)
{
	struct table	*t;

	*out = NULL;
	if ((t = calloc(1, sizeof *t)) == NULL)
		return fault_set(why, ST_NOMEM, "table");
	t->columns = columns;
	while (columns[t->ncolumns].heading != NULL && t->ncolumns < TABLE_MAX_COLUMNS)
		t->ncolumns++;
	*out = t;
	return ST_OK;
}

void
table_free(struct table *t)
{
	if (t == NULL)
		return;
	for (size_t i = 0; i < t->nrows * t->ncolumns; i++)
		free(t->cells[i]);
	free(t->cells);
	free(t);
}

size_t
table_rows(const struct table *t)
{
	return t->nrows;
}

/* Of a column with its heading; 0: it is left out. */
static size_t
wide_of(const struct table *t, size_t column)
{
	const size_t	heading = format_width(t->columns[column].heading);

	return t->width[column] == 0 || t->width[column] > heading ? t->width[column] : heading;
}

size_t
table_width(const struct table *t)
{
	size_t	width = 0;

	for (size_t c = 0; c < t->ncolumns; c++)
		if (t->width[c] != 0)
			width += wide_of(t, c) + (width > 0 ? GAP : 0);
	return width;
}

static bool
grow(struct table *t)
{
	size_t	  room = t->room * 2 + FIRST_ROWS;
	char	**more;

	if (t->nrows < t->room)
		return true;
	if ((more = realloc(t->cells, room * t->ncolumns * sizeof *more)) == NULL)
		return false;
	t->cells = more;
	t->room = room;
	return true;
}

enum status
table_add(struct table *t, const char *const *cells, struct fault *why)
{
	char	**row;

	if (!grow(t))
		return fault_set(why, ST_NOMEM, "table");
	row = t->cells + t->nrows * t->ncolumns;
	for (size_t c = 0; c < t->ncolumns; c++) {
		if ((row[c] = format_shown(cells[c] != NULL ? cells[c] : "")) == NULL) {
			while (c > 0)
				free(row[--c]);
			return fault_set(why, ST_NOMEM, "table");
		}
	}
	t->nrows++;
	for (size_t c = 0; c < t->ncolumns; c++) {
		size_t	width = format_width(row[c]);

		t->width[c] = width > t->width[c] ? width : t->width[c];
	}
	return ST_OK;
}

/* ---- Markdown ---- */

/* Without memory the cell is empty. */
static void
print_escaped(FILE *to, const char *cell)
{
	struct text	 escaped = { .at = NULL };
	char		*text;

	markdown_put(&escaped, cell);
	text = text_take(&escaped);
	(void)fputs(text != NULL ? text : "", to);
	free(text);
}

/* A line of cells; NULL: the headings. */
static void
print_markdown_row(const struct table *t, FILE *to, char *const *row)
{
	for (size_t c = 0; c < t->ncolumns; c++) {
		if (t->width[c] == 0)
			continue;
		(void)fputs("| ", to);
		print_escaped(to, row != NULL ? row[c] : t->columns[c].heading);
		(void)fputc(' ', to);
	}
	(void)fputs("|\n", to);
}

/* Empty lines part the table from text; at the top of a file there is none. */
static void
print_markdown(const struct table *t, FILE *to)
{
	if (ftello(to) != 0)
		(void)fputc('\n', to);
	print_markdown_row(t, to, NULL);
	for (size_t c = 0; c < t->ncolumns; c++)
		if (t->width[c] != 0)
			(void)fputs(t->columns[c].right ? "| --: " : "| :-- ", to);
	(void)fputs("|\n", to);
	for (size_t r = 0; r < t->nrows; r++)
		print_markdown_row(t, to, t->cells + r * t->ncolumns);
	(void)fputc('\n', to);
}

/* ---- text ---- */

static void
print_padding(FILE *to, size_t n)
{
	(void)fprintf(to, "%*s", (int)n, "");
}

/* Headings stand out, and so do the words for how something ended. */
static enum style
style_of(const struct table *t, size_t column, const char *cell, bool is_heading)
{
	const char	*heading = t->columns[column].heading;

	if (is_heading)
		return STYLE_HEADING;
	return strcmp(heading, "status") == 0 || strcmp(heading, "verdict") == 0 ?
	    style_of_word(cell) : STYLE_PLAIN;
}

static void
print_cell(FILE *to, const char *cell, size_t bytes, enum style style)
{
	if (style != STYLE_PLAIN)
		(void)fputs(style_on(to, style), to);
	(void)fwrite(cell, 1, bytes, to);
	if (style != STYLE_PLAIN)
		(void)fputs(style_on(to, STYLE_PLAIN), to);
}

/* One line: the cells of each column that is not empty, cut to `columns` (0: not cut). */
static void
print_line(const struct table *t, FILE *to, size_t columns, char *const *row)
{
	/* `owed`: blanks in front of the next text, so that no line ends with blanks */
	size_t	at = 0, owed = 0;

	for (size_t c = 0; c < t->ncolumns; c++) {
		const char	*cell = row != NULL ? row[c] : t->columns[c].heading;
		size_t		 wide, room, used = format_width(cell);

		if ((wide = wide_of(t, c)) == 0)
			continue;
		owed += (at + owed > 0 ? GAP : 0) + (t->columns[c].right ? wide - used : 0);
		if (columns != 0 && at + owed >= columns)
			break;
		if (used > 0) {
			print_padding(to, owed);
			at += owed;
			owed = 0;
			room = columns == 0 || columns > at + used ? used : columns - at;
			print_cell(to, cell, format_cut(cell, room),
			    style_of(t, c, cell, row == NULL));
			at += used;
		}
		owed += t->columns[c].right ? 0 : wide - used;
	}
	(void)fputc('\n', to);
}

void
table_print(const struct table *t, FILE *to, size_t columns)
{
	if (t->nrows == 0)
		return;
	if (style_is_markdown()) {
		print_markdown(t, to);
		return;
	}
	print_line(t, to, columns, NULL);
	for (size_t r = 0; r < t->nrows; r++)
		print_line(t, to, columns, t->cells + r * t->ncolumns);
}
