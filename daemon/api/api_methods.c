/* SPDX-License-Identifier: Apache-2.0 */
/* The methods, their parameters, and who may call them. */
#include <string.h>

#include "daemon/api/api_methods.h"
#include "daemon/export/export.h"

#define END	{ NULL, PARAM_BOOL, false, 0, 0 }

static const struct api_param no_params[] = { END };
static const struct api_param id_params[] = { { "id", PARAM_ID, true, 0, 0 }, END };
static const struct api_param cancel_params[] = {
	{ "id", PARAM_ID, false, 0, 0 }, { "ids", PARAM_IDS, false, 1, INTAKE_MAX_JOBS }, END };
static const struct api_param wait_params[] = {
	{ "ids", PARAM_IDS, false, 1, API_MAX_WAIT_IDS }, { "sweep", PARAM_SWEEP, false, 0, 0 },
	{ "timeout_ms", PARAM_INT, false, 0, INT64_C(7) * 24 * 3600 * 1000 }, END };
static const struct api_param create_params[] = {
	{ "sweep", PARAM_OBJECT, true, 0, 0 }, { "follow", PARAM_BOOL, false, 0, 0 }, END };
static const struct api_param compare_params[] = {
	{ "compare", PARAM_OBJECT, false, 0, 0 }, { "ids", PARAM_IDS, false, 2, API_MAX_COMPARED },
	{ "rule", PARAM_OBJECT, false, 0, 0 }, { "follow", PARAM_BOOL, false, 0, 0 }, END };
static const struct api_param sweep_params[] = { { "sweep", PARAM_SWEEP, true, 0, 0 }, END };
static const struct api_param share_params[] = {
	{ "sweep", PARAM_SWEEP, true, 0, 0 }, { "visibility", PARAM_READERS, true, 0, 0 }, END
};
static const struct api_param export_params[] = {
	{ "sweep", PARAM_SWEEP, true, 0, 0 }, { "format", PARAM_TEXT, true, 1, 32 },
	{ "cursor", PARAM_TEXT, false, 1, EXPORT_CURSOR_BYTES - 1 }, END };
static const struct api_param subscribe_params[] = {
	{ "sweep", PARAM_SWEEP, false, 0, 0 }, { "ids", PARAM_IDS, false, 1, INTAKE_MAX_JOBS },
	{ "all", PARAM_BOOL, false, 0, 0 }, { "after", PARAM_INT, false, 0, INT64_MAX }, END };
static const struct api_param unsubscribe_params[] = { { "subscription", PARAM_ID, true, 0, 0 },
    END };
static const struct api_param best_params[] = {
	{ "sweep", PARAM_SWEEP, true, 0, 0 }, { "top", PARAM_INT, false, 1, API_MAX_TOP }, END };
static const struct api_param backup_params[] = { { "path", PARAM_TEXT, true, 1, 4000 }, END };
static const struct api_param prune_params[] = {
	{ "older_than_s", PARAM_INT, true, 0, INT64_C(1) << 40 },
	{ "sweep", PARAM_SWEEP, false, 0, 0 }, { "user", PARAM_USER, false, 0, 0 },
	{ "dry_run", PARAM_BOOL, false, 0, 0 }, END };
static const struct api_param queue_params[] = { { "limit", PARAM_INT, false, 0, API_MAX_LIST },
    END };

const struct api_param points_params[] = {
	{ "sweep", PARAM_SWEEP, true, 0, 0 }, { "after", PARAM_INT, false, 0, INT64_MAX },
	{ "limit", PARAM_INT, false, 1, API_MAX_POINTS }, END };
const struct api_param kernels_params[] = { { "limit", PARAM_INT, false, 1, API_MAX_LIST }, END };
const struct api_param history_params[] = {
	{ "routine", PARAM_TEXT, true, 0, PARAMS_NAME_BYTES },
	{ "name", PARAM_TEXT, true, 0, PARAMS_NAME_BYTES },
	{ "limit", PARAM_INT, false, 1, API_MAX_POINTS }, END };

const struct api_param pause_params[] = {
	{ "sweep", PARAM_SWEEP, false, 0, 0 }, { "user", PARAM_USER, false, 0, 0 },
	{ "all", PARAM_BOOL, false, 0, 0 }, END };

static const struct method	methods[] = {
	{ "server.info", api_server_info, no_params, false, ROLE_READ },
	{ "host.get", api_host_get, no_params, false, ROLE_READ },
	{ "host.calibrate", api_host_calibrate, no_params, false, ROLE_OPERATE },
	{ "host.reference", api_host_yardstick, no_params, false, ROLE_OPERATE },
	{ "queue.get", api_queue_get, queue_params, false, ROLE_READ },
	{ "queue.pause", api_queue_pause, pause_params, false, ROLE_SUBMIT },
	{ "queue.resume", api_queue_resume, pause_params, false, ROLE_SUBMIT },
	{ "job.submit", api_job_submit, NULL, false, ROLE_SUBMIT },
	{ "job.get", api_job_get, id_params, false, ROLE_READ },
	{ "job.result", api_job_result, id_params, false, ROLE_READ },
	{ "job.spec", api_job_spec, id_params, false, ROLE_READ },
	{ "job.cancel", api_job_cancel, cancel_params, true, ROLE_SUBMIT },
	{ "job.wait", api_job_wait, wait_params, true, ROLE_READ },
	{ "sweep.create", api_sweep_create, create_params, false, ROLE_SUBMIT },
	{ "sweep.get", api_sweep_get, sweep_params, true, ROLE_READ },
	{ "sweep.list", api_sweep_list, sweep_list_params, false, ROLE_READ },
	{ "sweep.cancel", api_sweep_cancel, sweep_params, true, ROLE_SUBMIT },
	{ "sweep.share", api_sweep_share, share_params, false, ROLE_SUBMIT },
	{ "sweep.export", api_sweep_export, export_params, false, ROLE_READ },
	{ "sweep.points", api_sweep_points, points_params, false, ROLE_READ },
	{ "sweep.report", api_sweep_report, sweep_params, true, ROLE_READ },
	{ "users.get", api_users_get, no_params, false, ROLE_READ },
	{ "kernel.list", api_kernel_list, kernels_params, false, ROLE_READ },
	{ "kernel.history", api_kernel_history, history_params, false, ROLE_READ },
	{ "compare.run", api_compare_run, compare_params, false, ROLE_SUBMIT },
	{ "results.query", api_results_query, query_params, false, ROLE_READ },
	{ "results.best", api_results_best, best_params, false, ROLE_READ },
	{ "results.subscribe", api_results_subscribe, subscribe_params, true, ROLE_READ },
	{ "store.check", api_store_check, no_params, false, ROLE_OPERATE },
	{ "store.backup", api_store_backup, backup_params, false, ROLE_OPERATE },
	{ "store.prune", api_store_prune, prune_params, false, ROLE_SUBMIT },
	{ "results.unsubscribe", api_results_unsubscribe, unsubscribe_params, false, ROLE_READ },
};
enum { NMETHODS = sizeof methods / sizeof methods[0] };

const struct method *
method_named(const char *name)
{
	for (unsigned i = 0; i < NMETHODS; i++)
		if (strcmp(methods[i].name, name) == 0)
			return &methods[i];
	return NULL;
}

void
method_refuse(const char *name, api_reply_fn *reply, void *arg)
{
	const char		*names[NMETHODS + 1] = { NULL }, *nearest;
	struct fault		 why;
	struct api_reply	 r = { .status = ST_NOT_FOUND, .code = API_NO_SUCH_METHOD,
				    .why = &why };

	for (unsigned i = 0; i < NMETHODS; i++)
		names[i] = methods[i].name;
	(void)fault_at(&why, ST_NOT_FOUND, "method", "there is no method \"%.100s\"", name);
	if ((nearest = nearest_name(name, names)) != NULL)
		fault_hint(&why, "did you mean \"%s\"?", nearest);
	reply(arg, &r);
}

enum status
method_permits(const struct method *m, const struct caller *who, struct fault *why)
{
	if (who->role >= m->role)
		return ST_OK;
	(void)fault_at(why, ST_DENIED, "method", "%s is for users who may %s; you may %s", m->name,
	    role_words[m->role], role_words[who->role]);
	fault_hint(why, who->uid == USER_NOBODY ?
	    "say who you are: with a token, a certificate, or over the Unix socket" :
	    "an operator gives roles, in users.conf");
	return ST_DENIED;
}

bool
method_brings_work(const struct method *m)
{
	static const char *const	words[] = { "job.submit", "sweep.create", "compare.run",
					    "host.calibrate", "host.reference" };

	for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
		if (strcmp(words[i], m->name) == 0)
			return true;
	return false;
}
