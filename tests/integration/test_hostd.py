# SPDX-License-Identifier: Apache-2.0
"""assay-hostd as a program: on a host made of files, over its socket, killed and restored.  No root needed."""
import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import BUILD, REPLAY_WORKER, TIMEOUT_S, Daemon, DaemonTest, dice, job, need_to_be_seen  # noqa: E402

HOSTD = BUILD / "assay-hostd"
CPU = "sys/devices/system/cpu"
BOOT = "11111111-2222-3333-4444-555555555555"
FILES = {
    f"{CPU}/online": "0-3",
    f"{CPU}/cpu1/topology/thread_siblings_list": "1",
    f"{CPU}/cpu2/topology/thread_siblings_list": "2-3",
    f"{CPU}/cpu3/topology/thread_siblings_list": "2-3",
    f"{CPU}/cpu3/online": "1",
    f"{CPU}/cpufreq/boost": "1",
    f"{CPU}/cpufreq/policy2/scaling_governor": "powersave",
    f"{CPU}/cpufreq/policy2/cpuinfo_max_freq": "3000000",
    f"{CPU}/cpufreq/policy2/scaling_min_freq": "800000",
    f"{CPU}/cpufreq/policy2/scaling_max_freq": "3000000",
    "proc/irq/default_smp_affinity": "f",
    "proc/irq/7/smp_affinity": "f",
    "proc/sys/kernel/random/boot_id": BOOT,
    "proc/sys/kernel/numa_balancing": "1",
    "proc/sys/vm/stat_interval": "1",
    "sys/devices/virtual/workqueue/cpumask": "f",
}
# proto: proto/wire/hostd_msg.h
MAGIC, APPLY, RESTORE, STATUS, FREQUENCY = 0x41534833, 1, 2, 3, 4
REPLY = struct.Struct("=4I7I160s320s")
OK, CONFLICT, BAD_REQUEST = "ok", "conflict", "bad_request"
SO_ACCEPTCON = 0x10000          # among the flags of /proc/net/unix: it listens
SEED = 1


def status_numbers():
    """Words to numbers, from the table itself: an enumerator counts from 0 in the order of the lines."""
    lines = (pathlib.Path(__file__).resolve().parents[2] / "proto/base/status.h").read_text().splitlines()
    words = [line.split('"')[1] for line in lines if line.startswith("\tX(")]
    return {word: i for i, word in enumerate(words)}


def request(op, *cpus, magic=MAGIC, slot=0, khz=0):
    """One slot for each CPU; a tuple of them is one slot."""
    slots = [cpu if isinstance(cpu, tuple) else (cpu,) for cpu in cpus]
    pairs = [(cpu, slot) for slot, of_slot in enumerate(slots) for cpu in of_slot]
    return struct.pack("=5I", magic, op, slot, khz, len(pairs)) + b"".join(
        struct.pack("=256H", *[pair[i] for pair in pairs], *[0] * (256 - len(pairs))) for i in (0, 1))


def until(condition):
    while not condition():
        os.sched_yield()


class Client:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.socket.settimeout(TIMEOUT_S)
        self.socket.connect(str(path))

    def receive(self):
        fields = REPLY.unpack(self.socket.recv(REPLY.size + 1))
        text = fields[12].rstrip(b"\0").decode()
        return {"op": fields[1], "status": fields[2], "slots": fields[3], "count": fields[4:11], "text": text}

    def ask(self, *args, **how):
        self.socket.send(request(*args, **how))
        return self.receive()

    def close(self):
        self.socket.close()


class HostTest(unittest.TestCase):
    def setUp(self):
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="hostd-"))
        self.addCleanup(shutil.rmtree, self.dir)
        self.root, self.run_dir = self.dir / "root", self.dir / "run"
        self.run_dir.mkdir()
        for name, value in FILES.items():
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_text(value + "\n")
        self.before = self.snapshot()
        self.numbers = status_numbers()

    def snapshot(self):
        return {str(p.relative_to(self.root)): p.read_bytes() if p.is_file() else None
                for p in sorted(self.root.rglob("*"))}

    def value(self, name):
        return (self.root / name).read_text().strip()

    def command(self, *flags):
        return [str(HOSTD), "--sysfs-root", str(self.root), "--run-dir", str(self.run_dir), *flags]

    def hostd(self, *flags, **how):
        return subprocess.run(self.command(*flags), capture_output=True, text=True, timeout=TIMEOUT_S, **how)

    def client(self, path):
        client = Client(path)
        self.addCleanup(client.close)
        return client

    @contextlib.contextmanager
    def holding(self, *flags):
        """assay-hostd --apply, up and holding."""
        process = subprocess.Popen(self.command("--apply", *flags), stdout=subprocess.PIPE, text=True)
        try:
            self.told = []
            for line in process.stdout:
                if line == "holding\n":
                    break
                self.told.append(line.split(None, 2))
            else:
                self.fail(f"assay-hostd ended: {self.told}")
            yield process
        finally:
            process.kill()
            process.wait()
            process.stdout.close()

    @contextlib.contextmanager
    def starting(self, *flags):
        """assay-hostd --serve, whose socket may be there or not; it ends well at SIGTERM."""
        self.path = self.dir / "hostd.sock"
        process = subprocess.Popen(self.command("--serve", "--socket", str(self.path), *flags),
                                   stderr=subprocess.PIPE,
                                   text=True)
        try:
            yield process
            process.terminate()
            self.assertEqual(0, process.wait(TIMEOUT_S), process.stderr.read())
        finally:
            process.kill()
            process.wait()
            process.stderr.close()

    def is_listening(self):
        """The socket may be there, and refuse connections yet."""
        lines = (line.split() for line in pathlib.Path("/proc/net/unix").read_text().splitlines())
        return any(words[-1] == str(self.path) and int(words[3], 16) & SO_ACCEPTCON
                   for words in lines)

    @contextlib.contextmanager
    def serving(self, *flags):
        with self.starting(*flags) as process:
            until(lambda: self.is_listening() or process.poll() is not None)
            self.assertIsNone(process.poll())
            yield self.path

    def until_restored(self):
        until(lambda: not (self.run_dir / "host.journal").exists())

    # ---- the command ----

    def test_report_needs_no_rights_and_changes_nothing(self):
        """As any user: the report is JSON with a grade, and no file is touched."""
        need_to_be_seen(self, HOSTD)
        how = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
        self.dir.chmod(0o755)
        done = self.hostd("--report", "--timing-cpus", "2", "--probe-ms", "0", **how)
        self.assertEqual(0, done.returncode, done.stderr)
        report = json.loads(done.stdout)
        self.assertIn(report["grade"], ("quiet", "usable", "noisy", "unfit"))
        self.assertRegex(report["hash"], "^[0-9a-f]{16}$")
        governor = next(k for k in report["knobs"] if k["name"] == "governor")
        self.assertEqual(("powersave", "performance", "not_taken"),
                         (governor["found"], governor["wanted"], governor["status"]))
        self.assertEqual(self.before, self.snapshot())

    def test_report_of_this_host_works_too(self):
        done = subprocess.run([HOSTD, "--report", "--probe-ms", "10"], capture_output=True, text=True, timeout=TIMEOUT_S)
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertTrue(json.loads(done.stdout)["evidence"]["timing_cpus"])

    def test_apply_holds_until_it_is_told_to_stop(self):
        with self.holding("--timing-cpus", "2", "--tune", "yes") as process:
            self.assertEqual("performance", self.value(f"{CPU}/cpufreq/policy2/scaling_governor"))
            self.assertEqual("0", self.value(f"{CPU}/cpu3/online"))
            self.assertEqual("3", self.value("proc/irq/7/smp_affinity"))
            self.assertIn(["set", "governor"], [words[:2] for words in self.told])
            report = json.loads(self.hostd("--report", "--timing-cpus", "2", "--probe-ms", "0").stdout)
            self.assertTrue(report["tuned"])
            self.assertEqual(67, self.hostd("--restore").returncode)     # conflict: it is held
            process.send_signal(signal.SIGTERM)
            self.assertEqual(0, process.wait(TIMEOUT_S))
        self.assertEqual(self.before, self.snapshot())

    def test_after_sigkill_restore_puts_everything_back(self):
        with self.holding("--timing-cpus", "2", "--tune", "yes") as process:
            process.kill()
            process.wait()
        self.assertNotEqual(self.before, self.snapshot())
        again = self.hostd("--apply", "--timing-cpus", "2")
        self.assertEqual(67, again.returncode)
        self.assertIn("assay-hostd --restore", again.stderr)
        done = self.hostd("--restore")
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertIn("restored", done.stdout)
        self.assertEqual(self.before, self.snapshot())
        self.assertEqual(0, self.hostd("--restore").returncode)         # nothing left: fine too

    def test_settings_can_come_from_a_file(self):
        file = self.dir / "hostd.conf"
        file.write_text("timing-cpus = 2   # the last core\ntune = yes\npartition = none\n")
        with self.holding("--config", str(file)):
            self.assertEqual("0", self.value(f"{CPU}/cpufreq/boost"))
        of_file, of_flag = ("--config", str(file)), ("--tune", "no")
        for flags in (of_file + of_flag, of_flag + of_file):    # the flag overrides the file, wherever it stands
            self.assertEqual(0, self.hostd("--restore").returncode)
            with self.holding(*flags):
                self.assertEqual("1", self.value(f"{CPU}/cpufreq/boost"))
        file.write_text("tune = maybe\n")
        done = self.hostd("--report", "--config", str(file))
        self.assertEqual(64, done.returncode)
        self.assertIn("hostd.conf line 1", done.stderr)

    def test_usage_errors_are_named(self):
        for flags in ([], ["--apply", "--restore"], ["--report", "--timing-cpus", "x"], ["--report", "--tune", "2"],
                      ["--report", "--partition", "loose"], ["--report", "--probe-ms", "-1"], ["--report", "extra"],
                      ["--report", "--user", "no-such-user"], ["--apply", "--timing-cpus", "0"],
                      ["--apply", "--slots", "2;3"], ["--report", "--slots", "2;;"], ["--report", "--slots", "2;x"],
                      ["--apply", "--timing-cpus", "0-3"], ["--apply", "--timing-cpus", "9"]):
            with self.subTest(flags=flags):
                done = self.hostd(*flags)
                self.assertEqual(64, done.returncode)
                self.assertIn("assay-hostd: ", done.stderr)
        self.assertEqual(self.before, self.snapshot())

    def test_a_journal_where_others_can_write_is_not_followed(self):
        self.run_dir.chmod(0o777)
        for mode in ("--apply", "--restore", "--serve"):
            done = self.hostd(mode, "--socket", str(self.dir / "s"))
            self.assertEqual(77, done.returncode, done.stderr)
        self.assertEqual(self.before, self.snapshot())

    # ---- the socket ----

    def test_a_client_has_the_host_for_as_long_as_it_is_connected(self):
        with self.serving("--tune", "yes") as path:
            client = self.client(path)
            reply = client.ask(APPLY, 2)
            self.assertEqual((self.numbers[OK], ""), (reply["status"], reply["text"]))
            self.assertGreater(reply["count"][1], 5)
            self.assertEqual("10", self.value("proc/sys/vm/stat_interval"))
            self.assertEqual(reply["count"], client.ask(STATUS)["count"])
            self.assertEqual(self.numbers[CONFLICT], client.ask(APPLY, 2)["status"])
            client.close()
            self.until_restored()
            self.assertEqual(self.before, self.snapshot())
            client = self.client(path)
            self.assertEqual(self.numbers[OK], client.ask(APPLY, 2)["status"])
            self.assertEqual(self.numbers[OK], client.ask(RESTORE)["status"])
            self.assertEqual(self.before, self.snapshot())
            self.assertEqual(self.numbers[OK], client.ask(APPLY, 2)["status"])
        self.assertEqual(self.before, self.snapshot())          # SIGTERM with a client still there

    def test_a_client_may_ask_for_slots_of_several_cpus(self):
        with self.serving() as path:
            client = self.client(path)
            self.assertEqual(self.numbers[OK], client.ask(APPLY, (2, 3))["status"])
            self.assertEqual("3", self.value("proc/irq/default_smp_affinity"))
            self.assertEqual(self.numbers[OK], client.ask(RESTORE)["status"])
            odd = bytearray(request(APPLY, (2, 3)))
            odd[20 + 512 + 2] = 2                               # the second CPU's slot, and there is no slot 1
            client.socket.send(odd)
            reply = client.receive()
            self.assertEqual(self.numbers[BAD_REQUEST], reply["status"])
            self.assertIn("CPU 3 in slot 2", reply["text"])

    def test_one_client_at_a_time(self):
        with self.serving() as path:
            first = self.client(path)
            first.ask(STATUS)
            second = self.client(path)
            reply = second.receive()
            self.assertEqual(self.numbers[CONFLICT], reply["status"])
            self.assertIn("another client", reply["text"])
            self.assertEqual(b"", second.socket.recv(1))
            self.assertEqual(self.numbers[OK], first.ask(APPLY, 2)["status"])

    def test_bad_requests_are_refused_or_end_the_connection(self):
        with self.serving() as path:
            client = self.client(path)
            for cpus in ([0], [9], [2, 3], [2, 2], [], [(2, 0)], [2, (3, 9)]):
                reply = client.ask(APPLY, *cpus)
                self.assertEqual(self.numbers[BAD_REQUEST], reply["status"], cpus)
                self.assertTrue(reply["text"])
            client.socket.send(struct.pack("=5I512H", MAGIC, APPLY, 0, 0, 257, *[2] * 512))
            self.assertEqual(self.numbers[BAD_REQUEST], client.receive()["status"])
            client.close()
            for packet in (b"x", request(APPLY, 2)[:-1], request(APPLY, 2) + b"x", request(APPLY, 2, magic=1),
                           request(0), request(5), dice(SEED).randbytes(len(request(STATUS)))):
                client = self.client(path)
                self.assertEqual(self.numbers[OK], client.ask(APPLY, 2)["status"])
                client.socket.send(packet)
                self.assertEqual(b"", client.socket.recv(1))
                client.close()
                self.until_restored()
                self.assertEqual(self.before, self.snapshot())

    def test_what_a_crash_left_behind_is_restored_at_the_next_start(self):
        with self.holding("--timing-cpus", "2", "--tune", "yes") as process:
            process.kill()
            process.wait()
        with self.serving():
            self.assertEqual(self.before, self.snapshot())

    def test_the_socket_is_for_its_user_alone(self):
        with self.serving() as path:
            self.assertEqual(0o600, path.stat().st_mode & 0o777)

    def test_sigterm_ends_it_well_as_soon_as_there_is_a_socket(self):
        with self.starting() as process:
            until(lambda: self.path.exists() or process.poll() is not None)
            status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
            blocked = int(re.search(r"^SigBlk:\s+(\w+)$", status, re.M)[1], 16)
            self.assertTrue(blocked & 1 << signal.SIGTERM - 1)

    def test_assayd_takes_the_host_and_gives_it_back(self):
        (self.root / f"{CPU}/online").write_text("0-7\n")
        self.before = self.snapshot()
        with self.serving("--tune", "yes") as path:
            if os.cpu_count() < 2:
                self.skipTest("assayd's timing CPU is CPU 0 here, which is never set apart")
            daemon = Daemon("--hostd", str(path), "--timing-cpus", "1")
            self.assertEqual("10", self.value("proc/sys/vm/stat_interval"))
            self.assertEqual("1", self.value(f"{CPU}/cpu3/online"))        # CPU 1 has its core to itself
            fitness = daemon.call("host.get")["fitness"]
            self.assertIn(fitness["grade"], ("quiet", "usable", "noisy", "unfit"))
            daemon.stop()
            self.until_restored()
            self.assertEqual(self.before, self.snapshot())

    # ---- the clock of a slot ----

    POLICY = f"{CPU}/cpufreq/policy2"

    def with_clock(self, cpu=2):
        """CPU `cpu` has the policy, which is like that of an acpi-cpufreq."""
        for name, value in (("related_cpus", cpu), ("cpuinfo_min_freq", 800000),
                            ("scaling_available_frequencies", "3000000 1200000 800000")):
            (self.root / self.POLICY / name).write_text(f"{value}\n")
        self.before = self.snapshot()

    def clock(self):
        """As it is while others write, too: a file of a real kernel is never empty."""
        return tuple(int(self.value(f"{self.POLICY}/scaling_{end}_freq") or 0) for end in ("min", "max"))

    def test_L40_a_slot_has_a_clock_until_it_is_given_back(self):
        self.with_clock()
        with self.serving("--tune", "yes") as path:
            client = self.client(path)
            self.assertEqual(self.numbers[BAD_REQUEST], client.ask(FREQUENCY, khz=800000)["status"])
            client.ask(APPLY, 2)
            for khz in (1200000, 800000):
                self.assertEqual(self.numbers[OK], client.ask(FREQUENCY, khz=khz)["status"])
                self.assertEqual((khz, khz), self.clock())
            reply = client.ask(FREQUENCY, khz=900000)
            self.assertIn("the steps 3000000 1200000 800000", reply["text"])
            self.assertEqual((3000000, 3000000), self.clock())
            client.ask(FREQUENCY, khz=1200000)
            self.assertEqual(self.numbers[OK], client.ask(FREQUENCY)["status"])
            self.assertEqual((3000000, 3000000), self.clock())
            self.assertEqual(self.numbers[BAD_REQUEST], client.ask(FREQUENCY, slot=1, khz=800000)["status"])
            client.ask(FREQUENCY, khz=1200000)
            client.close()
            self.until_restored()
            self.assertEqual(self.before, self.snapshot())

    def test_L40_without_tune_no_clock_is_set(self):
        self.with_clock()
        with self.serving() as path:
            client = self.client(path)
            client.ask(APPLY, 2)
            self.assertIn("only with tune = yes", client.ask(FREQUENCY, khz=1200000)["text"])
            self.assertEqual((800000, 3000000), self.clock())

    def test_L40_a_clock_that_was_set_before_a_crash_is_restored_at_the_next_start(self):
        self.with_clock()
        with self.starting("--tune", "yes") as process:
            until(self.is_listening)
            client = self.client(self.path)
            client.ask(APPLY, 2)
            client.ask(FREQUENCY, khz=1200000)
            process.kill()
            process.wait()
            self.assertEqual((1200000, 1200000), self.clock())
            with self.serving():
                self.assertEqual(self.before, self.snapshot())
                process.terminate = process.wait = lambda *_: 0

    @contextlib.contextmanager
    def daemon_with_clock(self):
        if os.cpu_count() < 2:
            self.skipTest("assayd's timing CPU is CPU 0 here, which is never set apart")
        (self.root / f"{CPU}/online").write_text("0-7\n")
        self.with_clock(cpu=1)
        with self.serving("--tune", "yes") as path:
            daemon = Daemon("--hostd", str(path), "--timing-cpus", "1", "--sysfs-root", str(self.root),
                            worker=REPLAY_WORKER)
            try:
                yield daemon
            finally:
                daemon.stop()
            self.until_restored()
        self.assertEqual(self.before, self.snapshot())

    def at(self, khz, **meta):
        one = job(meta=meta)
        one["spec"]["timing"]["frequency_khz"] = khz
        return one

    def test_L40_a_job_has_its_clock_and_the_next_one_finds_it_put_back(self):
        gate = self.dir / "gate"
        with self.daemon_with_clock() as daemon, daemon.connect() as client:
            ids = client.call("job.submit", {"jobs": [self.at(1200000, time=["wait"], gate=str(gate)),
                                                      job(meta={"time": ["wait"], "gate": str(self.dir / "later")})]})["ids"]
            until(lambda: self.clock() == (1200000, 1200000))
            gate.write_text("")
            client.call("job.wait", {"ids": ids[:1]})
            until(lambda: client.call("job.get", {"id": ids[1]})["state"] == "timing")
            self.assertEqual((3000000, 3000000), self.clock())
            (self.dir / "later").write_text("")
            client.call("job.wait", {"ids": ids})
            results = [client.call("job.get", {"id": i})["result"] for i in ids]
        self.assertEqual(["ok", "ok"], [r["status"] for r in results])
        self.assertEqual(*[r["fitness"] for r in results])      # the state of the host without the job's own clock

    def test_L40_a_clock_that_the_host_does_not_have_ends_the_job_with_the_reason(self):
        with self.daemon_with_clock() as daemon:
            for khz, said in ((900000, "900000 kHz: the clock has the steps"), (5000000, "goes from 800000 to 3000000")):
                result = daemon.run(self.at(khz))[0]
                self.assertEqual("bad_spec", result["status"])
                self.assertIn("spec.timing.frequency_khz", result["detail"])
                self.assertIn(said, result["detail"])
            (self.root / self.POLICY / "related_cpus").write_text("7\n")
            self.assertIn("cpufreq is absent", daemon.run(self.at(800000))[0]["detail"])
            (self.root / self.POLICY / "related_cpus").write_text("1\n")

    def test_L40_a_clock_is_put_back_when_the_jobs_worker_or_the_daemon_dies(self):
        gate = self.dir / "gate"
        with self.daemon_with_clock() as daemon, daemon.connect() as client:
            ids = client.call("job.submit", {"jobs": [self.at(1200000, time=["die", "ok"])]})["ids"]
            client.call("job.wait", {"ids": ids})
            self.assertEqual("ok", client.call("job.get", {"id": ids[0]})["result"]["status"])
            self.assertEqual((3000000, 3000000), self.clock())
            client.call("job.submit", {"jobs": [self.at(1200000, time=["wait"], gate=str(gate))]})
            until(lambda: self.clock() == (1200000, 1200000))
            daemon.kill()
            self.until_restored()
            self.assertEqual((800000, 3000000), self.clock())

    # ---- what it is made of ----

    def test_nothing_in_it_could_parse_json_or_speak_to_a_network(self):
        symbols = subprocess.run(["nm", "-D", "--undefined-only", HOSTD], capture_output=True, text=True, check=True).stdout
        imported = {line.split()[-1].split("@")[0] for line in symbols.splitlines()}
        self.assertTrue({"json_dumpf", "socket", "flock"} <= imported)
        self.assertEqual(set(), {name for name in imported if name.startswith("json_load")} |
                         imported & {"getaddrinfo", "inet_pton", "execve", "execv", "posix_spawn", "system", "popen"})
        needed = subprocess.run(["ldd", HOSTD], capture_output=True, text=True, check=True).stdout
        for library in ("event", "sqlite", "hwloc", "curl", "ssl", "crypto"):
            self.assertNotIn(f"lib{library}", needed)


class WithoutHostdTest(DaemonTest):
    flags = ("--hostd", "/nonexistent/hostd.sock")

    def test_assayd_works_without_it_and_says_so(self):
        self.assertIn("host: left as it is", self.daemon.log())
        fitness = self.daemon.call("host.get")["fitness"]
        for member in ("grade", "reasons", "hash", "tuned", "partition", "knobs", "evidence"):
            self.assertIn(member, fitness)

    def test_each_result_says_in_what_state_the_host_was(self):
        fitness = self.daemon.call("host.get")["fitness"]["hash"]
        with self.connect() as client:
            ids = client.call("job.submit", {"jobs": [job()]})["ids"]
            client.call("job.wait", {"ids": ids})
            result = client.call("job.get", {"id": ids[0]})["result"]
        self.assertRegex(result["fitness"], "^[0-9a-f]{16}$")
        self.assertEqual(fitness, result["fitness"])


if __name__ == "__main__":
    unittest.main()
