# SPDX-License-Identifier: Apache-2.0
"""The documents that users write: their schemas, what the decoder does with them, and the tables that it decodes by."""
import json
import os
import pathlib
import subprocess
import tempfile

import jsonschema

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("ASSAY_BUILD", ROOT / "build/release"))
KINDS = ("job", "sweep", "variants", "compare")


def options(kind):
    """Those of decode_job for this kind of document."""
    return [] if kind == "job" else [f"--{kind}"]


def read_schema(kind):
    return json.loads((ROOT / "schema" / f"{kind}.schema.json").read_text())


def validator(kind):
    """The schema of `kind`, with what it refers to taken from the tree."""
    schema = read_schema(kind)
    jsonschema.Draft202012Validator.check_schema(schema)
    resolver = jsonschema.RefResolver((ROOT / "schema" / f"{kind}.schema.json").as_uri(), schema)
    return jsonschema.Draft202012Validator(schema, resolver=resolver)


def decode_files(files, *more):
    """What the decoder answers to each: {file: None if it is accepted, or the fault}."""
    run = subprocess.run([BUILD / "tests/decode_job", *more, *files], stdout=subprocess.PIPE, text=True)
    if run.returncode not in (0, 1):
        raise AssertionError(f"decode_job ended with {run.returncode}")
    said = dict(line.split(": ", 1) for line in run.stdout.splitlines())
    return {f: None if said[str(f)] == "ok" else json.loads(said[str(f)]) for f in files}


def decode(kind, documents, *more):
    """The same of documents that are in memory, as a list."""
    with tempfile.TemporaryDirectory() as directory:
        files = [pathlib.Path(directory, str(i)) for i in range(len(documents))]
        for file, document in zip(files, documents):
            file.write_text(json.dumps(document))
        return list(decode_files(files, *(more or options(kind))).values())


def members():
    """What the decoder's tables have of each member: {kind: {path: facts}}."""
    return json.loads(subprocess.run([BUILD / "tests/print_members"], stdout=subprocess.PIPE, check=True).stdout)
