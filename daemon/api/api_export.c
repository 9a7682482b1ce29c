/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "daemon/api/api_impl.h"
#include "daemon/export/export.h"

/* A call of sweep.export: one page. */
struct page_call {
	struct export	*export;	/* owned */
	struct evbuffer	*out;		/* owned; NULL: handed on */
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
	text_string(&t, export_name(export_format_of(p->export)));
	text_name(&t, "type");
	text_string(&t, export_type(export_format_of(p->export)));
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
	api_export_note(c->api, p->export);
	if (!export_is_over(p->export))
		export_cursor(p->export, c->next);
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

static bool
show(const void *arg, json_t *result, const struct result_row *row)
{
	const struct viewer	*v = arg;
	const struct shown	 r = { .owner = row->owner, .rank = row->rank };

	view_set(v, result, &r);
	return viewer_may_see(v, &row->owner);
}

static struct export *
export_for(struct api *api, uid_t uid, const struct export_format *format, int64_t sweep_id)
{
	struct viewer	*v = malloc(sizeof *v);

	if (v == NULL)
		return NULL;
	*v = (struct viewer){ api->env.users, uid };
	return export_new(format, sweep_id, show, v);
}

enum status
api_export(struct api *api, uid_t uid, const json_t *params, struct export **out,
    struct fault *why)
{
	const char			*cursor = json_string_value(json_object_get(params,
					    "cursor"));
	const struct export_format	*format;
	struct sweep_row		 sweep;
	enum status			 st;

	*out = NULL;
	st = export_find(&format, json_string_value(json_object_get(params, "format")), why);
	if (st != ST_OK || (st = api_find_sweep(api, json_object_get(params, "sweep"), &sweep,
	    why)) != ST_OK)
		return st;
	if ((*out = export_for(api, uid, format, sweep.id)) == NULL)
		return fault_set(why, ST_NOMEM, "export");
	if (cursor == NULL || (st = export_resume(*out, cursor, why)) == ST_OK)
		return ST_OK;
	export_free(*out);
	*out = NULL;
	return st;
}

void
api_export_note(struct api *api, const struct export *e)
{
	api_note_damaged(api, export_damaged(e));
}

enum status
api_sweep_export(struct call *c, const json_t *params, struct fault *why)
{
	static const struct lookup	lookup = { read_export, answer_export, free_export, false };
	struct page_call		*p = calloc(1, sizeof *p);
	enum status			 st;

	if (p == NULL || (p->out = evbuffer_new()) == NULL) {
		free(p);
		return fault_set(why, ST_NOMEM, "export");
	}
	if ((st = api_export(c->api, c->uid, params, &p->export, why)) == ST_OK)
		return call_read(c, &lookup, p);
	free_export(p);
	return st;
}
