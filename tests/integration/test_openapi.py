# SPDX-License-Identifier: Apache-2.0
"""/openapi.json and the table of routes are one: every route is walked, and real answers fit what is described."""
import json
import pathlib
import re
import sys
import unittest

import jsonschema

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import harness
from harness import DaemonTest, job

sys.path.insert(0, str(harness.TREE / "client/python"))
import assay

ROUTES_C = (harness.TREE / "daemon" / "http" / "http_routes.c").read_text()
METHODS = set(re.findall(r'^\t\{ "(\w+\.\w+)", api_', (harness.TREE / "daemon/api/api_methods.c").read_text(), re.M))


class OpenApi(DaemonTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.document = cls.daemon.http("GET", "/openapi.json").json()
        cls.schemas = {f"/schema/{n}.json": cls.daemon.http("GET", f"/schema/{n}.json").json()
                       for n in ("job", "sweep", "compare", "variants", "result")}
        made = cls.daemon.call("sweep.create", {"sweep": {
            "name": "described", "spec": job()["spec"], "variants": [job("a")["variant"], job("b")["variant"]]}})
        cls.daemon.call("job.wait", {"ids": made["ids"]})
        cls.values = {"id": str(made["ids"][0]), "sweep": "described", "name": "job.json", "file": "assay.js"}

    def deref(self, thing):
        while isinstance(thing, dict) and thing.get("$ref", "").startswith("#/"):
            target = self.document
            for step in thing["$ref"][2:].split("/"):
                target = target[step]
            thing = target
        return thing

    def operations(self):
        for path, methods in self.document["paths"].items():
            for method, operation in methods.items():
                yield method.upper(), path, operation

    def validate(self, body, schema):
        store = {**self.schemas, **{"http://assay" + path: s for path, s in self.schemas.items()}}
        resolver = jsonschema.RefResolver("http://assay/openapi.json", self.document, store=store)
        jsonschema.Draft202012Validator({**schema}, resolver=resolver).validate(body)

    def check_answer(self, response, operation, where):
        described = self.deref(operation["responses"].get(str(response.status), operation["responses"]["default"]))
        kinds = described.get("content", {})
        self.assertTrue(response.type in kinds or "*/*" in kinds, f"{where}: {response.type}")
        if "json" in response.type and response.type in kinds:
            self.validate(response.json(), kinds[response.type]["schema"])

    def test_D12_every_route_is_described_and_every_description_has_a_route(self):
        table = {(m, re.sub(":", "{}", p)) for m, p in re.findall(r'EVHTTP_REQ_(\w+), +"([^"]+)"', ROUTES_C)}
        described = {(m, re.sub(r"\{\w+\}", "{}", p)) for m, p, _ in self.operations()}
        self.assertGreater(len(table), 30)
        self.assertEqual(table, described)
        names = [o["operationId"] for _, _, o in self.operations()]
        self.assertEqual(len(names), len(set(names)))

    def test_D12_both_clients_have_each_route_that_stands_for_a_method(self):
        described = {o["operationId"]: (m, re.sub(r"\{\w+\}", "{}", p)) for m, p, o in self.operations() if o["operationId"] in METHODS}
        rows = re.findall(r'\{ "([\w.]+)", "(\w+)", "([^"]+)", (NULL|"\w+"), "([^"]*)"',
                          (harness.TREE / "client/lib/route.c").read_text())
        self.assertGreater(len(described), 25)
        self.assertEqual(described, {method: (verb, before + ("" if name == "NULL" else "{}") + after)
                                     for method, verb, before, name, after in rows})
        self.assertEqual(described, {method: (verb, re.sub(r"\{\w+\}", "{}", path)) for method, (verb, path) in assay._ROUTES.items()})

    def test_D12_the_python_client_gets_through_each_route_that_reads(self):
        client = assay.Assay("http://%s:%d" % self.daemon.tcp)
        self.addCleanup(client.close)
        params = {"sweep.export": {"format": "csv", "cursor": "0"}, "kernel.history": {"routine": "x", "name": "x"}}
        for method, path, operation in self.operations():
            name = operation["operationId"]
            if method != "GET" or name not in METHODS:
                continue
            asked = params.get(name, {}) | {k: int(v) if k == "id" else v for k, v in self.values.items() if f"{{{k}}}" in path}
            with self.subTest(name):
                if name == "sweep.export":
                    self.assertRaisesRegex(assay.BadRequest, "cursor", client.call, name, asked)
                else:
                    self.assertIsInstance(client.call(name, asked), dict)
        self.assertRaisesRegex(assay.BadRequest, "Unix socket", client.call, "results.subscribe", {"ids": [1]})

    def test_D12_what_every_route_answers_fits_its_description(self):
        walked = 0
        for method, path, operation in self.operations():
            parameters = [self.deref(p) for p in operation.get("parameters", [])]
            if method != "GET" or path.endswith("/events"):
                continue
            query = {"format": "csv", "routine": "x", "name": "x"}
            asked = "&".join(f"{p['name']}={query[p['name']]}" for p in parameters
                             if p["in"] == "query" and p.get("required"))
            real = re.sub(r"\{(\w+)\}", lambda m: self.values[m.group(1)], path)
            with self.subTest(path):
                self.check_answer(self.daemon.http("GET", real + ("?" + asked if asked else "")), operation, path)
                walked += 1
        self.assertGreater(walked, 20)

    def test_D12_each_parameter_that_is_described_is_known_and_no_other(self):
        for method, path, operation in self.operations():
            if method != "GET" or operation.get("security") == [] or path.endswith("/events"):
                continue
            real = re.sub(r"\{(\w+)\}", lambda m: self.values[m.group(1)], path)
            for parameter in map(self.deref, operation.get("parameters", [])):
                if parameter["in"] != "query":
                    continue
                with self.subTest(f"{path} {parameter['name']}"):
                    text = self.daemon.http("GET", f"{real}?{parameter['name']}=%01").body.decode(errors="replace")
                    self.assertNotIn("unknown member", text)

    def real(self, path):
        return re.sub(r"\{(\w+)\}", lambda m: self.values[m.group(1)], path)

    def test_D12_head_and_options_are_wherever_they_are_promised(self):
        words = {"get": "GET, HEAD", "post": "POST", "delete": "DELETE"}
        for path, methods in self.document["paths"].items():
            with self.subTest(path):
                options = self.daemon.http("OPTIONS", self.real(path))
                allow = ", ".join([words[m] for m in words if m in methods] + ["OPTIONS"])
                self.assertEqual((204, allow, b""), (options.status, options.headers["Allow"], options.body))
                if "get" not in methods:
                    self.assertEqual(405, self.daemon.http("HEAD", self.real(path)).status)
                    continue
                parameters = [self.deref(p) for p in methods["get"].get("parameters", [])]
                needed = [p["name"] for p in parameters if p["in"] == "query" and p.get("required")]
                query = "?" + "&".join(f"{name}={'csv' if name == 'format' else 'x'}" for name in needed)
                head = self.daemon.http("HEAD", self.real(path) + (query if needed else ""))
                self.assertEqual(b"", head.body)
                self.assertIn(str(head.status), methods["get"]["responses"])

    def test_D12_every_write_answers_as_described_whether_it_is_done_or_refused(self):
        bodies = {"/v1/jobs": job("more"), "/v1/sweeps": {"name": "more", "spec": job()["spec"], "variants": [job()["variant"]]},
                  "/v1/compare": {"spec": job()["spec"], "variants": [job("a")["variant"], job("b")["variant"]]},
                  "/v1/wait": {"ids": [1], "timeout_ms": 0}, "/v1/cancel": {"ids": [1]}}
        walked = set()
        for method, path, operation in self.operations():
            if method == "GET":
                continue
            query = "?all=true" if path.startswith("/v1/queue/") else ""
            json_type = {"Content-Type": "application/json"}
            asked = [(bodies.get(path, {}), json_type), ({"no": "member"}, json_type), (b"[", json_type)]
            if method == "POST":
                asked += [(b"{}", {"Content-Type": "text/plain"}), (b"{}", json_type | {"Content-Encoding": "gzip"})]
            else:
                asked = [(None, {})]
            for body, headers in asked:
                with self.subTest(f"{method} {path} {body}"):
                    answer = self.daemon.http(method, self.real(path) + query, body, headers)
                    self.check_answer(answer, operation, path)
                    walked.add((path, answer.status))
        for status in (200, 201, 415):
            self.assertIn(status, {status for _, status in walked})
        self.assertEqual(set(bodies), {p for p, status in walked if status in (200, 201) and p in bodies})
        self.assertEqual({"/v1/wait", "/v1/cancel"}, {p for p, status in walked if status == 200 and p in bodies})

    def test_D12_jobs_are_compared_by_their_ids(self):
        """As `assay best --confirm` does; with a document's members beside them it is neither form."""
        ids = [self.daemon.call("job.submit", {"job": job(name)})["ids"][0] for name in ("a", "b")]
        json_type = {"Content-Type": "application/json"}
        operation = self.document["paths"]["/v1/compare"]["post"]
        for body, status in (({"ids": ids, "rule": {"error": 0.01}}, 201), ({"ids": ids[:1]}, 400), ({"ids": ids, "compare": {}}, 400)):
            with self.subTest(body):
                answer = self.daemon.http("POST", "/v1/compare", body, json_type)
                self.assertEqual(status, answer.status, answer.body)
                self.check_answer(answer, operation, "/v1/compare")
        schema = operation["requestBody"]["content"]["application/json"]["schema"]["anyOf"][1]
        self.validate({"ids": ids}, schema)
        self.assertRaises(jsonschema.ValidationError, self.validate, {"ids": ids, "compare": {}}, schema)

    def test_D12_lists_are_lines_where_that_is_described(self):
        for method, path, operation in self.operations():
            if method != "GET" or path.endswith("/events"):
                continue
            kinds = self.deref(operation["responses"]["200"])["content"]
            if "application/json" not in kinds:
                continue
            answer = self.daemon.http("GET", self.real(path), headers={"Accept": "application/x-ndjson"})
            self.assertEqual("application/x-ndjson" in kinds, answer.type == "application/x-ndjson", path)

    def test_D12_refusals_are_the_problems_that_are_described(self):
        problem = self.document["components"]["schemas"]["problem"]
        for path, status in (("/v1/jobs/999999", 404), ("/v1/jobs/x", 400), ("/schema/none.json", 404)):
            response = self.daemon.http("GET", path)
            self.assertEqual((status, "application/problem+json"), (response.status, response.type))
            self.validate(response.json(), problem)


if __name__ == "__main__":
    unittest.main()
