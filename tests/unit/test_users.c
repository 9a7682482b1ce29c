/* SPDX-License-Identifier: Apache-2.0 */
/* users.conf: what it may say, how it is refused, and who is who by it. */
#include <pwd.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "daemon/setup/users.h"
#include "daemon/setup/users_file.h"
#include "proto/base/clock.h"

/* SHA-256 of "abc", and of "". */
#define HASH_ABC "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
#define HASH_NONE "sha256:E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855"

static struct users_file
parse(const char *text)
{
	struct users_file	f;
	struct fault		why;
	char			line[1400];

	if (users_file_parse(&f, text, strlen(text), &why) != ST_OK)
		fail_msg("%s", fault_line(&why, line, sizeof line));
	return f;
}

static void
test_users_a_line_has_a_user_with_all_its_members(void **state)
{
	struct users_file	f = parse("# who may what\n\n"
	    "alice role=submit uid=1001 token=" HASH_ABC " expires=2027-01-31 token=" HASH_NONE
	    " cert=\"alice of the lab\" quota-queued-jobs=10 quota-bytes=0"
	    "\t quota-timing-seconds=60   # the first\r\n"
	    "bob role=read");

	(void)state;
	assert_int_equal(f.n, 2);
	assert_string_equal(f.user[0].name, "alice");
	assert_int_equal(f.user[0].role, ROLE_SUBMIT);
	assert_int_equal(f.user[0].uid, 1001);
	assert_int_equal(f.user[0].ntokens, 2);
	assert_int_equal(f.user[0].token[0].expires, 1801440000);	/* the end of that day */
	assert_int_equal(f.user[0].token[1].expires, 0);
	assert_int_equal(f.user[0].token[1].hash[0], 0xe3);
	assert_string_equal(f.user[0].certificate[0], "alice of the lab");
	assert_true(f.user[0].has_limit[USER_BYTES]);
	assert_int_equal(f.user[0].limit[USER_QUEUED_JOBS], 10);
	assert_int_equal(f.user[0].limit[USER_TIMING_S], 60);
	assert_false(f.user[1].has_uid);
	assert_false(f.user[1].has_limit[USER_BYTES]);
	users_file_release(&f);
}

static void
test_users_what_is_wrong_is_named_by_its_line_and_member(void **state)
{
	static const struct { const char *text, *member, *says; } bad[] = {
		{ "alice", "line 1.role", "missing" },
		{ "\n\nalice role=admin", "line 3.role", "none of read, submit, operate" },
		{ "alice role=submt", "line 1.role", "none of" },
		{ "alice roles=read", "line 1", "no \"roles\"" },
		{ "alice read", "line 1", "not name=value" },
		{ "alice role=read uid=-1", "line 1.uid", "must be a number below" },
		{ "alice role=read uid=2147483648", "line 1.uid", "must be a number below" },
		{ "alice role=read uid=", "line 1.uid", "must be a number below" },
		{ "alice role=read token=abc", "line 1.token", "64 hexadecimal digits" },
		{ "alice role=read token=" HASH_ABC "0", "line 1.token", "64 hexadecimal digits" },
		{ "alice role=read expires=2027-01-31", "line 1.expires", "behind a token" },
		{ "alice role=read token=" HASH_ABC " expires=2027-02-30", "line 1.expires",
		  "must be a day" },
		{ "alice role=read token=" HASH_ABC " expires=tomorrow", "line 1.expires",
		  "must be a day" },
		{ "alice role=read cert=", "line 1.cert", "must be the name" },
		{ "alice role=read cert=\"alice", "line 1", "a quote without its end" },
		{ "alice role=read quota-bytes=many", "line 1.quota-bytes", "whole number" },
		{ "alice\x01 role=read", "line 1", "control character" },
		{ "1000 role=read", "line 1", "no user's name" },
		{ "a/b role=read", "line 1", "no user's name" },
		{ "alice role=read\nalice role=submit", "line 2.name", "alice in line 1" },
		{ "alice role=read uid=7\nbob role=read uid=7", "line 2.uid", "alice in line 1" },
		{ "alice role=read cert=x\nbob role=read cert=x", "line 2.cert",
		  "alice in line 1" },
		{ "alice role=read token=" HASH_ABC "\n\nbob role=read token=" HASH_ABC,
		  "line 3.token", "alice in line 1" },
	};
	struct users_file	f;
	struct fault		why;

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		if (users_file_parse(&f, bad[i].text, strlen(bad[i].text), &why) !=
		    ST_BAD_REQUEST || strcmp(why.member, bad[i].member) != 0 ||
		    strstr(why.text, bad[i].says) == NULL)
			fail_msg("%s: %s: %s", bad[i].text, why.member, why.text);
	}
	assert_int_equal(users_file_parse(&f, "a\0b role=read", 13, &why), ST_BAD_REQUEST);
}

static void
test_users_a_file_of_too_many_or_too_much_is_refused(void **state)
{
	enum { LINE = 17, MANY = USERS_MAX + 1 };
	char			*text = calloc(MANY, LINE + 1);
	struct users_file	 f;
	struct fault		 why;
	size_t			 n = 0;

	(void)state;
	assert_non_null(text);
	for (int i = 0; i < MANY; i++)
		n += (size_t)sprintf(text + n, "u%05d role=read\n", i);
	assert_int_equal(users_file_parse(&f, text, n, &why), ST_BAD_REQUEST);
	assert_non_null(strstr(why.text, "more than"));
	memset(text, 'a', 600);
	text[600] = '\0';
	assert_int_equal(users_file_parse(&f, text, 600, &why), ST_BAD_REQUEST);
	assert_non_null(strstr(why.text, "a word of more than"));
	free(text);
}

static void
test_users_moments_are_days_to_their_end_or_seconds(void **state)
{
	static const char *const	bad[] = { "", "2027-1-31", "2027-01-31T24:00:00Z",
	    "2027-01-31T00:00:60Z", "2027-01-31T00:00:00", "2027-13-01", "1960-01-01", "2027-00-10",
	    "2027-01-31 ", "+027-01-31" };
	int64_t	s;

	(void)state;
	assert_true(user_moment("2027-01-31T12:00:01Z", &s));
	assert_int_equal(s, 1801396801);
	assert_true(user_moment("2028-02-29", &s));
	assert_int_equal(s, 1835481600);
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		if (user_moment(bad[i], &s))
			fail_msg("%s", bad[i]);
}

/* ---- the users of a file ---- */

struct fixture {
	char		 path[64];
	struct users	*users;
	uid_t		 next;
};

static int
set_up(void **state)
{
	struct fixture	*f = calloc(1, sizeof *f);
	struct fault	 why;
	int		 fd;

	assert_non_null(f);
	(void)strcpy(f->path, "/tmp/assay-users-XXXXXX");
	assert_true((fd = mkstemp(f->path)) >= 0);
	(void)close(fd);
	assert_int_equal(users_new(&f->users, &why), ST_OK);
	f->next = USER_FIRST_NUMBER;
	*state = f;
	return 0;
}

static int
tear_down(void **state)
{
	struct fixture	*f = *state;

	users_free(f->users);
	(void)unlink(f->path);
	free(f);
	return 0;
}

static enum status
number(void *arg, const char *name, uid_t *uid, struct fault *why)
{
	struct fixture	*f = arg;

	(void)name;
	(void)why;
	*uid = f->next++;
	return ST_OK;
}

static enum status
read_text(struct fixture *f, const char *text, unsigned mode, struct fault *why)
{
	FILE	*out = fopen(f->path, "w");

	assert_non_null(out);
	(void)fputs(text, out);
	(void)fclose(out);
	assert_int_equal(chmod(f->path, mode), 0);
	return users_read(f->users, f->path, number, f, why);
}

static enum status
find_token(struct fixture *f, const char *token, uid_t *uid, struct fault *why)
{
	struct proof	p;

	assert_true(proof_of_token(&p, token, strlen(token)));
	return users_find(f->users, &p, uid, why);
}

static void
test_users_a_token_is_its_users_until_it_expires_or_is_taken_back(void **state)
{
	struct fixture	*f = *state;
	struct fault	 why;
	uid_t		 uid;

	assert_int_equal(read_text(f, "alice role=submit token=" HASH_ABC "\n"
	    "bob role=operate uid=1002 token=" HASH_NONE " expires=2020-01-01\n", 0640, &why),
	    ST_OK);
	assert_int_equal(find_token(f, "abc", &uid, &why), ST_OK);
	assert_int_equal(uid, USER_FIRST_NUMBER);
	assert_int_equal(users_role(f->users, uid), ROLE_SUBMIT);
	assert_int_equal(find_token(f, "abcd", &uid, &why), ST_DENIED);
	assert_int_equal(uid, USER_NOBODY);
	assert_int_equal(find_token(f, "", &uid, &why), ST_DENIED);
	assert_non_null(strstr(why.text, "expired"));
	assert_int_equal(read_text(f, "alice role=submit\n", 0600, &why), ST_OK);
	assert_int_equal(find_token(f, "abc", &uid, &why), ST_DENIED);
	assert_non_null(strstr(why.text, "nobody has this token"));
}

static void
test_users_a_proof_knows_when_it_ends(void **state)
{
	struct fixture	*f = *state;
	struct proof	 p;
	struct fault	 why;
	uid_t		 uid;

	assert_int_equal(read_text(f, "alice role=read token=" HASH_ABC " expires=2099-01-01", 0600,
	    &why), ST_OK);
	assert_true(proof_of_token(&p, "abc", 3));
	assert_false(proof_has_expired(&p));
	assert_int_equal(users_find(f->users, &p, &uid, &why), ST_OK);
	assert_false(proof_has_expired(&p));
	p.expires = (int64_t)clock_wall_s() - 1;
	assert_true(proof_has_expired(&p));
}

static void
test_users_a_certificate_is_that_of_the_name_in_it(void **state)
{
	struct fixture	*f = *state;
	struct proof	 p = { .kind = PROOF_CERTIFICATE, .name = "alice@lab" };
	struct proof	 none = { .kind = PROOF_NONE };
	struct fault	 why;
	uid_t		 uid;

	assert_int_equal(read_text(f, "alice role=read cert=alice cert=alice@lab", 0600, &why),
	    ST_OK);
	assert_int_equal(users_find(f->users, &p, &uid, &why), ST_OK);
	assert_int_equal(uid, USER_FIRST_NUMBER);
	(void)strcpy(p.name, "ALICE@lab");
	assert_int_equal(users_find(f->users, &p, &uid, &why), ST_DENIED);
	assert_int_equal(users_find(f->users, &none, &uid, &why), ST_DENIED);
	assert_int_equal(users_find(NULL, &p, &uid, &why), ST_DENIED);
}

static void
test_users_a_file_that_others_could_read_or_write_is_refused_and_all_stays(void **state)
{
	static const unsigned	open_modes[] = { 0644, 0604, 0602, 0620, 0666, 0601 };
	struct fixture		*f = *state;
	struct fault		 why;
	uid_t			 uid;

	assert_int_equal(read_text(f, "alice role=read token=" HASH_ABC, 0600, &why), ST_OK);
	for (size_t i = 0; i < sizeof open_modes / sizeof open_modes[0]; i++) {
		assert_int_equal(read_text(f, "", open_modes[i], &why), ST_BAD_REQUEST);
		assert_non_null(strstr(why.text, "others may read or change it"));
	}
	assert_int_equal(read_text(f, "alice", 0600, &why), ST_BAD_REQUEST);
	assert_non_null(strstr(why.member, f->path));
	assert_int_equal(users_read(f->users, "/nonexistent/users.conf", number, f, &why), ST_IO);
	assert_int_equal(users_read(f->users, "/dev/null", number, f, &why), ST_BAD_REQUEST);
	assert_int_equal(find_token(f, "abc", &uid, &why), ST_OK);
	assert_int_equal(users_read(f->users, "", number, f, &why), ST_OK);
	assert_int_equal(find_token(f, "abc", &uid, &why), ST_DENIED);
}

static void
test_users_roles_are_of_the_file_else_of_the_host(void **state)
{
	struct fixture	*f = *state;
	struct fault	 why;
	const uid_t	 own = geteuid(), host = own == 4242 ? 4243 : 4242;

	assert_int_equal(users_role(NULL, 0), ROLE_OPERATE);
	assert_int_equal(users_role(NULL, own), ROLE_OPERATE);
	assert_int_equal(users_role(NULL, host), ROLE_SUBMIT);
	assert_int_equal(users_role(NULL, USER_NOBODY), ROLE_READ);
	assert_int_equal(users_role(NULL, USER_STRANGER), ROLE_READ);
	assert_int_equal(users_role(f->users, USER_FIRST_NUMBER), ROLE_READ);
	assert_int_equal(read_text(f, "root role=read uid=0\nops role=operate uid=77\nal role=submit",
	    0600, &why), ST_OK);
	assert_int_equal(users_role(f->users, 0), ROLE_READ);
	assert_int_equal(users_role(f->users, 77), ROLE_OPERATE);
	assert_int_equal(users_role(f->users, host), ROLE_SUBMIT);
	assert_int_equal(users_role(f->users, USER_FIRST_NUMBER), ROLE_SUBMIT);
}

static void
test_users_a_name_of_the_file_is_nobody_elses(void **state)
{
	struct fixture	*f = *state;
	struct fault	 why;
	char		 name[USER_NAME_BYTES];

	assert_true(users_name(f->users, 0, name));
	assert_string_equal(name, getpwuid(0)->pw_name);
	assert_false(users_name(f->users, USER_NOBODY, name));
	assert_false(users_name(f->users, USER_FIRST_NUMBER, name));
	assert_int_equal(read_text(f, "root role=submit\n", 0600, &why), ST_OK);
	assert_true(users_name(f->users, USER_FIRST_NUMBER, name));
	assert_string_equal(name, "root");
	assert_false(users_name(f->users, 0, name));
	assert_string_equal(users_words(f->users, 0, name), "user 0");
	assert_string_equal(users_words(NULL, 12, name), "user 12");
}

static void
test_users_a_name_has_the_files_number_first(void **state)
{
	struct fixture	*f = *state;
	struct fault	 why;
	uid_t		 uid = 4711;

	assert_true(users_number(f->users, "root", &uid));
	assert_int_equal(uid, 0);
	assert_int_equal(read_text(f, "root role=submit\n", 0600, &why), ST_OK);
	assert_true(users_number(f->users, "root", &uid));
	assert_int_equal(uid, USER_FIRST_NUMBER);
	assert_true(users_number(NULL, "root", &uid));
	assert_int_equal(uid, 0);
	assert_false(users_number(f->users, "no such user", &uid));
	assert_false(users_number(f->users, "", &uid));
	assert_int_equal(uid, 0);
}

static void
test_users_limits_are_a_users_own(void **state)
{
	struct fixture	*f = *state;
	struct fault	 why;
	uint64_t	 limit = 1;

	assert_int_equal(read_text(f, "alice role=submit uid=5 quota-bytes=0 quota-queued-jobs=3",
	    0600, &why), ST_OK);
	assert_true(users_limit(f->users, 5, USER_BYTES, &limit));
	assert_int_equal(limit, 0);
	assert_true(users_limit(f->users, 5, USER_QUEUED_JOBS, &limit));
	assert_int_equal(limit, 3);
	assert_false(users_limit(f->users, 5, USER_TIMING_S, &limit));
	assert_false(users_limit(f->users, 6, USER_BYTES, &limit));
	assert_false(users_limit(NULL, 5, USER_BYTES, &limit));
}

int
main(void)
{
#define WITH(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_users_a_line_has_a_user_with_all_its_members),
		cmocka_unit_test(test_users_what_is_wrong_is_named_by_its_line_and_member),
		cmocka_unit_test(test_users_a_file_of_too_many_or_too_much_is_refused),
		cmocka_unit_test(test_users_moments_are_days_to_their_end_or_seconds),
		WITH(test_users_a_token_is_its_users_until_it_expires_or_is_taken_back),
		WITH(test_users_a_proof_knows_when_it_ends),
		WITH(test_users_a_certificate_is_that_of_the_name_in_it),
		WITH(test_users_a_file_that_others_could_read_or_write_is_refused_and_all_stays),
		WITH(test_users_roles_are_of_the_file_else_of_the_host),
		WITH(test_users_a_name_of_the_file_is_nobody_elses),
		WITH(test_users_a_name_has_the_files_number_first),
		WITH(test_users_limits_are_a_users_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
