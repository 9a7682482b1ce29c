# SPDX-License-Identifier: Apache-2.0
"""The Python client at the daemon's door for other hosts: tokens, certificates of deploy/assay-ca, and users who are taken back."""
import os
import pathlib
import shutil
import subprocess
import sys
import unittest
from unittest import mock

TREE = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(TREE / "tests" / "support"), str(TREE / "client" / "python")]
import assay
from authority import Authority, TlsTest, wait_until
from harness import BUILD, REPLAY_WORKER, Daemon, job


class PythonOverTls(TlsTest):
    @classmethod
    def new_daemon(cls, **how):
        return super().new_daemon(worker=REPLAY_WORKER, **how)

    @classmethod
    def make_users(cls):
        super().make_users()
        cls.ca.add("late", "submit", "2026-01-31T12:00:00Z")
        cls.ca.add("leaver", "submit")
        for name in ("carol", "stranger", "yesterday"):
            cls.ca.make("client", name)
        cls.ca.expire("yesterday")
        cls.ca.lines["carol"] = 'carol role=submit cert="carol"'

    def client(self, user=None, certificate=None, authority=None, **how):
        where = (authority or self.ca).tls
        if certificate is not None:
            how |= {"cert": where / f"{certificate}.crt", "key": where / f"{certificate}.key"}
        how = {"ca": self.ca.tls / "ca.crt", "token": self.ca.tokens.get(user), **how}
        client = assay.Assay(f"https://localhost:{self.daemon.tls[1]}", **how)
        self.addCleanup(client.close)
        return client

    def refused(self, kind, client, method="server.info"):
        with self.assertRaises(kind) as caught:
            client.call(method)
        return str(caught.exception)

    def test_D8_an_engine_submits_and_gets_its_results_by_token_and_by_certificate(self):
        for who, client in (("alice", self.client("alice")), ("carol", self.client(certificate="carol"))):
            self.assertEqual(who, client.call("server.info")["you"]["user_name"])
            ids = client.submit(job(f"{who}{n}") for n in range(9))
            self.assertEqual(sorted(ids), sorted(r.job for r in client.results(ids)))
            pairs = client.search(range(3), lambda n: job(f"{who}-{n}"))
            self.assertEqual({"ok"}, {result.status for _, result in pairs})
            self.assertTrue(client.wait(ids))

    def test_D8_the_environment_says_who_calls(self):
        with mock.patch.dict(os.environ, {"ASSAY_TOKEN": self.ca.tokens["alice"], "ASSAY_CA_FILE": str(self.ca.tls / "ca.crt")}):
            client = assay.Assay(f"https://localhost:{self.daemon.tls[1]}")
            self.addCleanup(client.close)
            self.assertEqual("alice", client.call("server.info")["you"]["user_name"])

    def test_D9_a_token_that_does_not_count_is_denied_with_the_reason(self):
        self.assertIn("nobody has this token", self.refused(assay.Denied, self.client(token="assay_wrong")))
        self.assertIn("of late has expired", self.refused(assay.Denied, self.client("late")))
        self.assertIn("have not said who you are", self.refused(assay.Denied, self.client()))
        self.assertIn("users who may submit", self.refused_submit(self.client("rita")))

    def refused_submit(self, client):
        with self.assertRaises(assay.Denied) as caught:
            client.submit(job())
        return str(caught.exception)

    def test_D9_a_certificate_that_does_not_count_is_an_error_with_the_reason(self):
        self.assertIn('no user has the certificate of "stranger"',
                      self.refused(assay.Denied, self.client(certificate="stranger")))
        other = Authority()
        self.addCleanup(shutil.rmtree, other.top)
        other.make("client", "carol")
        self.refused(assay.AssayError, self.client(certificate="carol", authority=other, patience=0))
        said = self.refused(assay.AssayError, self.client("alice", ca=other.tls / "ca.crt", patience=0))
        self.assertIn("certificate", said)
        late = self.client(certificate="yesterday")     # the kernel may drop the daemon's last words
        wait_until(lambda: "refuses the client's certificate: certificate expired" in self.refused(assay.AssayError, late), "the reason is heard")
        with self.assertRaises(assay.BadRequest):
            self.client(ca=self.ca.top / "none").call("server.info")

    def test_D9_a_certificate_of_the_daemon_that_has_expired_is_said_to(self):
        ca = Authority()
        self.addCleanup(shutil.rmtree, ca.top)
        ca.add("alice", "submit")
        ca.write()
        ca.expire("server")
        daemon = Daemon(*ca.flags(), worker=REPLAY_WORKER)
        self.addCleanup(daemon.stop)
        address = f"https://localhost:{daemon.tls[1]}"
        client = assay.Assay(address, ca=ca.tls / "ca.crt", token=ca.tokens["alice"])
        self.addCleanup(client.close)
        said = self.refused(assay.Denied, client)
        self.assertRegex(said, "has expired .*the operator must renew it")
        ran = subprocess.run([BUILD / "assay", "-H", address, "--ca", ca.tls / "ca.crt", "queue"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(77, ran.returncode, ran.stdout)
        self.assertRegex(ran.stdout, "(?s)certificate has expired.*the operator must renew the daemon's certificate")

    def test_D9_a_user_who_is_taken_back_while_connected_is_denied(self):
        client = self.client("leaver")
        (held,) = client.submit([job(not_before=4102444800)])
        line = self.ca.lines.pop("leaver")
        self.reload()
        self.assertIn("nobody has this token", self.refused(assay.Denied, client))
        self.assertIn("nobody has this token", self.refused(assay.Denied, client, "queue.get"))
        self.ca.lines["leaver"] = line
        self.reload()
        client.cancel(held)
        wait_until(lambda: client.call("job.get", {"id": held})["status"] == "cancelled", "the job of a user who is back ends")

    def test_D9_a_stream_of_results_ends_when_its_user_is_taken_back(self):
        client = self.client("leaver")
        sweep = client.sweep({"name": "stream", "spec": job()["spec"], "not_before": 4102444800,
                              "variants": [job("a")["variant"]]})
        stream = client.results(sweep=sweep.id)
        line = self.ca.lines.pop("leaver")
        self.addCleanup(self.reload)
        self.addCleanup(self.ca.lines.__setitem__, "leaver", line)
        self.reload()
        with self.assertRaises(assay.Denied):
            next(stream)


if __name__ == "__main__":
    unittest.main()
