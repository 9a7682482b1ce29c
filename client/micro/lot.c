/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/micro/decode/batch.h"
#include "client/micro/lot.h"
#include "client/micro/marks.h"

enum { PROGRAMS = 512 };

struct lot {
	struct lot_options	 how;
	json_t			*lines[PROGRAMS];	/* owned */
	size_t			 n;
	struct source_text	 texts[PROGRAMS];	/* of lines with assembly */
	char			*marked[PROGRAMS];	/* owned: these texts, with line marks */
	size_t			 line_of[PROGRAMS];	/* of a text, among the lines */
	struct decoded		 decoded[PROGRAMS];
	size_t			 ntexts;
};

enum status
lot_open(struct lot **to, const struct lot_options *how, struct fault *why)
{
	if ((*to = calloc(1, sizeof **to)) == NULL)
		return fault_set(why, ST_NOMEM, "programs");
	(*to)->how = *how;
	return ST_OK;
}

static void
empty(struct lot *l)
{
	for (size_t i = 0; i < l->n; i++)
		json_decref(l->lines[i]);
	for (size_t i = 0; i < l->ntexts; i++)
		free(l->marked[i]);
	l->n = l->ntexts = 0;
}

void
lot_free(struct lot *l)
{
	if (l != NULL)
		empty(l);
	free(l);
}

static enum status
decode_all(struct lot *l, struct fault *why)
{
	enum status	st = batch_decode(l->how.micro->target.machine, l->texts, l->ntexts,
			    l->decoded, why);

	for (size_t i = 0; i < l->ntexts && st == ST_OK; i++) {
		json_t	*found = decoded_meta(&l->decoded[i]);

		(void)json_object_update(json_object_get(l->lines[l->line_of[i]], "meta"), found);
		json_decref(found);
		if (l->how.for_host)
			st = decoded_check_host(&l->decoded[i], l->texts[i].name, why);
	}
	return st;
}

enum status
lot_flush(struct lot *l, struct fault *why)
{
	enum status	st = l->how.decodes ? decode_all(l, why) : ST_OK;

	for (size_t i = 0; i < l->n && st == ST_OK; i++)
		if (json_dumpf(l->lines[i], stdout, JSON_COMPACT) != 0 || putchar('\n') == EOF)
			st = fault_set(why, ST_IO, "writing to standard output failed");
	empty(l);
	return st;
}

static const char *
text_of(const json_t *line, const char *member)
{
	return json_string_value(json_object_get(line, member));
}

/* A parallel loop is C, even where assembly is asked for; it is built later. */
static enum status
add_text(struct lot *l, const json_t *line, const char *marked, struct fault *why)
{
	if (strcmp(text_of(line, "language"), "asm") != 0)
		return ST_OK;
	if ((l->marked[l->ntexts] = strdup(marked)) == NULL)
		return fault_set(why, ST_NOMEM, "programs");
	l->texts[l->ntexts] = (struct source_text){
		.name = text_of(line, "name"), .text = l->marked[l->ntexts],
		.function = l->how.function != NULL ? l->how.function : text_of(line, "name"),
		.file = l->how.micro->path
	};
	l->line_of[l->ntexts++] = l->n;
	return ST_OK;
}

static enum status
new_line(const struct lot *l, const struct made *p, json_t **line, struct fault *why)
{
	char	*text = marks_without(l->how.micro, p->text);

	*line = text == NULL ? NULL : json_pack("{s:I, s:s, s:s, s:s, s:O}", "index",
	    (json_int_t)p->index, "name", p->name, "language", p->language, "source", text,
	    "meta", p->meta);
	free(text);
	return *line != NULL ? ST_OK :
	    fault_at(why, ST_BAD_SPEC, p->name, "its text is no UTF-8");
}

enum status
lot_add(struct lot *l, const struct made *p, struct fault *why)
{
	json_t		*line;
	enum status	 st;

	if (!json_is_object(p->meta))
		return fault_at(why, ST_BAD_SPEC, p->name, "it has no meta");
	if ((st = new_line(l, p, &line, why)) != ST_OK)
		return st;
	if ((st = add_text(l, line, p->text, why)) != ST_OK) {
		json_decref(line);
		return st;
	}
	l->lines[l->n++] = line;
	return l->n == PROGRAMS ? lot_flush(l, why) : ST_OK;
}
