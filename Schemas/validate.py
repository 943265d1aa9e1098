#!/usr/bin/env python3
"""Checks lines of a bundle against the JSON Schema.

    zstd -dc < Tact.recordpack | python3 Schemas/validate.py

Prints what is wrong, line by line. Needs the package `jsonschema`.
Exit code 0: every line is valid; 1: one is not.
"""

import json
import pathlib
import sys

from jsonschema import Draft202012Validator

SCHEMA = pathlib.Path(__file__).with_name("recordpack-line-v1.schema.json")


def main():
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    lines = wrong = 0
    for text in sys.stdin.buffer:
        lines += 1
        try:
            error = next(validator.iter_errors(json.loads(text)), None)
        except ValueError as problem:
            error = problem
        if error is not None:
            wrong += 1
            path = getattr(error, "json_path", "$")
            message = getattr(error, "message", str(error))
            print(f"line {lines}: {path}: {message[:200]}")
    print(f"{lines} lines, {wrong} wrong")
    return 1 if wrong or lines == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
