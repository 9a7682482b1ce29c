/* SPDX-License-Identifier: Apache-2.0 */
/* Asks for a sweep's data while the rest of the page is on its way. */
"use strict";
const assayEarly = {};
(() => {
	const [, kind, name] = location.pathname.split("/");
	const token = sessionStorage.getItem("assay-token");
	const ask = (path) => {
		assayEarly[path] = fetch(path, { headers: token ? { Authorization: `Bearer ${token}` } : {}, cache: "no-cache" });
		assayEarly[path].catch(() => null);
	};

	if (kind === "sweeps" && name) {
		const path = `/v1/sweeps/${encodeURIComponent(decodeURIComponent(name))}`;
		ask(path);
		ask(`${path}/points?limit=20000&after=0`);
	}
})();
