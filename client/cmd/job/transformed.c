/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "client/cmd/job/document.h"
#include "client/cmd/job/helper.h"
#include "client/cmd/job/source_files.h"
#include "client/cmd/job/transformed.h"
#include "client/print/member.h"
#include "proto/spec/spec.h"

/* ---- what a spec says about arguments ---- */

static bool
look_up(void *arg, const char *name, struct value *out)
{
	const struct spec	*s = arg;

	for (size_t i = 0; i < s->nparams; i++) {
		if (strcmp(s->params[i].name, name) == 0) {
			*out = s->params[i].value;
			return true;
		}
	}
	return false;
}

/* An integer, or one that an operand of one element holds when a call begins. */
static bool
known_value(const struct spec *s, size_t i, int64_t *out)
{
	const struct arg	*a = &s->args[i];
	struct value		 v = a->value;

	if (ctype_class(s->routine.params[i].type) != 'i' &&
	    ctype_class(s->routine.params[i].type) != 'u')
		return false;
	if (a->is_operand) {
		if (a->operand.elements != 1 || a->operand.init.kind != INIT_VALUE ||
		    a->operand.access != ACCESS_IN || expr_eval(a->operand.init.value, look_up,
		    (void *)(uintptr_t)s, &v, NULL) != ST_OK)
			return false;
	} else if (a->scalar == NULL) {
		return false;
	}
	*out = v.i;
	return v.kind == VALUE_INT;
}

static bool
has_shared(const struct spec *s)
{
	for (size_t i = 0; i < s->routine.nparams; i++)
		if (s->args[i].is_shared || spec_is_joint(s, i))
			return true;
	return false;
}

static bool
is_given(const struct cli_list *values, const char *name)
{
	size_t	n = strlen(name);

	for (size_t i = 0; i < values->n; i++)
		if (strncmp(values->items[i], name, n) == 0 && values->items[i][n] == '=')
			return true;
	return false;
}

static void
add_spec(struct helper *c, const struct transformed_request *q, const struct spec *s)
{
	char	text[SPEC_PARAM_TEXT];
	int64_t	value;

	for (size_t i = 0; !q->any_size && i < s->routine.nparams; i++)
		if (known_value(s, i, &value) && !is_given(&q->values, s->routine.params[i].name))
			helper_add(c, "--set=%s=%" PRId64, s->routine.params[i].name, value);
	for (size_t i = 0; !q->any_size && i < s->nparams; i++) {
		(void)param_put_text(&s->params[i], text, sizeof text);
		helper_add(c, "--param=%s=%s", s->params[i].name, text);
		if (!spec_param_is_argument(s, &s->params[i]))
			helper_add(c, "--define=%s=%s", s->params[i].name, text);
	}
	if (!has_shared(s))
		helper_add(c, "--distinct");
	if (q->routine == NULL)
		helper_add(c, "--routine=%s", s->routine.name);
}

/* The spec is decoded as that of a job. */
static enum status
read_spec(struct helper *c, const struct transformed_request *q, struct fault *why)
{
	json_t		*doc = json_pack("{s:{s:s, s:s}, s:O}", "variant", "language",
			    "c", "source", ";", "spec", q->spec);
	struct job	 job;
	enum status	 st;

	if ((st = job_decode(&job, doc, why)) == ST_OK) {
		add_spec(c, q, &job.spec);
		job_release(&job);
	}
	json_decref(doc);
	return st;
}

static enum status
make_command(struct helper *c, const struct transformed_request *q, int files, struct fault *why)
{
	enum status	st;

	if ((st = helper_init(c, "assay-transform", "libclang and isl", why)) != ST_OK)
		return st;
	if (q->script != NULL)
		helper_add(c, "--script=%s", q->script);
	if (q->spec != NULL && (st = read_spec(c, q, why)) != ST_OK)
		return st;
	if (q->routine != NULL)
		helper_add(c, "--routine=%s", q->routine);
	for (size_t i = 0; i < q->values.n; i++)
		helper_add(c, "--set=%s", q->values.items[i]);
	for (size_t i = 0; i < q->defines.n; i++)
		helper_add(c, "--define=%s", q->defines.items[i]);
	if (q->assumes)
		helper_add(c, "--assume");
	if (files >= 0)
		helper_add(c, "--files=%d", files);
	helper_add(c, "--");
	helper_add(c, "%s", q->source);
	return ST_OK;
}

/* ---- what the source includes ---- */

/* The files below the source's own folder, first, and below those given, into the variant. */
static enum status
search_folders(const struct transformed_request *q, json_t *variant, struct fault *why)
{
	const char	*slash = strrchr(q->source, '/');
	char		*own = slash == NULL ? strdup(".") : strndup(q->source,
			    (size_t)(slash - q->source) + 1);
	struct cli_list	 folders = { NULL, 0 };
	enum status	 st;

	st = own != NULL ? cli_add(&folders, own, why) : fault_set(why, ST_NOMEM, "files");
	for (size_t i = 0; i < q->includes.n && st == ST_OK; i++)
		st = cli_add(&folders, q->includes.items[i], why);
	if (st == ST_OK)
		st = source_files_include(variant, &folders, why);
	cli_list_release(&folders);
	free(own);
	return st;
}

enum status
transformed_files(const struct transformed_request *q, json_t **out, struct fault *why)
{
	char		*text;
	json_t		*variant;
	struct fault	 unread;
	enum status	 st = ST_OK;

	*out = NULL;
	if (document_text(q->source, &text, NULL, &unread) != ST_OK)
		return ST_OK;			/* the program names the reason */
	variant = json_pack("{s:s, s:s}", "language", "c", "source", text);
	if (variant != NULL && (st = search_folders(q, variant, why)) == ST_OK)
		*out = json_incref(json_object_get(variant, "files"));
	json_decref(variant);
	free(text);
	return st;
}

/* A nameless file with the document, for the program that is started.  -1: there is none. */
static int
input_of(const json_t *files)
{
	const int	fd = memfd_create("files", 0);

	if (fd >= 0 && (json_dumpfd(files, fd, JSON_COMPACT) != 0 ||
	    lseek(fd, 0, SEEK_SET) != 0)) {
		(void)close(fd);
		return -1;
	}
	return fd;
}

/* ---- the whole ---- */

static enum status
run(const struct transformed_request *q, const json_t *files, json_t **out, struct fault *why)
{
	struct helper	c = { .n = 0 };
	int		input = -1;
	enum status	st;

	if (files != NULL && (input = input_of(files)) < 0)
		return fault_set(why, ST_IO, "memfd_create: %s", strerror(errno));
	if ((st = make_command(&c, q, input, why)) == ST_OK)
		st = helper_run(&c, true, out, why);
	helper_release(&c);
	if (input >= 0)
		(void)close(input);
	return st;
}

enum status
transformed_get(const struct transformed_request *q, json_t **out, struct fault *why)
{
	json_t		*files;
	enum status	 st;

	*out = NULL;
	if ((st = transformed_files(q, &files, why)) == ST_OK)
		st = run(q, files, out, why);
	if (st == ST_OK && files != NULL)
		(void)json_object_set(*out, "files", files);
	json_decref(files);
	return st;
}

/* ---- for a sweep ---- */

/* A variant as a sweep has it; the point is in its name. */
static json_t *
sweep_variant(const struct transformed_request *r, const json_t *one, json_t *files)
{
	json_t		*to = json_pack("{s:s, s:O}", "language", "c", "source",
			    json_object_get(one, "source"));
	const char	*assumed = json_object_get(one, "assumed") != NULL ? " (assumed)" : "";
	json_t		*defines = json_object();

	(void)json_object_set_new(to, "name", json_sprintf("%s%s", member_text(one, "name"),
	    assumed));
	if (files != NULL)
		(void)json_object_set(to, "files", files);
	if (json_object_get(one, "compiler") != NULL)
		(void)json_object_set(to, "compiler", json_object_get(one, "compiler"));
	if (json_object_get(one, "flags") != NULL)
		(void)json_object_set(to, "flags", json_object_get(one, "flags"));
	for (size_t i = 0; i < r->defines.n; i++) {
		const char	*word = r->defines.items[i], *equals = strchr(word, '=');
		size_t		 n = equals != NULL ? (size_t)(equals - word) : strlen(word);
		json_t		*name = json_stringn(word, n);

		(void)json_object_set_new(defines, json_string_value(name),
		    json_string(equals != NULL ? equals + 1 : "1"));
		json_decref(name);
	}
	if (json_object_size(defines) > 0)
		(void)json_object_set(to, "defines", defines);
	json_decref(defines);
	return to;
}

json_t *
transformed_variants(const struct transformed_request *r, const json_t *made)
{
	json_t	*list = json_array(), *one;
	size_t	 i;

	json_array_foreach(json_object_get(made, "variants"), i, one)
		(void)json_array_append_new(list, sweep_variant(r, one,
		    json_object_get(made, "files")));
	return list;
}

json_t *
transformed_points(const json_t *made)
{
	json_t	*list = json_array(), *one;
	size_t	 i;

	json_array_foreach(json_object_get(made, "variants"), i, one)
		(void)json_array_append(list, json_object_get(one, "point"));
	return list;
}
