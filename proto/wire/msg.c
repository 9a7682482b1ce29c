/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "proto/json/text.h"
#include "proto/wire/msg.h"

/* Which members a kind of message carries, beside "kind". */
enum {
	HAS_JOB_ID	= 1 << 0,
	HAS_JOB		= 1 << 1,
	HAS_ARTIFACTS	= 1 << 2,
	HAS_STATUS	= 1 << 3,	/* and, optionally, detail */
	HAS_REPORT	= 1 << 4,
	MAY_CALIBRATED	= 1 << 5,	/* may have calibrated */
	MAY_QUIET	= 1 << 6,	/* … and quiet */
	HAS_SUBMITTER	= 1 << 7,
	MAY_COMPANY	= 1 << 8,
	HAS_KEPT	= 1 << 9,	/* behind the object */
};

static const struct form {
	const char	*word;
	unsigned	 members;
} forms[MSG_N] = {
	[MSG_HELLO]  = { "hello", HAS_REPORT },
	[MSG_BUILD]  = { "build", HAS_JOB_ID | HAS_JOB | MAY_COMPANY },
	[MSG_TIME]   = { "time", HAS_JOB_ID | HAS_JOB | HAS_ARTIFACTS | HAS_SUBMITTER |
	    MAY_CALIBRATED | MAY_QUIET },
	[MSG_CANCEL] = { "cancel", HAS_JOB_ID },
	[MSG_BUILT]  = { "built", HAS_JOB_ID | HAS_ARTIFACTS | HAS_STATUS | HAS_REPORT },
	[MSG_TIMED]  = { "timed", HAS_JOB_ID | HAS_STATUS | HAS_REPORT | HAS_KEPT },
};

static const struct {
	const char	*name;
	unsigned	 bit;
} members[] = {
	{ "job_id", HAS_JOB_ID }, { "job", HAS_JOB }, { "artifacts", HAS_ARTIFACTS },
	{ "status", HAS_STATUS }, { "detail", HAS_STATUS }, { "report", HAS_REPORT },
	{ "calibrated", MAY_CALIBRATED }, { "quiet", MAY_QUIET }, { "submitter", HAS_SUBMITTER },
	{ "company", MAY_COMPANY },
};

static void
put_optional(struct text *t, const char *name, const struct hash *hash)
{
	if (hash->hex[0] == '\0')
		return;
	text_name(t, name);
	text_string(t, hash->hex);
}

static void
put_artifacts(struct text *t, const struct artifacts *a)
{
	text_name(t, "artifacts");
	text_char(t, '{');
	text_name(t, "driver");
	text_string(t, a->driver.hex);
	text_name(t, "variant");
	text_string(t, a->variant.hex);
	text_name(t, "reference");
	text_string(t, a->reference.hex);
	put_optional(t, "against", &a->against);
	put_optional(t, "metric", &a->metric);
	text_char(t, '}');
}

/* A job's document: its spec, and for the rest's first brace a comma. */
static void
put_document(struct text *t, const struct job_text *job)
{
	text_raw(t, "{\"spec\":", 8);
	text_raw(t, job->spec, strlen(job->spec));
	text_char(t, ',');
	text_raw(t, job->rest + 1, strlen(job->rest) - 1);
}

static void
put_job(struct text *t, const struct job_text *job)
{
	text_name(t, "job");
	put_document(t, job);
}

static void
put_company(struct text *t, const struct msg *m)
{
	text_name(t, "company");
	text_char(t, '[');
	for (unsigned i = 0; i < m->ncompany; i++) {
		if (i > 0)
			text_char(t, ',');
		put_document(t, &m->company[i]);
	}
	text_char(t, ']');
}

static void
put_status(struct text *t, const struct msg *m)
{
	text_name(t, "status");
	text_string(t, status_word(m->status));
	if (m->detail != NULL) {
		text_name(t, "detail");
		text_string(t, m->detail);
	}
}

static void
put_message(struct text *t, const struct msg *m)
{
	const unsigned	has = forms[m->kind].members;

	text_char(t, '{');
	text_name(t, "kind");
	text_string(t, forms[m->kind].word);
	if (has & HAS_JOB_ID) {
		text_name(t, "job_id");
		text_integer(t, m->job_id);
	}
	if (has & HAS_ARTIFACTS)
		put_artifacts(t, &m->artifacts);
	if (has & HAS_STATUS)
		put_status(t, m);
	if (has & HAS_SUBMITTER) {
		text_name(t, "submitter");
		text_integer(t, m->submitter);
	}
	if (has & MAY_CALIBRATED && m->calibrated != NULL) {
		text_name(t, "calibrated");
		text_json(t, m->calibrated);
	}
	if (has & MAY_QUIET && m->quiet != NULL) {
		text_name(t, "quiet");
		text_json(t, m->quiet);
	}
	if (has & HAS_REPORT) {
		text_name(t, "report");
		text_raw(t, m->report_text, strlen(m->report_text));
	}
	if (has & HAS_JOB)
		put_job(t, &m->text);
	if (has & MAY_COMPANY && m->ncompany > 0)
		put_company(t, m);
	text_char(t, '}');
	if (has & HAS_KEPT)
		kept_put(t, &m->kept);
}

uint32_t
msg_body_bytes(const unsigned char h[MSG_HEADER_BYTES])
{
	return (uint32_t)h[0] | (uint32_t)h[1] << 8 | (uint32_t)h[2] << 16 | (uint32_t)h[3] << 24;
}

static bool
is_whole(const struct msg *m)
{
	const unsigned	has = forms[m->kind].members;

	return (!(has & HAS_REPORT) || m->report_text != NULL) &&
	    (!(has & HAS_JOB) ||
	    (m->text.spec != NULL && m->text.rest != NULL && m->text.rest[0] == '{'));
}

enum status
msg_put(const struct msg *m, char **frame, size_t *bytes, struct fault *why)
{
	struct text	t = { .at = NULL };
	size_t		n;

	*frame = NULL;
	*bytes = 0;
	if ((unsigned)m->kind >= MSG_N)
		return fault_set(why, ST_BAD_REQUEST, "no such kind of message: %d", (int)m->kind);
	if (!is_whole(m))
		return fault_set(why, ST_BAD_REQUEST, "a %s message lacks a member",
		    forms[m->kind].word);
	text_raw(&t, "\0\0\0", MSG_HEADER_BYTES);
	put_message(&t, m);
	n = t.bytes - MSG_HEADER_BYTES;
	if ((*frame = text_take(&t)) == NULL)
		return fault_set(why, ST_NOMEM, "a %s message", forms[m->kind].word);
	if (n > MSG_MAX_BYTES) {
		free(*frame);
		*frame = NULL;
		return fault_set(why, ST_FULL, "a %s message of %zu bytes", forms[m->kind].word, n);
	}
	for (unsigned i = 0; i < MSG_HEADER_BYTES; i++)
		(*frame)[i] = (char)(n >> 8 * i & 0xff);
	*bytes = MSG_HEADER_BYTES + n;
	return ST_OK;
}

/* ---- reading ---- */

static enum status
check_members(const struct form *form, const json_t *o, struct fault *why)
{
	const char	*name;
	json_t		*value;

	json_object_foreach((json_t *)o, name, value) {
		unsigned	known = strcmp(name, "kind") == 0;

		for (size_t i = 0; i < sizeof members / sizeof members[0]; i++)
			if (strcmp(name, members[i].name) == 0)
				known |= members[i].bit & form->members;
		if (!known)
			return fault_at(why, ST_BAD_REQUEST, name,
			    "a %s message has no such member", form->word);
	}
	return ST_OK;
}

static enum status
get_kind(enum msg_kind *kind, const json_t *o, struct fault *why)
{
	const char	*word = json_string_value(json_object_get(o, "kind"));

	for (unsigned k = 0; word != NULL && k < MSG_N; k++) {
		if (strcmp(forms[k].word, word) == 0) {
			*kind = k;
			return ST_OK;
		}
	}
	return fault_at(why, ST_BAD_REQUEST, "kind", "%s",
	    word == NULL ? "missing" : "no such kind of message");
}

static enum status
get_job_id(int64_t *id, const json_t *o, struct fault *why)
{
	const json_t	*value = json_object_get(o, "job_id");

	if (!json_is_integer(value) || json_integer_value(value) <= 0)
		return fault_at(why, ST_BAD_REQUEST, "job_id", "must be a positive integer");
	*id = json_integer_value(value);
	return ST_OK;
}

/* A new reference to the object `name`. */
static enum status
get_object(json_t **out, const json_t *o, const char *name, struct fault *why)
{
	json_t	*value = json_object_get(o, name);

	if (!json_is_object(value))
		return fault_at(why, ST_BAD_REQUEST, name, "must be an object");
	*out = json_incref(value);
	return ST_OK;
}

static enum status
get_company(json_t **out, const json_t *o, struct fault *why)
{
	json_t	*value = json_object_get(o, "company");

	if (value == NULL)
		return ST_OK;
	if (!json_is_array(value) || json_array_size(value) > MSG_COMPANY_MAX)
		return fault_at(why, ST_BAD_REQUEST, "company", "must be a list of at most %d jobs",
		    MSG_COMPANY_MAX);
	*out = json_incref(value);
	return ST_OK;
}

static enum status
get_hash(struct hash *hash, const json_t *o, const char *name, struct fault *why)
{
	const char	*hex = json_string_value(json_object_get(o, name));

	if (hex == NULL || (hex[0] != '\0' &&
	    (strlen(hex) != HASH_HEX || strspn(hex, "0123456789abcdef") != HASH_HEX)))
		return fault_at(why, ST_BAD_REQUEST, name,
		    "must be a SHA-256 in lower-case hex, or empty");
	memcpy(hash->hex, hex, strlen(hex) + 1);
	return ST_OK;
}

static enum status
get_optional(struct hash *hash, const json_t *o, const char *name, struct fault *why)
{
	return json_object_get(o, name) == NULL ? ST_OK : get_hash(hash, o, name, why);
}

static enum status
get_artifacts(struct artifacts *a, const json_t *o, struct fault *why)
{
	const json_t	*value = json_object_get(o, "artifacts");
	const size_t	 n = 3 + (json_object_get(value, "against") != NULL) +
			    (json_object_get(value, "metric") != NULL);
	enum status	 st;

	if (json_object_size(value) != n)
		return fault_at(why, ST_BAD_REQUEST, "artifacts",
		    "must have driver, variant and reference");
	if ((st = get_hash(&a->driver, value, "driver", why)) != ST_OK ||
	    (st = get_hash(&a->variant, value, "variant", why)) != ST_OK ||
	    (st = get_hash(&a->reference, value, "reference", why)) != ST_OK ||
	    (st = get_optional(&a->against, value, "against", why)) != ST_OK ||
	    (st = get_optional(&a->metric, value, "metric", why)) != ST_OK)
		(void)fault_within(why, "artifacts");
	return st;
}

static enum status
get_status(struct msg *m, const json_t *o, struct fault *why)
{
	const char	*word = json_string_value(json_object_get(o, "status"));
	const json_t	*detail = json_object_get(o, "detail");

	if (word == NULL || !status_from_word(&m->status, word) || !status_is_outcome(m->status))
		return fault_at(why, ST_BAD_REQUEST, "status", "must be the word of an outcome");
	if (detail == NULL)
		return ST_OK;
	if (!json_is_string(detail))
		return fault_at(why, ST_BAD_REQUEST, "detail", "must be a string");
	if ((m->detail = strdup(json_string_value(detail))) == NULL)
		return fault_at(why, ST_NOMEM, "detail", "out of memory");
	return ST_OK;
}

static enum status
get_submitter(uid_t *uid, const json_t *o, struct fault *why)
{
	const json_t	*value = json_object_get(o, "submitter");

	if (!json_is_integer(value) || json_integer_value(value) < 0 ||
	    json_integer_value(value) > UINT32_MAX)
		return fault_at(why, ST_BAD_REQUEST, "submitter", "must be a user id");
	*uid = (uid_t)json_integer_value(value);
	return ST_OK;
}

static enum status
msg_from_json(struct msg *m, const json_t *o, struct fault *why)
{
	enum status	st;
	unsigned	has;

	if (!json_is_object(o))
		return fault_set(why, ST_BAD_REQUEST, "a message must be an object");
	if ((st = get_kind(&m->kind, o, why)) != ST_OK)
		return st;
	has = forms[m->kind].members;
	st = check_members(&forms[m->kind], o, why);
	if (st == ST_OK && has & HAS_JOB_ID)
		st = get_job_id(&m->job_id, o, why);
	if (st == ST_OK && has & HAS_JOB)
		st = get_object(&m->job, o, "job", why);
	if (st == ST_OK && has & MAY_COMPANY)
		st = get_company(&m->companions, o, why);
	if (st == ST_OK && has & HAS_ARTIFACTS)
		st = get_artifacts(&m->artifacts, o, why);
	if (st == ST_OK && has & HAS_STATUS)
		st = get_status(m, o, why);
	if (st == ST_OK && has & HAS_SUBMITTER)
		st = get_submitter(&m->submitter, o, why);
	if (st == ST_OK && has & HAS_REPORT)
		st = get_object(&m->report, o, "report", why);
	if (st == ST_OK && has & MAY_CALIBRATED && json_object_get(o, "calibrated") != NULL)
		st = get_object(&m->calibrated, o, "calibrated", why);
	if (st == ST_OK && has & MAY_QUIET && json_object_get(o, "quiet") != NULL)
		st = get_object(&m->quiet, o, "quiet", why);
	return st;
}

/* To the first line feed, of which JSON as it is put has none. */
static size_t
object_bytes(const char *body, size_t bytes)
{
	const char	*end = bytes != 0 ? memchr(body, '\n', bytes) : NULL;

	return end != NULL ? (size_t)(end - body) : bytes;
}

enum status
msg_get(struct msg *m, const char *body, size_t bytes, struct fault *why)
{
	const size_t	 n = object_bytes(body, bytes);
	json_error_t	 error;
	json_t		*o;
	enum status	 st;

	memset(m, 0, sizeof *m);
	if (bytes > MSG_MAX_BYTES)
		return fault_set(why, ST_FULL, "a message of %zu bytes", bytes);
	if ((o = json_loadb(body, n, JSON_REJECT_DUPLICATES, &error)) == NULL)
		return fault_set(why, ST_BAD_REQUEST, "not JSON at byte %d: %s",
		    error.position, error.text);
	st = msg_from_json(m, o, why);
	json_decref(o);
	if (st == ST_OK && forms[m->kind].members & HAS_KEPT)
		st = kept_get(&m->kept, body + n, bytes - n, why);
	else if (st == ST_OK && n != bytes)
		st = fault_set(why, ST_BAD_REQUEST, "a line behind a %s message",
		    forms[m->kind].word);
	if (st != ST_OK)
		msg_release(m);
	return st;
}

void
msg_release(struct msg *m)
{
	json_decref(m->job);
	json_decref(m->companions);
	json_decref(m->report);
	free(m->report_text);
	json_decref(m->calibrated);
	json_decref(m->quiet);
	free(m->detail);
	kept_release(&m->kept);
	memset(m, 0, sizeof *m);
}
