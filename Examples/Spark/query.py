#!/usr/bin/env python3
"""Runs query.sql on the bundles of a folder, as the command `duckdb` does: query.py FOLDER"""

import os
import sys
from pathlib import Path

import duckdb

lines = Path(__file__).with_name("query.sql").read_text().splitlines()
text = "\n".join(line for line in lines if not line.startswith("--"))
os.chdir(sys.argv[1])
for statement in text.split(";"):
    if "CREATE" in statement:
        duckdb.execute(statement)
    elif statement.strip():
        duckdb.sql(statement).show()
