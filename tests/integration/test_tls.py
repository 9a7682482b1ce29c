# SPDX-License-Identifier: Apache-2.0
"""Users from afar: TLS with tokens and certificates of deploy/assay-ca, roles, and what no other user sees."""
import base64
import contextlib
import http.client
import json
import os
import pathlib
import re
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from authority import ROOT, Authority, TlsTest, wait_until  # noqa: E402
from harness import NOBODY, TIMEOUT_S, Daemon, RpcError, job  # noqa: E402
from moved_clock import MovedClockDaemon  # noqa: E402

SECRET = "a_secret_of_alice"
DAY_S = 24 * 60 * 60


class Proofs(TlsTest):
    @classmethod
    def make_users(cls):
        super().make_users()
        cls.ca.add("late", "submit", "2026-01-31T12:00:00Z")
        for name in ("carol", "mallory", "stranger", "yesterday"):
            cls.ca.make("client", name)
        cls.ca.expire("yesterday")
        cls.ca.lines["carol"] = 'carol role=submit cert="carol"'

    def test_D9_a_token_says_who_asks_and_what_it_may(self):
        self.assertEqual(("alice", "submit"), self.you(user="alice"))
        self.assertEqual(("rita", "read"), self.you(user="rita"))
        self.assertEqual(("olga", "operate"), self.you(user="olga"))
        password = base64.b64encode(f"alice:{self.ca.tokens['alice']}".encode()).decode()
        self.assertEqual(("alice", "submit"), self.you(Authorization=f"Basic {password}"))

    def test_D9_without_a_good_token_nothing_is_told(self):
        self.assert_unknown(self.ask("/v1/info"), "have not said who you are")
        self.assert_unknown(self.ask("/no/such/path"), "have not said who you are")
        self.assert_unknown(self.ask("/v1/info", Authorization="Bearer assay_wrong"), "nobody has this token")
        self.assert_unknown(self.ask("/v1/info", user="late"), "of late has expired")
        for value in ("Bearer", "Bearer " + 600 * "x", "Digest x", "Basic !", "Basic " + base64.b64encode(b"x").decode(),
                      "Bearer" + self.ca.tokens["alice"]):
            answer = self.ask("/v1/info", Authorization=value)
            self.assert_unknown(answer, "")
            self.assertEqual("Authorization", answer.json()["member"], value)
        self.assertEqual("close", self.ask("/v1/info").headers["Connection"])
        self.assertEqual((401, b""), (self.ask("/v1/info", method="HEAD").status, self.ask("/", method="HEAD").body))

    def test_D9_a_certificate_says_who_asks_and_a_token_says_it_instead(self):
        self.assertEqual(("carol", "submit"), self.you(connection=self.connect("carol")))
        self.assertEqual(("rita", "read"), self.you(connection=self.connect("carol"), user="rita"))
        self.assert_unknown(self.ask("/v1/info", connection=self.connect("carol"), Authorization="Bearer x"),
                            "nobody has this token")
        answer = self.ask("/v1/info", connection=self.connect("stranger"))
        self.assert_unknown(answer, 'no user has the certificate of "stranger"')

    def test_D9_certificates_of_another_authority_of_a_server_or_of_yesterday_do_not_count(self):
        other = Authority()
        self.addCleanup(shutil.rmtree, other.top)
        other.make("client", "carol")
        for certificate, authority in (("carol", other), ("server", self.ca), ("yesterday", self.ca)):
            with self.assertRaises((ssl.SSLError, ConnectionError, http.client.RemoteDisconnected)):
                self.ask("/v1/info", connection=self.connect(certificate, authority))
        with self.assertRaises(ssl.SSLCertVerificationError):
            self.ask("/v1/info", "alice", connection=self.connect(context=other.context()))

    def test_D9_older_tls_is_refused_and_a_peer_without_it_is_told(self):
        old = self.ca.context()
        old.maximum_version = ssl.TLSVersion.TLSv1_2
        with self.assertRaises(ssl.SSLError):
            self.ask("/v1/info", "alice", connection=self.connect(context=old))
        plain = http.client.HTTPConnection(*self.daemon.tls, timeout=TIMEOUT_S)
        self.addCleanup(plain.close)
        answer = self.ask("/v1/info", "alice", connection=plain)
        self.assertEqual((400, b"this port is for https, not http.\n"), (answer.status, answer.body))

    def test_D9_a_user_is_the_same_one_on_each_connection_and_after_a_restart(self):
        with tempfile.TemporaryDirectory(prefix="assay-") as state:
            ids = []
            for _ in range(2):
                daemon = self.new_daemon(state=state)
                try:
                    connection = http.client.HTTPSConnection("localhost", daemon.tls[1], timeout=TIMEOUT_S,
                                                             context=self.ca.context())
                    ids.append(self.ask("/v1/info", "bob", connection=connection).json()["you"]["user"])
                    connection.close()
                finally:
                    daemon.stop()
                self.ca.lines = dict(reversed(self.ca.lines.items()))
                self.ca.write()
        self.assertEqual(ids[0], ids[1])
        self.assertGreaterEqual(ids[0], 1 << 31)

    def test_D9_what_is_missing_or_open_to_others_keeps_the_daemon_from_starting(self):
        for mode, flags, words in (
                (0o644, self.ca.flags(), "others may read or change it"),
                (0o600, self.ca.flags()[:4], "tls-key: missing beside tls"),
                (0o600, [*self.ca.flags(), "--tls-key", self.ca.tls / "ca.key"], "tls-key"),
                (0o600, [*self.ca.flags(), "--tls-client-ca", "/nonexistent"], "tls-client-ca"),
                (0o600, [*self.ca.flags(), "--tls", "lab:1"], "tls: \"lab:1\" is no address")):
            self.ca.users.chmod(mode)
            with self.assertRaises(RuntimeError) as caught:
                Daemon(*flags).stop()
            self.assertIn(words, str(caught.exception))
        self.ca.users.chmod(0o600)


class Slow(TlsTest):
    more_flags = ("--client-timeout", "10")     # longer than any pause of a peer that means well

    def test_D9_a_handshake_of_a_byte_at_a_time_is_cut_off(self):
        hello = self.hello()
        with socket.create_connection(self.daemon.tls, timeout=TIMEOUT_S) as peer:
            peer.settimeout(0.1)
            sent = 0
            while sent < len(hello) and not self.is_over(peer, hello[sent:sent + 1]):
                sent += 1
        self.assertLess(sent, len(hello))
        self.assertGreater(sent, 1)
        self.assertIn("did not end its handshake in time", self.daemon.log())

    def test_D9_a_peer_that_never_says_who_it_is_is_cut_off(self):
        with self.ca.context().wrap_socket(socket.create_connection(self.daemon.tls, timeout=TIMEOUT_S),
                                           server_hostname="localhost") as peer:
            peer.sendall(b"GET /v1/info HTTP/1.1\r\nHost: localhost\r\n")
            self.assertNotIn(b" 200 ", peer.recv(1000))
        known = self.connect()
        self.assertEqual(("alice", "submit"), self.you(user="alice", connection=known))
        wait_until(lambda: "did not" in self.daemon.log(), "a line of the log")

    def test_D9_strangers_of_one_address_are_bounded_and_known_users_stay(self):
        known = self.connect()
        self.assertEqual(("alice", "submit"), self.you(user="alice", connection=known))
        peers = [socket.create_connection(self.daemon.tls, timeout=TIMEOUT_S) for _ in range(130)]
        try:
            wait_until(lambda: "too many connections of one address" in self.daemon.log(), "the bound")
            self.assertEqual(("alice", "submit"), self.you(user="alice", connection=known))
        finally:
            for peer in peers:
                peer.close()
        wait_until(lambda: self.lets_in(), "strangers are let in again")

    def lets_in(self):
        try:
            return self.ask("/v1/info", "alice").status == 200
        except (ssl.SSLError, ConnectionError, http.client.RemoteDisconnected):
            return False

    def hello(self):
        out = ssl.MemoryBIO()
        client = self.ca.context().wrap_bio(ssl.MemoryBIO(), out, server_hostname="localhost")
        with self.assertRaises(ssl.SSLWantReadError):
            client.do_handshake()
        return out.read()

    @staticmethod
    def is_over(peer, byte):
        try:
            peer.sendall(byte)
            return peer.recv(100) == b""
        except TimeoutError:
            return False
        except ConnectionError:
            return True


class TakenBack(TlsTest):
    """Each test has users of its own to lose: the daemon reads its users once a second at most."""

    @classmethod
    def make_users(cls):
        super().make_users()
        cls.ca.add("erin", "submit")
        cls.ca.add("frank", "submit")
        cls.ca.make("client", "dave")
        cls.ca.lines["dave"] = 'dave role=submit cert="dave"'
        cls.ca.make("client", "carol")
        cls.ca.lines["carol"] = 'carol role=submit cert="carol"'

    @classmethod
    def new_daemon(cls, **how):
        return MovedClockDaemon(*cls.ca.flags(), **how)

    def is_closed(self, connection):
        connection.sock.settimeout(TIMEOUT_S)
        return connection.sock.recv(1) == b""

    def test_D9_a_token_that_is_taken_back_loses_its_connections_at_once(self):
        erin, bob, dave = self.connect(), self.connect(), self.connect("dave")
        for user, connection in (("erin", erin), ("bob", bob), (None, dave)):
            self.ask("/v1/queue", user, connection=connection)
        self.ca.lines["erin"] = "erin role=submit"
        del self.ca.lines["dave"]
        self.reload()
        self.assertTrue(self.is_closed(erin))
        self.assertTrue(self.is_closed(dave))
        self.assertEqual(("bob", "submit"), self.you(user="bob", connection=bob))
        self.assert_unknown(self.ask("/v1/queue", "erin"), "nobody has this token")

    def test_D9_streams_and_waits_end_with_the_token_they_were_asked_with(self):
        (held,) = self.ask("/v1/jobs", "bob", "POST", job(not_before=4102444800)).json()["ids"]
        open_ones = [self.connect() for _ in range(3)]
        for connection, path in zip(open_ones, ("/v1/events", f"/v1/jobs/{held}/events", f"/v1/jobs/{held}?wait=10m")):
            connection.request("GET", path, headers={"Authorization": f"Bearer {self.ca.tokens['frank']}"})
        for connection in open_ones[:2]:
            answer = connection.getresponse()
            self.assertEqual((200, "text/event-stream"), (answer.status, answer.headers.get_content_type()))
        wait_until(lambda: b"\nassay_http_waits 1\n" in self.ask("/metrics", "rita").body, "the third waits")
        del self.ca.lines["frank"]
        self.reload()
        for connection in open_ones[:2]:
            self.is_closed_after_all(connection)
        with self.assertRaises((http.client.RemoteDisconnected, ConnectionError)):
            open_ones[2].getresponse()
        self.ask(f"/v1/jobs/{held}", "bob", "DELETE")

    def is_closed_after_all(self, connection):
        connection.sock.settimeout(TIMEOUT_S)
        while connection.sock.recv(1000) != b"":
            continue

    def test_D9_a_role_that_is_changed_holds_for_the_next_request(self):
        connection = self.connect()
        self.assertEqual(("alice", "submit"), self.you(user="alice", connection=connection))
        self.ca.lines["alice"] = self.ca.lines["alice"].replace("role=submit", "role=read")
        self.reload()
        self.assertEqual(("alice", "read"), self.you(user="alice", connection=connection))

    def test_D9_a_file_that_is_wrong_changes_nothing(self):
        line = self.ca.lines["bob"]
        self.ca.lines["bob"] = "bob role=admin"
        self.reload()
        self.assertIn("users: all stays as it is", self.daemon.log())
        self.assertRegex(self.daemon.log(), r"/users.conf:2: role: \"admin\" is none of read, submit, operate")
        self.assertEqual(("bob", "submit"), self.you(user="bob"))
        self.ca.lines["bob"] = line

    def test_D9_a_token_that_expires_ends_its_connection(self):
        self.ca.add("dora", "read", time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + DAY_S)))
        self.reload()
        dora, bob = self.connect(), self.connect()
        self.assertEqual(("dora", "read"), self.you(user="dora", connection=dora))
        self.you(user="bob", connection=bob)
        self.daemon.set_wall_clock(2 * DAY_S)
        self.assertTrue(self.is_closed(dora))
        self.assert_unknown(self.ask("/v1/info", "dora"), "of dora has expired")
        self.assertEqual(("bob", "submit"), self.you(user="bob", connection=bob))
        self.daemon.set_wall_clock(0)

    def test_D9_a_certificate_that_expires_ends_its_connection(self):
        carol, bob = self.connect("carol"), self.connect()
        self.assertEqual(("carol", "submit"), self.you(connection=carol))
        self.you(user="bob", connection=bob)
        self.daemon.set_wall_clock(4000 * DAY_S)
        self.assertTrue(self.is_closed(carol))
        self.assertEqual(("bob", "submit"), self.you(user="bob", connection=bob))
        self.assert_unknown(self.ask("/v1/info", connection=self.connect("carol")), "this certificate of carol has expired")
        self.daemon.set_wall_clock(0)

    def test_D9_the_operator_is_told_that_the_servers_certificate_ends(self):
        self.assertNotIn("tls-certificate:", self.daemon.log())
        self.daemon.set_wall_clock(800 * DAY_S)
        self.reload()
        self.assertRegex(self.daemon.log(), r"warn\w* tls-certificate: \S+/server.crt expires in 2\d\.\d days; assay-ca -f server")
        self.daemon.set_wall_clock(4000 * DAY_S)
        self.reload()
        self.assertRegex(self.daemon.log(), r"tls-certificate: \S+/server.crt has expired, clients refuse it; assay-ca -f server")
        self.daemon.set_wall_clock(0)

    def test_D9_the_authority_and_the_certificate_are_renewed_without_a_restart(self):
        old, carol = self.ca.context(), self.connect("carol")
        self.assertEqual(("carol", "submit"), self.you(connection=carol))
        self.ca.make("-f", "init")
        self.ca.make("-f", "server", "lab.example.org")
        self.reload()
        self.assertTrue(self.is_closed(carol))
        with self.assertRaises(ssl.SSLCertVerificationError):
            self.ask("/v1/info", "bob", connection=self.connect(context=old))
        self.assertEqual(("bob", "submit"), self.you(user="bob"))
        self.ca.make("-f", "client", "carol")
        self.assertEqual(("carol", "submit"), self.you(connection=self.connect("carol")))


class Sites(TlsTest):
    more_flags = ("--read-only", "127.0.0.1:0")

    def test_D9_pages_of_other_sites_are_refused_over_tls_too(self):
        for headers in ({"Host": "evil.example"}, {"Origin": "https://evil.example"}, {"Sec_Fetch_Site": "cross-site"},
                        {"Host": "lab.example.org", "Origin": "http://lab.example.org"}):
            answer = self.ask("/v1/queue", "alice", **headers)
            self.assertEqual(403, answer.status, headers)
        for host in ("lab.example.org", "lab.example.org:8024", "127.0.0.1", "[::1]:8024"):
            answer = self.ask("/v1/queue", "alice", Host=host, Origin=f"https://{host}", Sec_Fetch_Site="same-origin")
            self.assertEqual(200, answer.status, host)
        answer = self.ask("/v1/jobs", "alice", "POST", job(), Host="lab.example.org", Origin="https://lab.example.org")
        self.assertEqual(403, answer.status)
        answer = self.ask("/v1/jobs", "alice", "POST", "{}", Content_Type="text/plain")
        self.assertEqual(415, answer.status)
        answer = self.ask("/v1/queue/pause?user=alice", "alice", "POST", None)
        self.assertEqual(415, answer.status)
        self.assertIn("without a body, too", answer.json()["hint"])

    def test_D9_where_the_daemon_is_on_its_host_is_told_to_operators_alone(self):
        places = {"pid", "state_dir", "database", "sockets"}
        for user in ("rita", "alice"):
            self.assertFalse(places & set(self.ask("/v1/info", user).json()), user)
        self.assertLessEqual(places, set(self.ask("/v1/info", "olga").json()))
        with contextlib.closing(http.client.HTTPConnection(*self.daemon.read_only, timeout=TIMEOUT_S)) as connection:
            info = self.ask("/v1/info", connection=connection)
            self.assertFalse(places & set(info.json()))
            self.assertNotIn(str(self.daemon.state), info.body.decode())

    def test_D9_the_read_only_door_is_for_readers_and_this_hosts_names(self):
        def ask(*words, **how):
            connection = http.client.HTTPConnection(*self.daemon.read_only, timeout=TIMEOUT_S)
            self.addCleanup(connection.close)
            return self.ask(*words, connection=connection, **how)
        self.assertEqual({"user": None, "role": "read"}, ask("/v1/info").json()["you"])
        self.assertEqual({"user": None, "role": "read"}, ask("/v1/info", "olga").json()["you"])
        for method, path, body in (("POST", "/v1/jobs", job()), ("DELETE", "/v1/jobs/1", None),
                                   ("POST", "/v1/queue/pause?all=true", None), ("POST", "/v1/host/calibrate", None)):
            answer = ask(path, "olga", method, body, Content_Type="application/json")
            self.assertEqual(403, answer.status, answer.body)
            self.assertIn("you may read", answer.json()["detail"])
        self.assertEqual(403, ask("/v1/queue", Host="evil.example").status)
        for target in ("http://evil.example/v1/queue", "http://me:pass@localhost/v1/queue"):
            self.assertEqual(403, ask(target, Host="localhost").status, target)
        self.assertEqual(200, ask("/v1/queue", Host=socket.gethostname()).status)


class Roles(TlsTest):
    """A role's calls, by the daemon's table: a line with uid= gives a user of this host a role."""
    guests = {NOBODY: ("read", {"READ"}), NOBODY - 1: ("submit", {"READ", "SUBMIT"}),
              NOBODY - 2: ("operate", {"READ", "SUBMIT", "OPERATE"})}

    @classmethod
    def make_users(cls):
        super().make_users()
        for uid, (role, _) in cls.guests.items():
            cls.ca.lines[role] = f"{role}-guest role={role} uid={uid}"
        cls.ca.add("quinn", "submit")
        cls.ca.lines["quinn"] += " quota-queued-jobs=1"

    @unittest.skipIf(os.geteuid() != 0, "only root can be another user")
    def test_D9_each_method_has_a_least_role(self):
        table = re.findall(r'\{ "([a-z.]+)",[^}]*ROLE_(\w+) \}', (ROOT / "daemon/api/api_methods.c").read_text())
        self.assertGreater(len(table), 20)
        self.assertEqual({"READ", "SUBMIT", "OPERATE"}, {role for _, role in table})
        os.chmod(self.daemon.state, 0o711)
        os.chmod(self.daemon.socket, 0o666)
        for uid, (role, may) in self.guests.items():
            with self.daemon.connect_as(uid) as client:
                self.assertEqual(role, client.call("server.info")["you"]["role"])
                for method, least in table:
                    self.assertEqual(least in may, self.may(client, method), (role, method))

    @staticmethod
    def may(client, method):
        """Is it refused for its arguments at most?"""
        try:
            client.call(method, {"no such member": 1})
        except RpcError as refusal:
            return refusal.data.get("member") != "method"
        return True

    def test_D9_a_role_that_may_not_is_told_which_may(self):
        answer = self.ask("/v1/jobs", "rita", "POST", job())
        self.assertEqual(403, answer.status)
        self.assertEqual("job.submit is for users who may submit; you may read", answer.json()["detail"])
        answer = self.ask("/v1/host/calibrate", "alice", "POST", "", Content_Type="application/json")
        self.assertEqual("host.calibrate is for users who may operate; you may submit", answer.json()["detail"])

    def test_D10_a_user_changes_its_own_jobs_and_operators_all(self):
        held = job(not_before=4102444800)
        (mine,) = self.ask("/v1/jobs", "alice", "POST", held).json()["ids"]
        answer = self.ask(f"/v1/jobs/{mine}", "bob", "DELETE")
        self.assertEqual(403, answer.status)
        user = self.ask(f"/v1/jobs/{mine}", "bob").json()
        self.assertEqual("alice", user["user_name"])
        answer = self.ask(f"/v1/queue/pause?user={user['submitter']}", "bob", "POST", "",
                          Content_Type="application/json")
        self.assertEqual(403, answer.status, answer.body)
        self.assertEqual("the jobs of alice are not yours", answer.json()["detail"])
        self.assertEqual(["alice"], [u.get("user_name") for u in self.ask("/v1/queue", "bob").json()["users"]])
        self.assertEqual([mine], self.ask(f"/v1/jobs/{mine}", "olga", "DELETE").json()["cancelled"])

    def pause(self, word, user, how="pause"):
        return self.ask(f"/v1/queue/{how}?user={word}", user, "POST", "", Content_Type="application/json")

    def test_D10_a_user_is_named_by_name_and_no_other_is_meant(self):
        held = job(not_before=4102444800)
        (mine,) = self.ask("/v1/jobs", "alice", "POST", held).json()["ids"]
        number = self.ask(f"/v1/jobs/{mine}", "alice").json()["submitter"]
        self.assertEqual({"paused": True}, self.pause("alice", "olga").json())
        self.assertEqual([number], self.ask("/v1/queue", "olga").json()["paused"]["users"])
        self.assertEqual({"paused": False}, self.pause("alice", "alice", "resume").json())
        self.assertEqual(403, self.pause("alice", "bob").status)
        for who in ("olga", "bob"):
            answer = self.pause("nobodys-name", who)
            self.assertEqual((404, "user"), (answer.status, answer.json()["member"]))
            self.assertIn("users.conf", answer.json()["hint"])
        for word, status in (("root", 201), ("4294967295", 400), ("", 400)):
            self.assertEqual(status, self.pause(word, "olga", "resume").status, word)
        self.assertEqual([mine], self.ask(f"/v1/jobs/{mine}", "alice", "DELETE").json()["cancelled"])

    def test_D10_sweeps_are_listed_by_the_name_of_their_user(self):
        made = self.ask("/v1/sweeps", "alice", "POST", {"name": "of-alice", "spec": job()["spec"], "variants": [job()["variant"]]})
        self.assertEqual(201, made.status)
        self.assertIn("of-alice", [s["name"] for s in self.ask("/v1/sweeps?user=alice", "bob").json()["sweeps"]])
        self.assertEqual([], self.ask("/v1/sweeps?user=bob", "bob").json()["sweeps"])
        self.assertEqual(404, self.ask("/v1/sweeps?user=no-such", "bob").status)

    def test_D10_quotas_of_users_conf_are_a_users_own(self):
        held = job(not_before=4102444800)
        (kept,) = self.ask("/v1/jobs", "quinn", "POST", held).json()["ids"]
        answer = self.ask("/v1/jobs", "quinn", "POST", held)
        self.assertEqual(429, answer.status)
        self.assertRegex(answer.json()["detail"], "^quinn has 1 jobs.* beyond quota-queued-jobs, 1")
        ids = [self.ask("/v1/jobs", "bob", "POST", held).json()["ids"][0] for _ in range(2)]
        for id, user in ((kept, "quinn"), (ids[0], "bob"), (ids[1], "bob")):
            self.assertEqual([id], self.ask(f"/v1/jobs/{id}", user, "DELETE").json()["cancelled"])


class Private(TlsTest):
    """What alice's jobs are made of, at every route."""
    more_flags = ("--read-only", "127.0.0.1:0")

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.me = cls("test_D10_private_sources_leave_by_no_route_to_other_users")
        cls.private = cls.submit("mine")
        cls.shared = cls.submit("shared", visibility=["bob", "nobody"])
        cls.public = cls.submit("public", visibility="all")

    @classmethod
    def submit(cls, name, **members):
        """A sweep of a variant that compiles and of one whose message of the compiler quotes it; its jobs."""
        text = f"/* {SECRET} */ int same(const int N) {{ return N; }}\n"
        spec = job()["spec"] | {"check": {"reference": {"source": text}}}
        variants = [{"name": f"{name}-good", "source": text, "files": {f"{SECRET}.h": "int x;"}},
                    {"name": f"{name}-bad", "source": f"int same(const int N) {{ return {SECRET}; }}\n"}]
        answer = cls.me.ask("/v1/sweeps", "alice", "POST",
                            {"name": name, "spec": spec, "variants": variants, **members})
        ids = answer.json()["ids"]
        # one connection: a slow machine asks often, and a user has a quota of open ones
        connection = cls.me.connect()

        def are_over():
            states = cls.me.ask(f"/v1/sweeps/{name}", "alice", connection=connection).json()["states"]
            return states["failed"] + states["done"] == 2
        wait_until(are_over, "both are over")
        return name, ids

    def routes(self, sweep, ids):
        """Every route that is read, with this sweep and its jobs for the places of a path."""
        text = (ROOT / "daemon/http/http_routes.c").read_text()
        patterns = re.findall(r'EVHTTP_REQ_GET,\s*"([^"]+)"', text)
        self.assertGreater(len(patterns), 10)
        for pattern in patterns:
            if "/events" in pattern or "/web/" in pattern:
                continue
            for subject in (ids if "/jobs/" in pattern else [sweep]):
                yield pattern.replace(":", str(subject)) + (f"?sweep={sweep}" if pattern == "/v1/results" else "")
        yield "/v1/history?routine=same&name=" + sweep + "-good"
        for form in ("kernel-tuner", "t4", "t4-1.1", "csv", "ndjson", "markdown", "lnt", "bencher"):
            yield f"/v1/sweeps/{sweep}/export?format={form}"

    def found(self, made, ask):
        """The routes by which the secret leaves."""
        out = []
        for path in self.routes(*made):
            for accept in ("*/*", "application/x-ndjson"):
                if SECRET.encode() in ask(path, accept).body:
                    out.append(path)
        return out

    def by_token(self, user):
        connection = self.connect()
        return lambda path, accept: self.ask(path, user, connection=connection, Accept=accept)

    def openly(self, path, accept):
        connection = http.client.HTTPConnection(*self.daemon.read_only, timeout=TIMEOUT_S)
        self.addCleanup(connection.close)
        return self.ask(path, connection=connection, Accept=accept)

    def test_D10_private_sources_leave_by_no_route_to_other_users(self):
        good, bad = self.private[1]
        for user in ("alice", "olga"):
            seen = self.found(self.private, self.by_token(user))
            self.assertIn(f"/v1/jobs/{good}/spec", seen)
            self.assertIn(f"/v1/jobs/{bad}", seen)
            self.assertIn(f"/v1/results?sweep={self.private[0]}", seen)
        for user in ("bob", "rita"):
            self.assertEqual([], self.found(self.private, self.by_token(user)), user)

    def test_D10_sources_are_shared_with_those_who_are_named_or_with_all(self):
        good, bad = self.shared[1]
        seen = self.found(self.shared, self.by_token("bob"))
        self.assertIn(f"/v1/jobs/{good}/spec", seen)
        self.assertIn(f"/v1/jobs/{bad}", seen)
        for ask in (self.by_token("rita"), self.openly):
            for path in (f"/v1/jobs/{good}/spec", f"/v1/jobs/{bad}", f"/v1/sweeps/{self.shared[0]}/report"):
                self.assertNotIn(SECRET.encode(), ask(path, "*/*").body)
            self.assertIn(SECRET.encode(), ask(f"/v1/jobs/{self.public[1][0]}/spec", "*/*").body)

    def test_D10_what_is_withheld_is_named_and_times_are_for_all_readers(self):
        good, bad = self.private[1]
        result = self.ask(f"/v1/jobs/{bad}", "bob").json()["result"]
        self.assertEqual((None, ["detail"], "alice"), (result["detail"], result["withheld"], result["user_name"]))
        told = self.ask(f"/v1/jobs/{good}/spec", "bob").json()
        self.assertEqual((True, None, None, None), (told["withheld"], told["spec"], told["normal"], told["variant"]))
        self.assertIsNotNone(self.ask(f"/v1/jobs/{good}", "rita").json()["result"]["time"]["value_ns"])
        mine = self.ask(f"/v1/jobs/{bad}", "alice").json()["result"]
        self.assertNotIn("withheld", mine)
        self.assertIn(SECRET, mine["detail"])

    @unittest.skipIf(os.geteuid() != 0, "only root can be another user")
    def test_D10_streams_and_comparisons_give_no_sources_away(self):
        os.chmod(self.daemon.state, 0o711)
        os.chmod(self.daemon.socket, 0o666)
        good, bad = self.private[1]
        with self.daemon.connect_as_nobody() as nobody:
            nobody.call("results.subscribe", {"ids": [good, bad, self.public[1][1]], "after": 0})
            told = [nobody.notification()["result"] for _ in range(3)]
            self.assertEqual([False, False, True], [SECRET in json.dumps(result) for result in told])
            events = self.ask(f"/v1/jobs/{bad}/events?after=0", "bob").body
            self.assertIn(b"event: result", events)
            self.assertNotIn(SECRET.encode(), events)
            self.daemon.call("queue.pause", {"all": True})      # it ends after it is followed
            live = self.ask("/v1/jobs", "alice", "POST", job() | {
                "variant": {"source": f"int same(const int N) {{ return {SECRET}; }}\n"}})
            (id,) = live.json()["ids"]
            nobody.call("results.subscribe", {"ids": [id]})
            self.daemon.call("queue.resume", {"all": True})
            self.assertNotIn(SECRET, json.dumps(nobody.notification()))
            with self.assertRaises(RpcError) as refusal:
                nobody.call("compare.run", {"ids": [good, self.public[1][0]]})
            self.assertEqual("denied", refusal.exception.word)
            self.assertIn(f"sources of job {good} are private", refusal.exception.data["reason"])
            both = self.shared[1][0], self.public[1][0]
            self.assertEqual(1, len(nobody.call("compare.run", {"ids": both})["ids"]))



class Settings(unittest.TestCase):
    """assay-ca -a: its lines go into the settings beside the directory of certificates."""

    def setUp(self):
        self.authority = Authority()
        self.addCleanup(shutil.rmtree, self.authority.top)

    def test_lines_are_added_once_and_the_file_of_users_is_not_for_others(self):
        authority, settings = self.authority, self.authority.top / "assayd.conf"
        settings.write_text("#tls = 192.0.2.1:8024\n")
        authority.make("-f", "-a", "server", "lab.example.org")
        self.assertEqual(["#tls", "tls", "tls-certificate", "tls-key", "tls-client-ca", "users"],
                         [line.split()[0] for line in settings.read_text().splitlines()])
        self.assertEqual("", authority.users.read_text())
        self.assertEqual(0o640, authority.users.stat().st_mode & 0o777)
        for words in (["-a", "token", "alice"], ["-a", "client", "bob"]):
            authority.make(*words)
        self.assertEqual(["alice", "bob"], [line.split()[0] for line in authority.users.read_text().splitlines()])
        for words in (["-f", "-a", "server", "lab.example.org"], ["-a", "token", "alice"]):
            with self.assertRaises(subprocess.CalledProcessError) as caught:
                authority.make(*words)
            self.assertIn("has a line of", caught.exception.stdout)


if __name__ == "__main__":
    unittest.main()
