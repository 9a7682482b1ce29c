/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The best so far, over all results in the order in which they landed.  It is drawn straight to a
 * canvas: a sweep's page neither loads Chart.js nor makes an object for each of its points.
 */

const CURVE_HEIGHT = 260, MOST_CIRCLES = 300, TICK_FONT = "12px system-ui, sans-serif";
const MARGIN = { left: 64, right: 10, top: 8, bottom: 40 };

/* ---- ticks ---- */

/* 1, 2 or 5 times a power of ten, so that there are at most `most` of them. */
function niceStep(length, most) {
	const power = 10 ** Math.floor(Math.log10(length / most));
	return power * ([1, 2, 5].find((k) => k * power * most >= length) || 10);
}

function linearTicks(from, to, most) {
	const step = niceStep(to - from, most), ticks = [];
	for (let k = Math.ceil(from / step); k * step <= to * (1 + 1e-12); k++)
		ticks.push(Number((k * step).toPrecision(12)));
	return ticks;
}

/* Of each power of ten as many factors as there is room for; all steps if that is less than one power. */
function logTicks(from, to, most) {
	const first = Math.floor(Math.log10(from)), last = Math.ceil(Math.log10(to));
	const within = (factors, step) => {
		const ticks = [];
		for (let e = first; e <= last; e += step)
			ticks.push(...factors.map((k) => k * 10 ** e));
		return ticks.filter((t) => t >= from && t <= to);
	};
	const sets = [[1, 1.5, 2, 3, 5, 7], [1, 2, 5], [1]].map((factors) => within(factors, 1));

	return sets[0].length < 3 ? linearTicks(from, to, most) :
	    sets.find((ticks) => ticks.length <= most) || within([1], Math.ceil((last - first) / most));
}

/* From times to 0 (the least) … 1. */
function timeScale(least, most, isLog) {
	const f = isLog ? Math.log : (v) => v, room = 0.04 * (f(most) - f(least) || Math.abs(f(most)) || 1);
	const from = f(least) - room, to = f(most) + room, back = isLog ? Math.exp : (v) => v;

	return { at: (v) => (f(v) - from) / (to - from), ticks: (isLog ? logTicks : linearTicks)(back(from), back(to), 8) };
}

/* ---- the picture ---- */

class CurvePlot {
	/* time: of each result, in their order; steps: the places of those that were the best so far. */
	constructor(name, time, steps, say) {
		this.time = time;
		this.steps = steps;
		this.say = say;
		this.least = time[steps[steps.length - 1]];
		this.most = time.reduce((a, b) => Math.max(a, b));
		this.scale = timeScale(this.least, this.most, this.most > 3 * this.least);
		this.x = new Float32Array(time.length);
		this.y = new Float32Array(time.length);
		this.canvas = el("canvas", { role: "img", "aria-label": name });
		this.tip = el("div", { class: "tip", "aria-hidden": "true", hidden: true });
		this.ring = el("div", { class: "ring", hidden: true });
		this.node = el("div", { class: "chart", onpointermove: (e) => this.point(e), onpointerdown: (e) => this.point(e),
		    onpointerleave: () => this.unpoint() }, this.canvas, this.ring, this.tip);
		this.node.style.height = `${CURVE_HEIGHT}px`;
		new ResizeObserver(([entry]) => this.draw(entry.contentRect)).observe(this.node);
	}

	draw({ width, height }) {
		if (width < 1 || height < 1)
			return;
		const g = this.canvas.getContext("2d"), dense = devicePixelRatio || 1;

		this.unpoint();
		this.canvas.width = Math.round(width * dense);
		this.canvas.height = Math.round(height * dense);
		this.canvas.style.width = `${width}px`;
		this.canvas.style.height = `${height}px`;
		this.place(width - MARGIN.left - MARGIN.right, height - MARGIN.top - MARGIN.bottom);
		if (this.time.length > MOST_CIRCLES)
			this.setDots(g, dense);
		g.scale(dense, dense);
		if (this.time.length <= MOST_CIRCLES)
			this.drawCircles(g);
		g.globalCompositeOperation = "destination-over";
		this.drawAxes(g, width, height);
		g.globalCompositeOperation = "source-over";
		this.drawBest(g, width - MARGIN.right);
	}

	place(width, height) {
		const n = this.time.length;

		for (let k = 0; k < n; k++) {
			this.x[k] = MARGIN.left + width * (k + 1) / n;
			this.y[k] = MARGIN.top + height * (1 - this.scale.at(this.time[k]));
		}
	}

	drawAxes(g, width, height) {
		const right = width - MARGIN.right, bottom = height - MARGIN.bottom, n = this.time.length;
		const rule = (x1, y1, x2, y2) => {
			g.moveTo(Math.round(x1) + 0.5, Math.round(y1) + 0.5);
			g.lineTo(Math.round(x2) + 0.5, Math.round(y2) + 0.5);
		};

		g.font = TICK_FONT;
		g.fillStyle = css("--muted");
		g.strokeStyle = css("--line");
		g.beginPath();
		g.textAlign = "right";
		g.textBaseline = "middle";
		for (const t of this.scale.ticks) {
			const y = MARGIN.top + (bottom - MARGIN.top) * (1 - this.scale.at(t));
			rule(MARGIN.left, y, right, y);
			g.fillText(duration(t), MARGIN.left - 8, y);
		}
		g.textBaseline = "top";
		for (const t of linearTicks(0, n, Math.max(2, Math.floor(width / 60))).filter(Number.isInteger)) {
			const x = MARGIN.left + (right - MARGIN.left) * t / n;
			rule(x, MARGIN.top, x, bottom);
			g.textAlign = right - x < 20 ? "right" : "center";
			g.fillText(count(t), x, bottom + 6);
		}
		g.stroke();
		g.textAlign = "center";
		g.fillText("results, in order", (MARGIN.left + right) / 2, bottom + 23);
	}

	/* Squares, set as pixels: the canvas would keep a command for each. */
	setDots(g, dense) {
		const { width, height } = this.canvas, side = Math.max(2, Math.round(2 * dense));
		const image = g.createImageData(width, height), pixels = new Uint32Array(image.data.buffer);
		const [red, green, blue] = [1, 3, 5].map((k) => parseInt(css("--dot").slice(k, k + 2), 16));
		const colour = (0xff000000 | blue << 16 | green << 8 | red) >>> 0;

		for (let k = 0; k < this.x.length; k++) {
			const first = Math.round(this.y[k] * dense - side / 2) * width + Math.round(this.x[k] * dense - side / 2);
			for (let row = 0; row < side; row++)
				for (let column = 0; column < side; column++)
					pixels[first + row * width + column] = colour;
		}
		g.putImageData(image, 0, 0);
	}

	drawCircles(g) {
		g.fillStyle = css("--dot");
		g.beginPath();
		for (let k = 0; k < this.x.length; k++) {
			g.moveTo(this.x[k], this.y[k]);
			g.arc(this.x[k], this.y[k], 2.6, 0, 2 * Math.PI);
		}
		g.fill();
	}

	/* It falls where a better one landed, with a diamond there. */
	drawBest(g, right) {
		const { x, y, steps } = this;

		g.strokeStyle = g.fillStyle = css("--accent");
		g.lineWidth = 2.5;
		g.beginPath();
		g.moveTo(x[steps[0]], y[steps[0]]);
		for (let k = 1; k < steps.length; k++) {
			g.lineTo(x[steps[k]], y[steps[k - 1]]);
			g.lineTo(x[steps[k]], y[steps[k]]);
		}
		g.lineTo(right, y[steps[steps.length - 1]]);
		g.stroke();
		g.beginPath();
		for (const k of steps) {
			g.moveTo(x[k] - 4.5, y[k]);
			g.lineTo(x[k], y[k] - 4.5);
			g.lineTo(x[k] + 4.5, y[k]);
			g.lineTo(x[k], y[k] + 4.5);
		}
		g.fill();
	}

	/* ---- under the pointer ---- */

	nearest(x, y) {
		let least = Infinity, found = 0;

		for (let k = 0; k < this.x.length; k++) {
			const d = (this.x[k] - x) ** 2 + (this.y[k] - y) ** 2;
			if (d < least) {
				least = d;
				found = k;
			}
		}
		return found;
	}

	/* The tip stands above its point, or below where there is no room, and within the box. */
	point(e) {
		const box = this.canvas.getBoundingClientRect(), k = this.nearest(e.clientX - box.left, e.clientY - box.top);
		const x = this.x[k] + this.canvas.offsetLeft, y = this.y[k] + this.canvas.offsetTop;

		replace(this.tip, this.say(k));
		this.tip.hidden = this.ring.hidden = false;
		this.ring.style.transform = `translate(${x}px, ${y}px)`;
		const half = this.tip.offsetWidth / 2, high = this.tip.offsetHeight;
		const left = Math.max(4, Math.min(this.node.clientWidth - 2 * half - 4, x - half));
		this.tip.style.transform = `translate(${left}px, ${y > high + 14 ? y - high - 10 : y + 10}px)`;
	}

	unpoint() {
		this.tip.hidden = this.ring.hidden = true;
	}
}

/* ---- the best so far ---- */

function curve(space, cell) {
	const order = [], steps = [];
	let least = Infinity;

	for (let i = 0; i < space.n; i++) {
		if (!space.isRanked(i) || (cell !== null && space.cell[i] !== cell))
			continue;
		if (space.value[i] < least) {
			steps.push(order.length);
			least = space.value[i];
		}
		order.push(i);
	}
	if (order.length === 0)
		return el("p", { class: "note" }, "Nothing is timed yet.");
	const time = Float64Array.from(order, (i) => space.value[i]);
	const plot = new CurvePlot(`Times in the order in which they landed, and the best so far: ${duration(time[0])} at first, ${duration(least)} at the end`,
	    time, steps, (k) => [own(space.name[order[k]]), `: ${duration(time[k])}`]);
	return [el("p", { class: "legend" }, el("span", { class: "mark best" }), " the best so far · ", el("span", { class: "mark" }), " a result"),
	    plot.node, behind("The steps as a table", () => table("Steps of the best so far", [["result", "n"], "variant", ["time", "n"]],
	        steps.map((k) => [[count(k + 1), "n"], linkTo("jobs", space.job[order[k]], space.name[order[k]]), [duration(time[k]), "n"]])))];
}
