/* SPDX-License-Identifier: Apache-2.0 */
/* One result: its samples and what the gate saw of them, how far it can be believed, how to repeat it. */

const TRUSTS = {
	claimed: "the variant's own process reports the time",
	audited: "calls on fresh operands, timed from outside and checked, confirm the time",
	verified: "each sample is a call on fresh operands, timed from outside and checked",
	suspect: "no honest effect explains the time that was claimed",
};

/* What makes one doubt the time, each in a sentence. */
function doubts(result) {
	const t = result.time, e = result.evidence || {}, k = result.technique || {}, list = [];
	const say = (when, text) => when && list.push(text);

	if (!t)
		return list;
	say(result.trust === "suspect", `It is suspect: ${result.detail || TRUSTS.suspect}.`);
	say(result.trust === "claimed", `Nothing from outside confirms the time: ${e.claimed || TRUSTS.claimed}.`);
	say(!(result.check && result.check.done), "The answer was not checked, as the spec has no reference.");
	say(k.canary && k.canary !== "on", `Neighbours on the core were not watched (${k.canary}).`);
	say(t.loud && t.loud.length, `${plural((t.loud || []).length, "sample was", "samples were")} taken beside a neighbour, for lack of better ones.`);
	say(t.disturbed && t.disturbed.length, `${plural((t.disturbed || []).length, "sample was", "samples were")} interrupted, for lack of better ones.`);
	say(e.frequency_moved, "The core's frequency moved by more than 2 %.");
	say(typeof e.steal_ms === "number" && e.steal_ms > 0, `The hypervisor took ${digits(e.steal_ms)} ms away.`);
	say(k.within_noise, "The routine is too short to be measured.");
	say(t.processes && t.processes.states && t.processes.states.length > 1, "Its processes fall into two groups, one much slower.");
	say(e.range && e.range.warning, `${e.range && e.range.warning}.`);
	say(e.conflicts && e.conflicts.length, "Operands may displace each other from L1.");
	say(e.cut_short, "Time ran out before all samples were taken.");
	say(e.uncalibrated, `The host was not calibrated: ${e.uncalibrated}.`);
	say(e.memory && e.memory.longer > 0.02, `Memory was busy: cold times are about ${percent((e.memory || {}).longer || 0)} too long.`);
	return list;
}

/* What the gate has of each sample. */
function sampleKind(time, i) {
	return (time.loud || []).includes(i) ? "beside a neighbour" : (time.disturbed || []).includes(i) ? "interrupted" : "quiet";
}

function samplesPart(time) {
	const kinds = { quiet: ["circle", "--accent"], "beside a neighbour": ["triangle", "--warn"], interrupted: ["crossRot", "--bad"] };
	const points = time.samples_ns.map((y, i) => ({ x: i + 1, y, kind: sampleKind(time, i) }));
	const sets = Object.entries(kinds).filter(([k]) => points.some((p) => p.kind === k)).map(([k, [pointStyle, tone]]) => ({
		label: k, data: points.filter((p) => p.kind === k), pointStyle, pointRadius: 3.5, borderWidth: 1.6, clip: 10,
		backgroundColor: css(tone), borderColor: css(tone) }));
	const canary = time.canary && time.canary.length === points.length ? time.canary : null;
	const median = { label: "median", data: [{ x: 1, y: time.median_ns }, { x: points.length, y: time.median_ns }], showLine: true,
	    pointRadius: 0, pointStyle: "line", borderDash: [6, 4], borderWidth: 1.5, borderColor: css("--muted") };
	const x = { type: "linear", min: 1, max: Math.max(2, points.length), ticks: { precision: 0 } };

	return section("Samples, in the order of taking",
	    chart(`${plural(points.length, "sample")}, median ${duration(time.median_ns)}`, { type: "scatter", data: { datasets: [...sets, median] },
	        options: { parsing: false, scales: { x, y: timeAxis() }, plugins: { legend: legendWithPoints,
	            tooltip: { callbacks: { label: (c) => `sample ${c.raw.x}: ${duration(c.raw.y)}${c.raw.kind ? `, ${c.raw.kind}` : ""}` } } } } }, 230),
	    canary ? [el("p", { class: "legend" }, "Beneath: the canary, a short computation beside each sample. At 1.0 the core was the routine's alone; at 1.5 a neighbour had a third of it."),
	        chart("Readings of the canary, one for each sample", { type: "line", data: { labels: points.map((p) => p.x), datasets: [{ label: "canary", data: canary, showLine: false, pointRadius: 2.5, clip: 10,
            borderColor: css("--dot"), backgroundColor: css("--dot") }] },
	            options: { scales: { x: { display: false }, y: { suggestedMin: 0.95, suggestedMax: 1.2, ticks: { maxTicksLimit: 5 } } }, plugins: { legend: { display: false } } } }, 110)] :
	        el("p", { class: "note" }, "The canary was off: what else ran on the core is not known."),
	    behind("The samples as a table", () => table("Samples", [["sample", "n"], ["time", "n"], ["canary", "n"], ["process", "n"], "the gate saw"],
	        points.map((p, i) => [[p.x, "n"], [duration(p.y), "n"], [canary ? digits(canary[i], 4) : "–", "n"],
	            [time.process && time.process.length ? time.process[i] : "0", "n"], p.kind]))));
}

/* Bins of equal width: Freedman and Diaconis, at least 5, at most 40. */
function histogram(values) {
	const sorted = values.slice().sort((a, b) => a - b), n = sorted.length;
	const least = sorted[0], most = sorted[n - 1];
	const width = 2 * (sorted[Math.floor(0.75 * (n - 1))] - sorted[Math.floor(0.25 * (n - 1))]) / Math.cbrt(n);
	const bins = most > least ? Math.min(40, Math.max(5, width > 0 ? Math.ceil((most - least) / width) : 10)) : 1;
	const step = (most - least) / bins || 1, counts = new Array(bins).fill(0);

	for (const v of sorted)
		counts[Math.min(bins - 1, Math.floor((v - least) / step))]++;
	return counts.map((c, i) => ({ from: least + i * step, to: least + (i + 1) * step, count: c }));
}

const MOST_EMPTY = 25, CUT = 3;		/* bins without a sample beside the others */

/*
 * Where another time stands on the axis of the bins, as a place among them, and how many empty ones
 * that takes before or behind them.  Too far off to be drawn to scale: at the end of CUT bins.
 */
function besideBins(bins, ns) {
	const step = bins[0].to - bins[0].from, at = (ns - bins[0].from) / step - 0.5, last = bins.length - 1;
	const before = Math.max(0, Math.ceil(-at)), behind = Math.max(0, Math.ceil(at) - last);

	if (before > MOST_EMPTY)
		return { at: 0, before: CUT, behind: 0, isCut: true };
	if (behind > MOST_EMPTY)
		return { at: last + CUT, before: 0, behind: CUT, isCut: true };
	return { at: at + before, before, behind, isCut: false };
}

/* A dashed line with words at a place among the bins. */
function markAt(place, words) {
	return { id: "mark", afterDatasetsDraw: (c) => {
		const g = c.ctx, { left, right, top, bottom } = c.chartArea;
		const x = Math.min(right - 1, Math.max(left + 1, c.scales.x.getPixelForValue(place))), isLeft = x < (left + right) / 2;

		g.save();
		g.strokeStyle = g.fillStyle = css("--good");
		g.lineWidth = 2;
		g.setLineDash([6, 4]);
		g.beginPath();
		g.moveTo(x, top);
		g.lineTo(x, bottom);
		g.stroke();
		g.font = TICK_FONT;
		g.textBaseline = "top";
		g.textAlign = isLeft ? "left" : "right";
		g.fillText(words, isLeft ? x + 6 : x - 6, top + 2);
		g.restore();
		c.markedAt = x;
	} };
}

function histogramPart(result) {
	const time = result.time, e = result.evidence || {}, bins = histogram(time.samples_ns);
	const context = (result.technique || {}).context;
	const word = typeof context === "string" ? context : "timed";
	const warm = typeof e.warm_ns === "number" && e.warm_ns > 0 ? e.warm_ns : null;
	const beside = warm === null ? { before: 0, behind: 0 } : besideBins(bins, warm);
	/* the axis goes on in empty bins, without times where it is cut */
	const step = bins[0].to - bins[0].from, zeros = (n) => new Array(n).fill(0);
	const ticks = Array.from({ length: beside.before + bins.length + beside.behind }, (_, i) => {
		const k = i - beside.before, isEmpty = k < 0 || k >= bins.length;
		return isEmpty && beside.isCut ? "" : duration(bins[0].from + (k + 0.5) * step);
	});
	const words = warm === null ? "" : `warm ${duration(warm)}${beside.isCut ? ", not to scale" : ""}`;
	const name = `Histogram of ${plural(time.samples_ns.length, "sample")}`;

	return section("Histogram", el("p", { class: "legend" }, `${word === "cold" ? "Cold times" : word === "warm" ? "Warm times" : "Times"} by their number.`,
	    warm !== null ? ` The dashed line: warm, the same call takes ${duration(warm)}, and the shortest cold one ${digits(e.cold_over_warm, 3)} times as long.` : ""),
	    chart(warm === null ? name : `${name}, and a line at ${words}`, { type: "bar", plugins: warm === null ? [] : [markAt(beside.at, words)],
	        data: { labels: ticks,
	            datasets: [{ label: word, data: [...zeros(beside.before), ...bins.map((b) => b.count), ...zeros(beside.behind)],
	                backgroundColor: css("--accent"), barPercentage: 1, categoryPercentage: 0.95 }] },
	        options: { scales: { x: { ticks: { maxTicksLimit: isNarrow() ? 4 : 7, maxRotation: 0, autoSkipPadding: 14 } }, y: { ticks: { precision: 0 }, grace: warm === null ? 0 : "12%" } }, plugins: { legend: { display: false } } } }, 200),
	    behind("The histogram as a table", () => table("Histogram", [["from", "n"], ["to", "n"], ["samples", "n"]],
	        bins.map((b) => [[duration(b.from), "n"], [duration(b.to), "n"], [b.count, "n"]]))));
}

function timeFacts(result) {
	const t = result.time, r = result.rate || {}, k = result.technique || {};
	const rate = [r.mflops_avg ? `${digits(r.mflops_avg / 1000)} GFLOPS` : null, r.gbs_avg ? `${digits(r.gbs_avg)} GB/s` : null].filter(Boolean).join(", ");

	return facts([["95 % interval", t.ci95_ns ? `${duration(t.ci95_ns[0])} … ${duration(t.ci95_ns[1])}` : "none: too few samples"],
	    ["median", duration(t.median_ns)], ["minimum", duration(t.min_ns)], ["mean", duration(t.mean_ns)], ["90th percentile", duration(t.p90_ns)], ["spread", percent(t.cv)],
	    ["taken", `${plural(t.count, "sample")} of ${plural(k.calls ?? 1, "call")} each${t.processes ? `, in ${plural(t.processes.count, "process", "processes")}` : ""}`],
	    ["refused by the gate", result.evidence && "rejected" in result.evidence ? `${count(result.evidence.rejected)} of ${count(result.evidence.taken)} taken` : null],
	    rate ? ["rate", rate] : null]);
}

function setting(result) {
	const k = result.technique || {};
	return facts([["routine", result.routine], ["params", result.params && Object.keys(result.params).length ? members(result.params) : null],
	    ["context", k.context === undefined ? null : label(k.context)], ["method", k.method === "none" ? null : k.method], ["flags", result.flags ? result.flags.join(" ") || "none" : null],
	    ["compiler", result.compiler ? result.compiler.version || result.compiler.name : null], ["CPU", k.cpus ? k.cpus.join(", ") : null],
	    ["code", result.code_bytes ? plural(result.code_bytes, "byte") : null], ["host class", result.host_class], ["believed", result.trust ? `${result.trust}: ${TRUSTS[result.trust]}` : null],
	    ["meta", result.meta && Object.keys(result.meta).length ? members(result.meta) : null]]);
}

/*
 * One that is not taken from what is stored.  Outside of strings JSON has no unseen characters, and
 * within them an escape is the same: what is copied is what is shown.
 */
function repeatCommand(spec) {
	const job = { spec: spec.spec, variant: spec.variant, fresh: true };
	if (spec.against)
		job.against = spec.against;
	return `assay time - <<'END'\n${visible(JSON.stringify(job))}\nEND\n`;
}

function sourcePart(spec, result) {
	const v = spec && spec.variant;
	if (!v)
		return [section("Source", el("p", { class: "empty-note" }, "Its source is not shared with you.")),
		    section("To time it again", el("p", {}, "Its submitter can repeat it from its spec and source:"), copyable(`assay results --spec ${result.job}`, "Command"))];
	const text = typeof v.source === "string" ? v.source : null;
	const unseen = text === null ? 0 : (text.match(UNSEEN) || []).length;
	return [section("Source", unseen ? el("p", { class: "note bad" }, `${plural(unseen, "character")} in it would not be seen and may change how it reads. Here they stand as \\u and a number; what is copied is the source itself.`) : null,
	    text !== null ? copyable(text, "Source of the variant", null, text) : el("p", { class: "empty-note" }, "It was submitted as a built object."),
	    v.defines && Object.keys(v.defines).length ? el("p", { class: "note" }, "Defines: ", members(v.defines)) : null),
	    section("To time it again", copyable(repeatCommand(spec), "Command that times it again", "wraps"))];
}

function resultTop(job, result) {
	const t = result && result.time;
	if (!result)
		return el("p", { class: "headline" }, `It is ${job.state}${job.position ? `, with ${plural(job.position, "job")} before it` : ""}. Its result is expected in: ${eta(job)}.`);
	if (!t)
		return [el("p", { class: "headline bad" }, `Not timed: ${result.status_text || result.status}.`), result.detail ? copyable(result.detail, "Message", "wraps") : null];
	if (t.raced)
		return el("p", { class: "headline" }, "Given up: it takes longer than ", el("strong", {}, duration(t.bound_ns)), ", slower than was asked.");
	const half = t.ci95_ns ? Math.max(t.median_ns - t.ci95_ns[0], t.ci95_ns[1] - t.median_ns) / t.median_ns : null;
	const known = half === null ? "" : half <= MOST_HALF ? `, the median is known to ± ${percent(half)}` : `, the median is between ${duration(t.ci95_ns[0])} and ${duration(t.ci95_ns[1])}`;
	return [el("p", { class: "headline" }, el("strong", {}, duration(t.value_ns)), ` a call (${t.estimator}${known}): ${result.status_text || result.status}.`),
	    "corrected_ns" in result ? el("p", { class: "note" }, `Corrected for its sweep's drift: ${duration(result.corrected_ns)}.`) : null,
	    "repeat_of" in result ? el("p", { class: "note" }, "Its code is the same, so it was not timed again: the time is of ", linkTo("jobs", result.repeat_of, `job ${result.repeat_of}`), ".") : null];
}

function comparisonPart(c) {
	if (!c)
		return null;
	const words = { faster: `b is faster than a`, slower: `b is slower than a`, indistinguishable: "the two cannot be told apart" };
	return section("Comparison", el("p", {}, `${words[c.verdict] || c.verdict}: b takes ${digits(c.ratio)} times as long as a`,
	    c.interval ? ` (${digits(c.interval[0])} … ${digits(c.interval[1])})` : "", `, by ${plural(c.pairs, "pair")}.`),
	    facts([["a", [own(c.a.name), `: ${duration(c.a.median_ns)}`]], ["b", [own(c.b.name), `: ${duration(c.b.median_ns)}`]]]));
}

async function resultPage(main, id) {
	const part = el("div");
	let shown = null, isOver = false;

	replace(main, part);
	loadCharts();
	const look = async () => {
		const job = await get(`/v1/jobs/${id}`);
		isOver = job.result !== null;
		if (shown === `${job.state} ${job.position}` && job.result)
			return;
		shown = `${job.state} ${job.position}`;
		const spec = await getOrNull(`/v1/jobs/${id}/spec`), r = job.result, list = r ? doubts(r) : [];

		entitle(`Assay: job ${job.id} ${job.name}`);
		forgetCharts(part);
		replace(part, el("p", { class: "crumb" }, job.sweep ? ["Sweep ", embedded ? el("a", { href: "#" }, job.sweep.name) : linkTo("sweeps", job.sweep.id, job.sweep.name), " · "] : null,
		    `job ${job.id}`), el("h1", {}, job.name || `job ${job.id}`),
		    el("p", { class: "under" }, "by ", own(person(job.submitter, job.user_name)), ", submitted ", moment(job.submitted), r ? [", finished ", moment(r.finished)] : null,
		        r && r.meta && "revision" in r.meta && !embedded ? [" · ", el("a", { href: `/history?routine=${encodeURIComponent(r.routine)}&name=${encodeURIComponent(r.name)}` }, "its history")] : null),
		    resultTop(job, r),
		    list.length ? section("Doubts", el("ul", { class: "doubts" }, list.map((d) => el("li", {}, d)))) : r && r.time ? el("p", { class: "sound" }, "✓ Nothing speaks against this time.") : null,
		    r && r.time ? timeFacts(r) : null, comparisonPart(r && r.comparison),
		    r && r.time && r.time.samples_ns && r.time.samples_ns.length ? [samplesPart(r.time), histogramPart(r)] : null,
		    r ? section(r.time ? "How it was timed" : "What was to be timed", setting(r)) : null, sourcePart(spec, r || { job: job.id }));
	};
	look.news = () => isOver ? null : `/v1/jobs/${id}/events`;
	return look;
}
