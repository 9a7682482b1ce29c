# SPDX-License-Identifier: Apache-2.0
"""More jobs over HTTP than one call, one page or one list of ids may have.  They are cancelled: that takes no worker."""
import json
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from command import ASSAY, CommandTest
from harness import TIMEOUT_S, DaemonTest, job

MANY, NOT_FOUND, CANCELLED = 10050, 66, 87
HELD = 4102444800       # not before 2100


class Many(DaemonTest, CommandTest):
    def setUp(self):
        CommandTest.setUp(self)
        host, port = self.daemon.tcp
        self.host = ("-H", f"http://{host}:{port}")

    def begin(self, *words):
        """The command, and where what it prints is collected."""
        out = open(self.dir / "out", "w+")
        self.addCleanup(out.close)
        return subprocess.Popen([ASSAY, *self.host, *map(str, words)], env=self.env, stdin=subprocess.DEVNULL,
                                stdout=out, stderr=subprocess.PIPE, text=True), out

    def end(self, command, out):
        """The jobs of its lines, each with its status."""
        self.assertEqual("", command.communicate(timeout=TIMEOUT_S)[1])
        out.seek(0)
        results = [json.loads(line) for line in out]
        return [r["job"] for r in results], {r["status"] for r in results}

    def queued(self):
        return self.daemon.call("queue.get", {"limit": 1})["states"]["queued"]

    def follow(self, many, *words):
        """Cancel `many` jobs that the command submits and follows; their ids, in the order printed."""
        command, out = self.begin(*words)
        while self.queued() < many:
            self.assertIsNone(command.poll(), "it follows its jobs")
        ids = sorted(j["id"] for j in self.daemon.call("queue.get", {"limit": 1})["jobs"])
        first = ids[0]
        for at in range(0, many, 10000):
            self.daemon.call("job.cancel", {"ids": list(range(first + at, first + min(at + 10000, many)))})
        ids, statuses = self.end(command, out)
        self.assertEqual((many, many, {"cancelled"}), (len(ids), len(set(ids)), statuses))
        return ids

    def test_a_sweep_of_more_than_ten_thousand_is_followed_and_waited_for(self):
        path = self.file("sweep.json", json.dumps({
            "name": "many", "spec": job()["spec"], "template": job()["variant"], "not_before": HELD,
            "space": {"K": list(range(MANY // 150)), "L": list(range(150))}}))
        ids = self.follow(MANY, "sweep", "create", path, "--follow", "--ndjson")
        self.assertIn(f"{MANY} cancelled", self.assay(*self.host, "wait", "--sweep", "many", code=CANCELLED).stdout)
        ids.sort()                      # they came in the order of their ends
        said = self.assay(*self.host, "wait", "--ndjson", *ids, code=CANCELLED).stdout
        self.assertEqual(ids, [json.loads(line)["job"] for line in said.splitlines()])

    def test_jobs_of_several_calls_are_followed(self):
        jobs = {"spec": job()["spec"], "not_before": HELD, "variants": [job(name=f"v{i}")["variant"] for i in range(MANY)]}
        path = self.file("jobs.json", json.dumps(jobs))
        ids = self.follow(MANY, "submit", "--follow", "--ndjson", path)
        self.assertEqual(MANY, max(ids) - min(ids) + 1)

    def test_an_id_that_is_unknown_is_refused_by_a_wait(self):
        (known,) = self.daemon.call("job.submit", {"job": job()})["ids"]
        said = self.assay(*self.host, "wait", known, 2 ** 40, code=NOT_FOUND).stderr
        self.assertIn(str(2 ** 40), said)


if __name__ == "__main__":
    unittest.main()
