# SPDX-License-Identifier: Apache-2.0
"""Whether what the program prints in JSON is as the schemas in tools/deploy/schemas say.

Readers have to take members that they do not know. Here they are faults, so that each member is in
a schema.
"""

import json
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "tools/deploy/schemas"


def close(schema):
    """Forbids members of objects that the schema does not name, in place."""
    if isinstance(schema, list):
        for each in schema:
            close(each)
    elif isinstance(schema, dict):
        if schema.get("type") == "object":
            schema.setdefault("additionalProperties", False)
        for key, each in schema.items():
            if key not in ("const", "enum"):
                close(each)
    return schema


@cache
def validator(name):
    """The validator of an identifier such as "pprofdelta/report/1"; None without Debian's
    python3-jsonschema."""
    schema = json.loads((FOLDER / (name.removeprefix("pprofdelta/").replace("/", ".") + ".json"))
                        .read_text())
    try:
        import jsonschema
    except ImportError:
        return None
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(close(schema))


def faults_of(value):
    """The faults of one output, as lines."""
    name = value["schema"]
    try:
        checked = validator(name)
    except OSError:
        return [f"there is no schema {name}"]
    if not checked:
        return []
    return [f"{name}: {'/'.join(map(str, fault.absolute_path)) or '(all)'}: {fault.message[:300]}"
            for fault in checked.iter_errors(value)]


def outputs(text):
    """The outputs in JSON that a text consists of: one, or one a line."""
    for each in [text] if text.startswith("{\n") else text.splitlines():
        if each.startswith("{"):
            try:
                value = json.loads(each)
            except ValueError:
                continue  # something else, such as a profile in text
            if isinstance(value, dict) and str(value.get("schema")).startswith("pprofdelta/"):
                yield value


def faults(folder, texts):
    """The faults of the outputs among these texts, and among the files of a folder."""
    texts = list(texts)
    for path in sorted(Path(folder).rglob("*")):
        if path.is_file() and not path.is_symlink():
            with path.open("rb") as file:
                if file.read(1) == b"{":
                    texts.append(path.read_text(errors="replace"))
    return [fault for text in texts for value in outputs(text) for fault in faults_of(value)]
