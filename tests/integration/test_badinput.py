# SPDX-License-Identifier: Apache-2.0
"""
What peers send wrong, or fail to read: each gets a clear error or is cut off, the daemon stays up, and another client
still gets its results.
"""
import json
import pathlib
import socket
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import harness
from harness import Client, DaemonTest, job

FAR = 4102444800        # jobs not before it stay queued
LINE_BYTES = 16 << 20
POST = b"POST /v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
INFO = b'{"jsonrpc":"2.0","id":1,"method":"server.info"}\n'


class BadInput(DaemonTest):
    """After each test a client that was connected all the time, and a new one, get their results."""

    def setUp(self):
        self.bystander = self.connect()
        [self.waited_for] = self.bystander.call("job.submit", {"job": job("held", not_before=FAR)})["ids"]
        self.bystander.send("job.wait", {"ids": [self.waited_for]}, id="bystander")

    def tearDown(self):
        self.daemon.call("job.cancel", {"id": self.waited_for})
        self.assertTrue(self.bystander.result("bystander")["done"])
        with self.daemon.connect() as client:
            ids = client.call("job.submit", {"job": job("after"), "follow": True})["ids"]
            self.assertEqual(ids, [client.notification()["result"]["job"]])

    def assert_error(self, reply, code, word="bad_request", id=None, member=None):
        self.assertEqual((code, word, id), (reply["error"]["code"], reply["error"]["data"]["word"], reply["id"]), reply)
        self.assertEqual("2.0", reply["jsonrpc"])
        self.assertTrue(reply["error"]["message"])
        if member is not None:
            self.assertEqual(member, reply["error"]["data"].get("member"), reply)
        return reply["error"]["data"]

    def line(self, method, params, id):
        return json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).encode() + b"\n"

    def answers(self, client):
        client.send_bytes(INFO)
        return client.receive()["result"]["name"] == "assayd"

    # ---- lines ----

    def test_what_is_no_json_is_answered_with_its_place_and_the_connection_goes_on(self):
        client = self.connect()
        for line, first, last in ((b"nonsense", 1, 9), (b'{"a":1,}', 8, 9), (b'{"jsonrpc":"2.0"', 16, 17),
                                  (b"{'id':1}", 2, 3), (b"\x00", 1, 2), (b'{"id":01}', 7, 9),
                                  (b"\xef\xbb\xbf{}", 1, 2)):
            client.send_bytes(line + b"\n")
            place = self.assert_error(client.receive(), -32700)["place"]
            self.assertIn(place["column"], range(first, last + 1), line)
            self.assertTrue(self.answers(client))

    def test_the_place_counts_the_lines_of_the_connection(self):
        client = self.connect()
        client.send_bytes(b"\n\r\n" + INFO + b"{\n")
        client.receive()
        self.assertEqual(4, self.assert_error(client.receive(), -32700)["place"]["line"])

    def test_invalid_utf_8_is_refused(self):
        client = self.connect()
        for bad in (b"\xff", b"\xc3", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf5\x80\x80\x80", b"\\u0000", b"\\ud800"):
            client.send_bytes(b'{"jsonrpc":"2.0","id":1,"method":"' + bad + b'"}\n')
            self.assert_error(client.receive(), -32700)
        self.assertTrue(self.answers(client))

    def test_duplicate_members_are_refused_at_any_depth(self):
        client = self.connect()
        for line in (b'{"jsonrpc":"2.0","id":1,"id":2,"method":"server.info"}',
                     b'{"jsonrpc":"2.0","id":1,"method":"job.submit","params":{"job":{"spec":{"N":1,"N":2}}}}'):
            client.send_bytes(line + b"\n")
            self.assertIn("duplicate", self.assert_error(client.receive(), -32700)["reason"])

    def test_deep_nesting_is_refused_before_it_is_parsed(self):
        client = self.connect()
        for depth in (65, 10000, 5000000):
            client.send_bytes(b"[" * depth + b"]" * depth + b"\n")
            place = self.assert_error(client.receive(), -32700)["place"]
            self.assertEqual(64, place["offset"])
        client.send_bytes(b'{"a":' * 65 + b"1" + b"}" * 65 + b"\n")
        self.assert_error(client.receive(), -32700)
        self.assertTrue(self.answers(client))

    def test_a_line_of_millions_of_values_is_refused(self):
        client = self.connect()
        client.send_bytes(b"[" + b"{}," * 2000000 + b"{}]\n")
        self.assertIn("too many", self.assert_error(client.receive(), -32700)["reason"])
        self.assertTrue(self.answers(client))

    def send_until_cut_off(self, client, data, times):
        try:
            for _ in range(times):
                client.send_bytes(data)
        except (BrokenPipeError, ConnectionResetError):
            pass

    def test_a_huge_line_is_answered_and_cut_off(self):
        client = self.connect()
        self.send_until_cut_off(client, b"x" * (1 << 20), 40)
        data = self.assert_error(client.receive(), -32700)
        self.assertIn(str(LINE_BYTES), data["reason"])
        self.assertTrue(client.is_cut_off())

    def test_a_line_just_within_the_limit_is_served(self):
        client = self.connect()
        client.send_bytes(b'{"jsonrpc":"2.0","id":1,"method":"server.info"' + b" " * (LINE_BYTES - 48) + b"}\n")
        self.assertEqual("assayd", client.receive()["result"]["name"])

    def test_half_a_line_at_the_end_is_dropped(self):
        client = self.connect()
        submit = {"jsonrpc": "2.0", "id": 2, "method": "job.submit", "params": {"job": job("half")}}
        client.send_bytes(INFO + json.dumps(submit).encode())       # no newline
        client.socket.shutdown(socket.SHUT_WR)
        self.assertEqual([1], [m["id"] for m in client.received()])
        self.assertEqual([], [j for j in self.daemon.call("queue.get", {"limit": 1000})["jobs"] if j["name"] == "half"])

    def test_bytes_may_come_one_at_a_time(self):
        client = self.connect()
        for byte in INFO:
            client.send_bytes(bytes([byte]))
        self.assertEqual("assayd", client.receive()["result"]["name"])

    # ---- requests ----

    def test_what_is_json_but_no_request_is_refused(self):
        client = self.connect()
        for line, member in (("[]", None), ("7", None), ("null", None), ('"x"', None), ("{}", "jsonrpc"),
                             ('{"jsonrpc":"1.0","method":"server.info"}', "jsonrpc"),
                             ('{"jsonrpc":"2.0"}', "method"), ('{"jsonrpc":"2.0","method":7}', "method"),
                             ('{"jsonrpc":"2.0","id":[],"method":"x"}', "id"),
                             ('{"jsonrpc":"2.0","id":null,"method":"x"}', "id"),
                             ('{"jsonrpc":"2.0","id":true,"method":"x"}', "id"),
                             (json.dumps({"jsonrpc": "2.0", "id": "x" * 300, "method": "x"}), "id"),
                             ('[{"jsonrpc":"2.0","id":1,"method":"server.info"}]', None)):
            client.send_bytes(line.encode() + b"\n")
            self.assert_error(client.receive(), -32600, member=member)
        client.send_bytes(b'{"jsonrpc":"2.0","id":5,"method":"server.info","parms":{}}\n')
        self.assertIn("params", self.assert_error(client.receive(), -32600, id=5, member="parms")["hint"])

    def test_ids_are_given_back_as_they_came(self):
        client = self.connect()
        for id in (0, -7, 1.5, "", "é\n\"", 2**63 - 1, "x" * 200):
            client.send("server.info", id=id)
            self.assertEqual(id, client.receive()["id"])

    def test_an_id_that_is_still_unanswered_is_refused_and_the_first_call_stands(self):
        client = self.connect()
        first = 1
        [held] = self.daemon.call("job.submit", {"job": job("held, too", not_before=FAR)})["ids"]
        client.send_bytes(self.line("job.wait", {"ids": [held]}, first) + INFO)
        self.assert_error(client.receive(), -32600, member="id")
        self.daemon.call("job.cancel", {"id": held})
        reply = client.receive()
        self.assertEqual((first, {"done": True, "left": 0}), (reply["id"], reply["result"]))
        client.send("server.info", id=first)
        self.assertEqual("assayd", client.receive()["result"]["name"])

    def test_params_of_the_wrong_type_or_unknown_are_named(self):
        client = self.connect()
        for method, params, member in (
                ("job.get", [1], "params"), ("job.get", None, "id"), ("job.get", {"id": "1"}, "id"),
                ("job.get", {"id": 1.0}, "id"), ("job.get", {"id": True}, "id"), ("job.get", {"id": 0}, "id"),
                ("job.get", {"id": 1, "x": 1}, "x"), ("job.submit", {"job": []}, "job"),
                ("job.submit", {"jobs": {}}, "jobs"), ("job.submit", {"jobs": []}, "jobs"),
                ("job.submit", {"job": job(), "follow": 1}, "follow"), ("job.wait", {"ids": [1, "2"]}, "ids[1]"),
                ("job.wait", {"ids": [1], "sweep": "x"}, "sweep"),
                ("job.wait", {"ids": [1], "timeout_ms": -1}, "timeout_ms"), ("sweep.get", {"sweep": ""}, "sweep"),
                ("sweep.get", {"sweep": 1.5}, "sweep"), ("results.best", {"sweep": 1, "top": 101}, "top"),
                ("results.subscribe", {"all": "true"}, "all"),
                ("results.subscribe", {"all": True, "after": -1}, "after"), ("queue.get", {"limit": 1001}, "limit"),
                ("server.info", {"verbose": True}, "verbose")):
            id = client.send(method, params)
            self.assert_error(client.receive(), -32602, id=id, member=member)

    def test_numbers_out_of_range_are_refused(self):
        client = self.connect()
        for number in ("9223372036854775808", "-9223372036854775809", "1e999", "9" * 400):
            client.send_bytes(b'{"jsonrpc":"2.0","id":1,"method":"job.get","params":{"id":' + number.encode() + b"}}\n")
            self.assert_error(client.receive(), -32700)
        client.send_bytes(b'{"jsonrpc":"2.0","id":1,"method":"job.get","params":{"id":9223372036854775807}}\n')
        self.assert_error(client.receive(), -32001, "not_found", id=1)

    def test_bad_jobs_are_refused_whole(self):
        client = self.connect()
        for bad, member in (({**job(), "spec": None}, "job.spec"), ({"spec": job()["spec"]}, "job.variant"),
                            ({**job(), "priority": 101}, "job.priority"), ({**job(), "unknown": 1}, "job.unknown")):
            id = client.send("job.submit", {"job": bad})
            self.assert_error(client.receive(), -32602, "bad_spec", id, member)

    def test_too_many_jobs_in_one_call_are_refused(self):
        client = self.connect()
        id = client.send("job.submit", {"jobs": [job()] * 10001})
        self.assert_error(client.receive(), -32004, "full", id)

    # ---- clients that misbehave ----

    def test_clients_that_vanish_in_the_middle_harm_nobody(self):
        calls = (("job.submit", {"job": job("v"), "follow": True}), ("job.wait", {"ids": [self.waited_for]}),
                 ("results.subscribe", {"all": True, "after": 0}), ("job.submit", {"job": job("w")}))
        text = b"".join(self.line(method, params, id) for id, (method, params) in enumerate(calls))
        dice = harness.dice(7)
        for _ in range(200):
            with self.daemon.connect() as client:
                client.send_bytes(text[:dice.randrange(len(text) + 1)])
                if dice.random() < 0.3:
                    client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")

    def test_a_subscriber_that_never_reads_holds_up_nobody(self):
        idle = self.connect()
        idle.call("results.subscribe", {"all": True, "after": 0})
        jobs = [job(f"n{i}", {"samples": [1.0] * 5000}) for i in range(12)]
        ids = self.daemon.call("job.submit", {"jobs": jobs})["ids"]
        self.assertTrue(self.daemon.call("job.wait", {"ids": ids})["done"])

    def test_thousands_of_calls_at_once_are_all_answered(self):
        client = self.connect()
        waits = [client.send("job.wait", {"ids": [self.waited_for], "timeout_ms": 300}) for _ in range(3000)]
        info = client.send("server.info")
        self.assertEqual({1}, {client.result(w)["left"] for w in waits})
        self.assertEqual("assayd", client.result(info)["name"])

    def test_a_flood_of_requests_keeps_nobody_from_being_answered(self):
        flood = self.connect()
        flood.send_bytes(INFO.replace(b'"id":1,', b"") * 20000 + INFO)
        with self.daemon.connect() as client:
            self.assertEqual("assayd", client.call("server.info")["name"])
        self.assertEqual(1, flood.receive()["id"])

    def test_connections_past_the_limit_are_told_so(self):
        clients, refused = [], None
        try:
            while refused is None and len(clients) < 1100:
                client = self.daemon.connect()
                clients.append(client)
                if len(clients) % 50 == 0 or len(clients) > 980:
                    self.send_until_cut_off(client, INFO, 1)
                    message = client.receive()
                    refused = message if "error" in message else None
            self.assert_error(refused, -32004, "full")
            self.assertGreater(len(clients), 900)
        finally:
            for client in clients:
                client.close()


class BadHttp(DaemonTest):
    def raw(self, data, tcp=False):
        """What comes back until the daemon closes the connection or has answered."""
        if tcp:
            peer = socket.create_connection(self.daemon.tcp, timeout=harness.TIMEOUT_S)
        else:
            peer = Client(self.daemon.http_socket).socket
        self.addCleanup(peer.close)
        said = b""
        try:
            peer.sendall(data)
        except (BrokenPipeError, ConnectionResetError):
            pass
        try:
            while b"\r\n\r\n" not in said and (more := peer.recv(65536)):
                said += more
        except ConnectionResetError:
            pass
        return said

    def tearDown(self):
        self.assertEqual(200, self.daemon.http("GET", "/healthz").status)
        self.assertEqual("assayd", self.daemon.call("server.info")["name"])

    def test_what_is_no_http_is_400(self):
        for data in (b"nonsense nonsense", b"\x16\x03\x01" + bytes(100), b"GET /", INFO, b"GET / HTTP/9.9",
                     b"GET / HTTP/1.1\r\nno colon", b" / HTTP/1.1\r\nHost: x",
                     b"POST /v1/jobs HTTP/1.1\r\nContent-Length: -5", b"POST /v1/jobs HTTP/1.1\r\nContent-Length: x"):
            said = self.raw(data + b"\r\n\r\n")
            self.assertRegex(said, rb"^HTTP/\d\.\d (4|5)\d\d ", data)

    def test_huge_headers_and_bodies_are_refused(self):
        self.assertRegex(self.raw(b"GET /" + b"x" * (1 << 20) + b" HTTP/1.1\r\n\r\n"), rb"^HTTP/1\.\d 4\d\d |^$")
        self.assertRegex(self.raw(b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 100000 + b"\r\n"), rb"^HTTP/1\.\d 4\d\d |^$")
        whole = b"Content-Length: %d\r\n\r\n" % ((16 << 20) + 1) + b" " * ((16 << 20) + 1)
        self.assertRegex(self.raw(POST + whole), rb"^HTTP/1\.\d 413 ")
        chunks = (b"100000\r\n" + b" " * (1 << 20) + b"\r\n") * 20 + b"0\r\n\r\n"
        self.assertRegex(self.raw(POST + b"Transfer-Encoding: chunked\r\n\r\n" + chunks), rb"^HTTP/1\.\d 413 |^$")

    def test_strange_methods_and_targets_are_answered(self):
        for line in (b"CONNECT localhost:1", b"OPTIONS *", b"TRACE /", b"GET http://localhost/healthz",
                     b"GET //healthz", b"GET /%zz", b"GET /v1/jobs/%2e%2e", b"GET ?", b"GET /v1/results?%00=1",
                     b"GET /v1/results?&", b"get /healthz", b"GET /\xff\xfe", b"GET /v1/results?a=\xff"):
            for tcp in (False, True):
                said = self.raw(line + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", tcp)
                self.assertRegex(said, rb"^HTTP/1\.\d \d\d\d ", line)

    def test_half_requests_and_vanishing_peers_harm_nobody(self):
        body = json.dumps(job("half")).encode()
        request = POST + b"Content-Length: %d\r\n\r\n" % len(body) + body
        dice = harness.dice(8)
        for i in range(200):
            peer = Client(self.daemon.http_socket).socket if i % 2 else socket.create_connection(self.daemon.tcp)
            peer.sendall(request[:dice.randrange(len(request) + 1)])
            if dice.random() < 0.3:
                peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            peer.close()

    def test_a_peer_whose_own_socket_has_a_name_is_served(self):
        own = str(self.daemon.state)
        for name in ("\0" + own.ljust(100, "n"), f"{own}/".ljust(91, "p")):
            peer = socket.socket(socket.AF_UNIX)
            self.addCleanup(peer.close)
            peer.bind(name)
            peer.connect(str(self.daemon.http_socket))
            peer.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            self.assertIn(b"200 OK", peer.recv(4096))


if __name__ == "__main__":
    unittest.main()
