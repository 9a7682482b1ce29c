# SPDX-License-Identifier: Apache-2.0
"""The HTTP door of the real daemon: every route of proto/PROTOCOL.md, over the Unix socket and over loopback."""
import gzip
import http.client
import json
import os
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import harness
from harness import Client, DaemonTest, job

FAR = 4102444800        # jobs not before it stay queued
NOBODY = 65534
NDJSON = {"Accept": "application/x-ndjson"}


def held(name="held"):
    return job(name, not_before=FAR)


def sweep(name, n, **members):
    return {"name": name, "spec": job()["spec"], **members,
            "variants": [{"language": "c", "name": f"v{i}", "source": f"int same(const int N) {{ return N + {i}; }}\n"}
                         for i in range(n)]}


class HttpTest(DaemonTest):
    def get(self, path, **how):
        return self.daemon.http("GET", path, **how)

    def assert_problem(self, response, status, word, member=None):
        self.assertEqual((status, "application/problem+json"), (response.status, response.type), response.body)
        problem = response.json()
        self.assertEqual(("about:blank", status, word), (problem["type"], problem["status"], problem["word"]))
        self.assertTrue(problem["title"])
        self.assertTrue(problem["detail"])
        self.assertEqual(member, problem.get("member"), problem)
        return problem

    def done(self, ids):
        self.daemon.call("job.wait", {"ids": ids})


class Reading(HttpTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        made = cls.daemon.call("sweep.create", {"sweep": sweep("dot cold/é", 5)})
        cls.daemon.call("job.wait", {"ids": made["ids"]})
        cls.sweep, cls.ids = made["sweep"], made["ids"]

    def between_equals(self, ask, told):
        """The answers at both doors, while the first door's stays the same."""
        while True:
            over = [ask(door) for door in (False, True, False)]
            if told(over[0]) == told(over[2]):
                return over[:2]

    def test_both_sockets_tell_the_same(self):
        for path in ("/v1/results", f"/v1/jobs/{self.ids[0]}", f"/v1/sweeps/{self.sweep}",
                     f"/v1/sweeps/{self.sweep}/best", "/v1/queue"):
            over = self.between_equals(lambda tcp: self.get(path, tcp=tcp), lambda answer: answer.body)
            for response in over:
                self.assertEqual((200, "application/json", "private, no-cache"), (
                    response.status, response.type, response.headers["Cache-Control"]), path)
            self.assertEqual(over[0].body, over[1].body, path)

    def host(self, is_http, tcp):
        host = self.get("/v1/host", tcp=tcp).json() if is_http else self.daemon.call("host.get")
        self.assertTrue(host["fitness"].pop("evidence"))        # measured anew for each
        host["fitness"].pop("reasons")          # they quote the evidence
        host["fitness"].pop("grade")            # and it is judged by them
        return host

    def test_both_doors_tell_the_same(self):
        self.assertEqual(self.daemon.call("results.query", {"limit": 3}), self.get("/v1/results?limit=3").json())
        self.assertEqual(self.daemon.call("job.get", {"id": self.ids[0]}), self.get(f"/v1/jobs/{self.ids[0]}").json())
        for tcp in (False, True):
            hosts = self.between_equals(lambda is_http: self.host(is_http, tcp), lambda host: host)
            self.assertEqual(hosts[0], hosts[1])
        self.assertEqual(self.daemon.pid, self.get("/v1/info").json()["pid"])

    def test_filters_are_query_parameters(self):
        self.assertEqual(["v3"], [r["name"] for r in self.get("/v1/results?name=v3&status=ok").json()["results"]])
        first = self.get(f"/v1/results?sweep={self.sweep}&order=newest&limit=2").json()
        second = self.get(f"/v1/results?sweep={self.sweep}&order=newest&limit=2&cursor={first['next']}").json()
        self.assertEqual(4, len({r["job"] for r in first["results"] + second["results"]}))
        problem = self.assert_problem(self.get("/v1/results?statsu=ok"), 400, "bad_request", "statsu")
        self.assertIn("status", problem["hint"])
        self.assert_problem(self.get("/v1/results?limit=x"), 400, "bad_request", "limit")
        self.assert_problem(self.get("/v1/host?verbose=1"), 400, "bad_request", "verbose")

    def test_a_sweep_is_found_by_number_and_by_escaped_name(self):
        by_name = self.get("/v1/sweeps/dot%20cold%2F%C3%A9")
        self.assertEqual(200, by_name.status)
        self.assertEqual(self.get(f"/v1/sweeps/{self.sweep}").json(), by_name.json())
        best = self.get("/v1/sweeps/dot%20cold%2F%C3%A9/best?top=2").json()
        self.assertEqual((2, 5, 0), (len(best["results"]), best["jobs"], best["left"]))

    def test_what_is_not_there_is_404_and_what_is_malformed_400(self):
        self.assert_problem(self.get("/v1/jobs/999999"), 404, "not_found")
        self.assert_problem(self.get("/v1/sweeps/never"), 404, "not_found")
        self.assert_problem(self.get("/v1/results?sweep=never"), 404, "not_found")
        self.assert_problem(self.get("/v1/nothing"), 404, "not_found")
        self.assert_problem(self.get("/v1/jobs/"), 404, "not_found")
        self.assert_problem(self.get("/v1/jobs/abc"), 400, "bad_request", "id")
        self.assert_problem(self.get("/v1/sweeps/%ff"), 400, "bad_request")
        self.assert_problem(self.get("/v1/sweeps/%00"), 400, "bad_request")

    def test_another_method_is_405_and_says_which_are_allowed(self):
        for method, path, allow in (("PUT", "/v1/jobs/1", "GET, HEAD, DELETE"), ("GET", "/v1/jobs", "POST"),
                                    ("POST", "/healthz", "GET, HEAD"), ("FROB", "/v1/results", "GET, HEAD"),
                                    ("PATCH", "/v1/sweeps", "GET, HEAD, POST"), ("DELETE", "/v1/results", "GET, HEAD")):
            response = self.daemon.http(method, path)
            self.assert_problem(response, 405, "bad_request")
            self.assertEqual(allow + ", OPTIONS", response.headers["Allow"])

    def test_head_has_the_headers_of_get_and_no_body(self):
        for path in ("/v1/results", "/healthz", "/v1/jobs/999999"):
            head, get = self.daemon.http("HEAD", path), self.get(path)
            self.assertEqual((get.status, b""), (head.status, head.body))
            self.assertEqual((get.headers["Content-Length"], get.headers["Content-Type"]),
                             (head.headers["Content-Length"], head.headers["Content-Type"]))
        self.assertEqual(b"", self.daemon.http("HEAD", "/v1/results", headers=NDJSON).body)

    def test_a_connection_serves_many_requests(self):
        connection = harness.UnixConnection(self.daemon.http_socket)
        for _ in range(5):
            connection.request("GET", "/healthz")
            response = connection.getresponse()
            self.assertEqual((200, b"ok\n"), (response.status, response.read()))
            connection.request("HEAD", "/v1/queue")
            self.assertEqual(b"", connection.getresponse().read())
        connection.close()

    def test_requests_sent_ahead_are_answered_in_order(self):
        client = Client(self.daemon.http_socket)
        self.addCleanup(client.close)
        client.send_bytes(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n" * 9 +
                          b"GET /v1/jobs/999999 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        said = b""
        while more := client.socket.recv(65536):
            said += more
        self.assertEqual(9, said.count(b"200 OK"))
        self.assertIn(b"404 Not Found", said.split(b"200 OK")[-1])

    def test_http_1_0_gets_a_stream_until_the_connection_closes(self):
        client = Client(self.daemon.http_socket)
        self.addCleanup(client.close)
        client.send_bytes(b"GET /v1/results HTTP/1.0\r\nAccept: application/x-ndjson\r\n\r\n")
        said = b""
        while more := client.socket.recv(65536):
            said += more
        head, body = said.split(b"\r\n\r\n", 1)
        self.assertNotIn(b"chunked", head)
        self.assertEqual(5, len([json.loads(line) for line in body.splitlines()]))

    def test_metrics_are_prometheus_text(self):
        response = self.get("/metrics")
        self.assertEqual("0.0.4", response.headers.get_param("version"))
        values = {}
        for line in response.body.decode().splitlines():
            if not line.startswith("#"):
                name, value = line.rsplit(" ", 1)
                values[name] = float(value)
        self.assertEqual((5, 5, 1), (values["assay_jobs_total"], values['assay_results_total{status="ok"}'],
                                     values["assay_sessions"]))
        self.assertEqual(0, values['assay_jobs{state="queued"}'])
        self.assertGreater(values["process_resident_memory_bytes"], 1 << 20)


class Listing(HttpTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        made = [cls.daemon.call("sweep.create", {"sweep": sweep(f"Dot {i:02}", 1, **extra)})
                for i in range(7) for extra in ({"not_before": FAR} if i % 2 else {},)]
        cls.numbers = [m["sweep"] for m in made]
        cls.daemon.call("job.wait", {"ids": [n for m in made[::2] for n in m["ids"]]})
        cls.daemon.call("sweep.cancel", {"sweep": cls.numbers[1]})
        cls.daemon.call("job.wait", {"ids": made[1]["ids"]})

    def listed(self, query=""):
        return [s["id"] for s in self.get("/v1/sweeps" + query).json()["sweeps"]]

    def test_D8_sweeps_are_listed_newest_first_and_found_by_name_state_and_user(self):
        newest_first = self.numbers[::-1]
        self.assertEqual(newest_first, self.listed("?search=dot"))
        self.assertEqual(self.numbers[3:4], self.listed("?search=T%2003"))
        self.assertEqual([], self.listed("?search=%25"))
        self.assertEqual(self.numbers[::2][::-1], self.listed("?state=done&search=Dot"))
        self.assertEqual([self.numbers[5], self.numbers[3]], self.listed("?state=active"))
        self.assertEqual([self.numbers[1]], self.listed("?state=cancelled"))
        self.assertEqual(newest_first, self.listed(f"?user={os.getuid()}&search=DOT"))
        self.assertEqual([], self.listed(f"?user={os.getuid() + 1}"))
        self.assertEqual(self.daemon.call("sweep.list", {"state": "active"}), self.get("/v1/sweeps?state=active").json())
        [held] = self.get("/v1/sweeps?search=03").json()["sweeps"]
        self.assertEqual(("Dot 03", "active", 1, 1, {}), tuple(held[m] for m in ("name", "state", "jobs", "left", "statuses")))
        problem = self.assert_problem(self.get("/v1/sweeps?state=activ"), 400, "bad_request", "state")
        self.assertIn("active", problem["hint"])
        for cursor in ("s.0", "s.-1", "s.01", "i.5", "s.99999999999999999999", "s.5x"):
            self.assert_problem(self.get(f"/v1/sweeps?cursor={cursor}"), 400, "bad_request", "cursor")

    def test_D8_pages_of_sweeps_are_stable_while_others_come(self):
        first = self.get("/v1/sweeps?limit=3").json()
        late = self.daemon.call("sweep.create", {"sweep": sweep("late", 1)})
        seen, cursor = [s["id"] for s in first["sweeps"]], first["next"]
        while cursor is not None:
            page = self.get(f"/v1/sweeps?limit=3&cursor={cursor}").json()
            seen, cursor = seen + [s["id"] for s in page["sweeps"]], page["next"]
        self.assertEqual(self.numbers[::-1], seen)
        self.assertEqual([late["sweep"]], self.listed("?limit=1"))
        self.done(late["ids"])

    def test_D12_what_the_client_has_is_not_sent_again(self):
        path = f"/v1/jobs/{self.daemon.call('results.query', {})['results'][0]['job']}"
        first = self.get(path)
        tag = first.headers["ETag"]
        for sent in (tag, "W/" + tag, f'"other", {tag}', "*", tag[:-1] + '-gz"'):
            again = self.get(path, headers={"If-None-Match": sent})
            self.assertEqual((304, b"", tag), (again.status, again.body, again.headers["ETag"]), sent)
        for sent in ('"other"', tag[:-1], f"{tag[:-1]}x\"", ""):
            self.assertEqual(first.body, self.get(path, headers={"If-None-Match": sent}).body, sent)
        self.assertIsNone(self.get("/metrics").headers["ETag"])

    def test_D12_long_texts_are_compressed_for_those_that_take_it(self):
        plain = self.get("/v1/results")
        self.assertIsNone(plain.headers["Content-Encoding"])
        for accepted in ("gzip", "br, GZIP;q=0.5", "*", "identity;q=0, gzip ; q=1"):
            packed = self.get("/v1/results", headers={"Accept-Encoding": accepted})
            self.assertEqual("gzip", packed.headers["Content-Encoding"], accepted)
            self.assertIn("Accept-Encoding", packed.headers["Vary"])
            self.assertEqual(plain.body, gzip.decompress(packed.body))
            self.assertEqual(str(len(packed.body)), packed.headers["Content-Length"])
            self.assertEqual(304, self.get("/v1/results", headers={
                "Accept-Encoding": accepted, "If-None-Match": packed.headers["ETag"]}).status)
        for refused in ("gzip;q=0", "gzip;q=0.000, *", "br", "", "gzipx", "*;q=0"):
            self.assertEqual(plain.body, self.get("/v1/results", headers={"Accept-Encoding": refused}).body, refused)
        self.assertIsNone(self.get("/healthz", headers={"Accept-Encoding": "gzip"}).headers["Content-Encoding"])

    def test_D8_the_command_lists_sweeps(self):
        def run(*words):
            return subprocess.run([harness.BUILD / "assay", "-s", self.daemon.socket, "sweep", "list", *words],
                                  capture_output=True, text=True)
        table = run()
        self.assertEqual((0, ""), (table.returncode, table.stderr))
        self.assertIn("Dot 03", table.stdout)
        found = json.loads(run("--search", "dot 03", "--state", "active", "--json").stdout)
        self.assertEqual(([self.numbers[3]], None), ([s["id"] for s in found["sweeps"]], found["next"]))
        self.assertEqual(2, len(run("--limit", "2", "--ndjson").stdout.splitlines()))
        self.assertIn("--limit", run("--limit", "2").stderr)
        self.assertEqual((64, ""), (run("extra").returncode, run("extra").stdout))


class Writing(HttpTest):
    def post(self, path, body, **how):
        return self.daemon.http("POST", path, body, **how)

    def test_a_job_is_posted_alone_or_with_others(self):
        for tcp in (False, True):
            one = self.post("/v1/jobs", job("alone"), tcp=tcp)
            self.assertEqual((201, 0), (one.status, one.json()["repeated"]))
            many = self.post("/v1/jobs", {"jobs": [job("a"), job("b")]}, tcp=tcp)
            self.assertEqual((201, 2), (many.status, len(many.json()["ids"])))
            self.done(one.json()["ids"] + many.json()["ids"])
            got = self.get(f"/v1/jobs/{many.json()['ids'][1]}").json()
            self.assertEqual(("b", "ok", os.getuid()), (got["name"], got["status"], got["submitter"]))

    def test_a_sweep_is_posted(self):
        made = self.post("/v1/sweeps", sweep("posted", 3))
        self.assertEqual((201, "posted", 3), (made.status, made.json()["name"], len(made.json()["ids"])))
        again = self.post("/v1/sweeps", sweep("posted", 3)).json()
        self.assertEqual((made.json()["sweep"], True), (again["sweep"], again["existed"]))
        self.assert_problem(self.post("/v1/sweeps", sweep("posted", 4)), 409, "conflict", "name")
        self.done(made.json()["ids"])

    def test_a_job_is_deleted(self):
        [number] = self.post("/v1/jobs", held()).json()["ids"]
        self.assertEqual({"cancelled": [number], "final": []}, self.daemon.http("DELETE", f"/v1/jobs/{number}").json())
        self.done([number])
        again = self.daemon.http("DELETE", f"/v1/jobs/{number}", tcp=True)
        self.assertEqual({"cancelled": [], "final": [number]}, again.json())
        self.assert_problem(self.daemon.http("DELETE", "/v1/jobs/999999"), 404, "not_found")

    def test_D12_a_sweep_is_deleted(self):
        made = self.post("/v1/sweeps", sweep("unwanted", 3, not_before=FAR)).json()
        self.assertEqual({"cancelled": 3}, self.daemon.http("DELETE", f"/v1/sweeps/{made['sweep']}").json())
        self.done(made["ids"])
        self.assertEqual({"cancelled": 0}, self.daemon.http("DELETE", "/v1/sweeps/unwanted", tcp=True).json())
        self.assert_problem(self.daemon.http("DELETE", "/v1/sweeps/never"), 404, "not_found")

    def test_what_is_wrong_with_a_job_is_named_as_it_is_in_the_body(self):
        bad = job()
        bad["spec"]["args"]["N"] = True
        self.assert_problem(self.post("/v1/jobs", bad), 422, "bad_spec", "spec.args.N")
        self.assert_problem(self.post("/v1/jobs", {"jobs": [job(), bad]}), 422, "bad_spec", "jobs[1].spec.args.N")
        self.assert_problem(self.post("/v1/sweeps", {**sweep("s", 1), "name": ""}), 422, "bad_spec", "name")
        self.assert_problem(self.post("/v1/jobs", {**job(), "prioritty": 1}), 422, "bad_spec", "prioritty")
        self.assert_problem(self.post("/v1/jobs", {"jobs": []}), 400, "bad_request", "jobs")
        self.assert_problem(self.post("/v1/jobs", {"jobs": [job()], "follow": True}), 400, "bad_request", "follow")
        self.assert_problem(self.post("/v1/jobs?x=1", job()), 400, "bad_request", "x")

    def test_a_body_that_is_no_json_object_is_refused_with_the_place(self):
        json_type = {"Content-Type": "application/json; charset=utf-8"}
        twice = self.post("/v1/jobs", b'{"a": 1,\n "a": 2}', headers=json_type)
        problem = self.assert_problem(twice, 400, "bad_request")
        self.assertEqual(2, problem["place"]["line"])
        for body in (b"", b"[]", b"7", b"{", b'{"a":"\xff"}', b"[" * 100):
            self.assert_problem(self.post("/v1/jobs", body, headers=json_type), 400, "bad_request")

    def test_only_json_is_taken(self):
        text = json.dumps(job())
        for kind in ({}, {"Content-Type": "text/plain"}, {"Content-Type": "application/x-www-form-urlencoded"},
                     {"Content-Type": "application/jsonx"}):
            self.assert_problem(self.post("/v1/jobs", text, headers=kind), 415, "bad_request", "Content-Type")

    def test_a_page_in_a_browser_cannot_write(self):
        for header in ({"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "null"}):
            self.assert_problem(self.post("/v1/jobs", job(), headers=header, tcp=True), 403, "denied")
            self.assert_problem(self.daemon.http("DELETE", "/v1/jobs/1", headers=header, tcp=True), 403, "denied")

    def test_a_name_that_was_pointed_at_loopback_is_refused(self):
        for host in ("evil.example", "evil.example:80", "localhost.evil.example", "127.0.0.1:80@evil.example", "localhost:x", "[::1]x"):
            self.assert_problem(self.get("/v1/results", headers={"Host": host}, tcp=True), 403, "denied", "Host")
        for host in ("localhost", "127.0.0.1:80", "[::1]:80"):
            self.assertEqual(200, self.get("/v1/results", headers={"Host": host}, tcp=True).status)

    @unittest.skipUnless(os.getuid() == 0, "needs root to be somebody else")
    def test_the_owner_of_a_loopback_connection_is_who_it_is(self):
        [others] = self.post("/v1/jobs", held()).json()["ids"]
        program = ("import http.client, json, sys\n"
                   "def ask(method, path, body=None):\n"
                   "    c = http.client.HTTPConnection('127.0.0.1', int(sys.argv[1]))\n"
                   "    c.request(method, path, body, {'Content-Type': 'application/json'})\n"
                   "    r = c.getresponse()\n"
                   "    return r.status, json.loads(r.read())\n"
                   "status, made = ask('POST', '/v1/jobs', sys.argv[2])\n"
                   "own, others = f\"/v1/jobs/{made['ids'][0]}\", '/v1/jobs/' + sys.argv[3]\n"
                   "print(status, ask('GET', own)[1]['submitter'])\n"
                   "print(ask('DELETE', others)[0], ask('DELETE', own)[0])\n")
        words = [str(self.daemon.tcp[1]), json.dumps(held()), str(others)]
        said = subprocess.run([sys.executable, "-c", program, *words], user=NOBODY, group=NOBODY, text=True,
                              capture_output=True, env={}, cwd="/")
        self.assertEqual(f"201 {NOBODY}\n403 200\n", said.stdout, said.stderr)
        self.daemon.call("job.cancel", {"id": others})


class Transport(HttpTest):
    """What never gets to a route."""
    POST = b"POST /v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"

    def assert_page(self, data, status):
        """Too early for a route: the head of a page that ends the connection."""
        client = Client(self.daemon.http_socket)
        self.addCleanup(client.close)
        try:
            client.send_bytes(data)
        except (BrokenPipeError, ConnectionResetError):
            pass                # it has answered already
        response = http.client.HTTPResponse(client.socket, method="POST")
        response.begin()
        self.assertEqual((status, "text/html", "close"), (
            response.status, response.headers["Content-Type"], response.headers["Connection"]))

    def test_what_is_no_http_is_refused(self):
        for data in (b"nonsense nonsense", b"\x16\x03\x01" + bytes(100), b"GET /", b"GET / HTTP/9.9",
                     b"GET / HTTP/1.1\r\nno colon", b"GET / HTTP/1.0\r\nno colon", b" / HTTP/1.1\r\nHost: x",
                     b"POST /v1/jobs HTTP/1.1\r\nContent-Length: -5", b"GET http://[::1 HTTP/1.1",
                     b"GET /" + b"x" * 20000 + b" HTTP/1.1"):
            with self.subTest(data[:40]):
                self.assert_page(data + b"\r\n\r\n", 400)

    def test_too_large_a_body_is_refused(self):
        length = (16 << 20) + 1
        self.assert_page(self.POST + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n" % length, 413)

    # libevent leaves it to the client to end the connection of a CONNECT, for a minute
    def test_what_cannot_be_done_at_all_is_refused(self):
        self.assert_page(self.POST + b"Expect: magic\r\nContent-Length: 3\r\n\r\n", 417)
        self.assert_page(b"CONNECT localhost:1 HTTP/1.1\r\nHost: localhost\r\n\r\n", 501)


class Streaming(HttpTest):
    JOBS = 700          # more than three pages, and more bytes than a socket holds

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        jobs = [job(f"s{i}", {"samples": [i + 1.0] * 20}) for i in range(cls.JOBS)]
        cls.ids = cls.daemon.call("job.submit", {"jobs": jobs})["ids"]
        cls.daemon.call("job.wait", {"ids": cls.ids})

    def stream(self, query="", **how):
        response = self.get("/v1/results" + query, headers=NDJSON, **how)
        self.assertEqual((200, "application/x-ndjson"), (response.status, response.type))
        return response.lines()

    def test_a_stream_has_every_result_once(self):
        for tcp in (False, True):
            self.assertEqual(sorted(self.ids), sorted(r["job"] for r in self.stream(tcp=tcp)))

    def test_a_stream_keeps_filters_order_and_limit(self):
        values = [r["time"]["value_ns"] for r in self.stream("?order=fastest&limit=450")]
        self.assertEqual([float(i + 1) for i in range(450)], values)
        self.assertEqual([], self.stream("?name=none"))
        self.assertEqual(["s7"], [r["name"] for r in self.stream("?name=s7")])
        self.assert_problem(self.get("/v1/results?limit=0", headers=NDJSON), 400, "bad_request", "limit")
        self.assert_problem(self.get("/v1/results?sweep=none", headers=NDJSON), 404, "not_found")

    def open_stream(self):
        connection = harness.UnixConnection(self.daemon.http_socket)
        self.addCleanup(connection.close)
        connection.request("GET", "/v1/results", headers=NDJSON)
        return connection, connection.getresponse()

    def test_readers_that_stop_reading_hold_up_nobody_and_lose_nothing(self):
        streams = [self.open_stream()[1] for _ in range(8)]
        first = [json.loads(stream.readline()) for stream in streams]
        self.assertEqual(self.JOBS, len(self.stream()))
        for stream, line in zip(streams, first):
            self.assertEqual(sorted(self.ids), sorted([line["job"]] + [json.loads(l)["job"] for l in stream]))

    def test_readers_that_vanish_in_the_middle_take_nothing_with_them(self):
        for _ in range(20):
            connection, stream = self.open_stream()
            stream.readline()
            stream.close()
            connection.close()
        self.assertEqual(self.JOBS, len(self.stream()))


if __name__ == "__main__":
    unittest.main()
