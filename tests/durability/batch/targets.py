# SPDX-License-Identifier: Apache-2.0
"""A local server with many targets, each at an address of its own, some of which misbehave."""

import asyncio
import json
import threading
from collections import Counter

WELL, TRICKLES, HELD, FAILS, HTML, DIES = "well", "trickles", "held", "fails", "html", "dies"
PAGE = b"<!DOCTYPE html>\n<html><body>please log in</body></html>\n"
PAUSE = 0.05  # seconds between the bytes of an answer that trickles


def head(status, size, kind="application/octet-stream"):
    return (f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {size}\r\n"
            "Connection: close\r\n\r\n").encode()


class Targets:
    """`capture(number)` is what the target of this number answers while it is well.

    A context manager: the server ends with the block.
    """

    def __init__(self, count, capture):
        self.capture = capture
        self.kinds = [WELL] * count
        self.addresses = []
        self.requests = Counter()
        self.answered = set()
        self.loop = asyncio.new_event_loop()
        self.all_answered = asyncio.Event()
        self.ready = threading.Event()
        self.thread = threading.Thread(target=self.serve)

    def __enter__(self):
        self.thread.start()
        self.ready.wait()
        return self

    def __exit__(self, *_):
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()

    def serve(self):
        asyncio.set_event_loop(self.loop)
        self.loop.run_until_complete(self.listen())
        self.ready.set()
        self.loop.run_forever()
        for task in asyncio.all_tasks(self.loop):
            task.cancel()
        self.loop.run_until_complete(asyncio.sleep(0))
        self.loop.close()

    async def listen(self):
        for number in range(len(self.kinds)):
            server = await asyncio.start_server(
                lambda reader, writer, number=number: self.answer(number, reader, writer),
                "127.0.0.1", 0)
            self.addresses.append("127.0.0.1:%d" % server.sockets[0].getsockname()[1])

    def begin_round(self, kinds):
        """From now on the targets are of these kinds. Held ones answer after all that are well."""
        def change():
            self.kinds = kinds
            self.requests.clear()
            self.answered.clear()
            self.all_answered.clear()
        self.loop.call_soon_threadsafe(change)

    def write_file(self, path, job):
        """For Prometheus' service discovery by files."""
        path.write_text(json.dumps([{"targets": self.addresses, "labels": {"job": job}}]))
        return path

    async def answer(self, number, reader, writer):
        try:
            await reader.readuntil(b"\r\n\r\n")
            self.requests[number] += 1
            await self.write(number, writer)
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # The client has gone.
        finally:
            writer.close()

    async def write(self, number, writer):
        kind = self.kinds[number]
        if kind == FAILS:
            writer.write(head("500 Internal Server Error", len(PAGE), "text/html") + PAGE)
            return
        if kind == HTML:
            writer.write(head("200 OK", len(PAGE), "text/html") + PAGE)
            return
        if kind == HELD:
            await self.all_answered.wait()
        body = self.capture(number)
        writer.write(head("200 OK", len(body)))
        if kind == DIES:
            writer.write(body[:len(body) // 2])
        elif kind == TRICKLES:
            for at in range(len(body)):
                writer.write(body[at:at + 1])
                await writer.drain()
                await asyncio.sleep(PAUSE)
        else:
            writer.write(body)
            await writer.drain()
            self.answered.add(number)
            if len(self.answered) >= self.kinds.count(WELL):
                self.all_answered.set()
