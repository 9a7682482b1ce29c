/* SPDX-License-Identifier: Apache-2.0 */
/* The first page: what the daemon does now, for whom, and how well it can time. */

/* Of two times of the same, 95 % are nearer to each other than 2.77 standard deviations. */
const DIFFERENCE = 2.77;

const GRADES = {
	quiet: "This host is quiet: times repeat well.",
	usable: "This host is usable: times repeat within a few per cent.",
	noisy: "This host is noisy: only large differences can be trusted.",
	unfit: "This host is unfit for timing: its times can be far off.",
};

/* One sentence: can small differences be believed here? */
function hostSentence(host) {
	const grade = host.fitness && host.fitness.grade;
	const kernels = ((host.reference || {}).kernels || []).filter((k) => typeof k.cv === "number");
	const cv = kernels.reduce((a, k) => Math.max(a, k.cv), 0);
	const noise = kernels.length ? ` The same kernel timed again differs by ${percent(cv)}, so a difference below ${percent(DIFFERENCE * cv)} means nothing.` :
	    " Its noise is not measured yet: the daemon times a reference kernel when it has nothing else to do.";
	return `${GRADES[grade] || "How fit this host is for timing is not known."}${noise}`;
}

function hostPart(host) {
	const reasons = (host.fitness && host.fitness.reasons) || [];
	const grade = (host.fitness && host.fitness.grade) || "unknown";
	return el("div", { class: `verdict grade-${grade}` },
	    el("p", {}, el("span", { class: "badge" }, grade), " ", hostSentence(host)),
	    el("p", { class: "note" }, [host.host, host.cpu_model, plural(host.cpus, "CPU"), `Linux ${host.kernel}`].filter(Boolean).join(" · ")),
	    reasons.length + (host.warnings || []).length ? el("details", {}, el("summary", {}, "Why, and what would help"),
	        el("ul", {}, [...reasons, ...(host.warnings || [])].map((r) => el("li", {}, r)))) : null);
}

const UNKNOWN = {
	no_rate: "not known yet", no_place: "no slot takes jobs", paused: "paused", not_before: "asleep", window: "outside its window",
	quota: "its day's time is used up", not_ready: "some are asleep or paused", cancelled: "about to end", reading: "the queue is being read",
};

function eta(x) {
	if (typeof x.eta_s === "number")
		return span(x.eta_s);
	return (x.eta && UNKNOWN[x.eta.unknown]) || "–";
}

function slotRow(slot, jobs, kind) {
	const job = slot.job !== null && jobs.get(slot.job);
	const what = slot.paused ? `paused: ${slot.paused}` : !slot.ready ? "is starting" : slot.job === null ? "idle" :
	    [linkTo("jobs", slot.job, (job && job.name) || `job ${slot.job}`), job && job.sweep ? [" of ", linkTo("sweeps", job.sweep.id, job.sweep.name)] : null];
	return [kind, slot.cpus.join(", "), [el("span", {}, what), "wide"], job ? person(job.submitter, job.user_name) : "–"];
}

function usersTable(queue) {
	if (!queue.users.length)
		return el("p", { class: "empty-note" }, "Nobody waits: a job that is submitted now starts at once.");
	return table("The queue by user", ["user", ["waiting", "n"], ["building", "n"], ["timed now", "n"], ["next at place", "n"], "all done in"],
	    queue.users.map((u) => [[person(u.user, u.user_name), "wide"], [count(u.waiting), "n"], [count(u.building), "n"], [count(u.timing), "n"],
	        [u.position === null ? "–" : u.position === 0 ? "next" : count(u.position), "n"], u.paused ? "paused" : eta(u)]));
}

function sweepState(s) {
	const over = s.states ? s.states.done + s.states.failed + s.states.cancelled + s.states.expired : s.finished ?? s.jobs - (s.left ?? 0);
	return { over, left: s.jobs - over };
}

/* Results without a time. */
const untimed = (sweep) => Object.entries(sweep.statuses || {}).reduce((a, [word, n]) => word === "ok" ? a : a + n, 0);

/* The share that was not timed is hatched, and said. */
function progress(over, jobs, name, wrong = 0) {
	const said = `${count(over)} of ${count(jobs)}`, failed = wrong ? `${count(wrong)} not timed` : "";
	const part = (kind, n) => {
		const bar = el("span", { class: kind });
		bar.style.width = `${100 * n / Math.max(1, jobs)}%`;
		return bar;
	};
	return el("span", { class: "progress" }, el("span", { class: "track", role: "progressbar", "aria-label": name, "aria-valuemin": "0",
	    "aria-valuemax": Math.max(1, jobs), "aria-valuenow": over, "aria-valuetext": [said, failed].filter(Boolean).join(", ") },
	    part("done", Math.max(0, over - wrong)), wrong ? part("untimed", wrong) : null),
	    el("span", { class: "n" }, said, failed ? el("span", { class: "bad" }, ` · ${failed}`) : null));
}

function sweepsTable(list) {
	if (!list.length)
		return el("p", { class: "empty-note" }, "There is no sweep yet. One is made with: assay sweep create FILE.json");
	return table("Recent sweeps", ["sweep", "progress", "by", "submitted"], list.map((s) => [
	    [linkTo("sweeps", s.id, s.name), "wide"], [progress(sweepState(s).over, s.jobs, `Progress of ${s.name}`, untimed(s)), "wide"], person(s.submitter, s.user_name), ago(s.submitted)]));
}

function figures(queue) {
	const busy = queue.slots.filter((s) => s.job !== null).length;
	const waiting = queue.states.queued + queue.states.built + queue.states.building;
	const rate = queue.rate || {};
	return el("ul", { class: "figures" }, [
		[`${busy} of ${queue.slots.length}`, queue.slots.length === 1 ? "timing slot is at work" : "timing slots are at work"],
		[count(waiting), waiting === 1 ? "job waits" : "jobs wait"],
		[rate.time_s ? rate.time_s < 1 ? duration(1e9 * rate.time_s) : span(rate.time_s) : "–", "in a slot for a job, lately"],
		[count(queue.states.done + queue.states.failed), "ended since the daemon started"],
	].map(([n, text]) => el("li", {}, el("strong", {}, n), " ", el("span", {}, text))));
}

async function nowPage(main) {
	const host = el("div"), figuresPart = el("div"), slots = el("div"), users = el("div"), jobs = el("div"), sweeps = el("div");

	replace(main, el("h1", { class: "hidden" }, "Now"), host, figuresPart,
	    el("div", { class: "columns" }, section("Who waits", users), section("What runs", slots)),
	    section("Recent sweeps", sweeps), section("Jobs under way and next", jobs));
	return async () => {
		const [queue, report, list] = await Promise.all([get("/v1/queue?limit=15"), get("/v1/host"), getOrNull("/v1/sweeps?limit=20")]);
		const live = new Map(queue.jobs.map((j) => [j.id, j]));
		const ready = queue.readiness;

		document.title = "Assay: now";
		replace(host, ready.ready ? null : el("div", { class: "alarm", role: "alert" }, el("strong", {}, "The daemon is not ready. "),
		    ready.reasons.map((r) => el("span", {}, `${sentence(r.reason)} `))), hostPart(report));
		replace(figuresPart, figures(queue));
		replace(users, queue.paused.all ? el("p", { class: "note" }, "The whole queue is paused.") : null, usersTable(queue));
		replace(slots, table("Slots and builders", ["place", "CPU", "what runs", "by"],
		    [...queue.slots.map((s) => slotRow(s, live, "timing")), ...queue.builders.map((s) => slotRow(s, live, "builder"))]));
		replace(sweeps, list ? sweepsTable(list.sweeps) : el("p", { class: "empty-note" }, "This daemon does not list its sweeps."));
		replace(jobs, queue.jobs.length ? table("Jobs that wait or run", [["job", "n"], "name", "sweep", "by", "state", ["priority", "n"]],
		    queue.jobs.map((j) => [[linkTo("jobs", j.id, j.id), "n"], [j.name || "–", "wide"], j.sweep ? linkTo("sweeps", j.sweep.id, j.sweep.name) : "–",
		        person(j.submitter, j.user_name), j.state, [j.priority, "n"]])) : el("p", { class: "empty-note" }, "No job waits or runs."));
	};
}
