/* SPDX-License-Identifier: Apache-2.0 */
/* Elements, numbers in words, tables.  Text from outside becomes text nodes alone, never markup. */

/*
 * Characters that are not seen and change how the text around them is read, as proto/base/utf8.h has
 * them, and DEL.  Pages show them as \u202e; no text node has one.
 */
const UNSEEN = /[\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/g;
const visible = (text) => text.replace(UNSEEN, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);

const SVG = "http://www.w3.org/2000/svg";

/* attributes: "on…" are listeners, the rest is set as text; children: nodes, text, null, arrays. */
function make(namespace, tag, attributes, children) {
	const e = namespace ? document.createElementNS(namespace, tag) : document.createElement(tag);

	for (const name in attributes) {
		const value = attributes[name];
		if (value === null || value === undefined || value === false)
			continue;
		if (name.startsWith("on"))
			e.addEventListener(name.slice(2), value);
		else
			e.setAttribute(name, value === true ? "" : name === "value" ? value : visible(String(value)));
	}
	put(e, children);
	return e;
}

function put(e, children) {
	for (const c of children)
		if (Array.isArray(c))
			put(e, c);
		else if (c !== null && c !== undefined && c !== false)
			e.append(typeof c === "string" ? visible(c) : c);
}

const el = (tag, attributes, ...children) => make(null, tag, attributes, children);
const svg = (tag, attributes, ...children) => make(SVG, tag, attributes, children);

/* Text of others within a sentence: letters that run from right to left leave the sentence as it is. */
const own = (text) => el("bdi", {}, text);
const entitle = (text) => document.title = visible(text);

/* ---- words ---- */

function digits(x, n = 4) {
	if (typeof x !== "number" || !Number.isFinite(x))
		return "–";
	if (x === 0)
		return "0";
	const whole = Math.floor(Math.log10(Math.abs(x))) + 1;
	return x.toFixed(Math.min(12, Math.max(0, n - whole)));
}

function duration(ns) {
	if (ns === null || ns === undefined || !Number.isFinite(ns))
		return "–";
	const steps = [["s", 1e9], ["ms", 1e6], ["µs", 1e3], ["ns", 1]];
	const [unit, size] = steps.find(([, s]) => Math.abs(ns) >= s) || steps[3];
	return `${digits(ns / size)} ${unit}`;
}

const percent = (x, n = 2) => `${digits(100 * x, n)} %`;
/* The browser's own tables for languages take longer to load than the page takes to be drawn. */
const count = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, "\u202f");
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const plural = (n, one, many = `${one}s`) => `${count(n)} ${n === 1 ? one : many}`;

/* Seconds as people say them. */
function span(s) {
	if (s === null || s === undefined)
		return "unknown";
	if (s < 1)
		return "under 1 s";
	if (s < 90)
		return `${Math.round(s)} s`;
	if (s < 5400)
		return `${Math.round(s / 60)} min`;
	if (s < 172800)
		return `${digits(s / 3600, 2)} h`;
	return `${Math.round(s / 86400)} days`;
}

function moment(s) {
	const d = new Date(1000 * s), iso = d.toISOString(), two = (n) => String(n).padStart(2, "0");
	return el("time", { datetime: iso, title: iso },
	    `${d.getDate()} ${MONTHS[d.getMonth()]} ${d.getFullYear()}, ${two(d.getHours())}:${two(d.getMinutes())}`);
}

function ago(s) {
	const past = Date.now() / 1000 - s;
	const iso = new Date(1000 * s).toISOString();
	return el("time", { datetime: iso, title: iso }, past < 5 ? "just now" : `${span(past)} ago`);
}

const person = (number, name) => name || (number === 0 ? "root" : `user ${number}`);

/* A value of a spec or of meta: text as it is, the rest as JSON; lists of flags without brackets. */
function label(value) {
	if (typeof value === "string")
		return value;
	if (Array.isArray(value) && value.every((v) => typeof v === "string"))
		return value.join(" ") || "none";
	return JSON.stringify(value);
}

/* NAME=VALUE of each member. */
const members = (object) => Object.entries(object).map(([name, value], i) => [i ? " " : "", own(`${name}=${label(value)}`)]);

/* ---- parts of pages ---- */

function section(title, ...children) {
	const id = `s-${title.toLowerCase().replace(/[^a-z]+/g, "-")}`;
	return el("section", { "aria-labelledby": id }, el("h2", { id }, title), children);
}

/* It scrolls within itself, by the keyboard as well. */
function scroller(name, ...children) {
	return scrollerOf("scroller", name, ...children);
}

function scrollerOf(kind, name, ...children) {
	return el("div", { class: kind, tabindex: "0", role: "region", "aria-label": name }, children);
}

/* The same for what may be wider than the screen: a word, and a faded edge, say that there is more. */
function sideways(name, ...children) {
	const node = scroller(name, ...children), hint = el("p", { class: "note", hidden: true }, "Scroll sideways for more →");
	const look = () => {
		const isWide = node.scrollWidth > node.clientWidth + 1;
		hint.hidden = !isWide;
		node.classList.toggle("more", isWide && node.scrollLeft + node.clientWidth < node.scrollWidth - 1);
	};
	node.addEventListener("scroll", look, { passive: true });
	new ResizeObserver(look).observe(node);
	return [hint, node];
}

/*
 * head: [text, class] each; rows: arrays of cells, each a node, a text, or [content, class].  On a
 * narrow screen a row is a paragraph, in which each cell has its heading before it.
 */
function table(name, head, rows) {
	const cell = (tag, c, extra) => Array.isArray(c) ? el(tag, { class: c[1], ...extra }, c[0]) :
	    el(tag, extra, c);
	const headings = head.map((h) => Array.isArray(h) ? h[0] : h);
	return scrollerOf("scroller stack", name, el("table", {},
	    el("caption", { class: "hidden" }, name),
	    el("thead", {}, el("tr", {}, head.map((h) => cell("th", h, { scope: "col" })))),
	    el("tbody", {}, rows.map((r) => el("tr", {}, r.map((c, i) => cell("td", c, { "data-label": headings[i] })))))));
}

function facts(pairs) {
	return el("dl", { class: "facts" }, pairs.filter((p) => p && p[1] !== null && p[1] !== undefined)
	    .map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))));
}

/* What a chart shows as a table, made when it is opened. */
function behind(title, rows) {
	const details = el("details", { class: "behind" }, el("summary", {}, title));
	details.addEventListener("toggle", () => {
		if (details.open && details.children.length === 1)
			details.append(rows());
	});
	return details;
}

function choice(name, options, chosen, onchange) {
	const select = el("select", { onchange: () => onchange(select.value) },
	    options.map(([value, text]) => el("option", { value, selected: String(value) === String(chosen) }, text)));
	return el("label", { class: "choice" }, el("span", {}, name), select);
}

/* What the daemon says begins small and has no full stop. */
const sentence = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;

/*
 * kind: "wraps" if its lines may be broken where they are shown.  What is copied is what is shown,
 * but for a source, which is copied as it is.
 */
function copyable(text, name, kind = null, copied = visible(text)) {
	const said = el("span", { class: "said", role: "status" });
	const pre = el("pre", { class: kind, tabindex: "0", role: "region", "aria-label": name }, text);
	const button = el("button", { type: "button", onclick: async () => {
		try {
			await navigator.clipboard.writeText(copied);
			said.textContent = "copied";
		} catch (e) {
			const range = document.createRange();
			range.selectNodeContents(pre);
			getSelection().removeAllRanges();
			getSelection().addRange(range);
			said.textContent = "selected: copy it with Ctrl+C";
		}
	} }, "Copy");
	return el("div", { class: "copyable" }, pre, el("div", { class: "tools" }, button, said));
}

/* What is not seen at first is drawn when the page can be used. */
const postponed = [];
let isUsable = false;

function whenUsable(draw) {
	if (isUsable)
		draw();
	else
		postponed.push(draw);
}

function becomeUsable() {
	performance.mark("assay-usable");
	isUsable = true;
	postponed.splice(0).forEach((draw) => draw());
}

/* A part that is made anew without moving the focus away from a control of the same name. */
function replace(node, ...children) {
	const active = document.activeElement;
	const key = node.contains(active) && active.id;
	node.replaceChildren(...children.flat(3).filter((c) => c).map((c) => typeof c === "string" ? visible(c) : c));
	const again = key && document.getElementById(key);
	if (again)
		again.focus({ preventScroll: true });
}
