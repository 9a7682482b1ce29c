/* SPDX-License-Identifier: Apache-2.0 */
/* Drawings: Chart.js for a result and a history, own SVG for fields of colours and parallel axes. */

/* Viridis, which stays in order in grey and for all kinds of sight. */
const SCALE = ["#440154", "#472d7b", "#3b528b", "#2c728e", "#21918c", "#28ae80", "#5ec962", "#addc30", "#fde725"];
const LINES_AT_MOST = 300, FIELD_AT_MOST = 64;
const LABEL_AT_MOST = 24, LETTER = 6.8;	/* characters; pixels of one, about */

const LEAST_STEP = 90;		/* of parallel axes: less, and labels lie upon each other */

/* The width within a card. */
const room = () => Math.min(innerWidth - (innerWidth > 560 ? 52 : 38), 1188);
const isNarrow = () => innerWidth < 600;
const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/* 0 (fastest) is bright, 1 dark. */
function colour(share) {
	const x = (1 - Math.min(1, Math.max(0, share))) * (SCALE.length - 1);
	const i = Math.min(SCALE.length - 2, Math.floor(x)), f = x - i;
	const part = (hex, k) => parseInt(hex.slice(1 + 2 * k, 3 + 2 * k), 16);
	const mix = [0, 1, 2].map((k) => Math.round(part(SCALE[i], k) * (1 - f) + part(SCALE[i + 1], k) * f));
	return { fill: `rgb(${mix.join(",")})`, ink: 0.3 * mix[0] + 0.59 * mix[1] + 0.11 * mix[2] > 120 ? "#000" : "#fff" };
}

/* Times span factors: their logarithms are spread over 0 … 1. */
function shares(values) {
	const logs = values.filter((v) => v > 0).map(Math.log);
	const least = logs.reduce((a, b) => Math.min(a, b), Infinity), most = logs.reduce((a, b) => Math.max(a, b), -Infinity);
	return (v) => most > least ? (Math.log(Math.max(v, 1e-12)) - least) / (most - least) : 0;
}

function legend(least, most) {
	return el("p", { class: "legend" }, "fastest ", duration(least), " ",
	    svg("svg", { class: "ramp", viewBox: "0 0 90 10", "aria-hidden": "true" },
	        SCALE.slice().reverse().map((fill, i) => svg("rect", { x: 10 * i, y: 0, width: 10.5, height: 10, fill }))),
	    " ", duration(most), " slowest");
}

/* ---- Chart.js ---- */

const drawn = new Set(), undrawn = [];
let chartsAreThere = embedded ? Promise.resolve() : null;

/* Pages that have charts ask for their program while they wait for data; the others never load it. */
function loadCharts() {
	chartsAreThere = chartsAreThere || new Promise((resolve) =>
	    document.head.append(el("script", { src: "/web/chart.js", onload: resolve, onerror: resolve })));
	return chartsAreThere;
}

function chart(name, config, height = 260) {
	const canvas = el("canvas", { role: "img", "aria-label": name });
	const box = el("div", { class: "chart" }, canvas);
	box.style.height = `${height}px`;
	if (undrawn.push({ box, canvas, config }) === 1)
		requestAnimationFrame(drawCharts);
	return box;
}

/* Those that are on the page by now; the others were replaced before they were seen. */
async function drawCharts() {
	if (undrawn.length)
		await loadCharts();
	const all = undrawn.splice(0).filter((c) => c.canvas.isConnected);
	if (typeof Chart === "undefined") {
		all.forEach((c) => c.box.replaceWith(el("p", { class: "note" },
		    "Chart.js is not installed on the daemon's host (Debian: libjs-chart.js), so there is a table in the chart's place.")));
		return;
	}
	Chart.defaults.font.family = "system-ui, sans-serif";
	Chart.defaults.color = css("--muted");
	Chart.defaults.borderColor = css("--line");
	for (const { canvas, config } of all)
		drawn.add(new Chart(canvas, { ...config, options: { animation: false, maintainAspectRatio: false,
		    responsive: true, normalized: true, ...config.options } }));
}

function forgetCharts(node) {
	for (const c of drawn)
		if (!c.canvas || !c.canvas.isConnected || (node && node.contains(c.canvas))) {
			c.destroy();
			drawn.delete(c);
		}
}

const timeAxis = () => ({ type: "linear", ticks: { maxTicksLimit: 8, callback: duration } });
const legendWithPoints = { labels: { usePointStyle: true, boxWidth: 8, boxHeight: 8 } };

/* ---- a field of colours ---- */

/* The least of each pair of places; -1: none. */
function field(space, rows, x, y) {
	const least = new Map();
	for (const i of rows) {
		const key = `${x.at[i]},${y ? y.at[i] : 0}`;
		if (!least.has(key) || space.value[i] < space.value[least.get(key)])
			least.set(key, i);
	}
	return (a, b) => least.has(`${a},${b}`) ? least.get(`${a},${b}`) : -1;
}

function heat(space, rows, x, y) {
	const short = (t) => t.length > LABEL_AT_MOST ? `${t.slice(0, LABEL_AT_MOST - 1)}…` : t;
	const across = x.order().slice(0, FIELD_AT_MOST), down = y ? y.order().slice(0, FIELD_AT_MOST) : [0];
	const at = field(space, rows, x, y);
	const values = rows.map((i) => space.value[i]), share = shares(values);
	const best = rows[0];
	const labels = down.map((b) => y ? short(y.label(b)) : "");
	const high = 32, top = 6, left = 22 + LETTER * Math.max(...labels.map((t) => t.length), y ? short(y.name).length + 3 : 0);
	const cellWidth = Math.max(16, Math.min(240, (room() - left - 8) / across.length));
	const width = left + cellWidth * across.length + 8, height = top + high * down.length + 40;
	const every = Math.ceil(38 / cellWidth);
	const parts = [];

	down.forEach((b, r) => {
		parts.push(svg("text", { x: left - 6, y: top + high * r + high / 2 + 4, "text-anchor": "end", class: "tick" }, labels[r]));
		across.forEach((a, c) => {
			const i = at(a, b), X = left + cellWidth * c, Y = top + high * r;
			if (i < 0) {
				parts.push(svg("rect", { x: X, y: Y, width: cellWidth - 1, height: high - 1, class: "empty" }));
				return;
			}
			const { fill, ink } = colour(share(space.value[i]));
			const title = `${x.name}=${x.label(a)}${y ? ` ${y.name}=${y.label(b)}` : ""}: ${duration(space.value[i])}`;
			parts.push(svg("g", {}, svg("title", {}, title),
			    svg("rect", { x: X, y: Y, width: cellWidth - 1, height: high - 1, fill, class: i === best ? "best" : null }),
			    cellWidth >= 58 ? svg("text", { x: X + cellWidth / 2, y: Y + high / 2 + 4, "text-anchor": "middle", fill: ink, class: "in" },
			        `${i === best ? "★ " : ""}${duration(space.value[i])}`) :
			        i === best ? svg("text", { x: X + cellWidth / 2, y: Y + high / 2 + 4, "text-anchor": "middle", fill: ink, class: "in" }, "★") : null));
		});
	});
	across.forEach((a, c) => c % every === 0 && parts.push(svg("text", { x: left + cellWidth * (c + 0.5), y: top + high * down.length + 15,
	    "text-anchor": "middle", class: "tick" }, short(x.label(a)))));
	parts.push(svg("text", { x: left, y: top + high * down.length + 33, class: "axis" }, `${x.name} →`));
	if (y)
		parts.push(svg("text", { x: left - 6, y: top + high * down.length + 15, "text-anchor": "end", class: "axis" }, `↑ ${short(y.name)}`));
	const name = `Fastest time at each ${y ? `pair of ${x.name} and ${y.name}` : x.name}; the best is ${duration(space.value[best])}`;
	return [legend(space.value[best], space.value[rows[rows.length - 1]]),
	    sideways(`Map of ${x.name}${y ? ` and ${y.name}` : ""}`, svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img",
	        "aria-label": name, class: "heat" }, parts)),
	    behind("The map as a table", () => table(name, [y ? `${y.name} \\ ${x.name}` : "", ...across.map((a) => [x.label(a), "n"])],
	        down.map((b) => [y ? y.label(b) : "time", ...across.map((a) => [at(a, b) < 0 ? "–" : duration(space.value[at(a, b)]), "n"])])))];
}

/* ---- parallel axes ---- */

function parallel(space, rows, dims) {
	const top = 30, high = 240, left = 60, step = Math.max(LEAST_STEP, Math.min(420, (room() - left - 60) / dims.length));
	const width = left + step * dims.length + 60, height = top + high + 20;
	const share = shares(rows.map((i) => space.value[i]));
	const orders = dims.map((d) => d.order());
	const places = orders.map((o) => new Map(o.map((v, k) => [v, k])));
	const axisX = (k) => left + step * k;
	const placeY = (k, place) => top + high * (orders[k].length > 1 ? 1 - places[k].get(place) / (orders[k].length - 1) : 0.5);
	const timeY = (i) => top + high * share(space.value[i]);
	const best = rows[0];
	/* the fastest, and of the rest so many that they can be told apart */
	const head = rows.slice(0, 50), rest = rows.slice(50);
	const stride = Math.ceil(rest.length / (LINES_AT_MOST - 50)) || 1;
	const shown = [...head, ...rest.filter((_, k) => k % stride === 0)].reverse();
	const parts = shown.map((i) => svg("path", { fill: "none", stroke: colour(share(space.value[i])).fill,
	    class: i === best ? "line best" : "line",
	    d: dims.map((d, k) => `${k ? "L" : "M"}${axisX(k)} ${(d.at[i] === null ? top + high + 8 : placeY(k, d.at[i])).toFixed(1)}`).join("") +
	        `L${axisX(dims.length)} ${timeY(i).toFixed(1)}` }, svg("title", {}, `${space.name[i]}: ${duration(space.value[i])}`)));

	dims.forEach((d, k) => {
		parts.push(svg("path", { d: `M${axisX(k)} ${top}V${top + high}`, class: "rule" }),
		    svg("text", { x: axisX(k), y: top - 14, "text-anchor": "middle", class: "axis" }, d.name));
		const every = Math.ceil(orders[k].length / 12);
		orders[k].forEach((v, j) => j % every === 0 && parts.push(svg("text", { x: axisX(k) - 5, y: placeY(k, v) + 4, "text-anchor": "end",
		    class: "tick" }, d.label(v).length > 20 ? `${d.label(v).slice(0, 19)}…` : d.label(v))));
	});
	const last = axisX(dims.length);
	parts.push(svg("path", { d: `M${last} ${top}V${top + high}`, class: "rule" }),
	    svg("text", { x: last, y: top - 14, "text-anchor": "middle", class: "axis" }, "time"),
	    svg("text", { x: last + 5, y: top + 4, class: "tick" }, duration(space.value[best])),
	    svg("text", { x: last + 5, y: top + high + 4, class: "tick" }, duration(space.value[rows[rows.length - 1]])));
	return [el("p", { class: "legend" }, `A line is a result: the brighter, the faster; the thick one with a dark edge is the best.${shown.length < rows.length ?
	    ` ${count(shown.length)} of ${count(rows.length)} are drawn, the 50 fastest among them.` : ""}`),
	    sideways("Parallel axes of the space", svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", class: "parallel",
	        "aria-label": `Each result as a line across ${dims.map((d) => d.name).join(", ")} and its time` }, parts)),
	    behind("The fastest as a table", () => table("The fastest points", [...dims.map((d) => d.name), ["time", "n"]],
	        rows.slice(0, 50).map((i) => [...dims.map((d) => d.label(d.at[i])), [duration(space.value[i]), "n"]])))];
}
