# SPDX-License-Identifier: Apache-2.0
"""A private certificate authority of deploy/assay-ca, users.conf, and a daemon that serves its users over TLS."""
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import ssl
import subprocess
import tempfile
import time
import unittest

from harness import TIMEOUT_S, Daemon, Response

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def assay_ca(directory, *words):
    run = subprocess.run([ROOT / "deploy/assay-ca", *words], env=os.environ | {"ASSAY_CA": str(directory)},
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=True)
    return run.stdout


class Authority:
    """A directory of deploy/assay-ca, and users.conf."""

    def __init__(self):
        self.top = pathlib.Path(tempfile.mkdtemp(prefix="assay-ca-"))
        self.tls = self.top / "tls"
        self.users = self.top / "users.conf"
        self.lines, self.tokens = {}, {}
        self.make("init")
        self.make("server", "lab.example.org")

    def make(self, *words):
        return assay_ca(self.tls, *words)

    def expire(self, name):
        """Sign its certificate, a user's or the server's, again; good until yesterday."""
        key, crt, csr = (self.tls / f"{name}.{ending}" for ending in ("key", "crt", "csr"))
        for words in (["-in", crt, "-x509toreq", "-signkey", key, "-copy_extensions", "copy", "-out", csr],
                      ["-req", "-in", csr, "-CA", self.tls / "ca.crt", "-CAkey", self.tls / "ca.key", "-days", "-1", "-copy_extensions", "copy", "-out", crt]):
            subprocess.run(["openssl", "x509", *words], check=True, stderr=subprocess.DEVNULL)

    def add(self, name, role, *expires):
        """A user with a token; its line is that of assay-ca."""
        told = self.make("token", name, role, *expires)
        self.tokens[name] = re.search(r"^token: (\S+)$", told, re.M).group(1)
        self.lines[name] = told.splitlines()[-1]

    def write(self):
        self.users.touch(mode=0o600)
        self.users.write_text("".join(f"{line}\n" for line in self.lines.values()))

    def flags(self):
        return ["--tls", "127.0.0.1:0", "--tls-certificate", self.tls / "server.crt", "--tls-key",
                self.tls / "server.key", "--tls-client-ca", self.tls / "ca.crt", "--users", self.users]

    def context(self, certificate=None, authority=None):
        context = ssl.create_default_context(cafile=self.tls / "ca.crt")
        if certificate is not None:
            where = (authority or self).tls
            context.load_cert_chain(where / f"{certificate}.crt", where / f"{certificate}.key")
        return context


def wait_until(holds, what):
    end = time.monotonic() + TIMEOUT_S
    while not holds():
        if time.monotonic() > end:
            raise AssertionError(f"never: {what}")
        time.sleep(0.02)


class TlsTest(unittest.TestCase):
    """One authority and one daemon for the tests of a class."""
    more_flags = ()

    @classmethod
    def setUpClass(cls):
        cls.ca = Authority()
        cls.addClassCleanup(shutil.rmtree, cls.ca.top)
        cls.make_users()
        cls.ca.write()
        cls.daemon = cls.new_daemon()
        cls.addClassCleanup(cls.daemon.stop)

    @classmethod
    def new_daemon(cls, **how):
        return Daemon(*cls.ca.flags(), *cls.more_flags, **how)

    @classmethod
    def make_users(cls):
        for name, role in (("alice", "submit"), ("bob", "submit"), ("rita", "read"), ("olga", "operate")):
            cls.ca.add(name, role)

    def reload(self):
        """The users of the authority count now."""
        self.ca.write()
        seen = self.daemon.log().count("config: read again")
        os.kill(self.daemon.pid, signal.SIGHUP)
        wait_until(lambda: self.daemon.log().count("config: read again") > seen, "the users are read again")

    def connect(self, certificate=None, authority=None, context=None):
        context = context or self.ca.context(certificate, authority)
        connection = http.client.HTTPSConnection("localhost", self.daemon.tls[1], timeout=TIMEOUT_S, context=context)
        self.addCleanup(connection.close)
        return connection

    def ask(self, path, user=None, method="GET", body=None, connection=None, **headers):
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        if user is not None:
            headers.setdefault("Authorization", f"Bearer {self.ca.tokens[user]}")
        if isinstance(body, dict):
            body = json.dumps(body)
            headers.setdefault("Content-Type", "application/json")
        connection = connection or self.connect()
        connection.request(method, path, body=body, headers=headers)
        return Response(connection.getresponse())

    def you(self, **how):
        answer = self.ask("/v1/info", **how)
        self.assertEqual(200, answer.status, answer.body)
        you = answer.json()["you"]
        return you["user_name"], you["role"]

    def assert_unknown(self, answer, words):
        self.assertEqual(401, answer.status, answer.body)
        self.assertIn("Bearer", answer.headers.get_all("WWW-Authenticate"))
        self.assertIn(words, answer.json()["detail"])
