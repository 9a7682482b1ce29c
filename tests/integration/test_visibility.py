# SPDX-License-Identifier: Apache-2.0
"""Who may read what a job was made of: said with --visibility, and changed later with `assay sweep share`."""
import json
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from authority import TlsTest  # noqa: E402
from command import CommandTest, environment  # noqa: E402
from harness import REPLAY_WORKER, DaemonTest, RpcError, job  # noqa: E402

USAGE, BAD_SPEC, BUILD_FAILED, CANCELLED = 64, 65, 70, 87
SECRET = "a_secret_of_alice"


def sweep(name, **members):
    text = f"int same(const int N) {{ return {SECRET}; }}\n"
    variants = [{"name": f"{name}{i}", "source": text} for i in range(3)]
    return {"name": name, "spec": job()["spec"], "variants": variants, "meta": {"build": ["build_failed"]}, **members}


class Sharing(TlsTest, CommandTest):
    @classmethod
    def new_daemon(cls, **how):
        return super().new_daemon(worker=REPLAY_WORKER, **how)

    def setUp(self):
        CommandTest.setUp(self)
        self.connection = self.connect()

    def as_user(self, user, *words, **how):
        self.env = environment(HOME=self.dir, ASSAY_CA_FILE=self.ca.tls / "ca.crt", ASSAY_TOKEN=self.ca.tokens[user])
        return self.assay("-H", f"https://localhost:{self.daemon.tls[1]}", *words, **how).stdout

    def create(self, name, *words, **members):
        path = self.file(f"{name}.json", json.dumps(sweep(name, **members)))
        return json.loads(self.as_user("alice", "sweep", "create", path, "--json", *words))["ids"]

    def sees_source(self, user, ids):
        spec = self.ask(f"/v1/jobs/{ids[0]}/spec", user, connection=self.connection)
        self.assertEqual(spec.json().get("withheld", False), SECRET.encode() not in spec.body)
        return SECRET.encode() in spec.body

    def sees_messages(self, user, ids):
        """What the compiler said, by itself and in a list."""
        one = self.ask(f"/v1/jobs/{ids[0]}", user, connection=self.connection).json()["result"]
        (same,) = self.ask(f"/v1/results?ids={ids[0]}", user, connection=self.connection).json()["results"]
        self.assertEqual(one.get("withheld"), same.get("withheld"))
        return one["detail"] is not None

    def who(self, sees, ids):
        return {user for user in self.ca.tokens if sees(user, ids)}

    def test_D10_a_sweep_is_shared_with_a_user_with_all_and_with_nobody_again(self):
        ids = self.create("shared")
        self.as_user("alice", "wait", "--sweep", "shared", code=BUILD_FAILED)
        for readers, seen in ((None, {"alice", "olga"}), ("bob,carol", {"alice", "olga", "bob"}),
                              ("all", {"alice", "olga", "bob", "rita"}), ("private", {"alice", "olga"})):
            if readers is not None:
                said = self.as_user("alice", "sweep", "share", "shared", "--visibility", readers)
                self.assertEqual(f"sweep shared: seen by {readers.replace(',', ', ')}\n", said)
            for _ in range(2):      # a result that was kept after it was read is judged anew
                self.assertEqual(seen, self.who(self.sees_source, ids), readers)
                self.assertEqual(seen, self.who(self.sees_messages, ids), readers)

    def test_D10_jobs_that_end_after_a_sweep_was_shared_are_shared(self):
        ids = self.create("later", not_before=4102444800)
        self.as_user("alice", "sweep", "share", "later", "--visibility", "bob")
        self.as_user("alice", "cancel", "--sweep", "later")
        self.as_user("alice", "wait", "--sweep", "later", code=CANCELLED)
        self.assertEqual({"alice", "olga", "bob"}, self.who(self.sees_source, ids))

    def test_D10_only_its_submitter_and_operators_share_a_sweep(self):
        self.create("owned")
        path = "/v1/sweeps/owned/share?visibility=all"
        answer = self.ask(path, "bob", "POST", "", Content_Type="application/json")
        self.assertEqual(403, answer.status)
        self.assertIn("belongs to alice", answer.json()["detail"])
        self.assertEqual(403, self.ask(path, "rita", "POST", "", Content_Type="application/json").status)
        answer = self.ask(path, "olga", "POST", "", Content_Type="application/json")
        self.assertEqual(("owned", "all"), (answer.json()["name"], answer.json()["visibility"]))

    def test_D10_who_sees_a_sweep_is_shown_to_those_who_see_it(self):
        self.create("shown", visibility=["bob"])
        for user, seen in (("alice", True), ("bob", True), ("rita", False)):
            self.assertEqual(seen, "seen  by bob" in self.as_user(user, "sweep", "show", "shown"), user)
            self.assertEqual(seen, "visibility" in self.ask("/v1/sweeps/shown", user).json(), user)

    def test_D10_a_share_outlives_the_daemon(self):
        state = self.file("state", "").with_name("kept")
        state.mkdir()
        daemon = self.new_daemon(state=state)
        self.addCleanup(daemon.stop)
        daemon.call("sweep.create", {"sweep": sweep("kept")})
        daemon.call("sweep.share", {"sweep": "kept", "visibility": ["bob"]})
        daemon.stop()
        daemon = self.new_daemon(state=state)
        self.addCleanup(daemon.stop)
        self.assertEqual(["bob"], daemon.call("sweep.get", {"sweep": "kept"})["visibility"])

    def test_D10_a_visibility_that_is_none_is_refused_by_its_name(self):
        self.create("odd")
        for value in ("everybody", [], [""], 3, ["bob"] * 101, [1], ["private", "bob"], ["all"]):
            with self.assertRaises(RpcError) as refusal:
                self.daemon.call("sweep.share", {"sweep": "odd", "visibility": value})
            self.assertEqual("bad_request", refusal.exception.word, value)
            self.assertTrue(refusal.exception.data["member"].startswith("visibility"), refusal.exception)
        self.as_user("alice", "sweep", "share", "odd", "--visibility", "bob,,eve", code=USAGE)
        for readers in ("private,bob", "bob,all"):
            self.as_user("alice", "sweep", "share", "odd", "--visibility", readers, code=USAGE)
        answer = self.ask("/v1/sweeps/odd/share?visibility=bob,private", "alice", "POST", "", Content_Type="application/json")
        self.assertEqual(400, answer.status)
        self.assertIn("stands alone", answer.json()["detail"])
        said = self.assay("sweep", "share", "odd", code=USAGE).stderr
        self.assertIn("needs --visibility", said)


class Flags(DaemonTest, CommandTest):
    """Each command that makes jobs has the option."""

    def setUp(self):
        CommandTest.setUp(self)
        self.env["ASSAY_SOCKET"] = str(self.daemon.socket)

    def readers_of(self, name):
        return self.daemon.call("sweep.get", {"sweep": name})["visibility"]

    def test_D10_sweeps_are_made_with_a_visibility(self):
        path = self.file("sweep.json", json.dumps(sweep("made", visibility="all")))
        for name, words, readers in (("as-filed", (), "all"), ("closed", ("private",), "private"),
                                     ("some", ("alice,bob",), ["alice", "bob"])):
            words = ("--visibility", *words) if words else ()
            self.assay("sweep", "create", path, "--name", name, *words)
            self.assertEqual(readers, self.readers_of(name))

    def test_D10_submit_and_time_give_jobs_a_visibility(self):
        path = self.file("job.json", json.dumps(job()))
        ids = json.loads(self.assay("submit", path, "--visibility", "eve", "--json").stdout)["ids"]
        self.daemon.call("job.wait", {"ids": ids})
        self.assay("time", path, "--visibility", "eve", "--json")
        made = self.daemon.log().count("state=done")
        self.assertEqual(2, made)
        self.assertIn("stands alone", self.assay("submit", path, "--visibility", "private,eve", code=BAD_SPEC).stderr)
        said = self.assay("submit", path, "--visibility", "", code=BAD_SPEC).stderr
        self.assertIn("visibility", said)


if __name__ == "__main__":
    unittest.main()
