# SPDX-License-Identifier: Apache-2.0
"""The JSON-RPC door of the real daemon: every method of proto/PROTOCOL.md, as a client sees it."""
import csv
import hashlib
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import harness
from harness import BUILD, Daemon, DaemonTest, job

NOBODY = 65534
FAR = 4102444800        # a moment that no test lives to see: jobs not before it stay queued


def held(name="held", **members):
    return job(name, not_before=FAR, **members)


def sweep(name, variants, **members):
    return {"sweep": {"name": name, "spec": job()["spec"], "variants": variants, **members}}


def variants(n):
    return [{"language": "c", "name": f"v{i}", "source": f"int same(const int N) {{ return N + {i}; }}\n"}
            for i in range(n)]


class Submitting(DaemonTest):
    def test_a_job_is_acknowledged_timed_and_stored(self):
        reply = self.daemon.call("job.submit", {"job": job("one", {"samples": [12.5, 11.0]})})
        self.assertEqual(0, reply["repeated"])
        [number] = reply["ids"]
        self.assertEqual({"done": True, "left": 0}, self.daemon.call("job.wait", {"ids": [number]}))
        got = self.daemon.call("job.get", {"id": number})
        self.assertEqual(("done", "one", "ok", None), (got["state"], got["name"], got["status"], got["sweep"]))
        self.assertEqual(os.getuid(), got["submitter"])
        self.assertEqual(11.0, got["result"]["time"]["min_ns"])
        self.assertEqual(number, got["result"]["job"])

    def test_many_jobs_get_their_ids_in_order(self):
        ids = self.daemon.call("job.submit", {"jobs": [held(f"n{i}") for i in range(50)]})["ids"]
        self.assertEqual([f"n{i}" for i in range(50)], [self.daemon.call("job.get", {"id": i})["name"] for i in ids])
        self.daemon.call("job.cancel", {"ids": ids})

    def test_one_bad_job_refuses_all(self):
        before = self.jobs()
        bad = job("bad")
        bad["spec"]["params"]["N"] = []
        data = self.assert_refused(self.daemon, "job.submit", {"jobs": [held(), bad, held()]}, "bad_spec",
                                   "jobs[1].spec.params.N", -32602)
        self.assertTrue(data["reason"])
        self.assertEqual(before, self.jobs())

    def test_variants_of_one_spec_are_a_job_each(self):
        one = job("v")
        document = {"spec": one["spec"], "variants": [{**one["variant"], "name": f"v{i}"} for i in range(3)],
                    "not_before": FAR, "priority": 3, "key": "trio"}
        reply = self.daemon.call("job.submit", document)
        self.assertEqual((3, 0), (len(set(reply["ids"])), reply["repeated"]))
        again = self.daemon.call("job.submit", document)
        self.assertEqual((reply["ids"], 3), (again["ids"], again["repeated"]))
        listed = {j["id"]: j for j in self.daemon.call("queue.get", {"limit": 1000})["jobs"]}
        self.assertEqual([("v0", 3), ("v1", 3), ("v2", 3)],
                         [(listed[i]["name"], listed[i]["priority"]) for i in reply["ids"]])
        same = {**one, "variant": document["variants"][1], "not_before": FAR, "priority": 3, "key": "trio#1"}
        self.assertEqual(reply["ids"][1:2], self.daemon.call("job.submit", {"job": same})["ids"])
        self.daemon.call("job.cancel", {"ids": reply["ids"]})

    def test_variants_over_http_are_the_body(self):
        one = job("v")
        body = {"spec": one["spec"], "variants": [one["variant"]] * 2, "not_before": FAR}
        posted = self.daemon.http("POST", "/v1/jobs", body)
        self.assertEqual((201, 2), (posted.status, len(posted.json()["ids"])))
        self.daemon.call("job.cancel", {"ids": posted.json()["ids"]})
        refused = self.daemon.http("POST", "/v1/jobs", {**body, "variants": [one["variant"], {}]})
        self.assertEqual((422, "variants[1].source"), (refused.status, refused.json()["member"]))

    def jobs(self):
        return sum(self.daemon.call("queue.get")["states"].values())

    def test_a_key_gives_the_same_id_again_and_no_other_document(self):
        first = self.daemon.call("job.submit", {"job": job("k", key="test-key")})
        again = self.daemon.call("job.submit", {"job": job("k", key="test-key")})
        self.assertEqual((first["ids"], 1), (again["ids"], again["repeated"]))
        self.assert_refused(self.daemon, "job.submit", {"job": job("other", key="test-key")}, "conflict", "job.key",
                            -32002)

    def test_following_tells_each_result_on_this_connection(self):
        client = self.connect()
        reply = client.call("job.submit", {"jobs": [job(f"f{i}") for i in range(5)], "follow": True})
        told = [client.notification() for _ in range(5)]
        self.assertEqual(sorted(reply["ids"]), sorted(t["result"]["job"] for t in told))
        self.assertEqual({reply["subscription"]}, {t["subscription"] for t in told})
        cursors = [t["cursor"] for t in told]
        self.assertEqual(sorted(cursors), cursors)
        self.assertEqual(cursors, [t["result"]["cursor"] for t in told])

    def test_an_outcome_that_is_not_ok_is_a_result_like_any_other(self):
        jobs = [job("c", {"time": ["crashed"]}), job("b", {"build": ["build_failed"]})]
        ids = self.daemon.call("job.submit", {"jobs": jobs})["ids"]
        self.daemon.call("job.wait", {"ids": ids})
        crashed, failed = (self.daemon.call("job.get", {"id": i}) for i in ids)
        self.assertEqual(("failed", "crashed", "runtime"), (crashed["state"], crashed["status"],
                                                            crashed["result"]["invalidity"]))
        self.assertEqual(("failed", "build_failed", "replayed build_failed"), (failed["state"], failed["status"],
                                                                              failed["result"]["detail"]))


class Queue(DaemonTest):
    def test_a_held_job_is_queued_and_can_be_cancelled(self):
        [number] = self.daemon.call("job.submit", {"job": held("h", priority=7)})["ids"]
        got = self.daemon.call("job.get", {"id": number})
        self.assertEqual(("queued", 7, None, None), (got["state"], got["priority"], got["status"], got["result"]))
        listed = {j["id"]: j for j in self.daemon.call("queue.get", {"limit": 1000})["jobs"]}
        self.assertEqual(("queued", "h", 7), tuple(listed[number][k] for k in ("state", "name", "priority")))
        self.assertEqual({"cancelled": [number], "final": []}, self.daemon.call("job.cancel", {"id": number}))
        self.daemon.call("job.wait", {"ids": [number]})
        self.assertEqual(("cancelled", "cancelled"), tuple(self.daemon.call("job.get", {"id": number})[k]
                                                           for k in ("state", "status")))
        self.assertEqual({"cancelled": [], "final": [number]}, self.daemon.call("job.cancel", {"ids": [number]}))

    def test_a_job_under_way_can_be_cancelled(self):
        [number] = self.daemon.call("job.submit", {"job": job("hang", {"time": ["hang"]})})["ids"]
        while self.daemon.call("job.get", {"id": number})["state"] != "timing":
            self.daemon.call("job.wait", {"ids": [number], "timeout_ms": 5})
        self.assertEqual([number], [s["job"] for s in self.daemon.call("queue.get")["slots"]])
        self.assertEqual([number], self.daemon.call("job.cancel", {"id": number})["cancelled"])
        self.assertTrue(self.daemon.call("job.wait", {"ids": [number]})["done"])
        self.assertEqual("cancelled", self.daemon.call("job.get", {"id": number})["status"])

    def test_unknown_jobs_are_not_found(self):
        for method, params in (("job.get", {"id": 10**9}), ("job.cancel", {"id": 10**9}),
                               ("job.wait", {"ids": [10**9]})):
            self.assert_refused(self.daemon, method, params, "not_found", code=-32001)

    def test_waiting_ends_at_its_timeout_and_says_what_is_left(self):
        ids = self.daemon.call("job.submit", {"jobs": [held(), held()]})["ids"]
        self.assertEqual({"done": False, "left": 2}, self.daemon.call("job.wait", {"ids": ids, "timeout_ms": 0}))
        self.assertEqual({"done": False, "left": 2}, self.daemon.call("job.wait", {"ids": ids, "timeout_ms": 10}))
        self.daemon.call("job.cancel", {"ids": ids})
        self.assertEqual({"done": True, "left": 0}, self.daemon.call("job.wait", {"ids": ids}))

    def test_replies_come_when_they_are_ready_not_in_the_order_of_requests(self):
        client = self.connect()
        [number] = client.call("job.submit", {"job": held()})["ids"]
        waiting = client.send("job.wait", {"ids": [number]})
        info = client.send("server.info")
        self.assertEqual(info, client.receive()["id"])
        client.send("job.cancel", {"id": number}, id=None)      # a notification: executed, never answered
        self.assertEqual((waiting, {"done": True, "left": 0}), (lambda m: (m["id"], m["result"]))(client.receive()))

    def test_a_waiting_client_that_leaves_takes_nothing_with_it(self):
        client = self.connect()
        [number] = client.call("job.submit", {"job": held(), "follow": True})["ids"]
        client.send("job.wait", {"ids": [number]})
        client.call("server.info")
        client.close()
        self.assertEqual("queued", self.daemon.call("job.get", {"id": number})["state"])
        self.assertEqual([number], self.daemon.call("job.cancel", {"id": number})["cancelled"])


class Sweeps(DaemonTest):
    def test_a_sweep_runs_is_counted_and_has_a_best(self):
        made = self.daemon.call("sweep.create", sweep("counted", variants(6)))
        self.assertEqual(6, len(made["ids"]))
        self.assertTrue(self.daemon.call("job.wait", {"sweep": "counted"})["done"])
        got = self.daemon.call("sweep.get", {"sweep": made["sweep"]})
        self.assertEqual(("counted", 6, {"ok": 6}, 6),
                         (got["name"], got["jobs"], got["statuses"], got["states"]["done"]))
        self.assertEqual(6, sum(got["states"].values()))
        best = self.daemon.call("results.best", {"sweep": "counted", "top": 3})
        self.assertEqual((3, 6, 0, {"ok": 6}), (len(best["results"]), best["jobs"], best["left"], best["statuses"]))
        self.assertEqual({"id": made["sweep"], "name": "counted"}, best["results"][0]["sweep"])

    def test_a_template_and_its_space_become_jobs(self):
        document = {"sweep": {"name": "space", "spec": job()["spec"], "not_before": FAR,
                              "template": variants(1)[0], "space": {"U": [1, 2, 4], "flags": [["-O1"], ["-O2"]]},
                              "where": ["U < 4"]}}
        made = self.daemon.call("sweep.create", document)
        self.assertEqual(4, len(made["ids"]))
        self.assertEqual({"cancelled": 4}, self.daemon.call("sweep.cancel", {"sweep": "space"}))
        self.assertEqual({"cancelled": 4}, self.daemon.call("sweep.get", {"sweep": "space"})["statuses"])

    def test_names_are_unique_and_numbers_are_no_names(self):
        self.daemon.call("sweep.create", sweep("once", variants(1)))
        self.refuse_another(sweep("once", variants(2)))
        self.assert_refused(self.daemon, "sweep.create", sweep("123", variants(1)), "bad_spec", "sweep.name")
        self.assert_refused(self.daemon, "sweep.get", {"sweep": "never"}, "not_found")

    def refuse_another(self, document):
        before = sum(self.daemon.call("queue.get")["states"].values())
        self.assert_refused(self.daemon, "sweep.create", document, "conflict", "sweep.name", -32002)
        self.assertEqual(before, sum(self.daemon.call("queue.get")["states"].values()))

    def test_the_same_sweep_again_is_the_sweep_that_it_was(self):
        space = {"name": "again space", "spec": job()["spec"], "template": variants(1)[0], "where": ["U < 4"],
                 "space": {"U": [1, 2, 4], "flags": [["-O1"], ["-O2"]]}}
        for document in (sweep("again", variants(3)), sweep("again keyed", variants(3), key="again"), {"sweep": space}):
            made = self.daemon.call("sweep.create", document)
            self.assertEqual((False, 0), (made["existed"], made["repeated"]))
            self.daemon.call("job.submit", {"job": job("between")})
            self.daemon.call("job.wait", {"ids": made["ids"]})
            made.update(existed=True, repeated=len(made["ids"]))
            self.assertEqual(made, self.daemon.call("sweep.create", document))
            client = self.connect()
            self.assertEqual({**made, "subscription": 1}, client.call("sweep.create", {**document, "follow": True}))
            told = [client.notification()["result"]["job"] for _ in made["ids"]]
            self.assertEqual(sorted(made["ids"]), sorted(told))
            client.close()
            self.assertEqual(len(made["ids"]), self.daemon.call("sweep.get", {"sweep": made["sweep"]})["jobs"])

    def test_another_sweep_of_a_name_that_is_taken_is_refused_wherever_it_differs(self):
        self.daemon.call("sweep.create", sweep("taken", variants(3), meta={"a": 1}))
        with_flags = variants(2) + [{**variants(3)[2], "flags": ["-O1"]}]
        for other in (variants(2), variants(4), variants(3)[::-1], with_flags):
            self.refuse_another(sweep("taken", other, meta={"a": 1}))
        for members in ({}, {"meta": {"a": 2}}, {"meta": {"a": 1}, "priority": 1}, {"meta": {"a": 1}, "key": "taken"}):
            self.refuse_another(sweep("taken", variants(3), **members))
        document = sweep("taken", variants(3), meta={"a": 1})
        document["sweep"]["spec"] = {**job()["spec"], "params": {"N": 77}}
        self.refuse_another(document)

    def test_the_same_sweep_again_is_found_when_the_daemon_was_killed_meanwhile(self):
        state = tempfile.TemporaryDirectory(prefix="assay-")
        self.addCleanup(state.cleanup)
        document = sweep("lost answer", variants(3), not_before=FAR)
        first = Daemon(state=state.name, worker=harness.REPLAY_WORKER)
        made = first.call("sweep.create", document)
        first.kill()
        first.client.close()
        second = Daemon(state=state.name, worker=harness.REPLAY_WORKER)
        self.addCleanup(second.stop)
        self.assertEqual({**made, "existed": True, "repeated": 3}, second.call("sweep.create", document))
        self.assertEqual(3, second.call("queue.get")["states"]["queued"])

    def test_following_a_sweep_tells_all_its_results(self):
        client = self.connect()
        made = client.call("sweep.create", {**sweep("followed", variants(4)), "follow": True})
        told = [client.notification()["result"]["job"] for _ in range(4)]
        self.assertEqual(sorted(made["ids"]), sorted(told))

    def test_a_bad_variant_stops_nothing(self):
        document = sweep("mixed", variants(4), meta={"build": ["build_failed"]})
        self.daemon.call("sweep.create", document)
        self.daemon.call("job.wait", {"sweep": "mixed"})
        self.assertEqual({"build_failed": 4}, self.daemon.call("sweep.get", {"sweep": "mixed"})["statuses"])


class Stored(DaemonTest):
    """Thirteen results are there: r11 … r0 from the fastest to the slowest, and one that crashed."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        jobs = [job(f"r{i}", {"samples": [100.0 - i, 101.0 - i]}) for i in range(12)]
        jobs += [job("broken", {"time": ["crashed"]})]
        cls.ids = cls.daemon.call("job.submit", {"jobs": jobs})["ids"]
        cls.daemon.call("job.wait", {"ids": cls.ids})


class Results(Stored):

    def query(self, **params):
        return self.daemon.call("results.query", params)

    def test_filters_choose(self):
        self.assertEqual(["r3"], [r["name"] for r in self.query(name="r3")["results"]])
        self.assertEqual(["broken"], [r["name"] for r in self.query(status="crashed")["results"]])
        self.assertEqual(13, len(self.query(routine="same")["results"]))
        self.assertEqual([], self.query(routine="other")["results"])
        self.assertEqual(sorted(self.ids[2:5]), sorted(r["job"] for r in self.query(ids=self.ids[2:5])["results"]))
        finished = sorted(r["finished"] for r in self.query()["results"])
        self.assertEqual(13, len(self.query(since=finished[0])["results"]))
        self.assertEqual(0, len(self.query(before=finished[0])["results"]))

    def test_orders_order(self):
        cursors = [r["cursor"] for r in self.query(order="newest")["results"]]
        self.assertEqual(sorted(cursors, reverse=True), cursors)
        fastest = self.query(order="fastest")["results"]
        self.assertEqual([f"r{i}" for i in reversed(range(12))], [r["name"] for r in fastest])

    def test_pages_cover_everything_once(self):
        for order in ("id", "newest", "fastest"):
            seen, page = [], {"next": None}
            while page["next"] is not None or not seen:
                page = self.query(order=order, limit=5, **({"cursor": page["next"]} if page["next"] else {}))
                self.assertLessEqual(len(page["results"]), 5)
                seen += [r["cursor"] for r in page["results"]]
            self.assertEqual(len(seen), len(set(seen)))
            self.assertEqual(12 if order == "fastest" else 13, len(seen))

    def test_a_full_last_page_has_no_next(self):
        self.assertIsNone(self.query(order="fastest", limit=12)["next"])

    def test_what_is_wrong_with_a_filter_is_named(self):
        for params, member in (({"limit": 0}, "limit"), ({"limit": 1001}, "limit"), ({"limit": "5"}, "limit"),
                               ({"status": "fine"}, "status"), ({"order": "slowest"}, "order"),
                               ({"cursor": "x"}, "cursor"), ({"nme": "x"}, "nme"), ({"ids": [0]}, "ids[0]"),
                               ({"since": "yesterday"}, "since")):
            self.assert_refused(self.daemon, "results.query", params, "bad_request", member, -32602)
        cursor = self.query(order="newest", limit=1)["next"]
        self.assert_refused(self.daemon, "results.query", {"order": "id", "cursor": cursor}, "bad_request", "cursor")


class Subscriptions(Stored):
    def test_a_subscription_reads_what_is_stored_and_then_hears_what_is_new(self):
        client = self.connect()
        number = client.call("results.subscribe", {"all": True, "after": 0})["subscription"]
        new = client.call("job.submit", {"jobs": [job(f"late{i}") for i in range(20)]})["ids"]
        stored = self.daemon.call("results.query", {"ids": self.ids})["results"]
        told = [client.notification() for _ in range(len(stored) + len(new))]
        cursors = [t["cursor"] for t in told]
        self.assertEqual(sorted(set(cursors)), cursors)
        self.assertTrue(set(self.ids + new) >= {t["result"]["job"] for t in told})
        self.assertEqual({}, client.call("results.unsubscribe", {"subscription": number}))
        [after] = client.call("job.submit", {"job": job("unheard")})["ids"]
        client.call("job.wait", {"ids": [after]})
        self.assertEqual([], [n for n in client.notifications if n["result"]["job"] == after])

    def test_a_subscription_from_a_cursor_goes_on_behind_it(self):
        middle = self.daemon.call("results.query", {"limit": 6})["results"][-1]["cursor"]
        client = self.connect()
        client.call("results.subscribe", {"ids": self.ids, "after": middle})
        told = [client.notification()["cursor"] for _ in range(13 - 6)]
        self.assertTrue(all(c > middle for c in told))

    def test_a_subscription_to_a_sweep_hears_no_other(self):
        client = self.connect()
        client.call("sweep.create", sweep("quiet", variants(1), not_before=FAR))
        client.call("results.subscribe", {"sweep": "quiet"})
        [other] = client.call("job.submit", {"job": job("noise")})["ids"]
        client.call("job.wait", {"ids": [other]})
        client.call("sweep.cancel", {"sweep": "quiet"})
        self.assertEqual("cancelled", client.notification()["result"]["status"])


class Door(DaemonTest):
    def test_info_names_limits_and_places(self):
        info = self.daemon.call("server.info")
        self.assertEqual(("assayd", 1, self.daemon.pid), (info["name"], info["protocol"], info["pid"]))
        self.assertEqual(str(self.daemon.socket), info["sockets"]["rpc"])
        self.assertEqual(f"127.0.0.1:{self.daemon.tcp[1]}", info["sockets"]["http_tcp"])
        self.assertEqual((16 << 20, 64, 10000, 1 << 20), tuple(info["limits"][k] for k in (
            "line_bytes", "nesting", "jobs_per_call", "output_bytes")))
        self.assertTrue(pathlib.Path(info["database"]).exists())

    def test_host_tells_cpus_and_caches(self):
        host = self.daemon.call("host.get")
        if host["cpus"] > 1:
            self.assertFalse(set(host["timing_cpus"]) & set(host["housekeeping_cpus"]))
        for member in ("caches", "kernel", "machine", "warnings", "compilers", "clock", "jail", "build_jail"):
            self.assertIn(member, host)

    def test_an_unknown_method_names_the_nearest(self):
        data = self.assert_refused(self.daemon, "job.submti", {}, "not_found", code=-32601)
        self.assertIn("job.submit", data["hint"])

    def test_a_peer_that_has_said_all_is_still_answered(self):
        client = self.connect()
        [number] = client.call("job.submit", {"job": job("last", {"time": ["ok"]})})["ids"]
        first, second = client.send("server.info"), client.send("job.wait", {"ids": [number]})
        client.socket.shutdown(socket.SHUT_WR)
        self.assertEqual("assayd", client.result(first)["name"])
        self.assertTrue(client.result(second)["done"])
        self.assertTrue(client.is_cut_off())

    def test_the_socket_is_for_its_user_alone(self):
        self.assertEqual(0o600, self.daemon.socket.stat().st_mode & 0o777)

    @unittest.skipUnless(os.getuid() == 0, "needs root to be somebody else")
    def test_nobody_cancels_the_jobs_of_others(self):
        daemon = Daemon("--socket-mode", "0666", worker=harness.REPLAY_WORKER)
        self.addCleanup(daemon.stop)
        os.chmod(daemon.state, 0o711)
        [number] = daemon.call("job.submit", {"job": held()})["ids"]
        daemon.call("sweep.create", sweep("mine", variants(1), not_before=FAR))
        mine = {"job": held("theirs")}
        said = self.as_nobody(daemon, [["job.cancel", {"id": number}], ["sweep.cancel", {"sweep": "mine"}],
                                       ["job.submit", mine], ["job.get", {"id": number + 2}],
                                       ["job.cancel", {"id": number + 2}]])
        self.assertEqual(["denied", "denied"], said[:2])
        self.assertEqual((NOBODY, "theirs"), (said[3]["submitter"], said[3]["name"]))
        self.assertEqual([number + 2], said[4]["cancelled"])
        self.assertEqual([number], daemon.call("job.cancel", {"id": number})["cancelled"])

    def orders_to_time(self, daemon, ids):
        """The submitter in the order that a slot got for each job."""
        while not daemon.call("job.wait", {"ids": ids, "timeout_ms": 30000})["done"]:
            continue
        return [json.loads((daemon.state / f"replay-{i}-time.json").read_text())["submitter"] for i in ids]

    def test_a_slot_gets_the_submitter_of_each_job(self):
        daemon = Daemon("--socket-mode", "0666", worker=harness.REPLAY_WORKER)
        self.addCleanup(daemon.stop)
        os.chmod(daemon.state, 0o711)
        ids = daemon.call("job.submit", {"job": job("mine")})["ids"]
        self.assertEqual([os.getuid()], self.orders_to_time(daemon, ids))
        if os.getuid() != 0:
            self.skipTest("needs root to be somebody else")
        said = self.as_nobody(daemon, [["job.submit", {"job": job("theirs")}]])
        self.assertEqual([NOBODY], self.orders_to_time(daemon, said[0]["ids"]))

    def as_nobody(self, daemon, calls):
        """Results, or words of errors, of calls made by another user."""
        program = ("import json, os, sys\n"
                   "sys.path.insert(0, sys.argv[1])\n"
                   "from harness import NOBODY, Client, RpcError\n"
                   "os.setgroups([]), os.setgid(NOBODY), os.setuid(NOBODY)\n"
                   "client, said = Client(sys.argv[2]), []\n"
                   "for method, params in json.loads(sys.argv[3]):\n"
                   "    try:\n"
                   "        said.append(client.call(method, params))\n"
                   "    except RpcError as error:\n"
                   "        said.append(error.word)\n"
                   "print(json.dumps(said))\n")
        here = pathlib.Path(harness.__file__).parent
        done = subprocess.run([sys.executable, "-B", "-c", program, here, daemon.socket, json.dumps(calls)],
                              text=True, capture_output=True, env={}, cwd="/")
        self.assertEqual(0, done.returncode, done.stderr)
        return json.loads(done.stdout)


class Starting(unittest.TestCase):
    def start(self, *flags, **how):
        daemon = Daemon(*flags, worker=harness.REPLAY_WORKER, **how)
        self.addCleanup(daemon.stop)
        return daemon

    def directory(self):
        directory = tempfile.TemporaryDirectory(prefix="assay-")
        self.addCleanup(directory.cleanup)
        return pathlib.Path(directory.name)

    def test_a_socket_that_a_dead_daemon_left_is_replaced(self):
        state = self.directory()
        self.start(state=state).kill()
        self.assertTrue((state / "assay.sock").exists())
        self.assertEqual("assayd", self.start(state=state).call("server.info")["name"])

    def test_a_socket_that_somebody_answers_on_is_left_alone(self):
        first = self.start()
        with self.assertRaisesRegex(RuntimeError, f"another assayd serves {first.socket}"):
            Daemon("--socket", first.socket, worker=harness.REPLAY_WORKER)
        self.assertEqual(first.pid, first.call("server.info")["pid"])

    def test_a_file_in_the_socket_s_place_is_left_alone(self):
        state = self.directory()
        (state / "precious").write_text("data")
        with self.assertRaisesRegex(RuntimeError, "no socket"):
            Daemon("--socket", state / "precious", worker=harness.REPLAY_WORKER)
        self.assertEqual("data", (state / "precious").read_text())

    def test_directories_of_sockets_are_made(self):
        state = self.directory()
        daemon = self.start("--http-socket", state / "a" / "b" / "http.sock")
        self.assertTrue((state / "a" / "b" / "http.sock").is_socket())
        self.assertEqual(0o700, (state / "a" / "b").stat().st_mode & 0o777)
        daemon.stop()
        self.assertFalse((state / "a" / "b" / "http.sock").exists())

    def start_below(self, outer, state):
        """A daemon whose log and sockets are in another directory than its state."""
        daemon = self.start("--state", state, state=outer)
        daemon.state = state
        return daemon

    def test_state_is_made_for_its_owner_alone(self):
        outer = self.directory()
        state = outer / "above" / "state"
        before = os.umask(0)
        self.addCleanup(os.umask, before)
        daemon = self.start_below(outer, state)
        self.assertEqual(0o755, state.parent.stat().st_mode & 0o777)
        self.assertEqual(0o700, state.stat().st_mode & 0o777)
        for path in state.glob("assay.db*"):
            self.assertEqual(0o600, path.stat().st_mode & 0o777, path)
        self.assertTrue((state / "assay.db-wal").exists())
        self.assertNotIn("other users", daemon.log())

    def test_an_open_state_directory_stays_and_is_warned_of_once(self):
        outer = self.directory()
        state = outer / "state"
        state.mkdir()
        state.chmod(0o755)
        (state / "assay.db").touch()
        (state / "assay.db").chmod(0o644)
        daemon = self.start_below(outer, state)
        self.assertEqual(0o755, state.stat().st_mode & 0o777)
        self.assertEqual(0o644, (state / "assay.db").stat().st_mode & 0o777)
        self.assertEqual(1, daemon.log().count("other users"), daemon.log())
        self.assertIn(f"warn state={state} mode=0755 other users may read", daemon.log())

    def test_only_loopback_is_bound(self):
        for words, addresses in (("not loopback", ("0.0.0.0:0", "[::]:0", "192.0.2.1:80")),
                                 ("no address with a port", ("localhost", "127.0.0.1:70000", "127.0.0.1:"))):
            for address in addresses:
                with self.assertRaisesRegex(RuntimeError, words):
                    Daemon("--http", address, worker=harness.REPLAY_WORKER)

    def test_it_stops_in_order_on_both_signals_while_clients_wait(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            daemon = self.start()
            client = daemon.connect()
            self.addCleanup(client.close)
            [held_job] = client.call("job.submit", {"job": held()})["ids"]
            client.send("job.wait", {"ids": [held_job]})
            client.call("server.info")
            daemon.stop(number)
            self.assertTrue(client.is_cut_off())

    def test_a_restart_finds_the_queue_as_it_was(self):
        state = self.directory()
        daemon = self.start(state=state)
        ids = daemon.call("job.submit", {"jobs": [held(f"n{i}") for i in range(20)]})["ids"]
        daemon.stop()
        daemon = self.start(state=state)
        self.assertEqual(20, daemon.call("queue.get")["states"]["queued"])
        self.assertEqual("n7", daemon.call("job.get", {"id": ids[7]})["name"])

    def test_it_goes_when_its_parent_goes(self):
        ready, told = os.pipe()
        lifeline, end = os.pipe()
        state = self.directory()
        process = subprocess.Popen(
            [harness.BUILD / "assayd", "--state", state, "--socket", state / "s", "--worker", harness.REPLAY_WORKER,
             "--ready-fd", str(told), "--exit-with-fd", str(lifeline)], pass_fds=[told, lifeline],
            stderr=subprocess.DEVNULL)
        os.close(told)
        os.close(lifeline)
        with os.fdopen(ready) as pipe:
            self.assertEqual("ready\n", pipe.read())
        os.close(end)
        self.assertEqual(0, process.wait(harness.TIMEOUT_S))


class SpecBehindAResult(DaemonTest):
    def test_a_default_that_is_written_out_makes_no_other_spec(self):
        spec = {"routine": "void f(int n, const double *x, double *y)", "params": {"N": 8},
                "args": {"n": "N", "x": {"dims": ["N"]}, "y": {"dims": ["N"], "align": 128}}}
        said = {**spec, "context": "cold", "code": "warm", "data": "auto", "data_sensitive": False,
                "timing": {"clock": "auto", "gate": "auto", "layout": "fixed", "serialised": False,
                           "flush": {"method": "auto", "walk": "auto"}},
                "args": {**spec["args"], "x": {"dims": ["N"], "align": 64, "stride": 1,
                                               "pages": "auto", "init": "random"}}}
        meant = {**spec, "timing": {"budget_ms": 1000}}     # waited in full only where it is asked for
        source = {"source": "void f(int n, const double *x, double *y) {}"}
        documents = [{**job(), "variant": source, "spec": s} for s in (spec, said, meant)]
        plain, written, other = [r["spec_hash"] for r in self.daemon.run(*documents)]
        self.assertEqual(plain, written)
        self.assertNotEqual(plain, other)
        ids = self.daemon.call("job.submit", {"job": documents[1]})["ids"]
        told = self.daemon.call("job.spec", {"id": ids[0]})
        self.assertEqual(said, told["spec"])

    def test_the_normal_spec_has_nothing_left_to_be_filled_in(self):
        spec = {"routine": "double f(int n, double a, const double *x, double *y, const double *z, double *w)",
                "params": {"N": 8, "A": 128}, "context": "cold", "flops": "2*N", "timing": {"samples": 3},
                "args": {"n": "N / 2", "a": "N + 0.5", "x": {"dims": ["N", "N/4"], "align": "2*A", "cache": "L2"},
                         "y": {"dims": ["N"], "cache": "warm"}, "z": {"same_as": "y"}, "w": None},
                "check": {"reference": {"source": "double f() { return 0; }"}}}
        source = {"source": "double f(int n, double a, const double *x, double *y, const double *z, double *w) { return 0; }"}
        ids = self.daemon.call("job.submit", {"job": {**job(), "variant": source, "spec": spec}})["ids"]
        told = self.daemon.call("job.spec", {"id": ids[0]})
        normal, args = told["normal"], told["normal"]["args"]
        self.assertEqual(spec, told["spec"])
        self.assertEqual((4, 8.5, None), (args["n"], args["a"], args["w"]))
        self.assertEqual({"same_as": "y", "from": 0, "access": "in"}, args["z"])
        wanted = {"type": "double", "dims": [8, 2], "access": "in", "align": 256, "offset": 0, "stride": 1,
                  "cache": "L2", "state": "clean", "memory": "heap", "pages": "auto", "data": "auto",
                  "init": {"random": {"seed": 3, "min": -1.0, "max": 1.0, "order": "random", "density": 1.0}}}
        self.assertEqual(wanted, {k: args["x"][k] for k in wanted})
        self.assertEqual((64, "warm", "dirty", "inout"), tuple(args["y"][k] for k in ("align", "cache", "state", "access")))
        self.assertEqual((16, 1e-9, 1e-9), (normal["flops"], normal["check"]["rtol"], normal["check"]["atol"]))
        self.assertEqual(("auto", "auto", "auto", 3), (normal["timing"]["flush"]["page_tables"],
                         normal["timing"]["clock"], normal["timing"]["estimator"], normal["timing"]["samples"]))
        self.assertEqual(["-O2"], normal["check"]["reference"]["flags"])
        again = self.daemon.call("job.submit", {"job": {**job(), "variant": source, "spec": normal}})["ids"]
        told_again = self.daemon.call("job.spec", {"id": again[0]})
        self.assertEqual((normal, told["spec_hash"]), (told_again["normal"], told_again["spec_hash"]))

    def test_each_member_of_a_default_that_is_written_out_keeps_the_hash_and_each_other_value_changes_it(self):
        spec = {"routine": "void f(int n, const double *x, double *y)", "params": {"N": 8},
                "args": {"n": "N", "x": {"dims": ["N"]}, "y": {"dims": ["N"]}}}
        source = {"source": "void f(int n, const double *x, double *y) {}"}

        def hash_of(**members):
            args = {"args": {**spec["args"], **members.pop("args", {})}}
            document = {**job(), "variant": source, "spec": {**spec, **members, **args}}
            return self.daemon.call("job.spec", {"id": self.daemon.call("job.submit", {"job": document})["ids"][0]})["spec_hash"]
        plain, seen = hash_of(), set()
        for same in ({"args": {"n": 8}}, {"args": {"x": {"dims": ["N"], "cache": "cold"}}}, {"context": "cold"},
                     {"args": {"x": {"dims": ["2*4"], "state": "clean", "access": "in", "type": "double"}}},
                     {"args": {"x": {"dims": [8], "align": "8*N", "offset": 0, "memory": "heap", "pages": "auto"}}},
                     {"args": {"x": {"dims": [8], "init": {"random": {"seed": 2, "min": -1}}}}},
                     {"timing": {"flush": {"method": "auto", "page_tables": "auto", "walk": "auto"}, "trust": "auto"}}):
            with self.subTest(same=same):
                self.assertEqual(plain, hash_of(**same))
        for other in ({"args": {"n": 7}}, {"args": {"x": {"dims": ["N"], "cache": "warm"}}}, {"context": "warm"},
                      {"args": {"x": {"dims": [9]}}}, {"args": {"x": {"dims": [8], "align": 128}}},
                      {"args": {"x": {"dims": [8], "init": {"random": {"seed": 4}}}}}, {"params": {"N": 8, "M": 1}},
                      {"timing": {"flush": {"page_tables": "cached"}}}, {"timing": {"samples": 4}}, {"flops": "N"}):
            with self.subTest(other=other):
                value = hash_of(**other)
                self.assertNotIn(value, seen | {plain})
                seen.add(value)

    def test_each_result_has_the_hash_of_its_spec_and_the_spec_is_there_to_read(self):
        document = job()
        first, second = self.daemon.run(document, job(name="other"))
        other = self.daemon.run({**document, "spec": {**document["spec"], "params": {"N": 8}}})[0]
        self.assertEqual(first["spec_hash"], second["spec_hash"])
        self.assertNotEqual(first["spec_hash"], other["spec_hash"])
        told = self.daemon.call("job.spec", {"id": first["job"]})
        self.assertEqual((document["spec"], first["spec_hash"]), (told["spec"], told["spec_hash"]))
        self.assertEqual(document["variant"]["source"], told["variant"]["source"])
        canonical = json.dumps(told["normal"], sort_keys=True, separators=(",", ":"))
        self.assertEqual(hashlib.sha256(canonical.encode()).hexdigest(), told["spec_hash"])
        self.assertEqual(told, self.daemon.http("GET", f"/v1/jobs/{first['job']}/spec").json())
        printed = subprocess.run([BUILD / "assay", "-s", self.daemon.socket, "results", "--spec", str(first["job"])],
                                 stdout=subprocess.PIPE, check=True)
        self.assertEqual(told, json.loads(printed.stdout))
        table = subprocess.run([BUILD / "assay", "-s", self.daemon.socket, "results", "--csv", str(first["job"])],
                               stdout=subprocess.PIPE, check=True, text=True).stdout.splitlines()
        place = table[0].split(",").index("spec_hash")
        self.assertEqual(told["spec_hash"], next(csv.reader(table[1:]))[place])

    def test_a_job_that_is_not_there_has_no_spec(self):
        self.assert_refused(self.daemon, "job.spec", {"id": 999999}, "not_found")

    @unittest.skipIf(os.geteuid() != 0, "only root can be another user")
    def test_sources_and_specs_are_shown_to_their_submitter_and_to_root_alone(self):
        os.chmod(self.daemon.state, 0o711)
        os.chmod(self.daemon.socket, 0o666)
        mine = self.daemon.run(job())[0]["job"]
        with self.daemon.connect_as_nobody() as nobody:
            told = nobody.call("job.spec", {"id": mine})
            self.assertEqual((None, None, None, True), (told["variant"], told["spec"], told["normal"], told["withheld"]))
            theirs = self.daemon.run(job(), client=nobody)[0]["job"]
            self.assertIsNotNone(nobody.call("job.spec", {"id": theirs})["variant"])
        self.assertIsNotNone(self.daemon.call("job.spec", {"id": theirs})["variant"])


if __name__ == "__main__":
    unittest.main()
