# SPDX-License-Identifier: Apache-2.0
"""HTTP servers for transcripts."""

import http.server
import os
import ssl
import threading
import time
from pathlib import Path


def tls_context(certificate, key, client):
    """For a server that wants this client's certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    context.load_verify_locations(client)
    context.verify_mode = ssl.CERT_REQUIRED
    return context


def serve(answer, number=1, tls=None):
    """Returns when so many servers listen, whose ports are then in the file `ports`. They end when
    that file is gone, as with its folder. `answer` makes of a request the bytes of a profile, or a
    status."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            found = answer(self)
            status, body = (found, b"") if isinstance(found, int) else (200, found)
            self.send_response(status)
            # libcurl 8.14 refuses an answer by TLS whose end neither this nor TLS tells.
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    servers = [http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) for _ in range(number)]
    ports = Path("ports").resolve()
    ports.write_text(" ".join(str(server.server_port) for server in servers))
    if os.fork():
        return
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)
    for server in servers:
        if tls:
            server.socket = tls.wrap_socket(server.socket, server_side=True,
                                            do_handshake_on_connect=False)
        threading.Thread(target=server.serve_forever, daemon=True).start()
    while ports.exists():
        time.sleep(0.1)
