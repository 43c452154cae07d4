# SPDX-License-Identifier: Apache-2.0
"""HTTP servers on this machine that misbehave on request, and count what they are asked at a time.

A path is what is done: /ok/TEXT answers TEXT. Server.do_* are the others, by the first component,
with the rest of them as arguments.
"""

import socket
import ssl
import threading


class Gauge:
    """How many requests are under way, and were at most; and a gate that some of them wait for."""

    def __init__(self):
        self.changed = threading.Condition()
        self.now = self.peak = 0
        self.open = False

    def __enter__(self):
        with self.changed:
            self.now += 1
            self.peak = max(self.peak, self.now)
            self.changed.notify_all()

    def __exit__(self, *_):
        with self.changed:
            self.now -= 1
            self.changed.notify_all()

    def wait_for(self, number):
        """Waits until so many are under way."""
        with self.changed:
            return self.changed.wait_for(lambda: self.now >= number, timeout=30)

    def wait_for_gate(self):
        with self.changed:
            self.changed.wait_for(lambda: self.open, timeout=60)

    def open_gate(self):
        with self.changed:
            self.open = True
            self.changed.notify_all()


def answer(body=b"", status="200 OK", *headers, length=None):
    """The bytes of an answer that ends with its connection."""
    lines = [f"HTTP/1.1 {status}", "Connection: close", *headers]
    if length != "none":
        lines.append(f"Content-Length: {len(body) if length is None else length}")
    return "\r\n".join([*lines, "", ""]).encode() + body


class Server:
    """One at a port of 127.0.0.1, with a thread for each connection."""

    def __init__(self, gauge=None, tls=None):
        self.gauge = gauge or Gauge()
        self.tls = tls
        self.requests = []  # the path and the headers of each
        self.tried = {}  # how often a path was asked for
        self.lock = threading.Lock()
        self.connections = []  # the thread of each
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=512)
        self.port = self.socket.getsockname()[1]
        self.scheme = "https" if tls else "http"
        self.root = f"{self.scheme}://127.0.0.1:{self.port}"
        threading.Thread(target=self.listen, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.gauge.open_gate()
        # The thread that waits for connections would otherwise keep the port.
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()

    def listen(self):
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            self.connections.append(
                threading.Thread(target=self.serve, args=(connection,), daemon=True))
            self.connections[-1].start()

    def settle(self):
        """Waits until what clients asked for that are gone is answered."""
        with socket.create_connection(("127.0.0.1", self.port)) as last:
            last.shutdown(socket.SHUT_WR)
            last.recv(1)  # it is answered after all others have a thread
        for connection in self.connections:
            connection.join()

    def serve(self, connection):
        try:
            if self.tls:
                connection = self.tls.wrap_socket(connection, server_side=True)
            with connection:
                self.answer(connection)
        except OSError:  # also what TLS refuses
            connection.close()

    def answer(self, connection):
        """One request."""
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            more = connection.recv(1)
            if not more:
                return
            head += more
        first, *lines = head.decode("latin-1").split("\r\n")[:-2]
        path = first.split()[1]
        with self.lock:
            self.requests.append((path, dict(line.split(": ", 1) for line in lines)))
            self.tried[path] = self.tried.get(path, 0) + 1
            tried = self.tried[path]
        with self.gauge:
            sent = self.respond(connection, tried, path)
            if sent:
                connection.sendall(sent)

    def respond(self, connection, tried, path):
        """The bytes to send; nothing if that is done."""
        action, *words = path.strip("/").split("/")
        return getattr(self, f"do_{action}")(connection, tried, *words)

    def do_ok(self, _connection, _tried, text="ok"):
        return answer(text.encode())

    def do_large(self, _connection, _tried, size, length):
        return answer(b"x" * int(size), length=None if length == "length" else "none")

    def do_endless(self, connection, _tried, *_words):
        connection.sendall(answer(length="none"))
        while True:
            connection.sendall(bytes(1 << 18))

    def do_status(self, _connection, _tried, status, *headers):
        return answer(b"not this", f"{status} Reason", *headers)

    def do_fails(self, _connection, tried, status, times):
        """A status for so many times, and then an answer."""
        return answer(b"at last") if tried > int(times) else answer(b"no", f"{status} Reason")

    def do_retry(self, _connection, _tried, seconds):
        return answer(b"", "503 Reason", f"Retry-After: {seconds}")

    def do_header(self, _connection, _tried, size):
        return answer(b"", "200 OK", "Long: " + "x" * int(size))

    def do_cut(self, _connection, _tried, size, of):
        return answer(b"x" * int(size), length=int(of))

    def do_chunked(self, _connection, _tried, how):
        head = answer(b"", "200 OK", "Transfer-Encoding: chunked", length="none")
        end = b"1\r\ne\r\n0\r\n\r\n" if how == "whole" else b"9\r\nrest"
        return head + b"4\r\nwhol\r\n" + end

    def do_silent(self, connection, _tried):
        """Closes without an answer."""
        connection.shutdown(socket.SHUT_RDWR)

    def do_text(self, _connection, _tried):
        return b"220 this is no HTTP\r\n"

    def do_reset(self, connection, _tried):
        linger = b"\1\0\0\0\0\0\0\0"
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        connection.close()

    def do_hang(self, _connection, _tried, *_words):
        """No answer before the gate is open."""
        self.gauge.wait_for_gate()
        return answer(b"late")

    def do_stall(self, connection, _tried):
        """The same in the middle of one."""
        connection.sendall(answer(b"beg", length=10))
        self.gauge.wait_for_gate()

    def do_to(self, _connection, _tried, *words):
        """A redirect: to a path, or with "//" in front to anything."""
        target = "/".join(words)
        target = target[1:] if target.startswith("=") else f"/{target}"
        return answer(b"", "302 Found", f"Location: {target}")

    def do_loop(self, _connection, _tried, number):
        return answer(b"", "307 Again", f"Location: /loop/{int(number) + 1}")


def tls_context(folder, client_ca=None):
    """The context for a server with the certificate in the folder."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "server.pem", folder / "server.key")
    if client_ca:
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(client_ca)
    return context
