# SPDX-License-Identifier: Apache-2.0
"""
From the end of a job to its result in the hand of a client that waited for it over HTTP: by `wait`
and by a stream of events, in TLS with a token, and plain beside it.
"""
import http.client
import json
import shutil
import time

from authority import Authority
from bench_queue import fresh, percentile
from event_stream import EventStream
from figure import Figure
from harness import REPLAY_WORKER, Daemon, job

FIGURES = {"http_wait_ms": "<= 20"}
JOBS, SHARE = 200, 0.95


def finished(answer):
    """When the job of this answer was over: wall clock of this host, as the receipt is."""
    return json.loads(answer)["result"]["finished"]


class Reader:
    """Waits for results over connections of one kind; gives milliseconds from each job's end to its receipt."""

    def __init__(self, daemon, connect, headers):
        self.daemon, self.connect, self.headers = daemon, connect, headers

    def submit(self, name):
        return self.daemon.call("job.submit", {"job": job(name)})["ids"][0]

    def by_wait(self):
        connection = self.connect()
        for i in range(JOBS):
            id = self.submit(f"wait-{i}")
            connection.request("GET", f"/v1/jobs/{id}?wait=1m", headers=self.headers)
            answer = connection.getresponse().read()
            received = time.time()
            yield 1000 * (received - finished(answer))
        connection.close()

    def by_events(self):
        with EventStream(self.connect(), "/v1/events", headers=self.headers) as stream:
            results = (event for event in stream if event.name == "result")
            for i in range(JOBS):
                self.submit(f"event-{i}")
                event = next(results)
                yield 1000 * (time.time() - event.data["finished"])


def readers(daemon, authority):
    def in_tls():
        return http.client.HTTPSConnection("localhost", daemon.tls[1], timeout=60, context=authority.context())

    def plain():
        return http.client.HTTPConnection(*daemon.tcp, timeout=60)
    yield "TLS", Reader(daemon, in_tls, {"Authorization": f"Bearer {authority.tokens['rita']}"})
    yield "plain", Reader(daemon, plain, {})


def measure(bench):
    authority = Authority()
    authority.add("rita", "read")
    authority.write()
    state = fresh(bench, "http_wait")
    daemon = Daemon(*authority.flags(), state=state, worker=REPLAY_WORKER)
    worst = {}
    try:
        for kind, reader in readers(daemon, authority):
            for way, times in (("wait", reader.by_wait()), ("events", reader.by_events())):
                values = list(times)
                worst[kind] = max(worst.get(kind, 0), percentile(values, SHARE))
                bench.note(f"{kind}, {way}: median {percentile(values, 0.5):.2f} ms, "
                           f"95 % {percentile(values, SHARE):.2f} ms")
        yield Figure("http_wait_ms", worst["TLS"], "ms", FIGURES["http_wait_ms"])
    finally:
        daemon.stop()
        shutil.rmtree(state)
        shutil.rmtree(authority.top)
