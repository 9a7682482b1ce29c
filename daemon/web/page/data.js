/* SPDX-License-Identifier: Apache-2.0 */
/* Data: from the daemon, or from the page itself if it is a report. */

const embedded = document.getElementById("data") ? JSON.parse(document.getElementById("data").textContent) : null;

class Refusal extends Error {
	constructor(status, problem) {
		super(problem.detail || problem.title || `HTTP ${status}`);
		this.status = status;
		this.hint = problem.hint || null;
	}
}

function withToken(headers = {}) {
	const token = sessionStorage.getItem("assay-token");
	return token ? { ...headers, Authorization: `Bearer ${token}` } : headers;
}

/*
 * Parts are made anew from answers.  Between the press and the release of a button that would take
 * the click from what is under it, so answers wait for `hands`.
 */
let hands = Promise.resolve();
addEventListener("pointerdown", () => {
	const kinds = ["pointerup", "pointercancel", "pointermove", "blur"];
	let off;
	const look = (e) => {
		if (e.type === "pointermove" && e.buttons)
			return;
		kinds.forEach((k) => removeEventListener(k, look, true));
		setTimeout(off);	/* the click comes right behind the release */
	};
	hands = new Promise((resolve) => { off = resolve; });
	kinds.forEach((k) => addEventListener(k, look, true));
}, true);

async function get(path) {
	if (embedded) {
		const found = embedded.answers[path];
		if (found === undefined)
			throw new Refusal(404, { detail: "The report does not have this." });
		return found;
	}
	const early = typeof assayEarly === "undefined" ? null : assayEarly[path];
	if (early)
		delete assayEarly[path];
	let answer;
	try {
		answer = await (early || fetch(path, { headers: withToken(), cache: "no-cache" }));
	} catch (e) {
		throw new Refusal(503, { detail: "The daemon does not answer. The page tries again by itself" });
	}
	if (answer.ok) {
		const found = await answer.json();
		await hands;
		return found;
	}
	let problem = {};
	try {
		problem = await answer.json();
	} catch (e) {
		problem = { detail: `The daemon answered with HTTP ${answer.status}.` };
	}
	throw new Refusal(answer.status, problem);
}

/* As get, but null where there is nothing, or nothing for this reader. */
async function getOrNull(path) {
	try {
		return await get(path);
	} catch (e) {
		if (e instanceof Refusal && [403, 404, 405].includes(e.status))
			return null;
		throw e;
	}
}

const sweepPath = (name) => `/v1/sweeps/${encodeURIComponent(name)}`;

/* Where a thing is shown; null: not in this report. */
function pageOf(kind, id) {
	if (embedded)
		return kind === "jobs" && embedded.answers[`/v1/jobs/${id}`] ? `#job-${id}` : null;
	return `/${kind}/${encodeURIComponent(id)}`;
}

function linkTo(kind, id, text, attributes = {}) {
	const href = pageOf(kind, id);
	return href ? el("a", { href, ...attributes }, text) : el("bdi", attributes, text);
}

/* ---- news ---- */

const STALE_MS = 45000, POLL_MS = 3000, MOST_WAIT_MS = 60000, PAUSE_MS = 500;

/*
 * Calls back when something may have changed: on each event of a stream, or by the clock where there
 * is no stream.  A page in the background is left alone; when it is seen again, it asks anew.
 * `path` gives the stream, once the first question is answered; null: nothing will change.  A stream
 * that broke goes on behind its last event, or behind what the page `has` of it, if that is more; one
 * that begins where it is opened says nothing of what came since the question, so that is asked again.
 */
class News {
	constructor(path, has, onchange, onstate) {
		this.path = path;
		this.has = has;
		this.last = null;
		this.onchange = onchange;
		this.onstate = onstate;
		this.wait = 1000;
		this.busy = false;
		document.addEventListener("visibilitychange", () => document.hidden ? this.rest() : this.start());
		addEventListener("online", () => this.start());
		this.start();
	}

	async start() {
		this.rest();
		if (this.over)
			return;
		const abort = this.abort = new AbortController();
		if (await this.changed())
			this.follow(abort);
		else
			this.retry(abort);
	}

	retry(abort) {
		this.later(abort, () => this.start(), this.wait);
		this.wait = Math.min(2 * this.wait, MOST_WAIT_MS);
	}

	rest() {
		clearTimeout(this.timer);
		clearTimeout(this.stale);
		if (this.abort)
			this.abort.abort();
		this.abort = null;
		this.again = false;
	}

	stop() {
		this.over = true;
		this.rest();
	}

	/* One question at a time; what changed meanwhile is asked for afterwards.  True: it was answered. */
	async changed() {
		let isWell = true;

		if (this.busy) {
			this.again = true;
			return false;
		}
		this.busy = true;
		document.getElementById("main").setAttribute("aria-busy", "true");
		try {
			await this.onchange();
			this.onstate(true);
			this.wait = 1000;
		} catch (e) {
			isWell = false;
			this.onstate(false, e);
		}
		this.busy = false;
		document.getElementById("main").setAttribute("aria-busy", "false");
		if (this.again)
			setTimeout(() => {
				if (this.again) {
					this.again = false;
					this.changed();
				}
			}, PAUSE_MS);
		return isWell;
	}

	later(abort, act, ms) {
		if (this.abort === abort)
			this.timer = setTimeout(act, ms);
	}

	async follow(abort) {
		const path = this.path(), has = this.has(), headers = { Accept: "text/event-stream" };
		if (path === null || this.abort !== abort)
			return;
		const goesOn = has !== null || this.last !== null;
		if (goesOn)
			headers["Last-Event-ID"] = String(Math.max(has, this.last));
		try {
			const answer = await fetch(path, { signal: abort.signal, cache: "no-store", headers: withToken(headers) });
			const type = answer.headers.get("Content-Type") || "";
			if (answer.status === 204)
				return;
			if (!answer.ok || !type.startsWith("text/event-stream"))
				return this.poll(abort);
			if (!goesOn)
				this.changed();
			if (await this.read(answer.body.getReader(), abort))
				return;
		} catch (e) {
			/* the connection is gone, or silent for too long: the question below says which */
		}
		this.retry(abort);
	}

	/* Heartbeats are comments: a stream that is silent for long is dead.  True: it has said its last. */
	async read(reader, abort) {
		const decoder = new TextDecoder();
		let text = "", isOver = false;

		for (;;) {
			clearTimeout(this.stale);
			this.stale = setTimeout(() => reader.cancel(), STALE_MS);
			const { done, value } = await reader.read();
			if (done || this.abort !== abort)
				break;
			text += decoder.decode(value, { stream: true });
			const blocks = text.split(/\r?\n\r?\n/);
			text = blocks.pop();
			for (const block of blocks) {
				const id = block.match(/^id: ?(\d+)$/m);
				if (id)
					this.last = Number(id[1]);
				isOver = isOver || /^event: ?end$/m.test(block);
				if (/^(event|data):/m.test(block))
					this.changed();
			}
		}
		clearTimeout(this.stale);
		return isOver;
	}

	poll(abort) {
		this.later(abort, async () => {
			await this.changed();
			this.poll(abort);
		}, POLL_MS);
	}
}
