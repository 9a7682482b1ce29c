# SPDX-License-Identifier: Apache-2.0
"""
A reader of text/event-stream over any connection of http.client, as a browser's EventSource is.

    with event_stream.EventStream(connection, "/v1/sweeps/3/events") as stream:
        for event in stream:
            event.name, event.id, event.data
"""
import dataclasses
import json


@dataclasses.dataclass
class Event:
    name: str
    id: str | None
    data: object


class EventStream:
    def __init__(self, connection, path, last_id=None, headers=()):
        self.connection = connection
        self.comments, self.retry_ms, self.last_id = 0, None, last_id
        headers = {"Accept": "text/event-stream", **dict(headers)}
        if last_id is not None:
            headers["Last-Event-ID"] = last_id
        connection.request("GET", path, headers=headers)
        self.response = connection.getresponse()
        self.status = self.response.status

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()

    def close(self):
        self.response.close()
        self.connection.close()

    def __iter__(self):
        """Until the daemon ends the stream.  A name without data, and lines of other kinds, are an error."""
        fields = {"data": []}
        while line := self.response.readline():
            line = line.decode().removesuffix("\n")
            if line == "":
                if fields["data"]:
                    yield Event(fields.get("event", "message"), fields.get("id"), json.loads("\n".join(fields["data"])))
                fields = {"data": []}
            elif line.startswith(":"):
                self.comments += 1
            else:
                name, value = line.split(": ", 1)
                if name == "data":
                    fields["data"].append(value)
                elif name == "retry":
                    self.retry_ms = int(value)
                elif name in ("event", "id"):
                    fields[name] = value
                    if name == "id":
                        self.last_id = value
                else:
                    raise ValueError(line)
