# SPDX-License-Identifier: Apache-2.0
"""
The real assayd, in a directory of its own on sockets of its own, for tests.

    daemon = Daemon()                       # up when this returns; a daemon that dies instead raises with its log
    daemon.call("server.info")              # a result, or RpcError
    daemon.http("GET", "/v1/queue").json()  # over the Unix socket; tcp=True: over loopback
    with daemon.connect() as client: …      # one more JSON-RPC connection
    daemon.stop()                           # SIGTERM; raises unless the daemon ends well

Nothing here sleeps or guesses: --ready-fd says when it is up, sockets say everything else.  A
daemon lives no longer than the test program (--exit-with-fd).  When a test fails, the logs of all
daemons that are up are printed.
"""
import atexit
import collections
import contextlib
import ctypes
import http.client
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import unittest

TREE = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ.get("ASSAY_BUILD", TREE / "build" / "release")).resolve()
IS_SANITIZED = BUILD.name == "asan"
REPLAY_WORKER = TREE / "tests" / "support" / "replay_worker.py"
# Daemons of tests run side by side on one timing CPU.
os.environ["ASSAY_SHARE_CPUS"] = "yes"
# Each would calibrate its host first: tests of that ask for it.
os.environ["ASSAY_CALIBRATION_WAIT"] = "0"
# Programs that time the same again and again go on doing so: tests of reuse ask for it.
os.environ["ASSAY_REUSE_RESULTS"] = "no"
TIMEOUT_S = 600                 # an end for what hangs, however slow the machine
HANG_MS = {"build": 1000 * TIMEOUT_S, "run": 1000 * TIMEOUT_S}
NOBODY = 65534
AS_NOBODY = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]

# A command ends with its memory, and to look for leaks takes as long as to run it; daemons stay.
LEAKS = {n: {"ASAN_OPTIONS": f"{os.environ.get('ASAN_OPTIONS', '')}:detect_leaks={n}"} for n in (0, 1)}
if IS_SANITIZED:
    os.environ |= LEAKS[0]
# They flush as if the host's caches were modest; what judges times has the real ones.
TOPOLOGY = "HWLOC_XMLFILE"
JUDGES_TIMES = pathlib.Path(sys.argv[0]).resolve().parent.name in ("bench", "timing")


def _use_modest_caches():
    """For this program, and for those that it runs as another user."""
    program = BUILD / "tests/modest_caches"
    if JUDGES_TIMES or TOPOLOGY in os.environ or not program.exists():
        return
    handle, path = tempfile.mkstemp(prefix="assay-topology-")
    os.close(handle)
    atexit.register(os.unlink, path)
    subprocess.run([program, path], check=True)
    os.chmod(path, 0o644)
    os.environ |= {TOPOLOGY: path, "HWLOC_THISSYSTEM": "1"}


_use_modest_caches()
_running = []


class RpcError(Exception):
    def __init__(self, error):
        super().__init__(json.dumps(error))
        self.code = error["code"]
        self.data = error.get("data", {})
        self.word = self.data.get("word")


class Disconnected(Exception):
    """The daemon closed the connection."""


TIMED = ("ok", "too_noisy")     # of honest work: too_noisy is what others did to it


def assert_timed(test, result):
    """
    Honest work has its time, each sample of which is its ticks, less what calling takes, by the
    clock's rate.
    """
    test.assertIn(result["status"], TIMED, result["detail"])
    time, technique = result["time"], result["technique"]
    test.assertEqual((time["count"], time["count"]), (len(time["samples_ns"]), len(time["ticks"])))
    overhead_ns = technique["overhead_ns"] if technique["overhead_subtracted"] else 0
    for ns, ticks in zip(time["samples_ns"], time["ticks"]):
        less_overhead_ns = max(0, ticks * 1e9 / technique["tick_hz"] - overhead_ns)
        test.assertAlmostEqual(less_overhead_ns / technique["calls"], ns, delta=1e-6 * (1 + ns))
    return result


def with_time(job):
    """The job with limits that only end a hang, where it has none; what is no job stays as it is."""
    own = job.get("timeout_ms", {}) if isinstance(job, dict) else None
    return {**job, "timeout_ms": {**HANG_MS, **own}} if isinstance(own, dict) else job


def dice(seed):
    """Random numbers that are the same in every run; SEED=n asks for others."""
    seed = int(os.environ.get("SEED", seed))
    print(f"SEED={seed}", flush=True)
    return random.Random(seed)


class Client:
    """One JSON-RPC connection.  Notifications queue up in `notifications` while replies are waited for."""

    def __init__(self, path, timeout=TIMEOUT_S):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(str(path))          # blocking: with a timeout, a full backlog would be an error
        self.socket.settimeout(timeout)
        self.buffer = b""
        self.last_id = 0
        self.replies = {}
        self.notifications = collections.deque()

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()

    def close(self):
        self.socket.close()

    def send_bytes(self, data):
        self.socket.sendall(data)

    def send(self, method, params=None, **members):
        """Sends a request without waiting; returns its id.  id=None makes it a notification."""
        self.last_id += 1
        request = {"jsonrpc": "2.0", "id": self.last_id, "method": method, **members}
        if params is not None:
            request["params"] = params
        if request["id"] is None:
            del request["id"]
        self.send_bytes(json.dumps(request).encode() + b"\n")
        return request.get("id")

    def receive(self):
        """The next message of any kind; Disconnected at the end."""
        while b"\n" not in self.buffer:
            more = self._receive_bytes()
            if not more:
                raise Disconnected(f"{len(self.buffer)} bytes of a line left")
            self.buffer += more
        line, self.buffer = self.buffer.split(b"\n", 1)
        return json.loads(line)

    def _receive_bytes(self):
        try:
            return self.socket.recv(1 << 20)
        except (ConnectionResetError, BrokenPipeError):
            return b""

    def reply(self, id):
        """The whole reply to a request."""
        while id not in self.replies:
            message = self.receive()
            if "method" in message:
                self.notifications.append(message["params"])
            else:
                self.replies[message["id"]] = message
        return self.replies.pop(id)

    def result(self, id):
        reply = self.reply(id)
        if "error" in reply:
            raise RpcError(reply["error"])
        return reply["result"]

    def call(self, method, params=None):
        return self.result(self.send(method, params))

    def notification(self):
        """The params of the next notification."""
        while not self.notifications:
            message = self.receive()
            if "method" in message:
                self.notifications.append(message["params"])
            else:
                self.replies[message["id"]] = message
        return self.notifications.popleft()

    def is_cut_off(self):
        """Reads to the end of the connection; False if the daemon keeps it open."""
        try:
            while True:
                self.receive()
        except Disconnected:
            return True
        except TimeoutError:
            return False

    def received(self):
        """Every message until the connection ends, as after a kill."""
        messages = []
        try:
            while True:
                messages.append(self.receive())
        except Disconnected:
            return messages


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost", timeout=TIMEOUT_S)
        self.path = str(path)

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


class Response:
    def __init__(self, response):
        self.status = response.status
        self.headers = response.headers
        self.type = response.headers.get_content_type()
        self.body = response.read()

    def json(self):
        return json.loads(self.body)

    def lines(self):
        return [json.loads(line) for line in self.body.splitlines()]


class Daemon:
    program = BUILD / "assayd"
    environment = {}                    # beside this program's

    def __init__(self, *flags, state=None, worker=None, log="info", http=True):
        self.own_state = state is None
        self.state = pathlib.Path(tempfile.mkdtemp(prefix="assay-") if self.own_state else state)
        self.socket = self.state / "assay.sock"
        self.http_socket = self.state / "http.sock"
        self.log_path = self.state / "assayd.log"
        self.tcp = self.tls = self.read_only = None
        self.client = None
        self.log_start = self.log_path.stat().st_size if self.log_path.exists() else 0
        words = ["--state", self.state, "--socket", self.socket, "--log", log,
                 "--drain-seconds", "0"]
        if http:
            words += ["--http-socket", self.http_socket, "--http", "127.0.0.1:0"]
        if worker is not None:
            words += ["--worker", worker]
        self._start([*words, *flags])

    def _start(self, words):
        ready, told = os.pipe()
        self.lifeline, end = os.pipe()      # the daemon holds `self.lifeline`, we hold `end`
        self.end = end
        with open(self.log_path, "ab") as log:
            self.process = subprocess.Popen(
                [self.program, *map(str, words), "--ready-fd", str(told), "--exit-with-fd", str(self.lifeline)],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, pass_fds=[told, self.lifeline],
                env=os.environ | (LEAKS[1] if IS_SANITIZED else {}) | self.environment)
        os.close(told)
        os.close(self.lifeline)
        self.pid = self.process.pid
        _running.append(self)
        with os.fdopen(ready) as pipe:
            lines = pipe.read().split("\n")
        if lines[0] != "ready":
            self._gone()
            status = self.process.wait()
            log = self.log()
            self._remove()
            raise RuntimeError(f"assayd did not start, status {status}\n{log}")
        for line in lines[1:]:
            word, _, address = line.partition(" ")
            if word in ("http", "tls", "read-only"):
                host, port = address.rsplit(":", 1)
                setattr(self, {"http": "tcp", "tls": "tls", "read-only": "read_only"}[word], (host, int(port)))

    def log(self):
        with open(self.log_path, "rb") as log:
            log.seek(self.log_start)
            return log.read().decode(errors="replace")

    # ---- JSON-RPC ----

    def connect(self, **how):
        return Client(self.socket, **how)

    def connect_as_nobody(self):
        """
        Another submitter in root's own process: of a connection the kernel notes the effective
        user, and where a directory may be entered the file system's user counts.
        """
        return self.connect_as(NOBODY)

    def connect_as(self, uid):
        os.seteuid(uid)
        try:
            ctypes.CDLL(None).setfsuid(0)
            return self.connect()
        finally:
            os.seteuid(0)

    def connect_tcp(self, uid=0):
        """A connection to the HTTP door whose socket is this user's; another than root's needs root."""
        os.seteuid(uid)
        try:
            return socket.create_connection(self.tcp, timeout=TIMEOUT_S)
        finally:
            os.seteuid(0)

    def _own_client(self):
        if self.client is None:
            self.client = self.connect()
        return self.client

    def call(self, method, params=None):
        """On a connection that stays open between calls."""
        return self._own_client().call(method, params)

    def send(self, method, params=None):
        return self._own_client().send(method, params)

    def run(self, *jobs, client=None):
        """
        The results of these jobs in their order, however long they take; client: another's.  Jobs have time
        on the slowest machine, unless they have limits of their own.
        """
        call = (client or self._own_client()).call
        ids = call("job.submit", {"jobs": [with_time(job) for job in jobs]})["ids"]
        while not call("job.wait", {"ids": ids, "timeout_ms": 30000})["done"]:
            continue
        return [call("job.get", {"id": i})["result"] for i in ids]

    def received_ids(self):
        """After kill: the ids of the last reply, or None if none came."""
        replies = [m for m in self.client.received() if "result" in m]
        return replies[-1]["result"]["ids"] if replies else None

    # ---- HTTP ----

    def http(self, method, path, body=None, headers=None, tcp=False):
        if tcp:
            connection = http.client.HTTPConnection(*self.tcp, timeout=TIMEOUT_S)
        else:
            connection = UnixConnection(self.http_socket)
        headers = dict(headers or {})
        if body is not None and not isinstance(body, (bytes, str)):
            body = json.dumps(body)
            headers.setdefault("Content-Type", "application/json")
        try:
            connection.request(method, path, body=body, headers=headers)
            return Response(connection.getresponse())
        finally:
            connection.close()

    # ---- the end ----

    def _gone(self):
        if self in _running:
            _running.remove(self)
            os.close(self.end)

    def _remove(self):
        if self.client is not None:
            self.client.close()
        if self.own_state:
            shutil.rmtree(self.state, ignore_errors=True)

    def kill(self):
        """SIGKILL.  What the daemon had sent can still be received."""
        self.process.kill()
        self.process.wait()
        self._gone()

    def stop(self, number=signal.SIGTERM):
        """An orderly stop; anything else than a clean end raises."""
        if self not in _running:
            return
        self.process.send_signal(number)
        try:
            status = self.process.wait(TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            status = f"{self.process.wait()} after it ignored SIGTERM"
        self._gone()
        log = self.log()
        if self.own_state:
            self._check_results()
        self._remove()
        if status != 0 or "ERROR: AddressSanitizer" in log or "runtime error:" in log or "ERROR: LeakSanitizer" in log:
            raise AssertionError(f"assayd ended with {status}\n{log}")

    def _check_results(self):
        """After any test, each result that its daemon has stored is one after the schema."""
        with contextlib.closing(sqlite3.connect(self.state / "assay.db")) as database:
            lines = "".join(f"{line}\n" for line, in database.execute("SELECT json FROM results"))
        run = subprocess.run([BUILD / "tests/decode_result"], input=lines, stdout=subprocess.PIPE, text=True, check=True)
        faults = [line for line in run.stdout.splitlines() if '"job":' not in line]
        if faults:
            raise AssertionError(f"stored, but no results: {faults}")


class DaemonTest(unittest.TestCase):
    """One daemon for all tests of a class, with the worker that replays instead of compiling and timing."""
    flags = ()
    worker = REPLAY_WORKER

    @classmethod
    def setUpClass(cls):
        cls.daemon = cls.new_daemon()
        cls.addClassCleanup(cls.daemon.stop)

    @classmethod
    def new_daemon(cls):
        return Daemon(*cls.flags, worker=cls.worker)

    def connect(self, **how):
        client = self.daemon.connect(**how)
        self.addCleanup(client.close)
        return client

    def assert_refused(self, client, method, params, word, member=None, code=None):
        """The call is refused under this word; the error's data is returned."""
        with self.assertRaises(RpcError) as caught:
            client.call(method, params)
        error = caught.exception
        self.assertEqual(word, error.word, error)
        if member is not None:
            self.assertEqual(member, error.data.get("member"), error)
        if code is not None:
            self.assertEqual(code, error.code, error)
        return error.data


class RealDaemonTest(DaemonTest):
    """The same with the worker that compiles and times."""
    worker = None


def job(name="v", meta=None, **members):
    """A small job that every part accepts; meta steers the worker that replays."""
    document = {
        "variant": {"name": name, "language": "c", "source": "int same(const int N) { return N; }\n"},
        "spec": {"routine": "int same(const int N)", "params": {"N": 7}, "args": {"N": "N"}, "context": "warm",
                 "timing": {"samples": 3}},
    }
    if meta is not None:
        document["meta"] = meta
    document.update(members)
    return document


def assert_count(test, asked, result):
    """As many samples as asked for; fewer only where they cost more than a limit allows, and it says so."""
    count = result["time"]["count"]
    if result["technique"]["ended_by"] in ("budget", "wall limit"):
        test.assertIn(count, range(1, asked + 1))
    else:
        test.assertEqual(asked, count)


def need_to_be_seen(test, *files):
    """Skips a test of root's that runs these or the build as nobody, in a tree like /root that is root's alone."""
    for path in (BUILD / "assayd", BUILD / "assay-runner", *files):
        if os.geteuid() == 0 and subprocess.run([*AS_NOBODY, "test", "-r", path]).returncode != 0:
            test.skipTest(f"an ordinary user cannot read {path}")


def run_as_nobody(test, program, *words, timeout=None):
    """
    A test program of root's once more as an ordinary user, to end well; what it said.  Sanitizers
    look at root's run alone, because they make it slow, and the code is the same.
    """
    if os.geteuid() != 0:
        test.skipTest("this is an ordinary user already")
    if IS_SANITIZED:
        test.skipTest("the build without sanitizers runs it")
    need_to_be_seen(test, program)
    with tempfile.TemporaryDirectory() as home:
        os.chown(home, NOBODY, NOBODY)
        run = subprocess.run([*AS_NOBODY, sys.executable, "-B", program, *words], stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=timeout,
                             env=os.environ | {"HOME": home, "TMPDIR": home, "ASSAY_BUILD": str(BUILD)})
    test.assertEqual(0, run.returncode, run.stdout)
    return run.stdout


def _print_logs(method):
    def wrapped(self, *args):
        for daemon in _running:
            print(f"---- log of assayd {daemon.pid} ----\n{daemon.log()[-20000:]}----", flush=True)
        return method(self, *args)
    return wrapped


for _name in ("addError", "addFailure"):
    setattr(unittest.TextTestResult, _name, _print_logs(getattr(unittest.TextTestResult, _name)))
