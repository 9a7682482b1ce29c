# SPDX-License-Identifier: Apache-2.0
"""Several hosts at once: assay -H A,B; the class of a host; best never mixes classes."""
import json
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import harness
from harness import BUILD, Daemon, job

OTHER = "0123456789ab"      # a class that no host of a test is of


def sweep(*times):
    return {"name": "race", "spec": job()["spec"],
            "variants": [{"name": f"takes{ns}", "language": "c",
                          "source": f"/* takes {ns} ns */ int same(const int N) {{ return N; }}\n"} for ns in times]}


class Fleet(unittest.TestCase):
    """Three daemons on this host; the results of the third are made those of another class."""

    @classmethod
    def setUpClass(cls):
        cls.daemons = [Daemon(worker=harness.REPLAY_WORKER) for _ in range(2)]
        cls.far = pathlib.Path(tempfile.mkdtemp(prefix="assay-far-"))
        cls.addClassCleanup(shutil.rmtree, cls.far, True)
        far = Daemon(worker=harness.REPLAY_WORKER, state=cls.far)
        cls.race(far, 5)
        cls.own_class = far.call("host.get")["host_class"]
        far.client.close()
        far.stop()
        with sqlite3.connect(cls.far / "assay.db") as database:
            database.execute("UPDATE results SET json = replace(json, ?, ?), sum = NULL", (cls.own_class, OTHER))
        database.close()
        cls.daemons.append(Daemon(worker=harness.REPLAY_WORKER, state=cls.far))
        cls.race(cls.daemons[0], 20, 30)
        cls.race(cls.daemons[1], 10, 40)
        for daemon in cls.daemons:
            cls.addClassCleanup(daemon.stop)
            cls.until_ready(daemon)
        cls.sockets = [str(daemon.socket) for daemon in cls.daemons]

    @classmethod
    def until_ready(cls, daemon):
        """Its workers may greet later than it serves."""
        while not daemon.call("queue.get")["readiness"]["ready"]:
            time.sleep(0.02)

    @classmethod
    def race(cls, daemon, *times):
        ids = daemon.call("sweep.create", {"sweep": sweep(*times)})["ids"]
        daemon.call("job.wait", {"ids": ids})

    def assay(self, *arguments, hosts=None, code=0, **environment):
        run = subprocess.run([BUILD / "assay", "-H", ",".join(hosts or self.sockets), *arguments],
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                             check=False, env=os.environ | environment)
        self.assertEqual(code, run.returncode, run.stderr)
        self.error = run.stderr
        return run.stdout

    def test_D4_a_class_is_short_stable_and_in_each_result(self):
        info = [daemon.call("server.info")["host_class"] for daemon in self.daemons]
        self.assertEqual(1, len(set(info)))
        self.assertRegex(info[0], r"\A[0-9a-f]{12}\Z")
        self.assertEqual(self.own_class, self.daemons[0].call("host.get")["host_class"])
        results = self.daemons[0].call("results.query")["results"]
        self.assertEqual({info[0]}, {result["host_class"] for result in results})

    def test_D4_best_has_one_winner_a_class_over_its_hosts(self):
        classes = json.loads(self.assay("best", "race", "--json"))["classes"]
        self.assertEqual({self.own_class, OTHER}, set(classes))
        self.assertEqual([("takes10", self.sockets[1])], [(r["name"], r["host"]) for r in classes[self.own_class]])
        self.assertEqual(["takes5"], [r["name"] for r in classes[OTHER]])
        first_three = json.loads(self.assay("best", "race", "--top", "3", "--json"))["classes"][self.own_class]
        self.assertEqual(["takes10", "takes20", "takes30"], [r["name"] for r in first_three])
        lines = [json.loads(line) for line in self.assay("best", "race", "--ndjson").splitlines()]
        self.assertEqual({("takes10", self.own_class), ("takes5", OTHER)}, {(r["name"], r["host_class"]) for r in lines})
        text = self.assay("best", "race")
        for host_class in (self.own_class, OTHER):
            self.assertIn(f"host class {host_class}:\n", text)
        self.assertLess(text.index("takes10"), text.index(f"is of {self.sockets[1]}"))

    def test_D4_results_queue_and_host_are_host_by_host(self):
        pages = json.loads(self.assay("results", "--json"))["hosts"]
        self.assertEqual([2, 2, 1], [len(host["page"]["results"]) for host in pages])
        self.assertEqual(self.sockets, [host["host"] for host in pages])
        for command in (("results",), ("queue",), ("host",)):
            headings = re.findall(r"^(/\S+) \(host class ([0-9a-f]{12})\):$", self.assay(*command), re.MULTILINE)
            self.assertEqual([(path, self.own_class) for path in self.sockets], headings, command)
        queues = [json.loads(line) for line in self.assay("queue", "--ndjson").splitlines()]
        self.assertTrue(all(q["queue"]["readiness"]["ready"] for q in queues), queues)

    def test_D4_names_are_those_of_the_file_of_hosts(self):
        with tempfile.TemporaryDirectory() as directory:
            names = pathlib.Path(directory) / "hosts"
            names.write_text(f"# the lab\none = {self.sockets[0]}\none1 = /nowhere\n"
                             f" web\t=  http+unix:{self.daemons[1].http_socket}  # over HTTP\n")
            found = json.loads(self.assay("queue", "--json", hosts=["one", "web"], ASSAY_HOSTS=str(names)))["hosts"]
            self.assertEqual(["one", "web"], [host["host"] for host in found])
            self.assertIn("queued", self.assay("queue", hosts=["one"], ASSAY_HOSTS=str(names)))
            self.assay("queue", hosts=["one", "two"], code=66, ASSAY_HOSTS=str(names))
            self.assertIn(f'{names} has no host "two"', self.error)

    def test_D4_a_host_that_is_gone_is_named_and_the_others_answer(self):
        out = self.assay("queue", hosts=[self.sockets[0], "/nowhere.sock", self.sockets[1]], code=69)
        self.assertIn("assay: /nowhere.sock: ", self.error)
        self.assertEqual(2, out.count("(host class"))

    def test_D4_what_is_of_one_host_is_refused_for_several(self):
        for words in (("results", "1"), ("results", "--all"), ("results", "--csv"), ("results", "--cursor", "x"),
                      ("sweep", "show", "race"), ("wait", "1")):
            self.assay(*words, code=64)
            self.assertTrue(self.error, words)


if __name__ == "__main__":
    unittest.main()
