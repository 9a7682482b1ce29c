/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies of frames between daemon and worker: what is taken is put again, and taken again it is the same. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "proto/wire/msg.h"

int	LLVMFuzzerTestOneInput(const uint8_t *, size_t);

static void
must(bool holds)
{
	if (!holds)
		abort();
}

static bool
same_json(const json_t *a, const json_t *b)
{
	return (a == NULL && b == NULL) || json_equal(a, b);
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
	must(memcmp(&again.artifacts, &m->artifacts, sizeof m->artifacts) == 0);
	must((m->detail == NULL && again.detail == NULL) ||
	    (m->detail != NULL && again.detail != NULL && strcmp(m->detail, again.detail) == 0));
	must(same_json(m->job, again.job) && same_json(m->report, again.report));
	msg_release(&again);
	free(frame);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	struct fault	why = { .status = ST_OK };
	struct msg	m;

	if (msg_get(&m, (const char *)data, bytes, &why) == ST_OK) {
		put_and_get(&m);
		msg_release(&m);
	} else {
		must(why.text[0] != '\0' && m.job == NULL && m.report == NULL && m.detail == NULL);
	}
	return 0;
}
