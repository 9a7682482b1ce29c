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

/* Chart.js comes after this script; what is drawn with it waits, what is fetched does not. */
const scriptsAreThere = embedded || document.readyState === "complete" ? Promise.resolve() :
    new Promise((resolve) => addEventListener("DOMContentLoaded", resolve));

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
	const answer = await (early || fetch(path, { headers: withToken(), cache: "no-cache" }));
	if (answer.ok) {
		const data = await answer.json();
		await scriptsAreThere;
		return data;
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
	return href ? el("a", { href, ...attributes }, text) : el("span", attributes, text);
}

/* ---- news ---- */

const STALE_MS = 45000, POLL_MS = 3000, MOST_WAIT_MS = 60000;

/*
 * Calls back when something may have changed: on each event of a stream, or by the clock where there
 * is no stream.  A page in the background is left alone; when it is seen again, it asks anew.
 */
class News {
	constructor(path, onchange, onstate) {
		this.path = path;
		this.onchange = onchange;
		this.onstate = onstate;
		this.last = null;
		this.wait = 1000;
		this.busy = false;
		this.again = false;
		document.addEventListener("visibilitychange", () => document.hidden ? this.rest() : this.start());
		addEventListener("online", () => this.start());
		this.start();
	}

	start() {
		this.rest();
		this.over = false;
		this.changed();
		this.follow();
	}

	rest() {
		clearTimeout(this.timer);
		clearTimeout(this.stale);
		if (this.abort)
			this.abort.abort();
		this.abort = null;
	}

	stop() {
		this.over = true;
		this.rest();
	}

	/* One question at a time; what changed meanwhile is asked for afterwards. */
	async changed() {
		if (this.busy) {
			this.again = true;
			return;
		}
		this.busy = true;
		try {
			await this.onchange();
			this.onstate(true);
			this.wait = 1000;
		} catch (e) {
			this.onstate(false, e);
		}
		this.busy = false;
		if (this.again && !this.over) {
			this.again = false;
			setTimeout(() => this.changed(), 400);
		}
	}

	async follow() {
		const abort = this.abort = new AbortController();
		try {
			const answer = await fetch(this.path, { signal: abort.signal, cache: "no-store", headers:
			    withToken({ Accept: "text/event-stream", ...(this.last ? { "Last-Event-ID": this.last } : {}) }) });
			const type = answer.headers.get("Content-Type") || "";
			if (answer.ok && type.startsWith("text/event-stream"))
				await this.read(answer.body.getReader(), abort);
			else
				return this.poll();
		} catch (e) {
			if (abort.signal.aborted && this.abort !== abort)
				return;
		}
		if (this.abort === abort && !this.over) {
			this.timer = setTimeout(() => this.start(), this.wait);
			this.wait = Math.min(2 * this.wait, MOST_WAIT_MS);
		}
	}

	/* Heartbeats are comments: a stream that is silent for long is dead. */
	async read(reader, abort) {
		const decoder = new TextDecoder();
		let text = "";

		for (;;) {
			clearTimeout(this.stale);
			this.stale = setTimeout(() => abort.abort(), STALE_MS);
			const { done, value } = await reader.read();
			if (done)
				return;
			text += decoder.decode(value, { stream: true });
			const blocks = text.split(/\r?\n\r?\n/);
			text = blocks.pop();
			for (const block of blocks)
				this.take(block);
		}
	}

	take(block) {
		const fields = block.split(/\r?\n/).filter((l) => l !== "" && !l.startsWith(":"));
		for (const line of fields)
			if (line.startsWith("id:"))
				this.last = line.slice(3).trim();
		if (fields.length)
			this.changed();
	}

	poll() {
		this.timer = setTimeout(async () => {
			await this.changed();
			if (!this.over && this.abort)
				this.poll();
		}, POLL_MS);
	}
}
