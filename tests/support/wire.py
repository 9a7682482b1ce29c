# SPDX-License-Identifier: Apache-2.0
"""
A wire between HTTP clients and a daemon, which notes what is asked, and can be held or cut.

    with Wire(daemon.tcp) as wire:
        …a client asks wire.address…
        wire.wait_for("/events")    # a request with this in its first line
        wire.hold()                 # what is answered from now on stays here
        last = wire.cut()           # all connections are gone; new ones are as before
"""
import socket
import threading

from harness import TIMEOUT_S

RECEIVE_BYTES = 1 << 16


class _Connection:
    def __init__(self, client, server):
        self.client, self.server = client, server

    def close(self):
        for end in (self.client, self.server):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


class Wire:
    def __init__(self, to):
        self.to, self.requests, self.connections, self.threads = to, [], [], []
        self.news, self.is_held = threading.Condition(), False
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = self.listener.getsockname()

    def __enter__(self):
        self._start(self._accept)
        return self

    def _start(self, run, *words):
        thread = threading.Thread(target=run, args=words, daemon=True)
        self.threads.append(thread)
        thread.start()

    def __exit__(self, *_):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.threads[0].join()
        for connection in self.connections:
            connection.close()
        for thread in self.threads:
            thread.join()
        for end in (self.listener, *(e for c in self.connections for e in (c.client, c.server))):
            end.close()

    def _accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            connection = _Connection(client, socket.create_connection(self.to))
            self.connections.append(connection)
            for copy in (self._ask, self._answer):
                self._start(copy, connection)

    def _ask(self, connection):
        """Requests of a browser for pages have no body: each is a head."""
        text = b""
        while data := _receive(connection.client):
            *heads, text = (text + data).split(b"\r\n\r\n")
            with self.news:
                self.requests += [head.decode() for head in heads]
                self.news.notify_all()
            _send(connection.server, data)
        connection.close()

    def _answer(self, connection):
        while data := _receive(connection.server):
            if not self.is_held:
                _send(connection.client, data)
        connection.close()

    # ---- for the test ----

    def _find(self, path, after):
        return next((i for i in range(after + 1, len(self.requests)) if path in self.requests[i].split("\r\n")[0]), None)

    def wait_for(self, path, after=-1):
        """The number of a request."""
        with self.news:
            if not self.news.wait_for(lambda: self._find(path, after) is not None, TIMEOUT_S):
                raise AssertionError(f"nothing asked for {path}: {self.requests[after + 1:]}")
            return self._find(path, after)

    def header(self, request, name):
        for line in self.requests[request].split("\r\n")[1:]:
            field, value = line.split(":", 1)
            if field.lower() == name.lower():
                return value.strip()
        return None

    def hold(self):
        self.is_held = True

    def cut(self):
        """The number of the last request before it."""
        with self.news:
            last = len(self.requests) - 1
        self.is_held = False
        for connection in list(self.connections):
            connection.close()
        return last


def _receive(end):
    try:
        return end.recv(RECEIVE_BYTES)
    except OSError:
        return b""


def _send(end, data):
    try:
        end.sendall(data)
    except OSError:
        pass
