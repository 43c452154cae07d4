# SPDX-License-Identifier: Apache-2.0
"""Tests the fetcher where there is TLS, with certificates that openssl makes."""

import shutil
import subprocess
import sys

from fetch_run import expect, expect_body, fetch
from harness import require
from http_server import Server, tls_context


def openssl(*arguments):
    subprocess.run(["openssl", *map(str, arguments)], check=True, stdin=subprocess.DEVNULL,
                   capture_output=True)


def test_tls(work):
    if not shutil.which("openssl"):
        print("without TLS, as openssl is missing", file=sys.stderr)
        return
    for name in ("server", "client"):
        openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                "-nodes", "-days", "2", "-subj", f"/CN={name}", "-addext",
                "subjectAltName=IP:127.0.0.1", "-keyout", work / f"{name}.key", "-out",
                work / f"{name}.pem")
    openssl("pkey", "-in", work / "client.key", "-aes128", "-passout", "pass:word", "-out",
            work / "locked.key")
    certificate = work / "server.pem"
    client = {"cert": work / "client.pem", "key": work / "client.key"}
    with Server(tls=tls_context(work)) as server, Server() as plain, \
            Server(tls=tls_context(work, client["cert"])) as strict:
        expect(fetch(server.root + "/ok")[0], "TLS failed: ", True)
        require(not server.requests, server.requests)
        found = fetch(server.root + "/ok", server.root + f"/to/={plain.root}/ok",
                      strict.root + "/ok", ca_file=certificate)
        expect_body(found[0], b"ok")
        expect(found[1], "it redirects from https to http, which is not followed", False)
        require(found[2].may_come_back and found[2].error, found[2])
        require(not strict.requests and not plain.requests)
        expect_body(fetch(strict.root + "/ok", ca_file=certificate, **client)[0], b"ok")
        found = fetch(strict.root + f"/to/={server.root}/ok", ca_file=certificate, **client)
        expect(found[0], f"it redirects to 127.0.0.1:{server.port}, which must not receive", False)
        wrong_name = strict.root.replace("127.0.0.1", "localhost")
        found = fetch(wrong_name + "/ok", ca_file=certificate, **client)
        expect(found[0], "TLS failed: ", True)
        # Nobody is asked for a password.
        client["key"] = work / "locked.key"
        found = fetch(strict.root + "/ok", ca_file=certificate, **client)
        expect(found[0], "TLS failed: --cert and --key are no", True)
        found = fetch(server.root + "/ok", ca_file=client["key"])
        expect(found[0], "TLS failed: --ca-file has no certificate", True)
