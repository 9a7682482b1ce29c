/* SPDX-License-Identifier: Apache-2.0 */
/* users.conf: what is accepted has users with names, roles and nothing in common. */
#include <string.h>

#include "daemon/setup/users_file.h"
#include "tests/fuzz/fuzz.h"

static void
look_at(const struct user *u)
{
	must(u->name[0] != '\0' && u->has_role && u->role < ROLE_N && u->line > 0);
	must(u->has_uid == (u->uid != USER_NOBODY));
	must(!u->has_uid || u->uid < USER_FIRST_NUMBER);
	must(u->ntokens <= USER_MAX_TOKENS && u->ncertificates <= USER_MAX_CERTIFICATES);
	for (size_t i = 0; i < u->ncertificates; i++)
		must(u->certificate[i][0] != '\0');
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct users_file	f;
	struct fault		why;

	if (users_file_parse(&f, (const char *)data, size, &why) != ST_OK) {
		must(why.text[0] != '\0' && strncmp(why.member, "line ", 5) == 0);
		must(f.user == NULL && f.n == 0);
		return 0;
	}
	for (size_t i = 0; i < f.n; i++) {
		look_at(&f.user[i]);
		must(i == 0 || strcmp(f.user[i].name, f.user[i - 1].name) != 0);
	}
	users_file_release(&f);
	return 0;
}
