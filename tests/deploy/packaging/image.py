# SPDX-License-Identifier: Apache-2.0
"""Reads an image by the Open Container Initiative's format."""

import gzip
import hashlib
import io
import json
import re
import tarfile

from checks import require


def unpack_image(archive, folder):
    """The files of an image by Open Container Initiative's format, and what is to be started."""
    layout = folder / "layout"
    with tarfile.open(archive) as content:
        content.extractall(layout)

    def blob(described):
        algorithm, digest = described["digest"].split(":")
        data = (layout / "blobs" / algorithm / digest).read_bytes()
        require(hashlib.new(algorithm, data).hexdigest() == digest, "digest of", described)
        require(len(data) == described["size"], "size of", described)
        return data

    require(json.loads((layout / "oci-layout").read_text()) == {"imageLayoutVersion": "1.0.0"},
            "the layout's version")
    described, = json.loads((layout / "index.json").read_text())["manifests"]
    name = described["annotations"]["org.opencontainers.image.ref.name"]
    require(re.fullmatch(r"pprofdelta:[0-9.]+(-curl)?", name), "the image's name:", name)
    manifest = json.loads(blob(described))
    config = json.loads(blob(manifest["config"]))
    files = {}
    for layer, whole in zip(manifest["layers"], config["rootfs"]["diff_ids"], strict=True):
        require(layer["mediaType"].endswith("tar+gzip"), layer)
        data = gzip.decompress(blob(layer))
        require("sha256:" + hashlib.sha256(data).hexdigest() == whole, "the layer's digest")
        with tarfile.open(fileobj=io.BytesIO(data)) as content:
            files.update({member.name.strip("/"): member for member in content.getmembers()})
            content.extractall(folder / "files")
    return files, config
