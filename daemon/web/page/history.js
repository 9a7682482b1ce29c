/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel over revisions (meta.revision): where its time stepped, and whether that is more than noise. */

const LEVEL = 0.05, Z95 = 1.959964;

/* Two-sided p of a standard normal: Abramowitz and Stegun 26.2.17, good to 1e-7. */
function pOfNormal(z) {
	const x = Math.abs(z), t = 1 / (1 + 0.2316419 * x);
	const tail = Math.exp(-x * x / 2) / Math.sqrt(2 * Math.PI) * t *
	    (0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
	return Math.min(1, 2 * tail);
}

/* Standard error of the logarithm of one time, by its interval; null: it has none. */
function errorOf(r) {
	return r.low_ns > 0 && r.high_ns > 0 ? Math.log(r.high_ns / r.low_ns) / (2 * Z95) : null;
}

/*
 * Results of one spec on one kind of host by revision, in the order in which each was first timed.
 * The error of a revision is of its results' intervals and of how far repeated results lie apart:
 * the pooled scatter of all revisions that were timed more than once.
 */
function revisions(results) {
	const by = new Map();
	for (const r of results.slice().reverse()) {
		if (r.status !== "ok" || r.value_ns === null || r.value_ns <= 0)
			continue;
		if (!by.has(r.revision))
			by.set(r.revision, []);
		by.get(r.revision).push(r);
	}
	let squares = 0, degrees = 0;
	const list = [...by].map(([revision, all]) => {
		const logs = all.map((r) => Math.log(r.value_ns));
		const mean = logs.reduce((a, b) => a + b, 0) / logs.length;
		squares += logs.reduce((a, l) => a + (l - mean) ** 2, 0);
		degrees += logs.length - 1;
		return { revision, all, mean, value: Math.exp(mean), at: all[0].finished, job: all[all.length - 1].job };
	});
	const scatter = degrees ? Math.sqrt(squares / degrees) : 0;
	for (const v of list) {
		const errors = v.all.map(errorOf).filter((e) => e !== null);
		const within = errors.length ? Math.sqrt(errors.reduce((a, e) => a + e * e, 0) / errors.length) : null;
		v.error = within === null && scatter === 0 ? null : Math.hypot(within || 0, scatter) / Math.sqrt(v.all.length);
		v.low = v.error === null ? null : Math.exp(v.mean - Z95 * v.error);
		v.high = v.error === null ? null : Math.exp(v.mean + Z95 * v.error);
	}
	return list;
}

function difference(a, b) {
	const error = a.error === null || b.error === null ? null : Math.hypot(a.error, b.error);
	return { ratio: b.value / a.value, p: error === null ? null : error > 0 ? pOfNormal((b.mean - a.mean) / error) : a.mean === b.mean ? 1 : 0 };
}

/* Steps from each revision to the next; Holm's correction for their number. */
function steps(list) {
	const all = list.slice(1).map((b, i) => ({ from: list[i], to: b, ...difference(list[i], b) }));
	const tested = all.filter((s) => s.p !== null).sort((a, b) => a.p - b.p);
	let most = 0;
	tested.forEach((s, i) => {
		most = Math.max(most, Math.min(1, s.p * (tested.length - i)));
		s.corrected = most;
		s.isStep = most < LEVEL;
	});
	return all;
}

/* Of a whole history, by the times' intervals: its first revision against its last. */
function sinceFirst(list, hasStep) {
	const first = list[0], d = difference(first, list[list.length - 1]), since = ["Since ", own(first.revision)];
	if (d.p === null)
		return [since, ` it is ${change(d.ratio)}, but there is no interval to judge that by.`];
	if (d.p >= LEVEL)
		return [since, ` its change cannot be told from noise (${chance(d.p)}).`];
	return [hasStep ? since : ["But since ", own(first.revision)], ` it is ${change(d.ratio)} (${chance(d.p)}).`];
}

function headline(list, stepped) {
	const real = stepped.filter((s) => s.isStep), last = real[real.length - 1];
	return el("p", { class: "headline" }, last ? ["The last significant step was ", own(last.to.revision), `: ${change(last.ratio)}. `] :
	    stepped.some((s) => s.p !== null) ? "No single step between revisions is more than noise. " : "",
	    sinceFirst(list, last || stepped.every((s) => s.p === null)));
}

const significance = (s) => s.p === null ? "not known: no interval" : `${s.isStep ? "a step" : "noise"}: ${chance(s.corrected)}`;

const change = (ratio) => ratio === 1 ? "the same" : ratio < 1 ? `${percent(1 - ratio)} faster` : `${percent(ratio - 1)} slower`;
const chance = (p) => p === null || p === undefined ? "not known" : p < 0.001 ? "p\u00a0<\u00a00.001" : `p\u00a0=\u00a0${digits(p, 2)}`;

function historyChart(list, stepped) {
	const marks = new Map(stepped.filter((s) => s.isStep).map((s) => [s.to, s]));
	const band = (key) => list.map((v) => v[key]);
	const tone = (v) => !marks.has(v) ? css("--accent") : marks.get(v).ratio < 1 ? css("--good") : css("--bad");
	const style = (v) => !marks.has(v) ? "circle" : "triangle";

	return chart(`Median by revision, ${plural(list.length, "revision")}, ${plural(marks.size, "significant step")}`, {
		type: "line",
		data: { labels: list.map((v) => visible(v.revision.slice(0, 12))), datasets: [
			{ label: "time", data: band("value"), borderColor: css("--accent"), borderWidth: 1.5, pointBackgroundColor: list.map(tone), pointBorderColor: list.map(tone),
			  pointStyle: list.map(style), pointRotation: list.map((v) => marks.has(v) && marks.get(v).ratio < 1 ? 180 : 0),
			  pointRadius: list.map((v) => marks.has(v) ? 8 : 3.5), fill: false },
			{ label: "95 % interval", data: band("high"), borderColor: "transparent", backgroundColor: css("--band"), pointRadius: 0, fill: "+1" },
			{ label: "low", data: band("low"), borderColor: "transparent", pointRadius: 0 },
		] },
		options: { interaction: { mode: "index", intersect: false }, scales: { y: timeAxis(), x: { ticks: { maxRotation: 40 } } }, plugins: {
			legend: { labels: { filter: (item) => item.text !== "low" } },
			tooltip: { filter: (c) => c.datasetIndex === 0, callbacks: { label: (c) => {
				const v = list[c.dataIndex], m = marks.get(v);
				return `${duration(v.value)}${m ? `: ${change(m.ratio)}, ${chance(m.corrected)}` : ""}`;
			} } } } },
	}, 300);
}

function comparePart(list) {
	const choices = list.map((v, i) => [i, v.revision]);
	const said = el("p", { class: "headline", role: "status" });
	let a = Math.max(0, list.length - 2), b = list.length - 1;
	const show = () => {
		const d = difference(list[a], list[b]);
		if (a === b)
			return replace(said, "These are the same.");
		replace(said, own(list[b].revision), d.ratio === 1 ? " is as fast as " : ` is ${change(d.ratio)} than `, own(list[a].revision),
		    `: ${duration(list[a].value)} → ${duration(list[b].value)}. ${d.p === null ? "There is no interval to judge that by." :
		    d.p < LEVEL ? `That is more than noise (${chance(d.p)}).` : `That may be noise (${chance(d.p)}).`}`);
	};
	show();
	return section("Compare two revisions", el("div", { class: "tools" }, choice("From", choices, a, (v) => {
		a = Number(v);
		show();
	}), choice("To", choices, b, (v) => {
		b = Number(v);
		show();
	})), said);
}

function stepsTable(list, stepped, onlySteps) {
	const by = new Map(stepped.map((s) => [s.to, s]));
	const rows = list.slice().reverse().filter((v) => !onlySteps || (by.get(v) || {}).isStep);
	if (!rows.length)
		return el("p", { class: "empty-note" }, "No step is more than noise.");
	return table("Revisions, the newest first", ["revision", ["time", "n"], "to the one before", "significance", ["95 % interval", "n"], ["timings", "n"], "first timed"], rows.map((v) => {
		const s = by.get(v);
		return [[linkTo("jobs", v.job, v.revision), "wide"], [duration(v.value), "n"],
		    [s ? `${s.isStep ? (s.ratio < 1 ? "▼ " : "▲ ") : ""}${change(s.ratio)}` : "–", s && s.isStep ? (s.ratio < 1 ? "good" : "bad") : ""],
		    s ? significance(s) : "", [v.low === null ? "–" : `${duration(v.low)} … ${duration(v.high)}`, "n"],
		    [v.all.length, "n"], moment(v.at)];
	}));
}

function seriesLabel(history, r) {
	const cell = history.cells[r.cell] || {};
	return [...Object.entries(cell.params || {}).map(([k, v]) => `${k}=${label(v)}`), cell.context === undefined ? "" : label(cell.context),
	    r.host_class ? `on ${r.host_class}` : ""].filter(Boolean).join(" ");
}

class HistoryView {
	constructor(history) {
		this.history = history;
		this.node = el("div");
		this.only = false;
		this.series = new Map();
		for (const r of history.results) {
			const key = `${r.cell} ${r.host_class}`;
			if (!this.series.has(key))
				this.series.set(key, []);
			this.series.get(key).push(r);
		}
		this.chosen = [...this.series.keys()][0];
	}

	show() {
		forgetCharts(this.node);
		if (!this.series.size) {
			replace(this.node, el("p", { class: "empty-note" }, "There are no results of it with a revision."));
			return;
		}
		const list = revisions(this.series.get(this.chosen)), stepped = steps(list);
		const options = [...this.series].map(([key, rs]) => [key, seriesLabel(this.history, rs[0])]);

		replace(this.node, options.length > 1 ? el("div", { class: "tools" }, choice("Size, context and host", options, this.chosen, (v) => {
			this.chosen = v;
			this.show();
		})) : el("p", { class: "under" }, options[0][1]),
		list.length < 2 ? el("p", { class: "headline" }, list.length ? "It has one revision: there is nothing to compare it with yet." : "None of its results is timed.") :
		    headline(list, stepped),
		list.length ? section("Time by revision", el("p", { class: "legend" }, "▲ a step to slower · ▼ a step to faster · the band is the 95 % interval"), historyChart(list, stepped),
		    el("label", { class: "check" }, el("input", { type: "checkbox", id: "only", checked: this.only, onchange: (e) => {
			this.only = e.target.checked;
			this.show();
		} }), " significant steps only"), stepsTable(list, stepped, this.only),
		    el("p", { class: "note" }, "A step is significant at 5 % by the times' 95 % intervals and the scatter of repeated timings, on the logarithms of times, with Holm's correction for the number of steps.")) : null,
		list.length > 1 ? comparePart(list) : null);
	}
}

async function historyPage(main) {
	const asked = new URLSearchParams(location.search), routine = asked.get("routine"), name = asked.get("name");
	const part = el("div");

	if (routine === null || name === null) {
		replace(main, el("h1", {}, "History"), part);
		return async () => {
			const { kernels } = await get("/v1/kernels?limit=500");
			document.title = "Assay: history";
			/* those that have something to show stand first */
			kernels.sort((a, b) => (b.revisions > 1) - (a.revisions > 1) || b.finished - a.finished);
			replace(part, kernels.length ? table("Kernels with revisions", ["variant", "routine", ["revisions", "n"], ["timings", "n"], "last"], kernels.map((k) => [
			    [el("a", { href: `/history?routine=${encodeURIComponent(k.routine)}&name=${encodeURIComponent(k.name)}` }, k.name || "(without a name)"), "wide"], k.routine, [count(k.revisions), "n"],
			    [count(k.results), "n"], ago(k.finished)])) : el("p", { class: "empty-note" }, "No result has a revision yet. Submit jobs or sweeps with \"meta\": {\"revision\": \"…\"}, for example the commit, and they are compared here."));
		};
	}
	replace(main, el("p", { class: "crumb" }, el("a", { href: "/history" }, "History"), " · ", own(routine)), el("h1", {}, name || routine), part);
	let seen = null;
	loadCharts();
	return async () => {
		const history = await get(`/v1/history?routine=${encodeURIComponent(routine)}&name=${encodeURIComponent(name)}`);
		entitle(`Assay: history of ${name || routine}`);
		const newest = history.results.length ? history.results[0].job : 0;
		if (newest === seen)
			return;
		seen = newest;
		const view = new HistoryView(history);
		replace(part, view.node);
		view.show();
	};
}
