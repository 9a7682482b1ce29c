/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "daemon/notify/address.h"
#include "daemon/notify/errand.h"
#include "daemon/notify/notify.h"
#include "daemon/notify/request.h"
#include "daemon/notify/sign.h"
#include "daemon/store/store_notice.h"
#include "proto/base/clock.h"
#include "proto/base/log.h"
#include "proto/base/path.h"
#include "proto/base/version.h"

enum { LIMIT_MS = 60000, REASON_BYTES = 320, HOST_BYTES = 256 };

/* A try under way. */
struct flight {
	struct notify	*all;		/* borrowed */
	struct errand	*errand;	/* owned */
	int64_t		 id, sweep_id;	/* id 0: the place is free */
	int64_t		 tries;		/* with this one */
	bool		 is_webhook;
};

struct notify {
	struct event_base	*base;		/* borrowed */
	struct store		*store;		/* borrowed */
	const struct queue	*queue;		/* borrowed */
	const struct config	*config;	/* borrowed */
	char			*secret;	/* owned; NULL: webhooks are not sent */
	char			 program[4096];
	struct flight		 flight[NOTIFY_AT_ONCE];
	bool			 has_looked;	/* at what the daemon before has left */
};

/* ---- life ---- */

enum status
notify_new(struct notify **out, struct event_base *base, struct store *store,
    const struct queue *queue, const struct config *config, struct fault *why)
{
	struct notify	*n = calloc(1, sizeof *n);
	enum status	 st = ST_OK;

	*out = NULL;
	if (n == NULL)
		return fault_set(why, ST_NOMEM, "notify");
	n->base = base;
	n->store = store;
	n->queue = queue;
	n->config = config;
	if (config->notify_secret_file[0] != '\0' &&
	    (st = sign_read_secret(&n->secret, config->notify_secret_file, why)) == ST_OK)
		st = path_program("assay-notify", n->program, sizeof n->program, why);
	if (st != ST_OK) {
		(void)fault_within(why, "notify-secret-file");
		notify_free(n);
		return st;
	}
	*out = n;
	return ST_OK;
}

void
notify_free(struct notify *n)
{
	if (n == NULL)
		return;
	for (unsigned i = 0; i < NOTIFY_AT_ONCE; i++)
		errand_free(n->flight[i].errand);
	if (n->secret != NULL)
		explicit_bzero(n->secret, strlen(n->secret));
	free(n->secret);
	free(n);
}

static enum status
check_url(const char *url, const char *allow, const char *member, struct fault *why)
{
	char		 host[HOST_BYTES] = "";
	const char	*what;

	if (address_host(url, host, sizeof host) && address_is_listed(allow, host))
		return ST_OK;
	if (strncmp(url, "http://", 7) == 0) {
		(void)fault_at(why, ST_BAD_SPEC, member, "must be https: http is for hosts that "
		    "the operator has allowed");
		fault_hint(why, "https://..., or the operator's notify-allow = HOST");
		return ST_BAD_SPEC;
	}
	what = address_literal_refusal(host, address_is_listed(allow, "private"));
	if (what == NULL)
		return ST_OK;
	(void)fault_at(why, ST_BAD_SPEC, member, "leads to %s", what);
	fault_hint(why, "only the operator can allow that: notify-allow = HOST, or private");
	return ST_BAD_SPEC;
}

enum status
notify_check(const struct notify *n, const json_t *sweep, struct fault *why)
{
	static const char	member[] = "notify.webhook";
	const char		*url = json_string_value(json_object_get(json_object_get(sweep,
				    "notify"), "webhook"));

	if (url == NULL)
		return ST_OK;
	if (n == NULL || n->secret == NULL) {
		(void)fault_at(why, ST_BAD_SPEC, member, "this daemon sends no webhooks");
		fault_hint(why, "its operator has to set notify-secret-file");
		return ST_BAD_SPEC;
	}
	return check_url(url, n->config->notify_allow, member, why);
}

/* ---- what is told ---- */

/* The same text in each try; owned; NULL: no memory, or the sweep is gone. */
static char *
body_of(struct store *store, const struct notice *notice, struct sweep_row *row)
{
	struct fault	 why;
	json_t		*o;
	char		*text;

	if (store_sweep(store, notice->sweep_id, NULL, row, &why) != ST_OK)
		return NULL;
	o = json_pack("{s:I, s:s, s:f, s:{s:I, s:s, s:I, s:f, s:I, s:o}}", "id",
	    (json_int_t)notice->id, "event", "sweep.ended", "ended", notice->ended, "sweep", "id",
	    (json_int_t)row->id, "name", row->name, "submitter", (json_int_t)row->submitter,
	    "submitted", row->submitted, "jobs", (json_int_t)row->jobs, "statuses",
	    store_statuses(row));
	text = json_dumps(o, JSON_COMPACT);
	json_decref(o);
	return text;
}

/* ---- the end of a try ---- */

static double
wait_after(int64_t tries)
{
	double	wait_s = NOTIFY_FIRST_S;

	while (--tries > 0 && wait_s < NOTIFY_LONGEST_S)
		wait_s *= 2;
	return wait_s < NOTIFY_LONGEST_S ? wait_s : NOTIFY_LONGEST_S;
}

static void
set_notice(struct notify *n, const struct flight *f, const char *outcome, const char *reason)
{
	const bool	 again = strcmp(outcome, NOTIFY_AGAIN) == 0 && f->tries < NOTIFY_TRIES;
	struct notice	 notice = { .id = f->id, .tries = f->tries,
			    .state = again ? "due" : strcmp(outcome, NOTIFY_AGAIN) == 0 ?
			    "failed" : outcome,
			    .reason = strcmp(outcome, NOTIFY_SENT) != 0 ? reason : NULL };
	struct fault	 why;

	if (again)
		notice.next = clock_wall_s() + wait_after(f->tries);
	if (store_notice_set(n->store, &notice, &why) != ST_OK)
		log_warn("notice=%" PRId64 " is sent again: %s", f->id, why.text);
	if (strcmp(outcome, NOTIFY_SENT) == 0)
		log_info("notice=%" PRId64 " sweep=%" PRId64 " to=%s sent", f->id, f->sweep_id,
		    f->is_webhook ? "webhook" : "command");
	else
		log_warn("notice=%" PRId64 " sweep=%" PRId64 " to=%s try=%" PRId64 " %s: %s", f->id,
		    f->sweep_id, f->is_webhook ? "webhook" : "command", f->tries,
		    again ? "failed, comes again" : notice.state, reason);
}

/* A word of request.h; anything else of the program's is a failed try. */
static const char *
outcome_of(const json_t *answer)
{
	static const char *const	words[] = { NOTIFY_SENT, NOTIFY_AGAIN, NOTIFY_FAILED,
					    NOTIFY_REFUSED };
	const char			*word = json_string_value(json_object_get(answer,
					    "outcome"));

	for (unsigned i = 0; word != NULL && i < sizeof words / sizeof words[0]; i++)
		if (strcmp(word, words[i]) == 0)
			return words[i];
	return NOTIFY_AGAIN;
}

static void
end_webhook(struct notify *n, const struct flight *f, const char *output)
{
	json_t		*answer = json_loads(output, 0, NULL);
	const char	*reason = json_string_value(json_object_get(answer, "reason"));

	set_notice(n, f, outcome_of(answer), reason != NULL ? reason : "assay-notify failed");
	json_decref(answer);
}

/* It goes to terminals and into JSON: bytes that are no printable ASCII become '?'. */
static void
make_plain(char *text)
{
	for (; *text != '\0'; text++)
		if (*text < ' ' || *text > '~')
			*text = '?';
}

/* Exit code 0: it knows. */
static void
end_command(struct notify *n, const struct flight *f, int wait_status, const char *output)
{
	char	reason[REASON_BYTES];

	(void)snprintf(reason, sizeof reason, "%s %d: %.*s", WIFEXITED(wait_status) ?
	    "exit code" : "signal", WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) :
	    WTERMSIG(wait_status), (int)strcspn(output, "\r\n"), output);
	make_plain(reason);
	set_notice(n, f, WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == 0 ? NOTIFY_SENT :
	    NOTIFY_AGAIN, reason);
}

static void	 try_all(struct notify *);

static void
on_done(void *arg, int wait_status, bool timed_out, const char *output)
{
	struct flight	*f = arg;
	struct notify	*n = f->all;

	f->errand = NULL;
	if (timed_out)
		set_notice(n, f, NOTIFY_AGAIN, "it took too long and was ended");
	else if (f->is_webhook)
		end_webhook(n, f, output);
	else
		end_command(n, f, wait_status, output);
	f->id = 0;
	try_all(n);
}

/* ---- a try ---- */

/* One header a line; names and values are ours. */
static char *
request_of(const struct notify *n, const struct notice *notice, const char *body)
{
	const long long	 now = (long long)clock_wall_s();
	char		 signature[SIGNATURE_BYTES], *text;
	json_t		*o;

	if (!sign_body(n->secret, now, body, signature))
		return NULL;
	o = json_pack("{s:s, s:s, s:s, s:s, s:[s, s, o, o]}", "url", notice->target, "body", body,
	    "allow", n->config->notify_allow, "ca", n->config->notify_ca, "headers",
	    "Content-Type: application/json",
	    "User-Agent: Assay/" ASSAY_VERSION,
	    json_sprintf("Assay-Notification: %" PRId64, notice->id),
	    json_sprintf("Assay-Signature: %s", signature));
	text = json_dumps(o, JSON_COMPACT);
	json_decref(o);
	return text;
}

static enum status
start_webhook(struct flight *f, const struct notice *notice, const char *body, struct fault *why)
{
	struct notify	*n = f->all;
	const char	*argv[] = { n->program, NULL }, *environment[] = { NULL };
	char		*request = request_of(n, notice, body);
	enum status	 st;

	if (request == NULL)
		return fault_set(why, ST_NOMEM, "webhook");
	st = errand_start(&f->errand, n->base, argv, environment, request, LIMIT_MS, on_done, f,
	    why);
	free(request);
	return st;
}

/* Texts of users are values of variables alone: no shell ever reads them. */
static enum status
start_command(struct flight *f, const char *body, const struct sweep_row *row, struct fault *why)
{
	const char	*argv[] = { f->all->config->notify_command, NULL };
	char		 name[300], number[5][64];
	const char	*environment[] = { "PATH=/usr/local/bin:/usr/bin:/bin", name, number[0],
			    number[1], number[2], number[3], number[4], NULL };

	(void)snprintf(name, sizeof name, "ASSAY_SWEEP=%s", row->name);
	(void)snprintf(number[0], sizeof number[0], "ASSAY_SWEEP_ID=%" PRId64, row->id);
	(void)snprintf(number[1], sizeof number[1], "ASSAY_JOBS=%" PRId64, row->jobs);
	(void)snprintf(number[2], sizeof number[2], "ASSAY_OK=%" PRId64, row->by_status[ST_OK]);
	(void)snprintf(number[3], sizeof number[3], "ASSAY_UID=%u", (unsigned)row->submitter);
	(void)snprintf(number[4], sizeof number[4], "ASSAY_NOTIFICATION=%" PRId64, f->id);
	return errand_start(&f->errand, f->all->base, argv, environment, body, LIMIT_MS, on_done,
	    f, why);
}

static void
start(struct flight *f, const struct notice *notice)
{
	struct notify		*n = f->all;
	struct sweep_row	 row;
	struct fault		 why;
	char			*body = body_of(n->store, notice, &row);
	enum status		 st;

	f->id = notice->id;
	f->sweep_id = notice->sweep_id;
	f->tries = notice->tries + 1;
	f->is_webhook = strcmp(notice->what, "webhook") == 0;
	if (body == NULL)
		st = fault_set(&why, ST_NOMEM, "its facts cannot be read");
	else
		st = f->is_webhook ? start_webhook(f, notice, body, &why) :
		    start_command(f, body, &row, &why);
	free(body);
	if (st == ST_OK)
		return;
	set_notice(n, f, NOTIFY_AGAIN, why.text);
	f->id = 0;
}

/* ---- which ---- */

/* Rows are taken first: while one is started others are written. */
struct due {
	struct notice	 at[2 * NOTIFY_AT_ONCE];
	size_t		 n;
};

static void
take_due(void *arg, const struct notice *notice)
{
	struct due	*d = arg;
	struct notice	*to = &d->at[d->n];

	*to = *notice;
	to->what = strcmp(notice->what, "webhook") == 0 ? "webhook" : "command";
	to->state = to->reason = NULL;
	if ((to->target = strdup(notice->target)) != NULL)
		d->n++;
}

static bool
is_under_way(const struct notify *n, int64_t id)
{
	for (unsigned i = 0; i < NOTIFY_AT_ONCE; i++)
		if (n->flight[i].id == id)
			return true;
	return false;
}

static struct flight *
free_flight(struct notify *n)
{
	for (unsigned i = 0; i < NOTIFY_AT_ONCE; i++)
		if (n->flight[i].id == 0) {
			n->flight[i].all = n;
			return &n->flight[i];
		}
	return NULL;
}

/* Without a command an end is not kept: one that is set later hears of later ends. */
static void
try_due(struct notify *n, const struct notice *notice)
{
	struct flight	*f;
	struct fault	 why;

	if (is_under_way(n, notice->id))
		return;
	if (strcmp(notice->what, "command") == 0 && n->config->notify_command[0] == '\0')
		(void)store_notice_drop(n->store, notice->id, &why);
	else if ((f = free_flight(n)) != NULL)
		start(f, notice);
}

static void
try_all(struct notify *n)
{
	struct due	d = { .n = 0 };

	store_notices_due(n->store, clock_wall_s(), n->secret != NULL,
	    sizeof d.at / sizeof d.at[0], take_due, &d);
	for (size_t i = 0; i < d.n; i++) {
		try_due(n, &d.at[i]);
		free((char *)(uintptr_t)d.at[i].target);
	}
}

/* ---- when ---- */

/* In the queue, which may not have all yet. */
static bool
has_live_jobs(const struct notify *n, int64_t sweep_id)
{
	size_t	count[JOB_NSTATES], live = 0;

	queue_sweep_counts(n->queue, sweep_id, count);
	for (unsigned s = 0; s < JOB_NSTATES; s++)
		live += count[s];
	return live > 0;
}

void
notify_news(struct notify *n, int64_t sweep_id)
{
	struct sweep_row	row;
	struct fault		why;

	if (n == NULL || sweep_id == 0 || has_live_jobs(n, sweep_id) ||
	    store_notice_waiting(n->store, sweep_id - 1) != sweep_id ||
	    store_sweep(n->store, sweep_id, NULL, &row, &why) != ST_OK ||
	    row.jobs == 0 || row.finished < row.jobs)
		return;
	if (store_notice_due(n->store, sweep_id, clock_wall_s(), &why) != ST_OK) {
		n->has_looked = false;		/* the next look finds it */
		return;
	}
	try_all(n);
}

/* Ends that the daemon before has not seen. */
static void
look_again(struct notify *n)
{
	int64_t	sweep = 0;

	n->has_looked = true;
	while ((sweep = store_notice_waiting(n->store, sweep)) != 0)
		notify_news(n, sweep);
}

void
notify_tick(struct notify *n, bool ready)
{
	if (n == NULL)
		return;
	if (ready && !n->has_looked)
		look_again(n);
	try_all(n);
}

/* ---- what a sweep says of it ---- */

static void
put_notice(void *arg, const struct notice *notice)
{
	(void)json_array_append_new(arg, json_pack("{s:s, s:s, s:I, s:o, s:s?}", "to", notice->what,
	    "state", notice->state, "tries", (json_int_t)notice->tries, "next",
	    strcmp(notice->state, "due") == 0 ? json_real(notice->next) : json_null(), "reason",
	    notice->reason));
}

json_t *
notify_of(struct store *store, int64_t sweep_id)
{
	json_t	*list = json_array();

	store_notices_of(store, sweep_id, put_notice, list);
	return list;
}
