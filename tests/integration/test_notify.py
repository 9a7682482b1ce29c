#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""
What is told of a sweep's end: webhooks to a real HTTP server, and the operator's command.  Clocks are moved, so that
no retry is waited for.
"""
import contextlib
import hashlib
import hmac
import http.server
import json
import pathlib
import queue
import shutil
import sqlite3
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from authority import Authority  # noqa: E402
from harness import BUILD, REPLAY_WORKER, TIMEOUT_S, Daemon, RpcError, job  # noqa: E402
from moved_clock import MovedClockDaemon  # noqa: E402

SECRET = "a secret of many bytes"


class Receiver(http.server.ThreadingHTTPServer):
    """Answers with these codes, one after another, then with 200; keeps what it got."""
    daemon_threads = True

    def __init__(self, *codes, context=None):
        super().__init__(("127.0.0.1", 0), Handler)
        if context is not None:
            self.socket = context.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)
        self.codes = list(codes)
        self.got = queue.Queue()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request, address):
        """A handshake that the other end breaks off is no request."""

    def url(self, scheme="http", host="127.0.0.1"):
        return f"{scheme}://{host}:{self.server_port}/hook?x=1"


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        code = self.server.codes.pop(0) if self.server.codes else 200
        self.send_response(code)
        if code == 302:
            self.send_header("Location", "/elsewhere")
        self.send_header("Content-Length", "0")
        self.end_headers()
        self.server.got.put((self.path, self.headers, body))

    def log_message(self, *words):
        pass


class NotifyTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="assay-notify-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.secret = self.folder / "secret"
        self.secret.write_text(SECRET + "\n")
        self.secret.chmod(0o600)

    def daemon(self, *flags, allow="127.0.0.1", **how):
        (self.folder / "state").mkdir(exist_ok=True)
        daemon = MovedClockDaemon("--notify-secret-file", self.secret, "--notify-allow", allow, *flags,
                                  worker=REPLAY_WORKER, **how)
        self.addCleanup(daemon.stop)
        return daemon

    def receiver(self, *codes, **how):
        receiver = Receiver(*codes, **how)
        self.addCleanup(receiver.server_close)
        self.addCleanup(receiver.shutdown)
        return receiver

    def sweep(self, daemon, url, name="done", **meta):
        document = {"name": name, "spec": job()["spec"], "variants": [job(n)["variant"] for n in ("a", "b")],
                    "meta": {"samples": [5.0], "ends": {"b": "crashed"}, **meta}}
        if url is not None:
            document["notify"] = {"webhook": url}
        return daemon.call("sweep.create", {"sweep": document})

    def until(self, daemon, wanted, name="done"):
        """The sweep's notice in this state."""
        end = time.monotonic() + TIMEOUT_S
        while True:
            notices = daemon.call("sweep.get", {"sweep": name})["notify"]
            if any(wanted(notice) for notice in notices):
                return next(notice for notice in notices if wanted(notice))
            self.assertLess(time.monotonic(), end, notices)
            time.sleep(0.02)

    def check_signature(self, headers, body):
        at, signature = headers["Assay-Signature"].removeprefix("t=").split(",v1=")
        right = hmac.new(SECRET.encode(), at.encode() + b"." + body, hashlib.sha256).hexdigest()
        self.assertEqual(right, signature)
        return int(at)

    def test_a_webhook_is_sent_once_and_signed(self):
        receiver, daemon = self.receiver(), self.daemon()
        reply = self.sweep(daemon, receiver.url())
        path, headers, body = receiver.got.get(timeout=TIMEOUT_S)
        self.assertEqual(("/hook?x=1", "application/json"), (path, headers["Content-Type"]))
        self.check_signature(headers, body)
        told = json.loads(body)
        self.assertEqual(("sweep.ended", headers["Assay-Notification"]), (told["event"], str(told["id"])))
        self.assertEqual((reply["sweep"], "done", 2, {"ok": 1, "crashed": 1}),
                         tuple(told["sweep"][name] for name in ("id", "name", "jobs", "statuses")))
        self.assertEqual({"to": "webhook", "state": "sent", "tries": 1, "next": None, "reason": None},
                         self.until(daemon, lambda n: n["state"] == "sent"))
        daemon.pass_time(100000)
        self.sweep(daemon, receiver.url(), "next")      # a whole notice later, that one did not come again
        self.assertEqual("next", json.loads(receiver.got.get(timeout=TIMEOUT_S)[2])["sweep"]["name"])
        self.assertTrue(receiver.got.empty())

    def test_a_webhook_goes_over_tls_to_a_receiver_of_the_authority_that_is_named(self):
        ours, other = Authority(), Authority()
        for authority in (ours, other):
            self.addCleanup(shutil.rmtree, authority.top)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(ours.tls / "server.crt", ours.tls / "server.key")
        receiver = self.receiver(context=context)
        url = receiver.url("https", "localhost")
        for name, words in (("system", ()), ("other", ("--notify-ca", other.tls / "ca.crt"))):
            daemon = self.daemon(*words, allow="localhost")
            self.sweep(daemon, url, name)
            notice = self.until(daemon, lambda n: n["tries"] > 0, name)
            self.assertEqual("due", notice["state"])
            self.assertIn("certificate", notice["reason"])
            self.assertTrue(receiver.got.empty())
            daemon.stop()
        daemon = self.daemon("--notify-ca", ours.tls / "ca.crt", allow="localhost")
        self.sweep(daemon, url)
        _, headers, body = receiver.got.get(timeout=TIMEOUT_S)
        self.check_signature(headers, body)
        self.assertEqual("sent", self.until(daemon, lambda n: n["tries"] > 0)["state"])

    def test_a_failed_try_is_made_again_later_and_by_the_next_daemon(self):
        receiver, daemon = self.receiver(500, 503), self.daemon(state=self.folder / "state")
        self.sweep(daemon, receiver.url())
        first = receiver.got.get(timeout=TIMEOUT_S)
        notice = self.until(daemon, lambda n: n["tries"] == 1)
        self.assertEqual(("due", "HTTP 500"), (notice["state"], notice["reason"]))
        daemon.pass_time(11)
        second = receiver.got.get(timeout=TIMEOUT_S)
        again = self.until(daemon, lambda n: n["tries"] == 2)
        self.assertGreaterEqual(again["next"] - notice["next"], 10 + 10)
        daemon.client.close()
        daemon.stop()
        after = MovedClockDaemon("--notify-secret-file", self.secret, "--notify-allow", "127.0.0.1",
                                 worker=REPLAY_WORKER, state=self.folder / "state")
        self.addCleanup(after.stop)
        self.assertEqual("due", self.until(after, lambda n: True)["state"])
        after.pass_time(40)
        third = receiver.got.get(timeout=TIMEOUT_S)
        self.assertEqual(3, self.until(after, lambda n: n["state"] == "sent")["tries"])
        self.assertEqual({first[1]["Assay-Notification"]}, {x[1]["Assay-Notification"] for x in (second, third)})
        self.assertEqual({first[2]}, {second[2], third[2]})
        times = [self.check_signature(headers, body) for _, headers, body in (first, second, third)]
        self.assertLess(times[0], times[1])

    def test_an_end_that_no_daemon_has_seen_is_told_by_the_next(self):
        receiver, daemon = self.receiver(), self.daemon(state=self.folder / "state")
        self.sweep(daemon, receiver.url())
        self.until(daemon, lambda n: n["state"] == "sent")
        daemon.client.close()
        daemon.kill()
        with contextlib.closing(sqlite3.connect(self.folder / "state" / "assay.db")) as database:
            database.execute("UPDATE notices SET state = 'waiting', tries = 0")     # as if killed before it was seen
            database.commit()
        self.daemon(state=self.folder / "state")
        first, second = (receiver.got.get(timeout=TIMEOUT_S) for _ in range(2))
        self.assertEqual(first[1]["Assay-Notification"], second[1]["Assay-Notification"])

    def test_a_daemon_that_sends_none_leaves_webhooks_to_the_next(self):
        gate = self.folder / "gate"
        receiver, daemon = self.receiver(), self.daemon(state=self.folder / "state")
        self.sweep(daemon, receiver.url(), time=["wait"], gate=str(gate))
        daemon.client.close()
        daemon.kill()
        gate.touch()
        plain = Daemon(worker=REPLAY_WORKER, state=self.folder / "state")
        self.assertEqual("due", self.until(plain, lambda n: n["state"] != "waiting" and n["to"] == "webhook")["state"])
        plain.client.close()
        plain.stop()
        self.daemon(state=self.folder / "state")
        self.assertEqual("done", json.loads(receiver.got.get(timeout=TIMEOUT_S)[2])["sweep"]["name"])

    def test_addresses_that_are_not_allowed_are_refused_and_named(self):
        receiver, daemon = self.receiver(), self.daemon(allow="elsewhere.example, private")
        literals = {"127.0.0.1": "a loopback address", "[::1]": "a loopback address", "2130706433": "a loopback address",
                    "[::ffff:127.0.0.1]": "a loopback address", "0x7f.1": "a loopback address", "0177.0.0.1": "a loopback address",
                    "169.254.169.254": "a link-local address", "[fd00:ec2::254]": "a metadata service",
                    "224.0.0.1": "a multicast address"}
        for host, what in literals.items():
            with self.assertRaises(RpcError, msg=host) as caught:
                self.sweep(daemon, receiver.url("https", host), "none")
            self.assertEqual(f"leads to {what}", caught.exception.data["reason"], host)
            self.assertIn("notify-allow", caught.exception.data["hint"])
        # what a name leads to is known when it is looked up, and curl reads this one as 127.0.0.1
        hosts = {"localhost": "a loopback address", "%31%32%37.0.0.1": "a loopback address"}
        for number, (host, what) in enumerate(hosts.items()):
            self.sweep(daemon, receiver.url("https", host), f"s{number}")
        for number, (host, what) in enumerate(hosts.items()):
            notice = self.until(daemon, lambda n: n["state"] != "waiting" and n["state"] != "due", f"s{number}")
            self.assertEqual(("refused", 1, f"the webhook leads to {what}"),
                             (notice["state"], notice["tries"], notice["reason"]), host)
            self.assertIn(f"refused: the webhook leads to {what}", daemon.log())
        self.assertTrue(receiver.got.empty())

    def test_the_command_asks_for_a_webhook_and_shows_what_became_of_it(self):
        receiver, daemon = self.receiver(404), self.daemon()
        document = self.folder / "sweep.json"
        document.write_text(json.dumps({"name": "asked", "spec": job()["spec"], "variants": [job("a")["variant"]]}))
        assay = [BUILD / "assay", "-s", daemon.socket, "sweep"]
        subprocess.run([*assay, "create", document, "--notify", receiver.url()], check=True, capture_output=True)
        self.until(daemon, lambda n: n["state"] == "failed", "asked")
        said = subprocess.run([*assay, "show", "asked"], check=True, capture_output=True, text=True).stdout
        self.assertIn("  told  webhook: failed after 1 try: HTTP 404\n", said)

    def test_what_the_form_or_the_operator_forbids_is_refused_at_once(self):
        daemon = self.daemon()
        for url, reason in (("http://example.org/", "must be https"), ("ftp://example.org/", "must begin with https://"),
                            ("https://u:p@example.org/", "a user"), ("https://exa mple.org/", "character"),
                            ("https://x\\@127.0.0.1/", "character"), ("", "is empty")):
            with self.assertRaises(RpcError) as caught:
                self.sweep(daemon, url)
            self.assertEqual("bad_spec", caught.exception.word)
            self.assertTrue(caught.exception.data["member"].endswith("notify.webhook"), caught.exception)
            self.assertIn(reason, caught.exception.data["reason"] + caught.exception.data.get("hint", ""))
        with self.assertRaises(RpcError) as caught:
            daemon.call("sweep.create", {"sweep": {"name": "list", "spec": job()["spec"], "variants": [job()["variant"]], "notify": ["x"]}})
        self.assertEqual("must be an object, not an array", caught.exception.data["reason"])
        self.assertIn('{"webhook": "https://', caught.exception.data["hint"])
        plain = Daemon(worker=REPLAY_WORKER)
        self.addCleanup(plain.stop)
        with self.assertRaises(RpcError) as caught:
            self.sweep(plain, "https://example.org/")
        self.assertIn("notify-secret-file", caught.exception.data["hint"])
        self.secret.chmod(0o644)
        with self.assertRaisesRegex(RuntimeError, "notify-secret-file.*other users may read it"):
            Daemon("--notify-secret-file", self.secret, worker=REPLAY_WORKER)

    def test_redirects_are_not_followed_and_refusals_not_tried_again(self):
        for code, reason in ((302, "it redirects, which is not followed"), (404, "HTTP 404")):
            receiver, daemon = self.receiver(code), self.daemon()
            self.sweep(daemon, receiver.url())
            self.assertEqual("/hook?x=1", receiver.got.get(timeout=TIMEOUT_S)[0])
            notice = self.until(daemon, lambda n: n["state"] == "failed")
            self.assertEqual((1, reason), (notice["tries"], notice["reason"]))
            self.assertTrue(receiver.got.empty())

    def test_the_operators_command_gets_the_facts_and_no_shell_reads_a_name(self):
        told = self.folder / "told"
        command = self.folder / "command"
        command.write_text(f"""#!/bin/sh
[ -e {told}.once ] || {{ touch {told}.once; printf 'not yet \\377\\033[1m\\n'; exit 3; }}
{{ cat; echo; env; }} > {told}.part && mv {told}.part {told}
""")
        command.chmod(0o755)
        daemon = self.daemon("--notify-command", command)
        name = f"x;touch {self.folder}/bad;$(touch {self.folder}/bad)`touch {self.folder}/bad`"
        self.sweep(daemon, None, name)
        notice = self.until(daemon, lambda n: n["tries"] == 1, name)
        self.assertEqual(("command", "due", "exit code 3: not yet ??[1m"), (notice["to"], notice["state"], notice["reason"]))
        daemon.pass_time(11)
        self.until(daemon, lambda n: n["state"] == "sent", name)
        facts, *environment = told.read_text().splitlines()
        self.assertEqual(name, json.loads(facts)["sweep"]["name"])
        self.assertIn(f"ASSAY_SWEEP={name}", environment)
        self.assertIn("ASSAY_OK=1", environment)
        self.assertEqual([], [line for line in environment if line.startswith(("HOME=", "ASSAY_CLOCKS", "ASSAY_SHARE"))])
        self.assertFalse((self.folder / "bad").exists())

    def test_the_program_survives_any_request(self):
        for request in (b"", b"{", b"[]", b'{"url":1}', b'{"url":"x","allow":"","body":"{}"}', b"\xff" * 100000,
                        json.dumps({"url": "https://", "allow": "", "body": ""}).encode()):
            ran = subprocess.run([BUILD / "assay-notify"], input=request, capture_output=True, timeout=TIMEOUT_S)
            self.assertEqual((0, b""), (ran.returncode, ran.stderr), request[:40])
            self.assertIn(json.loads(ran.stdout)["outcome"], ("failed", "refused"))


if __name__ == "__main__":
    unittest.main()
