/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "daemon/setup/users_file.h"

enum { DAY_S = 24 * 60 * 60, WORD_BYTES = 512 };

/* ---- values ---- */

static bool
are_digits(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isdigit((unsigned char)s[i]))
			return false;
	return true;
}

/* The text as it is written: "2027-01-31", "2027-01-31T12:00:00Z". */
static bool
has_form(const char *text, const char *form)
{
	if (strlen(text) != strlen(form))
		return false;
	for (; *form != '\0'; form++, text++)
		if (*form == '0' ? !are_digits(text, 1) : *text != *form)
			return false;
	return true;
}

bool
user_moment(const char *text, int64_t *seconds)
{
	const bool	has_time = has_form(text, "0000-00-00T00:00:00Z");
	struct tm	tm = { .tm_sec = 0 }, again;
	time_t		t;

	if (!has_time && !has_form(text, "0000-00-00"))
		return false;
	tm.tm_year = atoi(text) - 1900;
	tm.tm_mon = atoi(text + 5) - 1;
	tm.tm_mday = atoi(text + 8);
	if (has_time) {
		tm.tm_hour = atoi(text + 11);
		tm.tm_min = atoi(text + 14);
		tm.tm_sec = atoi(text + 17);
	}
	again = tm;
	t = timegm(&again);
	if (t <= 0 || again.tm_mon != tm.tm_mon || again.tm_mday != tm.tm_mday ||
	    again.tm_hour != tm.tm_hour || again.tm_min != tm.tm_min || again.tm_sec != tm.tm_sec)
		return false;		/* no such day or time: timegm moved it */
	*seconds = (int64_t)t + (has_time ? 0 : DAY_S);
	return true;
}

static bool
get_number(const char *text, uint64_t max, uint64_t *out)
{
	char	*end;

	errno = 0;
	*out = strtoull(text, &end, 10);
	return are_digits(text, 1) && *end == '\0' && errno == 0 && *out <= max;
}

static bool
is_name(const char *text)
{
	static const char	allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				    "0123456789._@+-";
	const size_t		n = strlen(text);

	return n > 0 && n < USER_NAME_BYTES && !are_digits(text, n) && strspn(text, allowed) == n;
}

static int
hex_digit(char c)
{
	static const char	digits[] = "0123456789abcdef";
	const char		*at = c != '\0' ? strchr(digits, tolower((unsigned char)c)) : NULL;

	return at != NULL ? (int)(at - digits) : -1;
}

static bool
get_hash(const char *text, unsigned char hash[USER_HASH_BYTES])
{
	static const char	kind[] = "sha256:";
	const size_t		n = sizeof kind - 1;

	if (strncmp(text, kind, n) != 0 || strlen(text) != n + (size_t)(2 * USER_HASH_BYTES))
		return false;
	text += n;
	for (size_t i = 0; i < USER_HASH_BYTES; i++) {
		const int	high = hex_digit(text[2 * i]), low = hex_digit(text[2 * i + 1]);

		if (high < 0 || low < 0)
			return false;
		hash[i] = (unsigned char)(high << 4 | low);
	}
	return true;
}

/* ---- members of a line ---- */

static enum status
set_role(struct user *u, const char *v, struct fault *why)
{
	const char	*nearest;

	for (unsigned i = 0; i < ROLE_N; i++) {
		if (strcmp(role_words[i], v) == 0) {
			u->role = (enum role)i;
			u->has_role = true;
			return ST_OK;
		}
	}
	(void)fault_at(why, ST_BAD_REQUEST, "role", "\"%s\" is none of read, submit, operate", v);
	if ((nearest = nearest_name(v, role_words)) != NULL)
		fault_hint(why, "did you mean \"%s\"?", nearest);
	return ST_BAD_REQUEST;
}

static enum status
set_uid(struct user *u, const char *v, struct fault *why)
{
	uint64_t	uid;

	if (!get_number(v, USER_FIRST_NUMBER - 1, &uid))
		return fault_at(why, ST_BAD_REQUEST, "uid",
		    "\"%s\" must be a number below %" PRIu32, v, USER_FIRST_NUMBER);
	u->uid = (uid_t)uid;
	u->has_uid = true;
	return ST_OK;
}

static enum status
set_token(struct user *u, const char *v, struct fault *why)
{
	struct user_token	 t = { .expires = 0 }, *more;
	enum status		 st;

	if (!get_hash(v, t.hash)) {
		st = fault_at(why, ST_BAD_REQUEST, "token",
		    "must be sha256: and the 64 hexadecimal digits of a token's hash");
		fault_hint(why, "assay-ca token NAME makes a token and prints its line");
		return st;
	}
	if (u->ntokens == USER_MAX_TOKENS)
		return fault_at(why, ST_BAD_REQUEST, "token", "a user has at most %d",
		    USER_MAX_TOKENS);
	if ((more = realloc(u->token, (u->ntokens + 1) * sizeof *more)) == NULL)
		return fault_set(why, ST_NOMEM, "users");
	u->token = more;
	u->token[u->ntokens++] = t;
	return ST_OK;
}

static enum status
set_expires(struct user *u, const char *v, struct fault *why)
{
	enum status	st;

	if (u->ntokens == 0) {
		st = fault_at(why, ST_BAD_REQUEST, "expires", "belongs behind a token");
		fault_hint(why, "write token=… expires=%s", v);
		return st;
	}
	if (!user_moment(v, &u->token[u->ntokens - 1].expires))
		return fault_at(why, ST_BAD_REQUEST, "expires", "\"%s\" must be a day like "
		    "2027-01-31 or a moment like 2027-01-31T12:00:00Z", v);
	return ST_OK;
}

static enum status
set_certificate(struct user *u, const char *v, struct fault *why)
{
	if (v[0] == '\0' || strlen(v) >= sizeof ((struct proof *)0)->name)
		return fault_at(why, ST_BAD_REQUEST, "cert",
		    "must be the name in a certificate, of 1 to %zu bytes",
		    sizeof ((struct proof *)0)->name - 1);
	if (u->ncertificates == USER_MAX_CERTIFICATES)
		return fault_at(why, ST_BAD_REQUEST, "cert", "a user has at most %d",
		    USER_MAX_CERTIFICATES);
	if ((u->certificate[u->ncertificates] = strdup(v)) == NULL)
		return fault_set(why, ST_NOMEM, "users");
	u->ncertificates++;
	return ST_OK;
}

static enum status
set_limit(struct user *u, enum user_limit which, const char *v, struct fault *why)
{
	if (!get_number(v, UINT64_C(1) << 50, &u->limit[which]))
		return fault_set(why, ST_BAD_REQUEST, "\"%s\" must be a whole number; 0: no limit",
		    v);
	u->has_limit[which] = true;
	return ST_OK;
}

static enum status
set_jobs(struct user *u, const char *v, struct fault *why)
{
	return set_limit(u, USER_QUEUED_JOBS, v, why);
}

static enum status
set_bytes(struct user *u, const char *v, struct fault *why)
{
	return set_limit(u, USER_BYTES, v, why);
}

static enum status
set_timing(struct user *u, const char *v, struct fault *why)
{
	return set_limit(u, USER_TIMING_S, v, why);
}

static const struct member {
	const char	*name;
	enum status	(*set)(struct user *, const char *, struct fault *);
} members[] = {
	{ "role", set_role }, { "uid", set_uid }, { "token", set_token },
	{ "expires", set_expires }, { "cert", set_certificate }, { "quota-queued-jobs", set_jobs },
	{ "quota-bytes", set_bytes }, { "quota-timing-seconds", set_timing },
};
enum { NMEMBERS = sizeof members / sizeof members[0] };

static enum status
no_member(const char *name, struct fault *why)
{
	const char	*names[NMEMBERS + 1] = { NULL }, *nearest;

	for (unsigned i = 0; i < NMEMBERS; i++)
		names[i] = members[i].name;
	(void)fault_set(why, ST_BAD_REQUEST, "a user has no \"%s\"", name);
	if ((nearest = nearest_name(name, names)) != NULL)
		fault_hint(why, "did you mean \"%s\"?", nearest);
	return ST_BAD_REQUEST;
}

static enum status
set_member(struct user *u, char *word, struct fault *why)
{
	char		*equals = strchr(word, '=');
	enum status	 st;

	if (equals == NULL)
		return fault_set(why, ST_BAD_REQUEST, "\"%s\" is not name=value", word);
	*equals = '\0';
	for (unsigned i = 0; i < NMEMBERS; i++) {
		if (strcmp(members[i].name, word) != 0)
			continue;
		st = members[i].set(u, equals + 1, why);
		return st == ST_OK || why->member[0] != '\0' ? st : fault_within(why, word);
	}
	return no_member(word, why);
}

/* ---- lines ---- */

/*
 * The next word of a line, without its quotes: a"b c" is one.  *at moves behind it.  An empty word:
 * the line is over.
 */
static enum status
next_word(const char **at, const char *end, char word[WORD_BYTES], struct fault *why)
{
	size_t	n = 0;
	bool	quoted = false;

	while (*at < end && (**at == ' ' || **at == '\t'))
		++*at;
	if (*at < end && **at == '#')
		*at = end;
	for (; *at < end && (quoted || (**at != ' ' && **at != '\t')); ++*at) {
		if (**at == '"') {
			quoted = !quoted;
			continue;
		}
		if ((unsigned char)**at < ' ' || **at == '\x7f')
			return fault_set(why, ST_BAD_REQUEST, "a control character");
		if (n == WORD_BYTES - 1)
			return fault_set(why, ST_BAD_REQUEST, "a word of more than %d bytes",
			    WORD_BYTES - 1);
		word[n++] = **at;
	}
	word[n] = '\0';
	return quoted ? fault_set(why, ST_BAD_REQUEST, "a quote without its end") : ST_OK;
}

static enum status
parse_user(struct user *u, const char *name, const char *at, const char *end, struct fault *why)
{
	char		word[WORD_BYTES];
	enum status	st;

	if (!is_name(name))
		return fault_set(why, ST_BAD_REQUEST, "\"%s\" is no user's name: 1 to %d of A-Z "
		    "a-z 0-9 . _ @ + -, not digits alone", name, USER_NAME_BYTES - 1);
	(void)snprintf(u->name, sizeof u->name, "%s", name);
	while ((st = next_word(&at, end, word, why)) == ST_OK && word[0] != '\0')
		if ((st = set_member(u, word, why)) != ST_OK)
			return st;
	if (st != ST_OK || u->has_role)
		return st;
	st = fault_at(why, ST_BAD_REQUEST, "role", "missing");
	fault_hint(why, "write %s role=read, role=submit or role=operate", name);
	return st;
}

static enum status
add_user(struct users_file *f, struct user **out, struct fault *why)
{
	const size_t	 max = f->max != 0 ? f->max * 2 : 16;
	struct user	*more;

	if (f->n == USERS_MAX)
		return fault_set(why, ST_BAD_REQUEST, "more than %d users", USERS_MAX);
	if (f->n == f->max) {
		if ((more = realloc(f->user, max * sizeof *more)) == NULL)
			return fault_set(why, ST_NOMEM, "users");
		f->user = more;
		f->max = max;
	}
	*out = &f->user[f->n++];
	**out = (struct user){ .uid = USER_NOBODY };
	return ST_OK;
}

static enum status
parse_line(struct users_file *f, unsigned number, const char *at, const char *end,
    struct fault *why)
{
	char		 name[WORD_BYTES];
	struct user	*u = NULL;
	enum status	 st;

	if ((st = next_word(&at, end, name, why)) != ST_OK || name[0] == '\0' ||
	    (st = add_user(f, &u, why)) != ST_OK)
		return st;
	u->line = number;
	return parse_user(u, name, at, end, why);
}

/* ---- what two users may not share ---- */

static enum status
is_shared(const struct user *a, const struct user *b, const char *what, struct fault *why)
{
	char	place[32];

	(void)snprintf(place, sizeof place, "line %u", b->line);
	(void)fault_at(why, ST_BAD_REQUEST, what, "is that of %s in line %u, too", a->name,
	    a->line);
	fault_hint(why, "give each user one line");
	return fault_within(why, place);
}

struct owned {				/* a text that one user has */
	const char	*text;
	size_t		 bytes;
	const struct user *user;
};

static int
compare_owned(const void *a, const void *b)
{
	const struct owned	*x = a, *y = b;
	const size_t		 n = x->bytes < y->bytes ? x->bytes : y->bytes;
	const int		 order = memcmp(x->text, y->text, n);

	if (order != 0)
		return order;
	if (x->bytes != y->bytes)
		return x->bytes < y->bytes ? -1 : 1;
	return (x->user->line > y->user->line) - (x->user->line < y->user->line);
}

static enum status
check_owned(struct owned *list, size_t n, const char *what, struct fault *why)
{
	qsort(list, n, sizeof *list, compare_owned);
	for (size_t i = 1; i < n; i++)
		if (list[i].bytes == list[i - 1].bytes &&
		    memcmp(list[i].text, list[i - 1].text, list[i].bytes) == 0)
			return is_shared(list[i - 1].user, list[i].user, what, why);
	return ST_OK;
}

enum owned_kind { OWNED_NAME, OWNED_TOKEN, OWNED_CERTIFICATE, OWNED_NUMBER, OWNED_N };

static size_t
list_owned(const struct user *u, enum owned_kind kind, struct owned *out)
{
	size_t	n = 0;

	switch (kind) {
	case OWNED_NAME:
		out[n++] = (struct owned){ u->name, strlen(u->name), u };
		break;
	case OWNED_TOKEN:
		for (size_t i = 0; i < u->ntokens; i++)
			out[n++] = (struct owned){ (const char *)u->token[i].hash, USER_HASH_BYTES,
			    u };
		break;
	case OWNED_CERTIFICATE:
		for (size_t i = 0; i < u->ncertificates; i++)
			out[n++] = (struct owned){ u->certificate[i], strlen(u->certificate[i]),
			    u };
		break;
	default:
		if (u->uid != USER_NOBODY)
			out[n++] = (struct owned){ (const char *)&u->uid, sizeof u->uid, u };
		break;
	}
	return n;
}

static enum status
check_unique(const struct users_file *f, enum owned_kind kind, struct fault *why)
{
	static const char *const	 words[OWNED_N] = { "name", "token", "cert", "uid" };
	struct owned			*list = calloc(f->n * USER_MAX_TOKENS + 1, sizeof *list);
	size_t				 n = 0;
	enum status			 st;

	if (list == NULL)
		return fault_set(why, ST_NOMEM, "users");
	for (size_t i = 0; i < f->n; i++)
		n += list_owned(&f->user[i], kind, list + n);
	st = check_owned(list, n, words[kind], why);
	free(list);
	return st;
}

enum status
users_file_check_numbers(const struct users_file *f, struct fault *why)
{
	return check_unique(f, OWNED_NUMBER, why);
}

/* ---- the whole ---- */

static enum status
parse_lines(struct users_file *f, const char *text, size_t bytes, struct fault *why)
{
	const char	*end = text + bytes, *eol;
	char		 place[32];
	enum status	 st;

	for (unsigned line = 1; text < end; line++, text = eol + 1) {
		if ((eol = memchr(text, '\n', (size_t)(end - text))) == NULL)
			eol = end;
		st = parse_line(f, line, text, eol > text && eol[-1] == '\r' ? eol - 1 : eol, why);
		if (st != ST_OK) {
			(void)snprintf(place, sizeof place, "line %u", line);
			(void)fault_within(why, place);
			return st;
		}
	}
	return ST_OK;
}

enum status
users_file_parse(struct users_file *f, const char *text, size_t bytes, struct fault *why)
{
	enum status	st;

	*f = (struct users_file){ .n = 0 };
	if ((st = parse_lines(f, text, bytes, why)) != ST_OK ||
	    (st = check_unique(f, OWNED_NAME, why)) != ST_OK ||
	    (st = check_unique(f, OWNED_TOKEN, why)) != ST_OK ||
	    (st = check_unique(f, OWNED_CERTIFICATE, why)) != ST_OK ||
	    (st = users_file_check_numbers(f, why)) != ST_OK)
		users_file_release(f);
	return st;
}

void
users_file_release(struct users_file *f)
{
	for (size_t i = 0; i < f->n; i++) {
		free(f->user[i].token);
		for (size_t k = 0; k < f->user[i].ncertificates; k++)
			free(f->user[i].certificate[k]);
	}
	free(f->user);
	*f = (struct users_file){ .n = 0 };
}
