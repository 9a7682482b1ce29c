/* SPDX-License-Identifier: Apache-2.0 */
/* The results of a sweep as columns (sweep.points), and what they mean together. */

const PARTS = 1e4;

/* A reply's own array is the column, until another one comes. */
const longer = (column, more) => column.length ? column.concat(more) : more;

/* Of one dimension: its values, and for each result the place of its value (null: none). */
class Dimension {
	constructor(name) {
		this.name = name;
		this.values = [];
		this.at = [];
		this.place = new Map();
	}

	add(value) {
		const key = JSON.stringify(value);
		if (!this.place.has(key)) {
			this.place.set(key, this.values.length);
			this.values.push(value);
		}
		return this.place.get(key);
	}

	label(place) {
		return place === null ? "none" : label(this.values[place]);
	}

	/* Places in the order in which people count. */
	order() {
		const places = this.values.map((_, i) => i);
		const numeric = this.values.every((v) => typeof v === "number");
		return numeric ? places.sort((a, b) => this.values[a] - this.values[b]) : places;
	}
}

const PLACE_BITS = 20;

/*
 * The places of those values that are chosen, the least first.  A place stands in the last bits of
 * its value, where a time has no digits: sorted as numbers, without a function for each comparison.
 */
function inOrder(values, isChosen) {
	const keys = new Float64Array(values.length), low = new Uint32Array(keys.buffer), mask = 2 ** PLACE_BITS - 1;
	let n = 0;

	for (let i = 0; i < values.length; i++)
		if (isChosen(i)) {
			keys[n] = values[i];
			low[2 * n] = (low[2 * n] & ~mask) | i;
			n++;
		}
	keys.subarray(0, n).sort();
	return Array.from({ length: n }, (_, k) => low[2 * k] & mask);
}

class Space {
	constructor() {
		this.n = 0;
		this.cursor = 0;
		this.job = [];
		this.name = [];
		this.status = [];
		this.value = [];
		this.low = [];		/* distances to the interval's ends, in PARTS of the value */
		this.high = [];
		this.bound = new Map();
		this.repeat = [];	/* how much less the job's id is of which the time is; 0: it is its own */
		this.cell = [];
		this.cells = [];
		this.cellPlace = new Map();
		this.dims = [];
		this.orders = new Map();
	}

	/* Behind what is there; a reply that overlaps is taken from where it is new. */
	add(reply) {
		const cells = reply.cells.map((c) => this.placeOfCell(c));
		const jobs = new Array(reply.count), names = new Array(reply.count);
		let job = 0, name = "";

		for (let i = 0; i < reply.count; i++) {
			jobs[i] = job += reply.job[i];
			names[i] = name = name.slice(0, reply.same[i]) + reply.name[i];
		}
		this.job = longer(this.job, jobs);
		this.name = longer(this.name, names);
		this.status = longer(this.status, reply.status.map((at) => reply.statuses[at]));
		this.value = longer(this.value, reply.value_ns);
		this.low = longer(this.low, reply.low);
		this.high = longer(this.high, reply.high);
		this.repeat = longer(this.repeat, reply.repeat || new Array(reply.count).fill(0));
		this.cell = longer(this.cell, reply.cell.map((at) => cells[at]));
		for (const [i, bound] of Object.entries(reply.bound_ns))
			this.bound.set(this.n + Number(i), bound);
		this.addDims(reply);
		this.n += reply.count;
		this.cursor = reply.cursor;
	}

	placeOfCell(cell) {
		const key = JSON.stringify(cell);
		if (!this.cellPlace.has(key)) {
			this.cellPlace.set(key, this.cells.length);
			this.cells.push(cell);
		}
		return this.cellPlace.get(key);
	}

	addDims(reply) {
		for (const d of reply.dims) {
			let mine = this.dims.find((m) => m.name === d.name);
			if (!mine) {
				this.dims.push(mine = new Dimension(d.name));
				mine.at = new Array(this.n).fill(null);
			}
			const places = d.values.map((v) => mine.add(v));
			const isSame = places.every((place, at) => place === at);
			mine.at = longer(mine.at, isSame ? d.at : d.at.map((at) => at === null ? null : places[at]));
		}
		for (const mine of this.dims)
			if (mine.at.length === this.n)
				mine.at = mine.at.concat(new Array(reply.count).fill(null));
	}

	/* ---- cells ---- */

	/* Params and context by which cells differ. */
	cellLabel(c) {
		const cell = this.cells[c];
		if (!cell)
			return `spec ${c + 1}`;
		const differs = (pick) => new Set(this.cells.map((o) => JSON.stringify(o ? pick(o) : null))).size > 1;
		const parts = Object.entries(cell.params || {}).filter(([k]) => differs((o) => (o.params || {})[k]))
		    .map(([k, v]) => `${k}=${label(v)}`);
		if (differs((o) => o.context))
			parts.push(typeof cell.context === "string" ? cell.context : label(cell.context ?? "default"));
		return parts.join(" ") || (this.cells.length > 1 ? `spec ${c + 1}` : "all");
	}

	/* In the order of their params. */
	cellOrder() {
		const key = (c) => Object.values((this.cells[c] || {}).params || {}).map(Number);
		return this.cells.map((_, i) => i).sort((a, b) => {
			const x = key(a), y = key(b);
			for (let i = 0; i < Math.min(x.length, y.length); i++)
				if (x[i] !== y[i] && !Number.isNaN(x[i] - y[i]))
					return x[i] - y[i];
			return a - b;
		});
	}

	/* Those that tell variants apart: more than one value, and not what makes the cells. */
	variantDims() {
		return this.dims.filter((d) => {
			if (d.values.length < 2 || d.name === "revision")	/* that is the history's */
				return false;
			if (this.cells.length < 2)
				return true;
			const of = new Map();
			for (let i = 0; i < this.n; i++) {
				if (of.has(this.cell[i]) && of.get(this.cell[i]) !== d.at[i])
					return true;
				of.set(this.cell[i], d.at[i]);
			}
			return false;
		});
	}

	isRanked(i) {
		return this.status[i] === "ok" && this.value[i] !== null;
	}

	/* Ranked results of a cell (null: all), fastest first; the array is the space's. */
	ranked(cell = null) {
		const known = this.orders.get(cell);
		if (known && known.n === this.n)
			return known.found;
		const found = inOrder(this.value, (i) => this.isRanked(i) && (cell === null || this.cell[i] === cell));
		this.orders.set(cell, { n: this.n, found });
		return found;
	}

	/* For each cell its fastest result, or -1. */
	winners() {
		const best = this.cells.map(() => -1);
		for (let i = 0; i < this.n; i++)
			if (this.isRanked(i) && (best[this.cell[i]] < 0 || this.value[i] < this.value[best[this.cell[i]]]))
				best[this.cell[i]] = i;
		return best;
	}

	/* ---- repeats: results whose time is another's, as their code is ---- */

	hasRepeats() {
		return this.repeat.some((d) => d !== 0);
	}

	/* The job that was timed instead; null: it was timed itself. */
	repeatOf(i) {
		return this.repeat[i] ? this.job[i] - this.repeat[i] : null;
	}

	isSameCode(i, other) {
		return i !== other && this.job[i] - this.repeat[i] === this.job[other] - this.repeat[other];
	}

	/* How many were timed for these. */
	measurements(rows) {
		return new Set(rows.map((i) => this.job[i] - this.repeat[i])).size;
	}

	/* -1: it is not here. */
	placeOfJob(job) {
		return this.job.indexOf(job);
	}

	/* ---- intervals ---- */

	hasInterval(i) {
		return this.low[i] !== null && this.high[i] !== null;
	}

	/* An end of its interval: the low one (-1) or the high one. */
	end(i, side) {
		return this.value[i] * Math.max(0, 1 + side * (side < 0 ? this.low[i] : this.high[i]) / PARTS);
	}

	/* The 95 % intervals overlap, or one of them is unknown. */
	isTied(i, winner) {
		return i !== winner && !this.isSameCode(i, winner) && (this.low[i] === null || this.high[winner] === null ||
		    this.value[i] * (1 - this.low[i] / PARTS) <= this.value[winner] * (1 + this.high[winner] / PARTS));
	}

	/* Half of the 95 % interval, as a share of the value; null: unknown. */
	half(i) {
		return this.value[i] === null || this.low[i] === null ? null : Math.max(this.low[i], this.high[i]) / PARTS;
	}

	variantName(i, dims) {
		const has = dims.filter((d) => d.at[i] !== null);
		return has.length ? has.map((d) => `${d.name}=${d.label(d.at[i])}`).join(" ") : this.name[i];
	}
}
