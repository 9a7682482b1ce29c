/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "daemon/api/api_impl.h"
#include "daemon/export/export.h"

/* A call of sweep.export: one page. */
struct page_call {
	const struct export_format	*format;
	struct export			*export;	/* owned */
	struct evbuffer			*out;		/* owned; NULL: handed on */
};

static void
free_text(const void *data, size_t bytes, void *arg)
{
	(void)data;
	(void)bytes;
	free(arg);
}

/* {"format":…,"type":…,"text":…,"cursor":…} */
static char *
reply_of(const struct page_call *p, const char *page)
{
	const json_t	*damaged = export_damaged(p->export);
	struct text	 t = { .at = NULL };
	char		 cursor[EXPORT_CURSOR_BYTES];

	export_cursor(p->export, cursor);
	text_char(&t, '{');
	text_name(&t, "format");
	text_string(&t, export_name(p->format));
	text_name(&t, "type");
	text_string(&t, export_type(p->format));
	text_name(&t, "text");
	text_string(&t, page);
	text_name(&t, "cursor");
	if (export_is_over(p->export))
		text_null(&t);
	else
		text_string(&t, cursor);
	if (damaged != NULL) {
		text_name(&t, "damaged");
		text_json(&t, damaged);
	}
	text_char(&t, '}');
	return text_take(&t);
}

static enum status
read_export(struct store *store, void *arg, struct fault *why)
{
	struct page_call	*p = arg;
	struct text		 t = { .at = NULL };
	enum status		 st = export_page(p->export, store, &t, why);
	char			*page = text_take(&t), *reply = NULL;

	if (st == ST_OK && page != NULL)
		reply = reply_of(p, page);
	free(page);
	if (st != ST_OK)
		return st;
	if (reply != NULL && evbuffer_add_reference(p->out, reply, strlen(reply), free_text,
	    reply) == 0)
		return ST_OK;
	free(reply);
	return fault_set(why, ST_NOMEM, "export");
}

static enum status
answer_export(struct call *c, void *arg, struct fault *why)
{
	struct page_call	*p = arg;
	struct evbuffer		*out = p->out;

	(void)why;
	p->out = NULL;
	api_note_damaged(c->api, export_damaged(p->export));
	return call_answer_text(c, out);
}

static void
free_export(void *arg)
{
	struct page_call	*p = arg;

	if (p->out != NULL)
		evbuffer_free(p->out);
	export_free(p->export);
	free(p);
}

static enum status
open_page(struct call *c, struct page_call *p, const json_t *params, struct fault *why)
{
	const char		*cursor = json_string_value(json_object_get(params, "cursor"));
	struct sweep_row	 sweep;
	enum status		 st;

	st = export_find(&p->format, json_string_value(json_object_get(params, "format")), why);
	if (st != ST_OK || (st = api_find_sweep(c->api, json_object_get(params, "sweep"), &sweep,
	    why)) != ST_OK)
		return st;
	p->out = evbuffer_new();
	p->export = export_new(p->format, sweep.id, api_may_change(c, sweep.submitter));
	if (p->out == NULL || p->export == NULL)
		return fault_set(why, ST_NOMEM, "export");
	return cursor != NULL ? export_resume(p->export, cursor, why) : ST_OK;
}

enum status
api_sweep_export(struct call *c, const json_t *params, struct fault *why)
{
	static const struct lookup	lookup = { read_export, answer_export, free_export, false };
	struct page_call		*p = calloc(1, sizeof *p);
	enum status			 st;

	if (p == NULL)
		return fault_set(why, ST_NOMEM, "export");
	if ((st = open_page(c, p, params, why)) == ST_OK)
		return call_read(c, &lookup, p);
	free_export(p);
	return st;
}
