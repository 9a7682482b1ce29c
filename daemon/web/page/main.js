/* SPDX-License-Identifier: Apache-2.0 */
/* Which page this is, its frame, and a token where the daemon wants one. */

const PAGES = [["/", "Now"], ["/history", "History"], ["/people", "People"]];
const main = document.getElementById("main");
let news = null;

function frame() {
	const path = location.pathname;
	if (embedded)
		return;
	document.getElementById("nav").append(...PAGES.map(([href, text]) => el("a", { href, "aria-current": path === href ? "page" : null }, text)));
	if (sessionStorage.getItem("assay-token"))
		document.getElementById("nav").append(el("button", { type: "button", id: "sign-out", class: "plain", onclick: () => {
			sessionStorage.removeItem("assay-token");
			location.reload();
		} }, "Sign out"));
}

/* The page to show, and what of. */
function choose() {
	if (embedded) {
		const job = location.hash.match(/^#job-(\d+)$/);
		return job ? [resultPage, Number(job[1])] : [sweepPage, embedded.sweep];
	}
	const [, first, second] = location.pathname.split("/");
	if (first === "sweeps" && second)
		return [sweepPage, decodeURIComponent(second)];
	if (first === "jobs" && second)
		return [resultPage, decodeURIComponent(second)];
	if (first === "history")
		return [historyPage, null];
	if (first === "people")
		return [peoplePage, null];
	return [nowPage, null];
}

/* ---- a token ---- */

function askForToken(message) {
	const input = el("input", { type: "password", id: "token", autocomplete: "current-password", required: true, "aria-describedby": "token-note" });
	const form = el("form", { class: "sign-in", onsubmit: (e) => {
		e.preventDefault();
		sessionStorage.setItem("assay-token", input.value.trim());
		location.reload();
	} }, el("h1", {}, "Sign in"), el("p", { id: "token-note" }, "This daemon wants to know who reads. Your operator has given you a token; it is kept in this tab until it is closed."),
	message ? el("p", { class: "bad", role: "alert" }, sentence(message)) : null, el("label", { for: "token" }, "Token"), input, el("button", { type: "submit" }, "Sign in"));

	(document.getElementById("sign-out") || form).remove();
	document.title = "Assay: sign in";
	replace(main, form);
	document.body.dataset.ready = "sign-in";
	input.focus();
}

function showFault(e) {
	if (e instanceof Refusal && e.status === 401) {
		if (news)
			news.stop();
		const had = sessionStorage.getItem("assay-token");
		sessionStorage.removeItem("assay-token");
		askForToken(had ? e.message : null);
		return;
	}
	if (!(e instanceof Refusal))
		console.error(e);
	const notThere = e instanceof Refusal && e.status === 404;
	document.title = notThere ? "Assay: not found" : "Assay: no answer";
	replace(main, el("h1", {}, notThere ? "Not found" : "This cannot be shown"), el("p", {}, sentence(e.message)),
	    e.hint ? el("p", { class: "note" }, sentence(e.hint)) : null, embedded ? null : el("p", {}, el("a", { href: "/" }, "Back to what the daemon does now")));
	document.body.dataset.ready = "fault";
	if (notThere && news)
		news.stop();
}

/* ---- the start ---- */

/* It is usable when a frame has shown it with its charts, and ready when the rest is drawn as well. */
async function finish() {
	await drawCharts();
	requestAnimationFrame(() => requestAnimationFrame(() => {
		becomeUsable();
		document.body.dataset.ready = "yes";
	}));
}

/* A page is built beside the shown one, and takes its place when it has its data. */
async function begin() {
	const [page, subject] = choose(), live = document.getElementById("live");
	let refresh = null;
	const look = async () => {
		if (refresh !== null) {
			await refresh();
			return;
		}
		const part = el("div");
		const first = await page(part, subject);
		await first();
		replace(main, part);
		refresh = first;
		finish();
	};

	if (embedded) {
		try {
			await look();
		} catch (e) {
			showFault(e);
		}
		return;
	}
	news = new News(() => refresh === null ? null : refresh.news ? refresh.news() : "/v1/events",
	    () => refresh !== null && refresh.has ? refresh.has() : null, look, (isWell, e) => {
		const away = e instanceof Refusal && e.status < 500 ? "" : "no answer: trying again";
		live.textContent = isWell ? "live" : away;
		live.className = isWell ? "live" : "live away";
		if (!isWell && (refresh === null || (e instanceof Refusal && [401, 404].includes(e.status)))) {
			refresh = null;
			showFault(e);
		}
	});
}

if (embedded)
	addEventListener("hashchange", () => {
		delete document.body.dataset.ready;
		scrollTo(0, 0);
		begin();
	});
frame();
begin();
