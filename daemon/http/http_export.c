/* SPDX-License-Identifier: Apache-2.0 */
/* A sweep's results as a file: its parts one after another, as fast as they are read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/export/export.h"
#include "daemon/http/http_impl.h"

static void
free_page(const void *data, size_t bytes, void *arg)
{
	(void)data;
	(void)bytes;
	free(arg);
}

static enum status
read_part(void *arg, struct store *store, struct evbuffer *out, bool *is_last, struct fault *why)
{
	struct text	 page = { .at = NULL };
	enum status	 st = export_page(arg, store, &page, why);
	const size_t	 bytes = page.bytes;
	char		*text = text_take(&page);

	*is_last = export_is_over(arg);
	if (st == ST_OK && text != NULL && evbuffer_add_reference(out, text, bytes, free_page,
	    text) == 0)
		return ST_OK;
	free(text);
	return st == ST_OK ? fault_set(why, ST_NOMEM, "export") : st;
}

static void
note_part(void *arg, struct api *api)
{
	api_export_note(api, arg);
}

static void
free_export(void *arg)
{
	export_free(arg);
}

/* By the sweep as it was asked for, with characters that no system refuses in a name. */
static void
put_file_name(struct exchange *ex, const struct export_format *format)
{
	static const char	plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_-";
	char			name[80], value[160];
	size_t			n = 0;

	for (const char *s = ex->subject; *s != '\0' && n < sizeof name - 1; s++)
		name[n++] = strchr(plain, *s) != NULL ? *s : '_';
	name[n] = '\0';
	(void)snprintf(value, sizeof value, "attachment; filename=\"%s%s\"", name,
	    export_suffix(format));
	http_add_header(ex, "Content-Disposition", value);
}

static void
start(struct exchange *ex, struct export *export)
{
	static const struct piece_source	source = { .read = read_part, .seen = note_part,
						    .free = free_export };
	const struct export_format		*format = export_format_of(export);

	put_file_name(ex, format);
	http_send_pieces(ex, export_type(format), &source, export);
}

/* With a cursor it is one part, in the method's own reply. */
void
http_run_export(struct exchange *ex)
{
	struct export	*export = NULL;
	struct fault	 why;
	json_t		*params;
	enum status	 st = params_from_query(ex->route->query, http_query(ex), &params, &why);

	if (st == ST_OK)
		st = http_add_subject(ex, params, &why);
	if (st == ST_OK && json_object_get(params, "cursor") != NULL)
		http_call(ex, params);
	else if (st != ST_OK || (st = api_export(ex->http->api, ex->uid, params, &export,
	    &why)) != ST_OK)
		http_problem(ex, 0, &why, NULL);
	else
		start(ex, export);
	json_decref(params);
}
