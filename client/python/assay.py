# SPDX-License-Identifier: Apache-2.0
"""
A client of assayd for search engines.  One file; Python 3.9 or newer, and nothing beside it.

    import assay

    with assay.Assay() as a:
        job = assay.job("gemm.spec.json", "gemm.c", flags=["-O3"], NB=24)
        print(a.time(job))                      # one job, one result

        for result in a.run([job, ...]):        # results as they land
            print(result.name, result.value_ns)

        for point, result in a.search(points, lambda p: assay.job(spec, "gemm.c", **p)):
            ...                                 # a few jobs under way at any time

Addresses
    Assay() finds the daemon as assay(1) does: $ASSAY_SOCKET, then the socket of your own daemon,
    then /run/assay/assay.sock.  Others are

        /path/of/assay.sock, unix:/path         a Unix socket
        ssh://[user@]host[:port][/path]         `assay dial-stdio` on that host, by ssh(1)
        https://host:port                       TLS; with a token, a certificate, or both
        http://host:port, http+unix:/path       HTTP without TLS: loopback, or a socket

Restarts
    A daemon that was reached once may stop and start again: calls and iterators wait for it, up to
    `patience` seconds, and go on where they were.  No result is lost, and none comes twice.
    Every submission has an idempotency key, so one that is sent again has the same job.

Errors
    Refused and its kin: the daemon refused a call.  Unavailable: no daemon answers.  ProtocolError:
    the answer is not an assayd's.  All are AssayError, with `word`, `member`, `reason`, `hint`.
    A variant that crashes or does not compile is no error: see `Result.status`.

Threads
    An Assay may be used by several threads; their calls take turns on one connection.  An iterator
    (`run`, `results`) and a Study have a connection of their own, and belong to one thread each.
    After a fork, parent and child have connections of their own.  An interrupt (Control-C) is safe
    at any moment: the object can be used again after it.

Documents (jobs, specs, sweeps) are described in assay-spec(5), results and methods in PROTOCOL.md.
"""
from __future__ import annotations

import base64
import collections
import copy
import dataclasses
import hashlib
import http.client
import json
import os
import pathlib
import pwd
import select
import shlex
import socket
import ssl
import subprocess
import threading
import time
import urllib.parse
import uuid
from typing import (Any, Callable, Deque, Dict, Iterable, Iterator, List, Mapping, NoReturn, Optional,
                    Sequence, Tuple, TypeVar, Union)

__all__ = ["Assay", "AssayError", "BadRequest", "Conflict", "Denied", "Full", "NotFound", "ProtocolError",
           "Refused", "Result", "Results", "Study", "Sweep", "Unavailable", "default_socket", "job", "load",
           "variant"]

Document = Dict[str, Any]
PathLike = Union[str, "os.PathLike[str]"]
Point = TypeVar("Point")
_T = TypeVar("_T")

MAX_LINE_BYTES = 256 << 20      # a longer message is refused
MAX_REQUEST_BYTES = 12 << 20    # of one submission; the daemon's limit is 16 MiB
MAX_JOBS = 10000                # of one submission, or one subscription
MAX_SUBSCRIPTIONS = 900         # of one connection; the daemon's limit is 1000
PAGE_IDS = 500                  # in one query of HTTP
_X509_NOT_YET_VALID, _X509_HAS_EXPIRED = 9, 10   # of OpenSSL's verification
IDLE_S = 30.0                   # then a silent connection is tried


# ---- errors ----

class AssayError(Exception):
    """
    What went wrong: `word` (one of PROTOCOL.md's, such as "not_found"), `reason`, and where known
    `member` (path of the offending input: "jobs[3].spec.args.X.type") and `hint` (the remedy).
    """

    def __init__(self, word: str, reason: str, member: Optional[str] = None, hint: Optional[str] = None):
        super().__init__(word, reason, member, hint)
        self.word, self.reason, self.member, self.hint = word, reason, member, hint

    def __str__(self) -> str:
        where = f"{self.member}: " if self.member else ""
        return f"{where}{self.reason}" + (f" ({self.hint})" if self.hint else "")


class Refused(AssayError):
    """The daemon refused a call, for a reason that no class below names."""


class BadRequest(Refused):
    """The parameters or a document in them are wrong: `bad_request`, `bad_spec`."""


class NotFound(Refused):
    """There is no such job, sweep or method: `not_found`."""


class Conflict(Refused):
    """A name or a key belongs to another document: `conflict`."""


class Denied(Refused):
    """Not yours, or not with this token: `denied`."""


class Full(Refused):
    """A limit or a quota is reached: `full`.  Ask again later."""


class Unavailable(AssayError):
    """No daemon answers, or it went away for longer than `patience`."""


class ProtocolError(AssayError):
    """The answer is no answer of an assayd."""

    def __init__(self, reason: str):
        super().__init__("io", reason)

    def __reduce__(self) -> Tuple[type, Tuple[str]]:
        return type(self), (self.reason,)


class _Lost(Exception):
    """The connection ended or could not be made, or the daemon is about to stop: worth another try."""


_REFUSALS = {"bad_request": BadRequest, "bad_spec": BadRequest, "not_found": NotFound, "conflict": Conflict,
             "denied": Denied, "full": Full}


def _refusal(data: Any, reason: Any) -> Exception:
    """The error of a reply: `data` is its object with word, member, reason, hint."""
    data = data if isinstance(data, dict) else {}
    texts = {k: v for k, v in data.items() if isinstance(v, str)}
    word, reason = texts.get("word", "internal"), texts.get("reason", str(reason))
    if word == "unavailable":
        return _Lost(reason)
    return _REFUSALS.get(word, Refused)(word, reason, texts.get("member"), texts.get("hint"))


# ---- results ----

@dataclasses.dataclass(frozen=True)
class Result:
    """
    What came of a job.  `raw` is the whole object of PROTOCOL.md, section 5, and result["time"] its
    member.  Times are nanoseconds per call, None where nothing was timed.
    """

    job: int
    status: str                             # "ok", "crashed", "wrong_answer", "build_failed", ...
    name: str                               # of the variant
    cursor: Optional[int]                   # place in the order in which all results landed
    value_ns: Optional[float]               # the time that ranks; None also if it lost a race
    bound_ns: Optional[float]               # of a lost race: it takes longer than this
    median_ns: Optional[float]
    min_ns: Optional[float]
    ci95_ns: Optional[Tuple[float, float]]  # holds the median with 95 % confidence
    samples_ns: Tuple[float, ...]
    detail: Optional[str]                   # the compiler's, the kernel's or the check's message
    trust: Optional[str]                    # "claimed", "audited", "verified", "suspect"
    params: Mapping[str, Any]
    meta: Mapping[str, Any]                 # the job's own
    raw: Mapping[str, Any] = dataclasses.field(repr=False, compare=False)

    @classmethod
    def of(cls, raw: Any) -> "Result":
        """From the object of the protocol; ProtocolError if it is none."""
        if not isinstance(raw, dict) or not _is_id(raw.get("job")) or not isinstance(raw.get("status"), str):
            raise ProtocolError("the result is not an object with a job and a status")
        timed: Document = raw["time"] if isinstance(raw.get("time"), dict) else {}
        interval = timed.get("ci95_ns")
        return cls(
            job=raw["job"], status=raw["status"], name=str(raw.get("name") or ""),
            cursor=raw.get("cursor") if _is_id(raw.get("cursor")) else None,
            value_ns=_number(timed.get("value_ns")), bound_ns=_number(timed.get("bound_ns")),
            median_ns=_number(timed.get("median_ns")), min_ns=_number(timed.get("min_ns")),
            ci95_ns=(interval[0], interval[1]) if isinstance(interval, list) and len(interval) == 2 else None,
            samples_ns=tuple(timed.get("samples_ns") or ()), detail=raw.get("detail"), trust=raw.get("trust"),
            params=raw.get("params") or {}, meta=raw.get("meta") or {}, raw=raw)

    @property
    def ok(self) -> bool:
        """It was timed, and no check failed.  False also for one that lost a race."""
        return self.status == "ok" and self.value_ns is not None

    @property
    def seconds(self) -> float:
        """The time that ranks, for engines that minimise: infinity without one."""
        return self.value_ns * 1e-9 if self.ok and self.value_ns is not None else float("inf")

    def __getitem__(self, member: str) -> Any:
        return self.raw[member]

    def __str__(self) -> str:
        what = f"{self.value_ns:.6g} ns" if self.ok else f"{self.status}: {self.detail or 'no time'}"
        return f"job {self.job} {self.name}: {what}"


@dataclasses.dataclass(frozen=True)
class Sweep:
    """A sweep that was created, or was there already (`existed`)."""

    id: int
    name: str
    existed: bool
    ids: Tuple[int, ...]        # of its jobs; empty if it has more than 10 000


def _is_id(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _number(value: Any) -> Optional[float]:
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


# ---- documents ----

_LANGUAGES = {".c": "c", ".cc": "c++", ".cpp": "c++", ".cxx": "c++", ".C": "c++", ".f": "fortran",
              ".f90": "fortran", ".s": "asm", ".S": "asm", ".o": "object", ".so": "shared"}
_OPAQUE = ("meta", "params", "defines")     # what is in them is the user's own


def load(path: PathLike) -> Any:
    """
    Read a document (job, spec or sweep) from a JSON file, with the files that it names beside it in
    their places: source_file, spec_file, template_file, setup_file, data_file, file.
    """
    at = pathlib.Path(path)
    return _resolved(json.loads(at.read_text(encoding="utf-8")), at.parent)


def _resolved(node: Any, here: pathlib.Path) -> Any:
    if isinstance(node, list):
        return [_resolved(item, here) for item in node]
    if not isinstance(node, dict):
        return node
    out: Document = {}
    for name, value in node.items():
        read = _READERS.get(name)
        if name == "source_file" and isinstance(value, list):
            out["variant"] = [variant(here / file) for file in value]
        elif read is not None and isinstance(value, str):
            out.update({k: v for k, v in read(here / value).items() if k not in node})
        else:
            out[name] = value if name in _OPAQUE else _resolved(value, here)
    return out


def _entry(path: pathlib.Path) -> Document:
    content = path.read_bytes()
    try:
        return {"text": content.decode("utf-8")}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(content).decode()}


def variant(path: PathLike, *, name: Optional[str] = None, flags: Optional[Sequence[str]] = None,
            **defines: Union[int, float, str]) -> Document:
    """A variant of a source or object file; `defines` are its macros: variant("dot.c", UNROLL=4)."""
    at = pathlib.Path(path)
    language = _LANGUAGES.get(at.suffix)
    if language is None:
        raise BadRequest("bad_request", f"{at}: no language has this ending", None,
                         f"known are {' '.join(_LANGUAGES)}")
    content = at.read_bytes()
    made: Document = {"name": at.stem if name is None else name, "language": language}
    made["source"] = (base64.b64encode(content).decode() if language in ("object", "shared")
                      else content.decode("utf-8"))
    if flags is not None or at.suffix == ".f":
        made["flags"] = [*(flags if flags is not None else ["-O2"]),
                         *(["-ffixed-form"] if at.suffix == ".f" else [])]
    if defines:
        made["defines"] = defines
    return made


_READERS: Dict[str, Callable[[pathlib.Path], Document]] = {
    "source_file": variant,
    "template_file": lambda path: {"template": variant(path)},
    "spec_file": lambda path: {"spec": load(path)},
    "setup_file": lambda path: {"setup": path.read_text(encoding="utf-8")},
    "data_file": lambda path: {"data": base64.b64encode(path.read_bytes()).decode()},
    "file": _entry,
}


def job(spec: Union[Document, PathLike], source: Union[Document, PathLike], *, params: Optional[Document] = None,
        name: Optional[str] = None, flags: Optional[Sequence[str]] = None, meta: Optional[Document] = None,
        members: Optional[Document] = None, **defines: Union[int, float, str]) -> Document:
    """
    A job: a spec (or its file) and a variant (or its source file).  `defines` are macros of the
    variant, `params` override the spec's, `members` are any others of a job: {"threads": 4}.
    """
    document = {"spec": dict(spec if isinstance(spec, Mapping) else load(spec))}
    if params is not None:
        document["spec"]["params"] = {**document["spec"].get("params", {}), **params}
    if isinstance(source, Mapping):
        document["variant"] = copy.deepcopy(dict(source))
        document["variant"].update({k: v for k, v in (("name", name), ("flags", flags)) if v is not None})
        if defines:
            document["variant"]["defines"] = {**document["variant"].get("defines", {}), **defines}
    else:
        document["variant"] = variant(source, name=name, flags=flags, **defines)
    if meta is not None:
        document["meta"] = dict(meta)
    return {**document, **(members or {})}


# ---- addresses ----

def default_socket() -> str:
    """The socket that assay(1) would use."""
    given = os.environ.get("ASSAY_SOCKET")
    if given:
        return given
    home = os.environ.get("HOME", "")
    if not home.startswith("/"):
        home = pwd.getpwuid(os.geteuid()).pw_dir
    run, state = os.environ.get("XDG_RUNTIME_DIR", ""), os.environ.get("XDG_STATE_HOME", "")
    own = [f"{run}/assay/assay.sock"] if run.startswith("/") else []
    own.append(f"{state if state.startswith('/') else home + '/.local/state'}/assay/assay.sock")
    return next((path for path in own if os.path.exists(path)), "/run/assay/assay.sock")


def _own_file(name: str) -> pathlib.Path:
    config = os.environ.get("XDG_CONFIG_HOME", "")
    return pathlib.Path(config if config.startswith("/") else os.path.expanduser("~/.config")) / "assay" / name


def _default_token() -> Optional[str]:
    """$ASSAY_TOKEN, or what is in ~/.config/assay/token."""
    if os.environ.get("ASSAY_TOKEN"):
        return os.environ["ASSAY_TOKEN"]
    try:
        return _own_file("token").read_text(encoding="ascii").strip() or None
    except OSError:
        return None


def _default_ca() -> Optional[PathLike]:
    """$ASSAY_CA_FILE, else ~/.config/assay/ca.pem, if it is there; None: the system's."""
    own = _own_file("ca.pem")
    return os.environ.get("ASSAY_CA_FILE") or (own if own.is_file() else None)


def _bad_address(address: str) -> BadRequest:
    return BadRequest("bad_request", f"{address}: is no address of a daemon", None,
                      "known are a path, unix:PATH, ssh://, https://, http:// and http+unix:PATH")


def _parse_json(text: bytes) -> Document:
    def refuse(word: str) -> NoReturn:
        raise ValueError(f"{word} is no JSON")
    try:
        document = json.loads(text.decode("utf-8"), parse_constant=refuse)
    except (ValueError, RecursionError) as e:
        raise ProtocolError(f"the answer is no JSON: {e}") from None
    if not isinstance(document, dict):
        raise ProtocolError("the answer is no JSON object")
    return document


class _Until:
    """A moment; None: never."""

    def __init__(self, seconds: Optional[float]):
        self.end = None if seconds is None else time.monotonic() + seconds

    def left(self) -> Optional[float]:
        return None if self.end is None else max(0.0, self.end - time.monotonic())

    def is_past(self) -> bool:
        return self.end is not None and time.monotonic() >= self.end


class _Late(Exception):
    """The time is up."""


def _too_late(method: str) -> Unavailable:
    return Unavailable("unavailable", f"{method}: no reply in time", None, "a longer `timeout` waits longer")


# ---- JSON-RPC: lines over a stream ----

def _unix_stream(path: str) -> Callable[[], socket.socket]:
    def dial() -> socket.socket:
        s = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            s.connect(path)
        except BaseException:
            s.close()
            raise
        return s
    return dial


class _SshSocket(socket.socket):
    """One end of a pair; ssh has the other end, and is over with it, unless a fork closes it."""

    process: Optional["subprocess.Popen[bytes]"] = None
    pid = 0

    def close(self) -> None:
        super().close()
        if self.process is not None and self.pid == os.getpid():
            process, self.process = self.process, None
            process.terminate()
            process.wait()


def _ssh_stream(address: str) -> Callable[[], socket.socket]:
    parts = urllib.parse.urlsplit(address)
    try:
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
    if not host or host.startswith("-") or (parts.username or "").startswith("-") or parts.query or parts.password:
        raise _bad_address(address)
    path = urllib.parse.unquote(parts.path)
    words = ["ssh", "-T", "-o", "BatchMode=yes", "-o", "ServerAliveInterval=15", "-o", "ServerAliveCountMax=4",
             *(["-p", str(port)] if port else []), *(["-l", parts.username] if parts.username else []), "--", host,
             "assay dial-stdio" + (f" --socket {shlex.quote(path)}" if path.strip("/") else "")]

    def dial() -> socket.socket:
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                process = subprocess.Popen(words, stdin=theirs.fileno(), stdout=theirs.fileno())
            except BaseException:
                ours.close()
                raise
        s = _SshSocket(ours.family, ours.type, ours.proto, ours.detach())
        s.process, s.pid = process, os.getpid()
        return s
    return dial


class _Lines:
    """
    One connection.  Any exception in the midst of a call closes it: a half-sent request or a late
    reply can mislead no later call.
    """

    def __init__(self, dial: Callable[[], socket.socket]):
        self.pid = os.getpid()
        self.buffer = bytearray()
        self.searched = 0               # bytes of the buffer without a newline
        self.last_id = 0
        self.asked: set[int] = set()
        self.replies: Dict[int, Document] = {}
        self.notes: Deque[Document] = collections.deque()
        try:
            self.socket = dial()
        except OSError as e:
            raise _Lost(f"{e.strerror or e}") from e
        self.socket.setblocking(False)

    def close(self) -> None:
        self.socket.close()

    def is_stale(self) -> bool:
        """Closed, or that of the process before a fork."""
        return self.socket.fileno() < 0 or self.pid != os.getpid()

    def call(self, method: str, params: Optional[Document], until: _Until) -> Document:
        try:
            ident = self.send(method, params, until)
            while ident not in self.replies:
                self._read_one(until)
        except BaseException as e:
            self.close()
            if isinstance(e, _Late):
                raise _too_late(method) from None
            raise
        return self.take_reply(ident)

    def take_reply(self, ident: int) -> Document:
        """The result of a call that was answered; a refusal raises, and leaves the connection usable."""
        message = self.replies.pop(ident)
        error, result = message.get("error"), message.get("result")
        if isinstance(error, dict):
            raise _refusal(error.get("data"), error.get("message"))
        if not isinstance(result, dict):
            self.close()
            raise ProtocolError("the reply has neither a result nor an error")
        return result

    def send(self, method: str, params: Optional[Document], until: _Until) -> int:
        """Ask without waiting for the reply; what arrives meanwhile is read, lest both sides wait."""
        self.last_id += 1
        request = {"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params or {}}
        rest = memoryview(_request_text(request))
        self.asked.add(self.last_id)
        while rest:
            events = self._poll(select.POLLIN | select.POLLOUT, until)
            if events & select.POLLIN:
                self._receive()
            if events & ~select.POLLIN:
                try:
                    rest = rest[self.socket.send(rest):]
                except BlockingIOError:
                    pass
                except OSError:
                    while True:             # to the reason, or to the end
                        self._read_one(until)
        return self.last_id

    def wait_note(self, until: _Until, reply: Optional[int] = None) -> Optional[Document]:
        """The next notification; None: the time is up, or call `reply` was answered before one came."""
        try:
            while not self.notes and reply not in self.replies:
                self._read_one(until)
        except _Late:
            return None
        except BaseException:
            self.close()
            raise
        return self.notes.popleft() if self.notes else None

    def _read_one(self, until: _Until) -> None:
        message = _parse_json(self._line(until))
        if "method" in message:
            if message["method"] == "result" and isinstance(message.get("params"), dict):
                self.notes.append(message["params"])
            return
        ident, error = message.get("id"), message.get("error")
        if ident is None and isinstance(error, dict):
            raise _refusal(error.get("data"), error.get("message"))    # of the whole connection
        if not _is_id(ident) or ident not in self.asked:
            raise ProtocolError(f"a reply to no question, with id {json.dumps(ident)[:40]}")
        self.asked.remove(ident)
        self.replies[ident] = message

    def _line(self, until: _Until) -> bytes:
        while True:
            end = self.buffer.find(b"\n", self.searched)
            if end < 0:
                self.searched = len(self.buffer)
                if self.searched > MAX_LINE_BYTES:
                    raise ProtocolError(f"a line of more than {MAX_LINE_BYTES} bytes")
                self._poll(select.POLLIN, until)
                self._receive()
                continue
            line = bytes(self.buffer[:end])
            del self.buffer[:end + 1]
            self.searched = 0
            if line.strip():
                return line

    def _poll(self, events: int, until: _Until) -> int:
        poll, left = select.poll(), until.left()
        poll.register(self.socket, events)
        ready = poll.poll(None if left is None else int(left * 1000) + 1)
        if not ready and until.is_past():
            raise _Late
        return ready[0][1] if ready else 0

    def _receive(self) -> None:
        try:
            more = self.socket.recv(1 << 18)
        except BlockingIOError:
            return
        except OSError as e:
            raise _Lost(f"{e.strerror or e}") from e
        if not more:
            raise _Lost("the daemon closed the connection")
        self.buffer += more


def _request_text(request: Document) -> bytes:
    try:
        return json.dumps(request, separators=(",", ":"), allow_nan=False).encode() + b"\n"
    except (TypeError, ValueError, RecursionError) as e:
        raise BadRequest("bad_request", f"a document cannot be written as JSON: {e}") from None


# ---- HTTP ----

_ROUTES = {
    "server.info": ("GET", "/v1/info"),
    "host.get": ("GET", "/v1/host"),
    "host.calibrate": ("POST", "/v1/host/calibrate"),
    "host.reference": ("POST", "/v1/host/reference"),
    "queue.get": ("GET", "/v1/queue"),
    "queue.pause": ("POST", "/v1/queue/pause"),
    "queue.resume": ("POST", "/v1/queue/resume"),
    "results.query": ("GET", "/v1/results"),
    "results.best": ("GET", "/v1/sweeps/{sweep}/best"),
    "kernel.list": ("GET", "/v1/kernels"),
    "kernel.history": ("GET", "/v1/history"),
    "users.get": ("GET", "/v1/users"),
    "job.get": ("GET", "/v1/jobs/{id}"),
    "job.result": ("GET", "/v1/jobs/{id}/result"),
    "job.spec": ("GET", "/v1/jobs/{id}/spec"),
    "job.cancel": ("POST", "/v1/cancel"),
    "job.wait": ("POST", "/v1/wait"),
    "job.submit": ("POST", "/v1/jobs"),
    "sweep.get": ("GET", "/v1/sweeps/{sweep}"),
    "sweep.list": ("GET", "/v1/sweeps"),
    "sweep.cancel": ("DELETE", "/v1/sweeps/{sweep}"),
    "sweep.share": ("POST", "/v1/sweeps/{sweep}/share"),
    "sweep.export": ("GET", "/v1/sweeps/{sweep}/export"),
    "sweep.points": ("GET", "/v1/sweeps/{sweep}/points"),
    "sweep.report": ("GET", "/v1/sweeps/{sweep}/report"),
    "sweep.create": ("POST", "/v1/sweeps"),
    "compare.run": ("POST", "/v1/compare"),
}
# A parameter that is the body by itself; None: all of them are.
_BODIES = {"job.submit": None, "job.cancel": None, "job.wait": None, "sweep.create": "sweep", "compare.run": "compare"}


class _UnixHTTP(http.client.HTTPConnection):
    def __init__(self, path: str):
        super().__init__("localhost", timeout=IDLE_S)
        self.path = path

    def connect(self) -> None:
        self.sock = _unix_stream(self.path)()
        self.sock.settimeout(self.timeout)


def _tls(ca: Optional[PathLike], cert: Optional[PathLike], key: Optional[PathLike]) -> ssl.SSLContext:
    ca = ca if ca is not None else _default_ca()
    cert = cert if cert is not None else os.environ.get("ASSAY_CERT") or None
    key = key if key is not None else os.environ.get("ASSAY_KEY") or None
    try:
        context = ssl.create_default_context(cafile=os.fspath(ca) if ca is not None else None)
        context.minimum_version = ssl.TLSVersion.TLSv1_3
        if cert is not None:
            context.load_cert_chain(os.fspath(cert), os.fspath(key) if key is not None else None)
    except (OSError, ssl.SSLError) as e:
        raise BadRequest("bad_request", f"certificates: {e}") from None
    return context


def _http_maker(address: str, tls: Callable[[], ssl.SSLContext]) -> Callable[[], http.client.HTTPConnection]:
    if address.startswith("http+unix:"):
        path = address[len("http+unix:"):]
        return lambda: _UnixHTTP(path)
    parts = urllib.parse.urlsplit(address)
    try:
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
    if not host or parts.path.strip("/") or parts.query or parts.username:
        raise _bad_address(address)
    name = host
    if parts.scheme == "http":
        return lambda: http.client.HTTPConnection(name, port, timeout=IDLE_S)
    context = tls()
    return lambda: http.client.HTTPSConnection(name, port, timeout=IDLE_S, context=context)


class _Http:
    """One connection.  As with _Lines, any exception in the midst of a call closes it."""

    def __init__(self, make: Callable[[], http.client.HTTPConnection], token: Optional[str]):
        self.pid = os.getpid()
        self.last_use = time.monotonic()
        self.connection = make()
        self.headers = {"Accept": "application/json"}
        if token:
            self.headers["Authorization"] = f"Bearer {token}"
        self._guarded(self.connection.connect)

    def close(self) -> None:
        self.connection.close()

    def is_stale(self) -> bool:
        """As that of _Lines; or idle, for which the daemon closes it after 60 s."""
        return (self.connection.sock is None or self.pid != os.getpid() or
                time.monotonic() > self.last_use + IDLE_S)

    def call(self, method: str, params: Optional[Document], until: _Until) -> Document:
        verb, path, body = _request_of(method, dict(params or {}))
        try:
            response = self._ask(verb, path, body, self.headers, until)
            text = self._body(response, until)
        except BaseException as e:
            self.close()
            if isinstance(e, _Late):
                raise _too_late(method) from None
            raise
        if response.status >= 400:
            raise _problem(response.status, text)
        return _parse_json(text)

    def events(self, path: str, after: int) -> Iterator[Tuple[str, Document]]:
        """Name and data of each server-sent event, until the stream ends: _Lost."""
        more = {"Accept": "text/event-stream", "Last-Event-ID": str(after)}
        try:
            response = self._ask("GET", path, None, {**self.headers, **more}, _Until(2 * IDLE_S))
            if response.status >= 400:
                raise _problem(response.status, self._body(response, _Until(IDLE_S)))
            yield from self._events_of(response)
        except _Late:
            raise _Lost("the events ceased") from None
        finally:
            self.close()

    def _events_of(self, response: http.client.HTTPResponse) -> Iterator[Tuple[str, Document]]:
        name, data = "", b""
        while True:
            line = self._guarded(lambda: response.readline(MAX_LINE_BYTES + 1))
            if not line:
                raise _Lost("the daemon closed the connection")
            if not line.endswith(b"\n") or len(data) > MAX_LINE_BYTES:
                raise ProtocolError("an event without an end")
            field, _, value = line.rstrip(b"\r\n").partition(b":")
            if field == b"event":
                name = value.strip().decode("utf-8", "replace")
            elif field == b"data":
                data += value
            elif not field and not value and data:
                yield name, _parse_json(data)
            if not line.strip():
                name, data = "", b""

    def _ask(self, verb: str, path: str, body: Optional[bytes], headers: Dict[str, str],
             until: _Until) -> http.client.HTTPResponse:
        def ask() -> http.client.HTTPResponse:
            try:
                self.connection.request(verb, path, body=body, headers=headers)
            except (ssl.SSLError, ConnectionError):
                self._hear()
                raise
            return self.connection.getresponse()
        left = until.left()
        self.connection.timeout = None if left is None else max(left, 0.001)
        if self.connection.sock is not None:
            self.connection.sock.settimeout(self.connection.timeout)
        if body is not None:
            headers = {**headers, "Content-Type": "application/json"}
        return self._guarded(ask)

    def _hear(self) -> None:
        """A daemon that refuses a certificate says so, as an SSLError, and hangs up: perhaps before all is sent."""
        if isinstance(self.connection.sock, ssl.SSLSocket):
            self.connection.sock.recv(1)

    def _body(self, response: http.client.HTTPResponse, until: _Until) -> bytes:
        text, more = bytearray(), b"-"
        while more:
            more = self._guarded(lambda: response.read1(1 << 18))
            text += more
            if len(text) > MAX_LINE_BYTES:
                raise ProtocolError(f"a body of more than {MAX_LINE_BYTES} bytes")
            if until.is_past():
                raise _Late
        if response.length:
            raise _Lost("the daemon closed the connection")
        response.close()        # the connection takes the next request
        self.last_use = time.monotonic()
        return bytes(text)

    @staticmethod
    def _guarded(act: Callable[[], _T]) -> _T:
        """What `act` does, with the faults of sockets and of HTTP as this module's."""
        try:
            return act()
        except ssl.SSLCertVerificationError as e:
            raise Denied("denied", f"the daemon's certificate: {e.verify_message}", None,
                         "the operator must renew it; is this host's clock right?"
                         if e.verify_code in (_X509_NOT_YET_VALID, _X509_HAS_EXPIRED) else
                         "`ca` names the file of the authority that signed it") from None
        except ssl.SSLError as e:
            words = (e.reason or "").partition("ALERT_")[2].lower().replace("_", " ")
            if "certificate" not in words and words != "unknown ca":
                raise _Lost(f"{e.reason or e}") from e
            raise Denied("denied", f"the daemon refuses the client's certificate: {words}", None,
                         "`cert` and `key` name the files that its operator made; assay-ca list says until when they are good") from None
        except socket.timeout:
            raise _Late from None
        except (http.client.RemoteDisconnected, http.client.IncompleteRead):
            raise _Lost("the daemon closed the connection") from None
        except http.client.HTTPException as e:
            raise ProtocolError(f"the answer is no HTTP: {e!r:.80}") from None
        except OSError as e:
            raise _Lost(f"{e.strerror or e}") from e


def _problem(status: int, text: bytes) -> Exception:
    try:
        problem = _parse_json(text)
    except ProtocolError:
        return ProtocolError(f"HTTP status {status}, and no reason")
    return _refusal(problem, problem.get("detail", f"HTTP status {status}"))


def _request_of(method: str, params: Document) -> Tuple[str, str, Optional[bytes]]:
    """Verb, path with its query, and body of a method's route."""
    if method not in _ROUTES:
        raise BadRequest("bad_request", f"{method}: HTTP has no such call", None,
                         "a Unix socket or ssh:// has all calls")
    verb, path = _ROUTES[method]
    for name in ("id", "sweep"):
        if f"{{{name}}}" in path and name in params:
            path = path.replace(f"{{{name}}}", urllib.parse.quote(str(params.pop(name)), safe=""))
    if method in _BODIES:
        wrap = None if "ids" in params else _BODIES[method]
        if wrap is not None and set(params) != {wrap}:
            raise BadRequest("bad_request", f"{method}: HTTP takes {wrap} alone")
        return verb, path, _request_text(params if wrap is None else params[wrap])
    query = {k: ",".join(map(str, v)) if isinstance(v, (list, tuple)) else
             str(v).lower() if isinstance(v, bool) else v for k, v in params.items()}
    return verb, path + ("?" + urllib.parse.urlencode(query) if query else ""), b"" if verb == "POST" else None


# ---- the client ----

_Channel = Union[_Lines, _Http]
# They do something, and would do it again.
_ONCE = ("job.submit", "sweep.create", "compare.run", "host.calibrate", "host.reference", "store.backup",
         "store.prune")
_OVER_S = 20                            # of one wait for jobs to be over
_FIRST_PAUSE_S, _LAST_PAUSE_S = 0.05, 2.0


def _dialler(address: str, token: Optional[str], tls: Callable[[], ssl.SSLContext]) -> Callable[[], _Channel]:
    """What makes connections to an address; BadRequest if it is none."""
    if address.startswith(("http://", "https://", "http+unix:")):
        make = _http_maker(address, tls)
        secret = token if token is not None or not address.startswith("https:") else _default_token()
        return lambda: _Http(make, secret)
    if address.startswith("ssh://"):
        stream = _ssh_stream(address)
    elif "://" in address:
        raise _bad_address(address)
    else:
        stream = _unix_stream(address[len("unix:"):] if address.startswith("unix:") else address)
    return lambda: _Lines(stream)


class _Away:
    """The time for which a daemon has been away."""

    def __init__(self, assay: "Assay"):
        self.assay = assay
        self.reset()

    def reset(self) -> None:
        self.until, self.pause_s = _Until(self.assay.patience), _FIRST_PAUSE_S

    def pause(self, why: _Lost) -> None:
        """Before the next try; Unavailable if there is to be none."""
        if self.until.is_past() or not self.assay.was_reached:
            raise self.assay.unavailable(why) from None
        time.sleep(self.pause_s)
        self.pause_s = min(self.pause_s * 1.5, _LAST_PAUSE_S)


class Assay:
    """
    A daemon.  It is dialled at the first call.

    address   see above; None: the one that assay(1) would use
    token     for https://; None: $ASSAY_TOKEN, or what is in ~/.config/assay/token
    ca        file of the authority that signed the daemon's certificate; None: $ASSAY_CA_FILE, or
              ~/.config/assay/ca.pem, or the system's
    cert, key files of a client certificate; None: $ASSAY_CERT, $ASSAY_KEY
    timeout   seconds until a call is given up; None: never
    patience  seconds for which a daemon that was reached once may be away; None: for ever
    """

    def __init__(self, address: Optional[PathLike] = None, *, token: Optional[str] = None,
                 ca: Optional[PathLike] = None, cert: Optional[PathLike] = None, key: Optional[PathLike] = None,
                 timeout: Optional[float] = 60, patience: Optional[float] = 600):
        self.address = default_socket() if address is None else os.fspath(address)
        self.timeout, self.patience = timeout, patience
        self.was_reached = False
        self.is_http = self.address.startswith(("http://", "https://", "http+unix:"))
        self.dial = _dialler(self.address, token, lambda: _tls(ca, cert, key))
        self._lock = threading.RLock()
        self._channel: Optional[_Channel] = None

    def __enter__(self) -> "Assay":
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection.  Jobs go on; a later call dials again."""
        with self._lock:
            if self._channel is not None:
                self._channel.close()
                self._channel = None

    def unavailable(self, why: object) -> Unavailable:
        """The error of a daemon that does not answer."""
        hint = None if "://" in self.address else "start a daemon with: assay serve"
        return Unavailable("unavailable", f"{self.address}: {why}", None, hint)

    # -- any method --

    def call(self, method: str, params: Optional[Document] = None, *, timeout: Optional[float] = -1,
             repeat: Optional[bool] = None) -> Document:
        """
        Call any method of PROTOCOL.md; its result.  `repeat`: may it be sent again if the connection
        is lost before the reply?  By default that is so of calls that may be done twice.
        `timeout` None: wait for ever; left out: that of this Assay.
        """
        if self._channel is not None and self._channel.pid != os.getpid():
            self._lock = threading.RLock()      # a thread of the parent's may hold the other
        with self._lock:
            return self._call(method, params, self.timeout if timeout == -1 else timeout,
                              method not in _ONCE if repeat is None else repeat)

    def _call(self, method: str, params: Optional[Document], timeout: Optional[float], repeat: bool) -> Document:
        away = _Away(self)
        while True:
            if self._channel is not None and self._channel.is_stale():
                self.close()
            sent = False
            try:
                if self._channel is None:
                    self._channel = self.dial()
                sent = True
                reply = self._channel.call(method, params, _Until(timeout))
                self.was_reached = True
                return reply
            except _Lost as lost:
                self.close()
                if sent and not repeat:
                    raise self.unavailable(f"{method}: {lost}") from None
                away.pause(lost)

    # -- submitting --

    def submit(self, jobs: Union[Document, Iterable[Document]], *, key: Optional[str] = None) -> Any:
        """
        Submit a job, and return its id; or several, and return a list of ids.  All are on disk then.

        `key` names the submission for ever: the same key with the same documents returns the same
        ids, also to a program that was started anew.  By default it is a random one.
        """
        if isinstance(jobs, Mapping):
            return self._submit([{"key": key or uuid.uuid4().hex, **jobs}])[0]
        key = key or uuid.uuid4().hex
        keyed = [{"key": f"{key}#{n}", **j} for n, j in enumerate(jobs)]
        return [i for some in _batches(keyed) for i in self._submit(some)]

    def _submit(self, jobs: Sequence[Document]) -> List[int]:
        ids = self.call("job.submit", {"jobs": list(jobs)}, repeat=True).get("ids")
        if not isinstance(ids, list) or len(ids) != len(jobs) or not all(map(_is_id, ids)):
            raise ProtocolError("the reply has no ids of the jobs")
        return ids

    def sweep(self, document: Union[Document, PathLike]) -> Sweep:
        """Create a sweep from a document or its file; the same document again finds it."""
        document = document if isinstance(document, Mapping) else load(document)
        reply = self.call("sweep.create", {"sweep": document}, timeout=None, repeat=True)
        return Sweep(reply["sweep"], reply["name"], reply["existed"], tuple(reply["ids"]))

    def compare(self, document: Document, *, key: Optional[str] = None) -> List[Result]:
        """
        Time variants in turn, each with the first: the results, in their order, whose ["comparison"]
        says whether the variant is faster.
        """
        document = {"key": key or uuid.uuid4().hex, **document}
        ids = self.call("compare.run", {"compare": document}, repeat=True)["ids"]
        found = {r.job: r for r in self.results(ids)}
        return [found[i] for i in ids]

    # -- results --

    def time(self, document: Document, *, key: Optional[str] = None) -> Result:
        """Submit one job and wait for its result."""
        with self.results([self.submit(document, key=key)]) as results:
            return next(results)

    def run(self, jobs: Iterable[Document], *, key: Optional[str] = None) -> "Results":
        """Submit jobs; iterate over their results as they land."""
        return self.results(self.submit(jobs, key=key))

    def results(self, jobs: Optional[Iterable[int]] = None, *, sweep: Union[int, str, None] = None,
                after: int = 0) -> "Results":
        """
        Iterate over the results of jobs, of a sweep (id or name), or of everything, as they land;
        stored ones come first.  It ends when all have come; of everything, never.
        `after`: only what landed behind this cursor (`Results.cursor`, `Result.cursor`).
        """
        if jobs is not None and sweep is not None:
            raise BadRequest("bad_request", "results: either jobs or a sweep")
        return Results(self, jobs, sweep, after)

    def query(self, **filters: Any) -> Iterator[Result]:
        """Stored results: sweep, ids, status, name, routine, since, before, order, limit (of a page)."""
        while True:
            page = self.call("results.query", filters)
            yield from map(Result.of, page.get("results") or [])
            if page.get("next") is None:
                return
            filters["cursor"] = page["next"]

    def best(self, sweep: Union[int, str], top: int = 1) -> List[Result]:
        """The fastest of a sweep, the fastest first; of each cell, if the sweep has several."""
        reply = self.call("results.best", {"sweep": sweep, "top": top})
        return [Result.of(r) for r in reply.get("results") or []]

    def wait(self, jobs: Optional[Iterable[int]] = None, *, sweep: Union[int, str, None] = None,
             timeout: Optional[float] = None) -> bool:
        """Wait until all are over; False: they are not after `timeout` seconds.  None: wait for ever."""
        until, ids = _Until(timeout), None if jobs is None else list(jobs)
        if (ids is None) == (sweep is None):
            raise BadRequest("bad_request", "wait: needs either jobs or a sweep")
        with self._twin() as twin:      # other threads' calls do not wait for this one
            while not twin._are_over(ids, sweep, until):
                if until.is_past():
                    return False
        return True

    def _twin(self) -> "Assay":
        twin = copy.copy(self)
        twin._lock, twin._channel = threading.RLock(), None
        return twin

    def _are_over(self, ids: Optional[List[int]], sweep: Union[int, str, None], until: _Until) -> bool:
        """Wait for a while."""
        left = until.left()
        slice_ms = int(1000 * (_OVER_S if left is None else min(left, _OVER_S)))
        longer = _OVER_S + (self.timeout or 60)
        subject: Document = {"sweep": sweep} if ids is None else {"ids": ids}
        return bool(self.call("job.wait", {**subject, "timeout_ms": slice_ms}, timeout=longer).get("done"))

    # -- the queue --

    def cancel(self, jobs: Union[int, Iterable[int], None] = None, *, sweep: Union[int, str, None] = None) -> None:
        """Cancel jobs, or all that are left of a sweep.  Those that are over stay as they are."""
        if sweep is not None:
            self.call("sweep.cancel", {"sweep": sweep})
        elif isinstance(jobs, int):
            self.call("job.cancel", {"id": jobs})
        else:
            for some in _chunks(list(jobs or ()), MAX_JOBS):
                self.call("job.cancel", {"ids": some})

    # -- searching --

    def study(self, make_job: Callable[[Point], Document], *, parallel: int = 16,
              name: Optional[str] = None) -> "Study[Point]":
        """Jobs for the points that an engine asks about: see Study."""
        return Study(self, make_job, parallel, name)

    def search(self, points: Iterable[Point], make_job: Callable[[Point], Document], *, parallel: int = 16,
               name: Optional[str] = None) -> Iterator[Tuple[Point, Result]]:
        """
        (point, result) for each of `points`, as results land.  A next point is taken only when fewer
        than `parallel` jobs are under way, so a generator of points can look at results so far.
        """
        study = self.study(make_job, parallel=parallel, name=name)
        source = iter(points)
        study.fill(source)
        for pair in study:
            yield pair
            study.fill(source)


def _chunks(items: List[_T], n: int) -> Iterator[List[_T]]:
    return (items[i:i + n] for i in range(0, len(items), n))


def _batches(jobs: Iterable[Document]) -> Iterator[List[Document]]:
    """As many as one submission takes."""
    some: List[Document] = []
    size = 0
    for document in jobs:
        more = len(_request_text(document))
        if some and (size + more > MAX_REQUEST_BYTES or len(some) == MAX_JOBS):
            yield some
            some, size = [], 0
        some.append(document)
        size += more
    if some:
        yield some


class Results(Iterator[Result]):
    """
    An iterator over results as they land, made by Assay.run and Assay.results.  `cursor` is the
    place of the last one: Assay.results(after=cursor) goes on behind it, also in another program.
    It has a connection of its own, which close() or the end of a `with` closes.
    """

    def __init__(self, assay: Assay, jobs: Optional[Iterable[int]], sweep: Union[int, str, None], after: int):
        self.cursor = after
        self._assay, self._sweep = assay, sweep
        self._pending: Optional[Dict[int, None]] = None if jobs is None else dict.fromkeys(jobs)
        self._last: Optional[int] = None        # cursor of a sweep's last result, once it is over
        self._ready: Deque[Result] = collections.deque()
        self._away = _Away(assay)
        self._channel: Optional[_Channel] = None
        self._subscribed = 0                    # subscriptions of the connection
        self._wait_id: Optional[int] = None     # of the call that waits for the sweep's end
        self._events: Optional[Iterator[Tuple[str, Document]]] = None

    def __enter__(self) -> "Results":
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection; a later next() dials again."""
        channel, self._channel, self._events = self._channel, None, None
        if channel is not None:
            channel.close()

    def add(self, jobs: Iterable[int]) -> None:
        """Iterate over these jobs' results, too."""
        if self._pending is None:
            raise BadRequest("bad_request", "results: jobs can be added to jobs only")
        new = [i for i in jobs if i not in self._pending]
        self._pending.update(dict.fromkeys(new))
        if not isinstance(self._channel, _Lines):
            return
        if self._subscribed + len(new) // MAX_JOBS >= MAX_SUBSCRIPTIONS:
            self.close()            # the next connection has one subscription for all
            return
        try:
            self._follow(self._channel, new)
        except _Lost:
            self.close()

    def __next__(self) -> Result:
        while not self._ready:
            if self._is_over():
                self.close()
                raise StopIteration
            try:
                self._read()
            except _Lost as lost:
                self.close()
                self._away.pause(lost)
            except BaseException:
                self.close()
                raise
        return self._ready.popleft()

    def _is_over(self) -> bool:
        if self._pending is not None:
            return not self._pending
        return self._last is not None and self.cursor >= self._last

    def _take(self, raw: Any, cursor: Any = None) -> None:
        result = Result.of(raw)
        place = cursor if _is_id(cursor) else result.cursor
        if self._pending is not None:
            if result.job not in self._pending:
                return
            del self._pending[result.job]
        elif place is None or place <= self.cursor:
            return
        self._ready.append(result)
        self.cursor = max(self.cursor, place or 0)
        self._away.reset()
        self._assay.was_reached = True

    def _read(self) -> None:
        """Some results, or none for a while."""
        if self._channel is not None and self._channel.is_stale():
            self.close()
        if self._assay.is_http:
            self._read_http()
        else:
            self._read_lines()

    # -- JSON-RPC: a subscription --

    def _read_lines(self) -> None:
        channel = self._channel
        if not isinstance(channel, _Lines):
            made = self._assay.dial()
            assert isinstance(made, _Lines)
            self._channel, self._subscribed, self._wait_id = made, 0, None
            self._subscribe(made)
            return
        note = channel.wait_note(_Until(IDLE_S), self._wait_id)
        if note is not None:
            self._take(note.get("result"), note.get("cursor"))
        elif self._wait_id in channel.replies:
            self._see_end(channel)
        else:
            self._look(channel)

    def _subscribe(self, channel: _Lines) -> None:
        until = _Until(self._assay.timeout)
        if self._pending is not None:
            self._follow(channel, list(self._pending))
            return
        subject: Document = {"all": True} if self._sweep is None else {"sweep": self._sweep}
        channel.call("results.subscribe", {**subject, "after": self.cursor}, until)
        if self._sweep is not None:
            self._wait_id = channel.send("job.wait", subject, until)

    def _follow(self, channel: _Lines, jobs: List[int]) -> None:
        for some in _chunks(jobs, MAX_JOBS):
            channel.call("results.subscribe", {"ids": some, "after": 0}, _Until(self._assay.timeout))
            self._subscribed += 1

    def _see_end(self, channel: _Lines) -> None:
        assert self._wait_id is not None
        channel.take_reply(self._wait_id)
        self._wait_id = None
        page = self._assay.call("results.query", {"sweep": self._sweep, "order": "newest", "limit": 1})
        newest = [Result.of(r).cursor for r in page.get("results") or []]
        self._last = newest[0] if newest and newest[0] is not None else self.cursor

    def _look(self, channel: _Lines) -> None:
        """Nothing has come for a while: is the connection alive, and does no result hang behind?"""
        try:
            channel.call("server.info", None, _Until(IDLE_S))
        except Unavailable:
            raise _Lost("the daemon does not answer") from None
        if self._pending:
            self._fetch(list(self._pending)[:MAX_JOBS])

    # -- HTTP: questions that wait, or events --

    def _read_http(self) -> None:
        if self._pending is None:
            self._read_event()
            return
        before = len(self._pending)
        for some in _chunks(list(self._pending), PAGE_IDS):
            self._fetch(some)
        if len(self._pending) == before:
            first = next(iter(self._pending))
            with self._assay._twin() as twin:
                twin._are_over([first], None, _Until(_OVER_S))

    def _read_event(self) -> None:
        if self._events is None:
            channel = self._assay.dial()
            assert isinstance(channel, _Http)
            name = "" if self._sweep is None else f"/sweeps/{urllib.parse.quote(str(self._sweep), safe='')}"
            self._channel, self._events = channel, channel.events(f"/v1{name}/events", self.cursor)
        kind, data = next(self._events)
        if kind == "result":
            self._take(data)
        elif kind == "end":
            self._last = self.cursor

    def _fetch(self, jobs: List[int]) -> None:
        """Those of these results that are stored."""
        page = self._assay.call("results.query", {"ids": jobs, "limit": 1000})
        for raw in page.get("results") or []:
            self._take(raw)
        for damaged in page.get("damaged") or []:
            if self._pending is not None and self._pending.pop(damaged, 0) is None:
                raise Refused("io", f"the stored result of job {damaged} is damaged")


class Study(Iterator[Tuple[Point, Result]]):
    """
    Ask and tell: points go in, results come out with their points, as they land.

        study = a.study(make_job, parallel=8)       # make_job(point) returns a job document
        study.drive(engine.ask, engine.tell)        # the whole loop, or by hand:

        while engine.wants_more() or study.under_way:
            while study.room and engine.wants_more():
                study.put(engine.ask())
            point, result = next(study)
            engine.tell(point, result)

    With a `name`, a program that is started again and asks the same gets the stored results: the
    jobs' keys are made of the name and of the documents.
    """

    def __init__(self, assay: Assay, make_job: Callable[[Point], Document], parallel: int = 16,
                 name: Optional[str] = None):
        if parallel < 1:
            raise BadRequest("bad_request", "parallel must be 1 or more", "parallel")
        self.parallel, self.name = parallel, name
        self._assay, self._make_job = assay, make_job
        self._points: Dict[int, Point] = {}
        self._results = Results(assay, (), None, 0)
        self._seen: Dict[str, int] = {}         # documents under a name, and how often

    @property
    def under_way(self) -> List[int]:
        """Ids of the jobs whose results are to come."""
        return list(self._points)

    @property
    def room(self) -> int:
        """How many points may be put before a result is awaited."""
        return max(0, self.parallel - len(self._points))

    def put(self, point: Point) -> int:
        """Submit the job of a point; its id."""
        document = self._make_job(point)
        ident = self._assay.submit(document, key=self._key(document))
        self._points[ident] = point
        self._results.add([ident])
        return int(ident)

    def fill(self, points: Iterator[Point]) -> None:
        """Put points while there is room and there are any."""
        while self.room:
            try:
                point = next(points)
            except StopIteration:
                return
            self.put(point)

    def __next__(self) -> Tuple[Point, Result]:
        result = next(self._results)
        return self._points.pop(result.job), result

    def drive(self, ask: Callable[[], Optional[Point]], tell: Callable[[Point, Result], object]) -> None:
        """Run an engine: ask() until it returns None with nothing under way, and tell() each result."""
        self.fill(iter(ask, None))
        for point, result in self:
            tell(point, result)
            self.fill(iter(ask, None))

    def cancel(self) -> None:
        """Cancel what is under way; the results, `cancelled`, still come."""
        self._assay.cancel(self.under_way)

    def _key(self, document: Document) -> Optional[str]:
        if self.name is None:
            return None
        text = json.dumps(document, sort_keys=True).encode()
        same = f"{self.name}:{hashlib.sha256(text).hexdigest()[:32]}"
        self._seen[same] = self._seen.get(same, 0) + 1
        return f"{same}:{self._seen[same]}"
