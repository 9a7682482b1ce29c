/* SPDX-License-Identifier: Apache-2.0 */
/* A sweep: how far it is, which variant is fastest where, and what the space looks like. */

const ROWS_AT_FIRST = 50, POINTS_AT_MOST = 60000, PIVOT_ROWS = 40, PIVOT_COLUMNS = 30;

/* ---- words ---- */

function sweepHead(sweep) {
	const { over, left } = sweepState(sweep);
	const wrong = Object.entries(sweep.statuses).filter(([word]) => word !== "ok");
	const state = sweep.arriving ? `arriving: ${count(sweep.arriving.stored)} of ${count(sweep.arriving.points)} stored` :
	    left === 0 ? "over" : sweep.paused ? "paused" : sweep.held ? "held until its submitter has time again" :
	    `${plural(left, "job")} left, ${typeof sweep.eta_s === "number" ? `done in ${span(sweep.eta_s)}` : eta(sweep)}`;

	return [el("p", { class: "under" }, "by ", own(person(sweep.submitter, sweep.user_name)), ", submitted ", moment(sweep.submitted), ` · ${state}`),
	    progress(over, sweep.jobs, "Progress of the sweep", untimed(sweep)),
	    wrong.length ? el("p", { class: "note" }, "Not timed: ", wrong.map(([word, n], i) => `${i ? ", " : ""}${count(n)} ${word.replace(/_/g, " ")}`), ".") : null,
	    sweep.noise ? el("p", { class: "note" }, `The same, timed again in this sweep, differed by ${percent(sweep.noise.spread)}.`) : null,
	    sweep.drift ? el("p", { class: "note" }, `Its yardstick moved by ${percent(Math.abs(sweep.drift.drift - 1))} from first to last.`,
	        sweep.correction ? " Times are corrected for that." : "") : null];
}

/* How many others are no slower than the first as far as one can tell, and why. */
function tiedSentence(space, first, tied) {
	const n = space.measurements(tied), known = tied.filter((i) => space.hasInterval(i) && space.hasInterval(first)).length;
	const why = known === tied.length ? "their 95 % intervals overlap" : known ? "their 95 % intervals overlap, or there are none" :
	    space.hasInterval(first) ? `${n === 1 ? "it has" : "they have"} no 95 % interval` : "the fastest has no 95 % interval";
	return `${plural(n, "other cannot be told apart from it", "others cannot be told apart from it")}: ${why}.`;
}

function restSentence(space, ranked) {
	const first = ranked[0], others = ranked.slice(1).filter((i) => !space.isSameCode(i, first));
	const tied = others.filter((i) => space.isTied(i, first)), same = ranked.length - 1 - others.length;
	const said = [];

	if (ranked.length === 1)
		return "It is the only one with a time.";
	if (same)
		said.push(`${plural(same, "other has", "others have")} the same code and ${same === 1 ? "was" : "were"} not timed again.`);
	if (tied.length)
		said.push(tiedSentence(space, first, tied));
	else if (others.length)
		said.push(`The next takes ${times(space.value[others[0]] / space.value[first])} as long.`);
	const slowest = space.value[ranked[ranked.length - 1]] / space.value[first];
	if (space.measurements(others) > 1 && slowest >= LEAST_FACTOR)
		said.push(`The slowest takes ${digits(slowest, 3)} times as long.`);
	return said.join(" ");
}

/* Which is fastest, in a sentence.  cell: null if there is but one. */
function verdict(space, cell) {
	const ranked = space.ranked(cell), cells = space.cells.length;
	const where = cell === null ? "" : [" at ", own(space.cellLabel(cell)), ` (one of ${count(cells)} sizes)`];
	if (ranked.length === 0)
		return el("p", { class: "headline" }, space.n ? ["No result", where, " has a time."] : "No result yet.");
	const first = ranked[0];
	return el("p", { class: "headline" }, "Fastest", where, ": ", linkTo("jobs", space.job[first], space.name[first] || `job ${space.job[first]}`), " with ",
	    el("strong", {}, duration(space.value[first])), ". ", restSentence(space, ranked));
}

const LEAST_FACTOR = 1.005;	/* 1.00 in three digits says nothing */

/* With more digits where three would say "the same". */
const factorDigits = (factor) => digits(factor, factor < 1.01 ? 5 : 3);
const isSameTime = (factor) => factorDigits(factor) === "1.0000";
const timesAsLong = (factor) => isSameTime(factor) ? "the same" : `${factorDigits(factor)}×`;
const times = (factor) => isSameTime(factor) ? "just" : `${factorDigits(factor)} times`;

/* Half of the interval as a share of the time, or from where to where if that is much of it. */
const MOST_HALF = 0.5;

function intervalOf(space, i) {
	const half = space.half(i);
	return half === null ? "–" : half <= MOST_HALF ? `± ${percent(half)}` : `${duration(space.end(i, -1))} … ${duration(space.end(i, 1))}`;
}

/* ---- size × variant ---- */

function pivot(space) {
	const dims = space.variantDims(), winners = space.winners();
	const columns = space.cellOrder().filter((c) => winners[c] >= 0);
	const rows = new Map();

	for (let i = 0; i < space.n; i++) {
		if (!space.isRanked(i))
			continue;
		const name = space.variantName(i, dims);
		if (!rows.has(name))
			rows.set(name, { name, at: new Map(), wins: 0, slow: 0 });
		const row = rows.get(name), c = space.cell[i];
		if (!row.at.has(c) || space.value[i] < space.value[row.at.get(c)])
			row.at.set(c, i);
	}
	for (const row of rows.values()) {
		for (const [c, i] of row.at)
			row.wins += i === winners[c] ? 1 : 0;
		row.slow = [...row.at].reduce((a, [c, i]) => a + Math.log(space.value[i] / space.value[winners[c]]), 0) / row.at.size;
	}
	/* winners first, then by how much slower on the mean */
	const order = [...rows.values()].sort((a, b) => b.wins - a.wins || a.slow - b.slow);
	return { columns, order };
}

function pivotCell(space, winners, c, i) {
	if (i === undefined)
		return el("td", { class: "n none" }, "–");
	const w = winners[c], wins = i === w, same = !wins && space.isSameCode(i, w), tied = !wins && space.isTied(i, w);
	const factor = space.value[i] / space.value[w];
	return el("td", { class: `n ${wins ? "wins" : tied ? "tied" : ""}` },
	    linkTo("jobs", space.job[i], `${wins ? "★ " : tied ? "≈ " : same ? "= " : ""}${duration(space.value[i])}`),
	    el("span", { class: "factor" }, wins ? "fastest" : same ? "same code" : tied ? "not told apart" : timesAsLong(factor)));
}

function pivotPart(space) {
	const { columns, order } = pivot(space), winners = space.winners();
	const shownColumns = columns.slice(0, PIVOT_COLUMNS), shownRows = order.slice(0, PIVOT_ROWS);
	const cut = order.length > shownRows.length || columns.length > shownColumns.length;

	return section("Which wins where",
	    el("p", { class: "legend" }, "★ the fastest of its column · ", el("span", { class: "swatch tied" }), " ≈ cannot be told apart from it: 95 % intervals overlap or are not known · n× takes that many times as long",
	        space.hasRepeats() ? " · = the same code, not timed again" : "",
	        cut ? ` · ${count(shownRows.length)} of ${plural(order.length, "variant")} and ${count(shownColumns.length)} of ${plural(columns.length, "size")}, winners first` : ""),
	    sideways("Times by size and variant", el("table", { class: "pivot" },
	        el("caption", { class: "hidden" }, "Times by size and variant"),
	        el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "variant"), shownColumns.map((c) => el("th", { scope: "col", class: "n" }, space.cellLabel(c))))),
	        el("tbody", {}, shownRows.map((r) => el("tr", {}, el("th", { scope: "row" }, r.name),
	            shownColumns.map((c) => pivotCell(space, winners, c, r.at.get(c)))))))));
}

/* ---- the table of all ---- */

const ORDERS = {
	job: (s) => (a, b) => s.job[a] - s.job[b],
	variant: (s) => (a, b) => s.name[a] < s.name[b] ? -1 : s.name[a] > s.name[b] ? 1 : a - b,
	size: (s) => (a, b) => s.cell[a] - s.cell[b] || (s.value[a] ?? Infinity) - (s.value[b] ?? Infinity),
	outcome: (s) => (a, b) => s.status[a] < s.status[b] ? -1 : s.status[a] > s.status[b] ? 1 : a - b,
};

/* Its time is another's, for its code is: which one's. */
function sameNote(space, i) {
	const of = space.repeatOf(i);
	if (of === null)
		return null;
	const at = space.placeOfJob(of), name = (at >= 0 && space.name[at] !== space.name[i] && space.name[at]) || `job ${of}`;
	return el("span", { class: "factor" }, "same code as ", linkTo("jobs", of, name), ": not timed again");
}

class ResultTable {
	constructor(space) {
		this.space = space;
		this.order = "time";
		this.down = false;
		this.rows = ROWS_AT_FIRST;
		this.words = "";
		this.only = "";
		this.body = el("tbody", {});
		this.said = el("p", { class: "note", role: "status" });
		this.more = el("div", { class: "tools" });
		this.heads = el("tr", {});
		this.filter = el("input", { type: "search", id: "filter", placeholder: "e.g. NB=8 flags=-O3", oninput: () => {
			this.words = this.filter.value;
			this.rows = ROWS_AT_FIRST;
			this.show();
		} });
		this.outcomes = el("span", {});
		this.node = section("All results", el("div", { class: "tools" }, el("label", { class: "choice" }, el("span", {}, "Filter"), this.filter), this.outcomes),
		    this.said, scrollerOf("scroller stack sorts", "All results", el("table", {}, el("caption", { class: "hidden" }, "All results"), el("thead", {}, this.heads), this.body)), this.more);
	}

	head(name, text, number) {
		const active = this.order === name;
		return el("th", { scope: "col", class: number ? "n" : null, "aria-sort": active ? (this.down ? "descending" : "ascending") : null },
		    el("button", { type: "button", id: `sort-${name}`, class: "sort", onclick: () => {
			this.down = active && !this.down;
			this.order = name;
			this.show();
		} }, text, el("span", { "aria-hidden": "true" }, active ? (this.down ? " ▾" : " ▴") : "")));
	}

	/* By time, those without one at the end. */
	all() {
		const rest = [];
		for (let i = 0; i < this.space.n; i++)
			if (!this.space.isRanked(i))
				rest.push(i);
		return [...this.space.ranked(), ...rest];
	}

	matching() {
		const words = this.words.toLowerCase().split(/\s+/).filter(Boolean);
		const found = [];
		for (const i of this.all()) {
			if (this.only && this.space.status[i] !== this.only)
				continue;
			if (words.length) {
				const text = `${this.space.name[i]} ${this.space.job[i]} ${this.space.cellLabel(this.space.cell[i])}`.toLowerCase();
				if (!words.every((w) => text.includes(w)))
					continue;
			}
			found.push(i);
		}
		if (this.order === "time")
			return this.down ? found.reverse() : found;
		const compare = ORDERS[this.order](this.space);
		return found.sort((a, b) => this.down ? compare(b, a) : compare(a, b));
	}

	row(i, winners, many) {
		const s = this.space, w = winners[s.cell[i]], timed = s.value[i] !== null;
		const against = !s.isRanked(i) || w < 0 ? "–" : i === w ? "fastest" : s.isSameCode(i, w) ? "same code" : `${s.isTied(i, w) ? "≈ " : ""}${timesAsLong(s.value[i] / s.value[w])}`;
		return el("tr", {}, el("td", { class: "n", "data-label": "job" }, linkTo("jobs", s.job[i], s.job[i])),
		    el("td", { class: "wide" }, linkTo("jobs", s.job[i], s.name[i] || "–"), sameNote(s, i)), many ? el("td", { "data-label": "size" }, s.cellLabel(s.cell[i])) : null,
		    el("td", { class: "n", "data-label": "time" }, timed ? duration(s.value[i]) : s.bound.has(i) ? `> ${duration(s.bound.get(i))}` : "–"),
		    el("td", { class: "n", "data-label": "interval" }, intervalOf(s, i)), el("td", { class: "n", "data-label": "to the fastest" }, against),
		    el("td", { class: s.status[i] === "ok" ? null : "bad", "data-label": "outcome" }, s.bound.has(i) ? "given up: slower than asked" : s.status[i].replace(/_/g, " ")));
	}

	show() {
		const many = this.space.cells.length > 1, winners = this.space.winners(), found = this.matching();
		const statuses = [...new Set(this.space.status)].sort();

		replace(this.heads, this.head("job", "job", true), this.head("variant", "variant"), many ? this.head("size", "size") : null,
		    this.head("time", "time", true), el("th", { scope: "col", class: "n fixed" }, "95 % interval"), el("th", { scope: "col", class: "n fixed" }, "to the fastest"),
		    this.head("outcome", "outcome"));
		replace(this.body, found.slice(0, this.rows).map((i) => this.row(i, winners, many)));
		if (statuses.join() !== this.had) {
			this.had = statuses.join();
			replace(this.outcomes, statuses.length > 1 ? choice("Outcome", [["", "all"], ...statuses.map((s) => [s, s.replace(/_/g, " ")])], this.only, (v) => {
				this.only = v;
				this.show();
			}) : null);
		}
		this.said.textContent = found.length === this.space.n ? plural(found.length, "result") : `${count(found.length)} of ${plural(this.space.n, "result")}`;
		replace(this.more, found.length > this.rows ? el("button", { type: "button", id: "more", onclick: () => {
			this.rows *= 4;
			this.show();
		} }, `Show more: ${count(Math.min(found.length - this.rows, 3 * this.rows))} of ${count(found.length - this.rows)} left`) : null);
	}
}

/* ---- the space ---- */

class SpaceView {
	constructor(space) {
		this.space = space;
		this.cell = null;
		this.node = el("div");
		this.x = this.y = this.form = null;
	}

	cellChoice() {
		if (this.space.cells.length < 2)
			return null;
		return choice("Size", this.space.cellOrder().map((c) => [c, this.space.cellLabel(c)]), this.cell, (v) => {
			this.cell = Number(v);
			this.show();
		});
	}

	/* The two with the most values, unless others were chosen. */
	axes(dims) {
		const most = dims.slice().sort((a, b) => b.values.length - a.values.length);
		const x = dims.find((d) => d.name === this.x) || most[0];
		const y = dims.find((d) => d.name === this.y && d !== x) || most.find((d) => d !== x) || null;
		return [x, y];
	}

	picture(dims, rows) {
		const [x, y] = this.axes(dims);
		const again = (name) => (v) => {
			this[name] = v;
			this.show();
		};
		const names = dims.map((d) => [d.name, d.name]);
		const controls = [
			dims.length > 1 ? choice("Form", [["map", "map of two dimensions"], ["lines", "parallel axes of all"]], this.form, again("form")) : null,
			this.form !== "lines" && dims.length > 1 ? [choice("Across", names, x.name, again("x")),
			    choice("Down", names.filter(([n]) => n !== x.name), y.name, again("y"))] : null,
		];
		const rest = dims.filter((d) => d !== x && d !== y);
		return section("The space", el("div", { class: "tools" }, controls),
		    this.form === "lines" ? parallel(this.space, rows, dims.slice(0, 10)) :
		        [rest.length ? el("p", { class: "legend" }, "Each field has the fastest over ", rest.map((d, i) => [i ? ", " : "", own(d.name)]), ".") : null, heat(this.space, rows, x, y)]);
	}

	show() {
		const space = this.space, many = space.cells.length > 1;
		if (many && (this.cell === null || this.cell >= space.cells.length))
			this.cell = space.cellOrder()[0];
		const rows = space.ranked(many ? this.cell : null);
		const dims = space.variantDims().filter((d) => rows.some((i) => d.at[i] !== null));
		if (this.form === null)
			this.form = dims.length > 3 && !isNarrow() ? "lines" : "map";
		const picture = rows.length > 1 && dims.length ? el("div", { class: "picture" }) : null;
		replace(this.node, verdict(space, many ? this.cell : null), el("div", { class: "tools" }, this.cellChoice()),
		    rows.length > 1 ? section("The best so far", curve(space, many ? this.cell : null)) : null,
		    picture);
		if (picture)
			whenUsable(() => replace(picture, this.picture(dims, rows)));
	}
}

/* ---- the page ---- */

async function sweepPage(main, name) {
	const head = el("div"), where = el("div"), space = new Space(), view = new SpaceView(space), all = new ResultTable(space);
	const path = sweepPath(name), title = el("h1", {}, "…");
	let seen = -1;

	replace(main, el("p", { class: "crumb" }, embedded ? "A report of Assay" : "Sweep"), title, head, view.node, where, all.node);
	const fetchNew = async () => {
		for (let next = space.cursor; next !== null && space.n < POINTS_AT_MOST;) {
			const reply = await get(embedded ? `${path}/points` : `${path}/points?limit=20000&after=${next}`);
			if (reply.count)
				space.add(reply);
			space.cursor = reply.cursor;
			next = embedded ? null : reply.next;
		}
	};
	let left = 1;
	const look = async () => {
		const [sweep] = await Promise.all([get(path), fetchNew()]);

		left = sweepState(sweep).left;
		entitle(`Assay: ${sweep.name}`);
		replace(title, sweep.name);
		replace(head, sweepHead(sweep), embedded ? el("p", { class: "note" }, "Written ", moment(embedded.written), ` on ${embedded.host}.`) : null,
		    space.n >= POINTS_AT_MOST ? el("p", { class: "note" }, `The first ${count(space.n)} results are shown; all are listed by: assay results --sweep ${sweep.id} --all`) : null);
		if (space.n === seen)
			return;
		seen = space.n;
		view.show();
		replace(where, space.cells.length > 1 && space.ranked().length ? pivotPart(space) : null);
		all.node.hidden = space.n === 0;
		all.show();
	};
	look.news = () => left > 0 ? `${path}/events` : null;
	look.has = () => space.cursor;
	return look;
}
