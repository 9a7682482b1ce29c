/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bodies of frames between daemon and worker: what is taken is put again, and taken again it is the
 * same.
 */
#include <stdlib.h>
#include <string.h>

#include "proto/wire/msg.h"
#include "tests/fuzz/fuzz.h"

static bool
same_text(const char *a, const char *b)
{
	return (a == NULL && b == NULL) || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool
same_json(const json_t *a, const json_t *b)
{
	return (a == NULL && b == NULL) || json_equal(a, b);
}

/* What was got is put from texts: the document's spec and the rest of it, and the report. */
static bool
write_texts(struct msg *m, char **spec, char **rest)
{
	json_t	*others = m->job != NULL ? json_copy(m->job) : NULL;

	*spec = json_dumps(json_object_get(m->job, "spec"), JSON_COMPACT | JSON_ENCODE_ANY);
	(void)json_object_del(others, "spec");
	*rest = json_object_size(others) != 0 ? json_dumps(others, JSON_COMPACT) : NULL;
	json_decref(others);
	m->text = (struct job_text){ *spec, *rest };
	m->report_text = m->report != NULL ? json_dumps(m->report, JSON_COMPACT) : NULL;
	return m->job == NULL || (*spec != NULL && *rest != NULL);
}

static void
put_and_get(const struct msg *m)
{
	struct msg	 again;
	struct fault	 why;
	char		*frame;
	size_t		 bytes;

	must(msg_put(m, &frame, &bytes, &why) == ST_OK);
	must(msg_body_bytes((const unsigned char *)frame) == bytes - MSG_HEADER_BYTES);
	must(msg_get(&again, frame + MSG_HEADER_BYTES, bytes - MSG_HEADER_BYTES, &why) == ST_OK);
	must(again.kind == m->kind && again.job_id == m->job_id && again.status == m->status);
	must(again.submitter == m->submitter);
	must(memcmp(&again.artifacts, &m->artifacts, sizeof m->artifacts) == 0);
	must(same_text(m->detail, again.detail));
	must(same_text(m->kept.technique, again.kept.technique));
	must(same_text(m->kept.evidence, again.kept.evidence));
	must(same_text(m->kept.readings, again.kept.readings));
	must(same_json(m->job, again.job) && same_json(m->report, again.report));
	msg_release(&again);
	free(frame);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	struct fault	 why = { .status = ST_OK };
	struct msg	 m;
	char		*spec, *rest;

	if (msg_get(&m, (const char *)data, bytes, &why) == ST_OK) {
		if (write_texts(&m, &spec, &rest))
			put_and_get(&m);
		free(spec);
		free(rest);
		msg_release(&m);
	} else {
		must(why.text[0] != '\0' && m.job == NULL && m.report == NULL && m.detail == NULL);
	}
	return 0;
}
