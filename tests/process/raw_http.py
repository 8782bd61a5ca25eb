"""HTTP/1.1 on a bare socket: what goes out is exactly what the test says, and what comes back is
read by the framing rules of RFC 9112, not by a lenient library."""

import socket

TIMEOUT_S = 10


class Malformed(AssertionError):
    """The peer sent something that is not an HTTP/1.1 response."""


class Response:
    def __init__(self, status, version, headers, body):
        self.status = status
        self.version = version
        self.headers = headers  # list of (lower-case name, value)
        self.body = body

    def header(self, name):
        """The value of a field, or None; a field that stands twice is an error."""
        values = [value for key, value in self.headers if key == name.lower()]
        if len(values) > 1:
            raise Malformed(f"{name} stands {len(values)} times")
        return values[0] if values else None

    def __repr__(self):
        return f"<{self.status} {self.body[:160]!r}>"


class Connection:
    """One connection; use as a context manager."""

    def __init__(self, address, timeout_s=TIMEOUT_S):
        self.socket = socket.create_connection(address, timeout=timeout_s)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer = b""
        self.was_reset = False

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, data):
        try:
            self.socket.sendall(data)
        except (BrokenPipeError, ConnectionResetError):
            self.was_reset = True

    def half_close(self):
        try:
            self.socket.shutdown(socket.SHUT_WR)
        except OSError:
            self.was_reset = True

    def _fill(self):
        """Reads more; False at the end of the stream."""
        try:
            data = self.socket.recv(1 << 16)
        except ConnectionResetError:
            self.was_reset = True
            data = b""
        self.buffer += data
        return bool(data)

    def _take(self, size):
        while len(self.buffer) < size:
            if not self._fill():
                raise Malformed(f"the body ends after {len(self.buffer)} of {size} bytes")
        data, self.buffer = self.buffer[:size], self.buffer[size:]
        return data

    def _line(self):
        while b"\r\n" not in self.buffer:
            if not self._fill():
                raise Malformed(f"the stream ends inside a line: {self.buffer[:200]!r}")
        line, self.buffer = self.buffer.split(b"\r\n", 1)
        return line

    def at_end(self):
        """Whether the peer has closed and nothing is left."""
        return not self.buffer and not self._fill()

    def response(self, method="GET"):
        """Reads one response to a request of `method`; None when the peer closed instead."""
        if self.at_end():
            return None
        status_line = self._line().decode("latin-1")
        version, _, rest = status_line.partition(" ")
        code = rest[:3]
        if version not in ("HTTP/1.1", "HTTP/1.0") or not code.isdigit() or rest[3:4] not in ("", " "):
            raise Malformed(f"status line {status_line!r}")
        headers = []
        while line := self._line():
            name, colon, value = line.partition(b":")
            if not colon or not name or name != name.strip():
                raise Malformed(f"header line {line!r}")
            headers.append((name.decode("latin-1").lower(), value.strip().decode("latin-1")))
        response = Response(int(code), version, headers, b"")
        response.body = self._body(response, method)
        return response

    def _body(self, response, method):
        length = response.header("content-length")
        if response.status < 200 or response.status == 204:
            if length is not None or response.header("transfer-encoding") is not None:
                raise Malformed(f"{response.status} with a body's framing")
            return b""
        if method == "HEAD" or response.status == 304:
            return b""
        if response.header("transfer-encoding") == "chunked":
            if length is not None:
                raise Malformed("both framings")
            return self._chunked()
        if length is not None:
            return self._take(int(length))
        while self._fill():
            pass
        data, self.buffer = self.buffer, b""
        return data

    def _chunked(self):
        body = b""
        while True:
            size = int(self._line().split(b";")[0], 16)
            if size == 0:
                while self._line():
                    pass
                return body
            body += self._take(size)
            if self._take(2) != b"\r\n":
                raise Malformed("a chunk without its end")


def exchange(address, raw, methods=("GET",)):
    """Sends `raw`, closes the sending side and reads every response. `methods` are those of the
    requests in order; the last one stands for the rest."""
    with Connection(address) as connection:
        connection.send(raw)
        connection.half_close()
        responses = []
        while True:
            method = methods[min(len([r for r in responses if r.status >= 200]), len(methods) - 1)]
            response = connection.response(method)
            if response is None:
                return responses
            responses.append(response)


def request(target="/health/live", method="GET", headers=(), body=b"", version="HTTP/1.1", host="assay.test"):
    """A well-formed request as bytes; `headers` are (name, value) pairs."""
    lines = [f"{method} {target} {version}"]
    if host is not None:
        lines.append(f"Host: {host}")
    lines += [f"{name}: {value}" for name, value in headers]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body
