# SPDX-License-Identifier: Apache-2.0
"""What HTTP promises beside routes: methods, links to pages, lines, compression, and bodies that are not taken."""
import gzip
import http.client
import json
import pathlib
import re
import sys
import unittest
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import harness
from harness import Client, DaemonTest, job

FAR = 4102444800        # jobs not before it stay queued
NDJSON = {"Accept": "application/x-ndjson"}
GZIP = {"Accept-Encoding": "gzip"}
BODY_BYTES = 16 << 20
ROUTES_C = (harness.TREE / "daemon" / "http" / "http_routes.c").read_text()


def sweep(name, n=1, **members):
    variants = [{"name": f"v{i}", "source": f"int same(const int N) {{ return N + {i}; }}\n"} for i in range(n)]
    return {"name": name, "spec": job()["spec"], "variants": variants, **members}


class LinesTest(DaemonTest):
    def get(self, path, **headers):
        return self.daemon.http("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})

    def lines(self, path, **headers):
        answer = self.daemon.http("GET", path, headers=NDJSON | headers)
        self.assertEqual((200, "application/x-ndjson"), (answer.status, answer.type), answer.body)
        return [json.loads(line) for line in answer.body.splitlines()]


class Methods(LinesTest):
    def test_D12_options_says_what_each_route_takes(self):
        words = {"GET": "GET, HEAD", "POST": "POST", "DELETE": "DELETE"}
        table = {}
        for method, pattern in re.findall(r'EVHTTP_REQ_(\w+), +"([^"]+)"', ROUTES_C):
            table.setdefault(pattern.replace(":", "1"), []).append(method)
        self.assertGreater(len(table), 30)
        for path, methods in table.items():
            answer = self.daemon.http("OPTIONS", path)
            allow = ", ".join([words[m] for m in words if m in methods] + ["OPTIONS"])
            self.assertEqual((204, b"", allow), (answer.status, answer.body, answer.headers["Allow"]), path)
            self.assertEqual([], [h for h in answer.headers if h.lower().startswith("access-control")])
        anything = self.daemon.http("OPTIONS", "*")
        self.assertEqual((204, "GET, HEAD, POST, DELETE, OPTIONS"), (anything.status, anything.headers["Allow"]))
        self.assertEqual(404, self.daemon.http("OPTIONS", "/v1/nothing").status)

    def test_D12_a_page_of_another_site_is_not_told_what_it_might_ask(self):
        for headers in ({"Origin": "http://evil.example", "Access-Control-Request-Method": "POST"},
                        {"Sec-Fetch-Site": "cross-site"}, {"Host": "evil.example"}):
            answer = self.daemon.http("OPTIONS", "/v1/jobs", headers=headers, tcp=True)
            self.assertEqual((403, "denied"), (answer.status, answer.json()["word"]), headers)

    def test_D12_head_is_where_get_is(self):
        for path in ("/v1/sweeps", "/v1/queue", "/", "/openapi.json", "/v1/events"):
            for headers in ({}, NDJSON):
                head = self.daemon.http("HEAD", path, headers=headers)
                self.assertEqual((200, b""), (head.status, head.body), path)


class Bodies(LinesTest):
    HEAD = b"POST /v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"

    def answers(self, data, n):
        """The first answers on a connection that has sent no more than this."""
        client = Client(self.daemon.http_socket)
        self.addCleanup(client.close)
        client.send_bytes(data)
        got = []
        for _ in range(n):
            response = http.client.HTTPResponse(client.socket, method="POST")
            response.begin()
            got.append((response, response.read()))
        return got

    def test_D12_an_announced_body_that_is_too_large_is_refused_before_it_comes(self):
        for extra in (b"", b"Expect: 100-continue\r\n"):
            ((response, body),) = self.answers(self.HEAD + extra + b"Content-Length: %d\r\n\r\n" % (BODY_BYTES + 1), 1)
            self.assertEqual((413, "close"), (response.status, response.headers["Connection"]))
            problem = json.loads(body)
            self.assertEqual(("bad_request", 413), (problem["word"], problem["status"]))
            self.assertIn("16 MiB", problem["detail"])
            self.assertTrue(problem["hint"])

    def test_D12_the_header_alone_is_enough_to_refuse_it(self):
        ((response, _),) = self.answers(self.HEAD + b"Content-Length: %s\r\n" % (b"9" * 40), 1)
        self.assertEqual(413, response.status)

    def test_D12_a_request_before_it_is_still_answered(self):
        ask = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
        client = Client(self.daemon.http_socket)
        self.addCleanup(client.close)
        client.send_bytes(ask + self.HEAD + b"Content-Length: %d\r\n\r\n{" % (1 << 40))
        said = b""
        while more := client.socket.recv(65536):
            said += more
        self.assertRegex(said, rb"(?s)^HTTP/1.1 200 OK.*\r\n\r\nok\nHTTP/1.1 413 ")

    def test_D12_a_body_of_the_greatest_length_is_taken(self):
        text = json.dumps({"jobs": [job("held", not_before=FAR)]}).encode()
        answer = self.daemon.http("POST", "/v1/jobs", text + b" " * (BODY_BYTES - len(text)),
                                  {"Content-Type": "application/json"})
        self.assertEqual(201, answer.status, answer.body)

    def test_D12_a_body_that_is_encoded_or_no_json_is_415_and_says_which_member(self):
        text = json.dumps(job())
        for name, value in (("Content-Encoding", "gzip"), ("Content-Encoding", "br, gzip"), ("Content-Type", "text/json")):
            answer = self.daemon.http("POST", "/v1/jobs", text, {"Content-Type": "application/json", name: value})
            self.assertEqual((415, name), (answer.status, answer.json()["member"]), answer.body)
        answer = self.daemon.http("POST", "/v1/jobs", json.dumps(job(not_before=FAR)), {
            "Content-Type": "application/json; charset=utf-8", "Content-Encoding": "identity"})
        self.assertEqual(201, answer.status, answer.body)


class Pages(LinesTest):
    SWEEPS = 230        # more than two pieces of a stream of lines

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for i in range(cls.SWEEPS):
            cls.daemon.call("sweep.create", {"sweep": sweep(f"list-{i:03d}", not_before=FAR)})
        made = cls.daemon.call("sweep.create", {"sweep": sweep("timed", 9)})
        cls.daemon.call("job.wait", {"ids": made["ids"]})

    def follow(self, path, member):
        """All elements of a list, page by page, by its links alone."""
        seen, pages = [], 0
        while path is not None:
            answer = self.get(path)
            self.assertEqual(200, answer.status, answer.body)
            seen, pages = seen + answer.json()[member], pages + 1
            link = re.fullmatch(r'<(\S+)>; rel="next"', answer.headers["Link"] or "")
            self.assertEqual(answer.json()["next"] is not None, link is not None)
            path = link.group(1) if link else None
        return seen, pages

    def test_D12_a_page_links_to_the_page_behind_it(self):
        sweeps, pages = self.follow("/v1/sweeps?search=list-&limit=50", "sweeps")
        self.assertEqual((5, self.SWEEPS), (pages, len({s["id"] for s in sweeps})))
        results, pages = self.follow("/v1/results?order=newest&&limit=2&name=", "results")
        self.assertEqual(([], 1), (results, pages))
        results, pages = self.follow("/v1/results?order=fastest&limit=4&sweep=timed", "results")
        self.assertEqual((3, 9), (pages, len({r["job"] for r in results})))
        points, pages = self.get("/v1/sweeps/timed/points?limit=4"), 1
        self.assertEqual(f'</v1/sweeps/timed/points?limit=4&after={points.json()["next"]}>; rel="next"',
                         points.headers["Link"])

    def test_D12_a_link_has_one_cursor_and_no_byte_that_ends_it(self):
        first = self.get("/v1/sweeps?limit=1&search=list-").json()["next"]
        answer = self.get(f"/v1/sweeps?curs%6Fr={first}&search=list-&limit=1")
        self.assertEqual(f'</v1/sweeps?search=list-&limit=1&cursor={answer.json()["next"]}>; rel="next"',
                         answer.headers["Link"])
        client = Client(self.daemon.http_socket)
        self.addCleanup(client.close)
        client.send_bytes(b'GET /v1/sweeps?search=l>"<%3E&limit=1 HTTP/1.1\r\nHost: localhost\r\n\r\n')
        response = http.client.HTTPResponse(client.socket)
        response.begin()
        self.assertEqual((200, None), (response.status, response.headers["Link"]))      # nothing has that name

    def test_D12_sweeps_come_as_lines_all_that_match_or_so_many(self):
        listed = self.get("/v1/sweeps?search=list-&limit=1000").json()["sweeps"]
        self.assertEqual(listed, self.lines("/v1/sweeps?search=list-"))
        self.assertEqual(listed[:150], self.lines("/v1/sweeps?search=list-&limit=150"))
        self.assertEqual(listed, self.lines("/v1/sweeps?search=list-&limit=5000"))
        self.assertEqual([], self.lines("/v1/sweeps?search=none"))
        first = self.get("/v1/sweeps?search=list-&limit=10").json()
        self.assertEqual(listed[10:], self.lines(f"/v1/sweeps?search=list-&cursor={first['next']}"))

    def test_D12_the_queue_comes_as_lines(self):
        listed = self.get("/v1/queue?limit=1000").json()["jobs"]
        self.assertEqual(self.SWEEPS, len(listed))
        self.assertEqual(listed, self.lines("/v1/queue?limit=1000"))
        self.assertEqual(listed[:3], self.lines("/v1/queue?limit=3"))

    def test_D12_what_is_wrong_with_a_question_for_lines_is_a_problem(self):
        for path, member in (("/v1/sweeps?limit=0", "limit"), ("/v1/sweeps?cursor=x", "cursor"), ("/v1/queue?limit=-1", "limit"),
                             ("/v1/sweeps?state=gone", "state"), ("/v1/results?cursor=x", "cursor")):
            answer = self.daemon.http("GET", path, headers=NDJSON)
            self.assertEqual((400, member), (answer.status, answer.json()["member"]), path)
        answer = self.daemon.http("GET", "/v1/results?sweep=never", headers=NDJSON)
        self.assertEqual((404, "application/problem+json"), (answer.status, answer.type))

    def test_D12_lines_are_given_to_those_who_prefer_them(self):
        for accept, kind in (("application/json", "json"), ("*/*", "json"), ("application/x-ndjson;q=0", "json"),
                             ("application/x-ndjson, */*", "x-ndjson"), ("text/html, APPLICATION/X-NDJSON;q=0.5", "x-ndjson"),
                             ("application/json, application/x-ndjson;q=0.9", "json"),
                             ("application/json;q=0.5, application/x-ndjson", "x-ndjson")):
            for path in ("/v1/results", "/v1/sweeps", "/v1/queue"):
                self.assertEqual(f"application/{kind}", self.get(path, Accept=accept).type, accept)

    def test_D12_lines_are_compressed_for_those_that_take_it(self):
        for path in ("/v1/results?sweep=timed", "/v1/results?name=none", "/v1/sweeps", "/v1/queue",
                     "/v1/sweeps/timed/export?format=csv"):
            plain = self.daemon.http("GET", path, headers=NDJSON)
            answer = self.daemon.http("GET", path, headers=NDJSON | GZIP)
            self.assertEqual((200, "gzip", None), (answer.status, answer.headers["Content-Encoding"],
                                                   plain.headers["Content-Encoding"]))
            self.assertEqual(plain.body, gzip.decompress(answer.body), path)
            self.assertIn("Accept-Encoding", answer.headers["Vary"])
        self.assertLess(len(self.daemon.http("GET", "/v1/sweeps", headers=NDJSON | GZIP).body),
                        len(self.daemon.http("GET", "/v1/sweeps", headers=NDJSON).body) / 5)

    @staticmethod
    def piece(response):
        """A whole chunk, in whatever parts it comes."""
        piece = response.read1()
        while response.chunk_left:
            piece += response.read1()
        return piece

    def test_D12_each_piece_of_a_compressed_stream_has_whole_lines(self):
        """What has come can be read, whatever comes later."""
        connection = harness.UnixConnection(self.daemon.http_socket)
        self.addCleanup(connection.close)
        connection.request("GET", "/v1/sweeps", headers=NDJSON | GZIP)
        response, unpack, pieces = connection.getresponse(), zlib.decompressobj(31), 0
        while piece := self.piece(response):
            self.assertRegex(unpack.decompress(piece), rb"\n$|^$")
            pieces += 1
        self.assertTrue(unpack.eof)
        self.assertGreater(pieces, 2)


if __name__ == "__main__":
    unittest.main()
