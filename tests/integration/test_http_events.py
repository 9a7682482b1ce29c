# SPDX-License-Identifier: Apache-2.0
"""What the HTTP door sends later than it is asked: answers that wait, and streams of events."""
import http.client
import json
import os
import pathlib
import sys
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import harness
from event_stream import EventStream
from harness import IS_SANITIZED, DaemonTest, job

FAR = 4102444800        # jobs not before it stay queued
LONG_S = harness.TIMEOUT_S      # no verdict depends on it: something that never comes takes so long to fail


def sweep(name, n, meta=None, **members):
    return {"name": name, "spec": job()["spec"], **members,
            "variants": [{"language": "c", "name": f"v{i}", "source": f"int same(const int N) {{ return N + {i}; }}\n",
                          **({"meta": meta} if meta else {})} for i in range(n)]}


class LaterTest(DaemonTest):
    def get(self, path, **how):
        return self.daemon.http("GET", path, **how)

    def post(self, path, body, **how):
        return self.daemon.http("POST", path, body, {"Content-Type": "application/json"}, **how)

    def connection(self, tcp=False):
        connection = http.client.HTTPConnection(*self.daemon.tcp, timeout=LONG_S) if tcp else \
            harness.UnixConnection(self.daemon.http_socket)
        self.addCleanup(connection.close)
        return connection

    def events(self, path, tcp=False, last_id=None):
        stream = EventStream(self.connection(tcp), path, last_id)
        self.addCleanup(stream.close)
        return stream

    def later(self, function):
        """Runs beside the test; .value() is what it returned."""
        box = []
        thread = threading.Thread(target=lambda: box.append(function()), daemon=True)
        thread.start()

        def value():
            thread.join(LONG_S)
            return box[0]
        return value

    def until(self, condition, what):
        end = time.monotonic() + LONG_S
        while not condition():
            self.assertLess(time.monotonic(), end, what)
            time.sleep(0.01)

    def gauge(self, name):
        lines = self.get("/metrics").body.decode().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith(name + " "))

    def waiting(self):
        return self.gauge("assay_http_waits")

    def held_job(self):
        return self.daemon.call("job.submit", {"job": job("held", not_before=FAR)})["ids"][0]

    def end(self, *ids):
        self.daemon.call("job.cancel", {"ids": list(ids)})


class Waiting(LaterTest):
    def test_D12_an_answer_waits_until_the_job_is_over(self):
        for tcp in (False, True):
            for path, read in (("/v1/jobs/{}", lambda a: a["status"]), ("/v1/jobs/{}/result", lambda a: a["status"])):
                number = self.held_job()
                answer = self.later(lambda: self.get(path.format(number) + "?wait=10m", tcp=tcp))
                self.until(lambda: self.waiting() == 1, "nobody waits")
                self.end(number)
                self.assertEqual((200, "cancelled"), (answer().status, read(answer().json())))

    def test_D12_an_answer_waits_until_the_sweep_is_over(self):
        made = self.daemon.call("sweep.create", {"sweep": sweep("awaited", 3, not_before=FAR)})
        answer = self.later(lambda: self.get("/v1/sweeps/awaited?wait=10m").json())
        self.until(lambda: self.waiting() == 1, "nobody waits")
        self.end(*made["ids"])
        self.assertEqual({"cancelled": 3}, answer()["statuses"])

    def test_D12_after_its_time_a_wait_is_answered_with_what_there_is(self):
        number = self.held_job()
        self.assertEqual("queued", self.get(f"/v1/jobs/{number}?wait=10ms").json()["state"])
        none = self.get(f"/v1/jobs/{number}/result?wait=10ms")
        self.assertEqual((404, "not_found"), (none.status, none.json()["word"]))
        self.assertIn("wait", none.json()["hint"])
        self.end(number)
        self.assertEqual(200, self.get(f"/v1/jobs/{number}/result?wait=10m").status)
        self.assertEqual(200, self.get(f"/v1/jobs/{number}?wait=0s").status)

    def test_D12_a_wait_without_unit_or_without_end_is_refused(self):
        number = self.held_job()
        for wait in ("30", "s", "1.5s", "-1s", "11m", "601s", "99999999999s", "1h", "", "5 s"):
            answer = self.get(f"/v1/jobs/{number}?wait={wait.replace(' ', '%20')}")
            self.assertEqual((400, "wait"), (answer.status, answer.json()["member"]), wait)
        self.assertEqual(404, self.get("/v1/jobs/999999?wait=1m").status)
        self.assertEqual(404, self.get("/v1/sweeps/never?wait=1m").status)
        self.end(number)

    def test_D12_many_jobs_are_awaited_and_cancelled_at_once(self):
        ids = [self.held_job() for _ in range(3)]
        for tcp in (False, True):
            early = self.post("/v1/wait", {"ids": ids, "timeout_ms": 10}, tcp=tcp)
            self.assertEqual((200, {"done": False, "left": 3}), (early.status, early.json()))
        answer = self.later(lambda: self.post("/v1/wait", {"ids": ids}).json())
        self.until(lambda: self.waiting() == 1, "nobody waits")
        self.assertEqual({"cancelled": sorted(ids), "final": []}, self.post("/v1/cancel", {"ids": ids}).json())
        self.assertEqual({"done": True, "left": 0}, answer())
        self.assertEqual(0, self.waiting())

    def test_D12_what_is_wrong_with_an_awaited_list_is_named(self):
        for body, status, member in (({"ids": [999999]}, 404, None), ({"ids": [1, "2"]}, 400, "ids[1]"), ({}, 400, "ids"), ({"sweep": "never"}, 404, None),
                                     ({"ids": [1], "timeout_ms": -1}, 400, "timeout_ms"), ({"ids": [1], "sweep": "x"}, 400, "sweep")):
            answer = self.post("/v1/wait", body)
            self.assertEqual((status, member), (answer.status, answer.json().get("member")), body)
        self.assertEqual(400, self.post("/v1/wait?ids=1", {"ids": [1]}).status)
        self.assertEqual(0, self.waiting())

    def test_D12_who_leaves_while_waiting_takes_the_wait_along(self):
        number = self.held_job()
        for _ in range(5):
            connection = self.connection()
            connection.request("GET", f"/v1/jobs/{number}?wait=10m")
            self.until(lambda: self.waiting() == 1, "nobody waits")
            connection.close()
            self.until(lambda: self.waiting() == 0, "it still waits")
        self.end(number)

    def test_D12_a_result_has_the_text_that_the_job_has(self):
        number = self.daemon.call("job.submit", {"job": job("timed")})["ids"][0]
        result = self.get(f"/v1/jobs/{number}/result?wait=10m")
        self.assertEqual(self.get(f"/v1/jobs/{number}").json()["result"], result.json())
        self.assertEqual(304, self.get(f"/v1/jobs/{number}/result",
                                       headers={"If-None-Match": result.headers["ETag"]}).status)


class Events(LaterTest):
    def test_D12_a_sweep_is_followed_to_its_end(self):
        for tcp in (False, True):
            made = self.daemon.call("sweep.create", {"sweep": sweep(f"followed {tcp}", 6)})
            stream = self.events(f"/v1/sweeps/{made['sweep']}/events", tcp)
            self.assertEqual((200, "text/event-stream"), (stream.status, stream.response.headers["Content-Type"]))
            seen = list(stream)
            results = [e for e in seen if e.name == "result"]
            self.assertEqual(sorted(made["ids"]), sorted(e.data["job"] for e in results))
            self.assertEqual(sorted((int(e.id) for e in results)), [int(e.id) for e in results])
            self.assertEqual(("end", "end", {"ok": 6}), (seen[-1].name, seen[-1].id, seen[-1].data["statuses"]))
            self.assertTrue(stream.retry_ms)
            # the connection goes on
            stream.connection.request("GET", "/healthz")
            self.assertEqual(b"ok\n", stream.connection.getresponse().read())
            again = self.events(f"/v1/sweeps/{made['sweep']}/events", tcp, last_id="end")
            self.assertEqual(204, again.status)

    def test_D12_a_stream_goes_on_behind_the_last_event(self):
        made = self.daemon.call("sweep.create", {"sweep": sweep("resumed", 9)})
        path = f"/v1/sweeps/{made['sweep']}/events"
        whole = [e for e in self.events(path) if e.name == "result"]
        for how in ({"last_id": whole[3].id}, {}):
            rest = self.events(path + ("" if how else f"?after={whole[3].id}"), **how)
            self.assertEqual(whole[4:], [e for e in rest if e.name == "result"])
        both = self.events(path + "?after=0", last_id=whole[7].id)
        self.assertEqual(whole[8:], [e for e in both if e.name == "result"])

    def test_D12_a_job_is_followed_through_its_states(self):
        number = self.held_job()
        stream = iter(self.events(f"/v1/jobs/{number}/events"))
        first = next(stream)
        self.assertEqual(("progress", "queued"), (first.name, first.data["state"]))
        self.end(number)
        rest = list(stream)
        self.assertEqual(["result", "end"], [e.name for e in rest if e.name != "progress"])
        self.assertEqual("cancelled", rest[-1].data["state"])
        late = [e.name for e in self.events(f"/v1/jobs/{number}/events") if e.name != "progress"]
        self.assertEqual(["result", "end"], late)

    def test_D12_everything_is_followed_from_now_or_from_a_cursor(self):
        stream = iter(self.events("/v1/events"))
        first = next(stream)
        self.assertEqual("progress", first.name)
        self.assertIn("states", first.data)
        ids = self.daemon.call("job.submit", {"jobs": [job(f"all {i}") for i in range(4)]})["ids"]
        seen = {}
        for event in stream:
            if event.name == "result":
                seen[event.data["job"]] = event.id
            if len(seen) == 4:
                break
        self.assertEqual(sorted(ids), sorted(seen))
        behind = sorted(seen.values(), key=int)
        again = []
        for event in self.events(f"/v1/events?after={behind[0]}"):
            again += [event.id] if event.name == "result" else []
            if len(again) == 3:
                break
        self.assertEqual(behind[1:], again)

    def test_D12_what_cannot_be_followed_is_refused(self):
        for path, status in (("/v1/jobs/999999/events", 404), ("/v1/sweeps/never/events", 404),
                             ("/v1/events?after=-1", 400), ("/v1/events?since=1", 400)):
            answer = self.get(path)
            self.assertEqual((status, "application/problem+json"), (answer.status, answer.type), path)
        for last in ("x", "-1", "1.5", "9" * 30, "1 2"):
            answer = self.get("/v1/events", headers={"Last-Event-ID": last})
            self.assertEqual((400, "Last-Event-ID"), (answer.status, answer.json()["member"]), last)
        self.assertEqual((200, b""), (self.daemon.http("HEAD", "/v1/events").status,
                                      self.daemon.http("HEAD", "/v1/events").body))

    def test_D12_streams_of_a_user_are_bounded(self):
        streams = []
        while (stream := self.events("/v1/events")).status == 200:
            streams.append(stream)
        self.assertEqual((429, "1"), (stream.status, stream.response.headers["Retry-After"]))
        self.assertEqual("full", json.loads(stream.response.read())["word"])
        for stream in streams:
            stream.close()
        self.until(lambda: self.gauge("assay_http_event_streams") == 0, "closed streams still count")
        self.assertEqual(200, self.events("/v1/events").status)


class SlowReaders(LaterTest):
    JOBS = 900

    def resident_bytes(self):
        return int(pathlib.Path(f"/proc/{self.daemon.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")

    def asleep(self, path):
        """A reader that has asked, and reads nothing.  Of a Unix socket the kernel buffers no more than the sender's."""
        return self.events(path)

    def results_of(self, stream):
        """
        Its first results, as many as there are jobs.  Who has slept for a minute is cut off, and
        comes back as a browser does: behind the last event that came whole.
        """
        jobs, last, end = [], "0", time.monotonic() + LONG_S
        while time.monotonic() < end:
            try:
                for event in stream:
                    last = event.id or last
                    jobs += [event.data["job"]] if event.name == "result" else []
                    if len(jobs) == self.JOBS:
                        return jobs
                    self.assertLess(time.monotonic(), end)
            except (OSError, http.client.HTTPException):
                pass
            stream.close()
            stream = self.events("/v1/events", last_id=last)
        self.fail(f"{len(jobs)} results have come")

    def test_D12_readers_that_sleep_hold_nobody_up_take_no_memory_and_lose_nothing(self):
        sleepers = [self.asleep("/v1/events?after=0") for _ in range(40)]
        # each result is some kilobytes: together many times what all sockets and the daemon's own limit hold
        jobs = [job(f"s{i}", {"samples": [i + 1.0] * 60}) for i in range(self.JOBS)]
        awake = self.events("/v1/events")
        self.assertEqual("progress", next(iter(awake)).name)
        before = self.resident_bytes()
        ids = self.daemon.call("job.submit", {"jobs": jobs})["ids"]
        self.assertEqual(sorted(ids), sorted(self.results_of(awake)))
        bytes_of_all = len(self.get("/v1/results", headers={"Accept": "application/x-ndjson"}).body)
        if not IS_SANITIZED:        # which keeps what is freed
            self.assertLess(self.resident_bytes() - before, 40 * bytes_of_all / 2)
        self.assertEqual(sorted(ids), sorted(self.results_of(sleepers[7])))


if __name__ == "__main__":
    unittest.main()
