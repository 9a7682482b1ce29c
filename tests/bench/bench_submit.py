# SPDX-License-Identifier: Apache-2.0
"""Ten thousand jobs in one call: until they are acknowledged, and what the daemon takes for them."""
import json
import time

from figure import Figure

FIGURES = {"submit_10k_s": "< 1", "daemon_rss_mib": "< 64", "daemon_rss_once_mib": "< 64"}
JOBS = 10000


def memory_mib(pid, member):
    with open(f"/proc/{pid}/status") as status:
        line = next(l for l in status if l.startswith(member))
    return int(line.split()[1]) / 1024


def variants(source):
    return [{"name": f"v{i}", "language": "c", "source": source, "flags": ["-O3"], "defines": {"TAG": i}}
            for i in range(JOBS)]


def acknowledge(bench, method, params):
    """(seconds, MiB at the highest, MiB afterwards) for one call on a daemon of its own that is busy with other work."""
    spec = bench.dot_spec(1000, "warm")
    with bench.service("submit") as (daemon, client):
        busy = [{"variant": v, "spec": spec} for v in variants(bench.kernel("dot_plain.c"))[:50]]
        client.call("job.submit", {"jobs": busy})
        line = json.dumps({"jsonrpc": "2.0", "id": "all", "method": method, "params": params}).encode() + b"\n"
        began = time.perf_counter()
        client.send_bytes(line)
        ids = client.result("all")["ids"]
        took = time.perf_counter() - began
        if len(set(ids)) != JOBS:
            raise RuntimeError(f"{len(set(ids))} ids for {JOBS} jobs")
        return took, memory_mib(daemon.pid, "VmHWM"), memory_mib(daemon.pid, "VmRSS")


def measure(bench):
    spec = bench.dot_spec(1000, "warm")
    each = variants(bench.kernel("dot_plain.c"))
    jobs = acknowledge(bench, "job.submit", {"jobs": [{"variant": v, "spec": spec} for v in each]})
    once = acknowledge(bench, "job.submit", {"spec": spec, "variants": each})
    sweep = acknowledge(bench, "sweep.create", {"sweep": {"name": "many", "spec": spec, "variants": each}})
    for name, (took, high, after) in (("job.submit of jobs", jobs), ("job.submit of variants", once), ("sweep.create", sweep)):
        bench.note(f"{name}: {took:.3f} s, {high:.1f} MiB at most, {after:.1f} MiB after")
    yield Figure("submit_10k_s", max(jobs[0], once[0], sweep[0]), "s", FIGURES["submit_10k_s"])
    yield Figure("daemon_rss_mib", max(jobs[1], once[1], sweep[1]), "MiB", FIGURES["daemon_rss_mib"])
    # of the calls that have the spec once
    yield Figure("daemon_rss_once_mib", max(once[1], sweep[1]), "MiB", FIGURES["daemon_rss_once_mib"])
