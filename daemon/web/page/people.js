/* SPDX-License-Identifier: Apache-2.0 */
/* Who has used the timing slots, and who waits. */

async function peoplePage(main) {
	const part = el("div");

	replace(main, el("h1", {}, "People"), part);
	return async () => {
		const [{ users }, queue] = await Promise.all([get("/v1/users"), get("/v1/queue?limit=0")]);
		const limits = queue.quota.limits;
		const most = users.reduce((a, u) => Math.max(a, u.timed_s), 0);
		const live = new Map(queue.users.map((u) => [u.user, u]));
		const today = new Map(queue.quota.users.map((u) => [u.user, u]));
		const rows = users.map((u) => {
			const l = live.get(u.user) || { waiting: 0, building: 0, timing: 0 }, q = today.get(u.user);
			return [[person(u.user, u.user_name), "wide"], [el("span", { class: "bar" }, el("meter", { min: 0, max: most || 1, value: u.timed_s,
			    "aria-label": `Share of ${person(u.user, u.user_name)}` }), el("span", { class: "n" }, span(u.timed_s))), "broad"],
			    [q ? span(q.timing_s) : "none", "n"], [count(l.waiting + l.building + l.timing), "n"], l.waiting ? eta(l) : "–",
			    q && q.held_until ? el("span", {}, "held until ", moment(q.held_until)) : null];
		});

		document.title = "Assay: people";
		replace(part, el("p", {}, "Time in the timing slots. The slots are shared: the next job is of the user who has used least lately. ",
		    limits.timing_s !== null ? `A user may use ${span(limits.timing_s)} on a day. ` : "", limits.jobs !== null ?
		    `A user may have ${plural(limits.jobs, "job")} waiting.` : ""),
		    rows.length ? table("Seconds used and jobs that wait, by user", ["user", "in slots, ever", ["today", "n"], ["jobs now", "n"], "all done in", ""], rows) :
		        el("p", { class: "empty-note" }, "Nobody has been timed yet."));
	};
}
