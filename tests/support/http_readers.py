# SPDX-License-Identifier: Apache-2.0
"""
Many HTTP connections that ask for results, each again PAUSE_S after its answer, as pages and
engines on other machines do.  One thread, at the lowest priority, because their work would be other
machines' work.

    with http_readers.reading(daemon.tcp, 256, "/v1/results?limit=20") as readers:
        …
"""
import contextlib
import os
import selectors
import socket
import subprocess
import sys
import time

PAUSE_S = 1.0
RECEIVE_BYTES = 1 << 18


class Reader:
    """One connection; it is idle, or reads the answer to its request."""

    def __init__(self, address, request):
        self.socket = socket.create_connection(address)
        self.socket.setblocking(False)
        self.request = request
        self.head, self.left = b"", None
        self.idle_until = time.monotonic()

    def ask(self):
        self.head, self.left, self.idle_until = b"", None, None
        self.socket.send(self.request)

    def take(self):
        """More of the answer; True: it is whole."""
        data = self.socket.recv(RECEIVE_BYTES)
        if not data:
            raise ConnectionError("closed by the daemon")
        if self.left is None:
            self.head += data
            if b"\r\n\r\n" not in self.head:
                return False
            head, data = self.head.split(b"\r\n\r\n", 1)
            status, *fields = head.decode().split("\r\n")
            if " 200 " not in status:
                raise ConnectionError(status)
            self.left = next(int(f.split(":")[1]) for f in fields if f.lower().startswith("content-length"))
        self.left -= len(data)
        if self.left:
            return False
        self.idle_until = time.monotonic() + PAUSE_S
        return True


def serve(host, port, connections, path):
    """Until stdin ends; then prints how many answers came."""
    request = f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()
    os.nice(19)
    selector = selectors.DefaultSelector()
    readers = [Reader((host, port), request) for _ in range(connections)]
    for i, reader in enumerate(readers):
        reader.idle_until += PAUSE_S * i / connections
        selector.register(reader.socket, selectors.EVENT_READ, reader)
    selector.register(sys.stdin, selectors.EVENT_READ, None)
    print("reading", flush=True)
    answers = 0
    while True:
        for key, _ in selector.select(0.01):
            if key.data is None:
                print(answers, flush=True)
                return
            answers += key.data.take()
        now = time.monotonic()
        for reader in readers:
            if reader.idle_until is not None and reader.idle_until <= now:
                reader.ask()


class Readers:
    def __init__(self, process):
        self.process, self.answers = process, None


@contextlib.contextmanager
def reading(address, connections, path):
    process = subprocess.Popen([sys.executable, __file__, address[0], str(address[1]), str(connections), path],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    readers = Readers(process)
    try:
        if process.stdout.readline() != "reading\n":
            raise RuntimeError("the readers cannot connect")
        yield readers
        out, _ = process.communicate("")
        readers.answers = int(out)
    finally:
        process.kill()
        process.wait()


if __name__ == "__main__":
    serve(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
