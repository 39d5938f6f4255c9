# SPDX-License-Identifier: Apache-2.0
"""src/ops/aclnn.tab: what is generated from it is committed, and its types are those of the public interface."""
import os
import re
import subprocess
import sys

import pytest

SOURCE = os.environ["JUMAR_SOURCE"]
REFERENCE = os.path.join(os.environ.get("JUMAR_TEST_DATA", ""), "reference", "aclnn-parameters.txt")
sys.path.insert(0, os.path.join(SOURCE, "scripts"))
import aclnn  # noqa: E402

# Lists that are recorded elsewhere, or are not what clients pass: where they were read is beside each.
EXCEPTIONS = {
    # llmops.md of the reference, section 1.1
    "aclnnDequantRopeQuantKvcache": ["T"] * 13 + ["I[]", "str", "str", "bool", "str"] + ["T"] * 3,
    # op-plugin, GeKernelNpuOpApi.cpp: its only call; no other list has the name
    "aclnnLessScalar": ["T", "S", "T"],
}


def rows():
    return [row for _, _, rows in aclnn.parse_table(aclnn.ROOT / "src/ops/aclnn.tab") for row in rows]


def recorded():
    if not os.path.exists(REFERENCE):
        pytest.skip(f"no reference at {REFERENCE or 'JUMAR_TEST_DATA'}")
    with open(REFERENCE, encoding="utf-8") as file:
        found = [re.match(r"(aclnn\w+)\(([^)]*)\)", line) for line in file]
    return {match[1]: [p.split()[0] for p in match[2].split(", ") if p] for match in found if match}


def test_generated_files_are_those_of_the_table():
    done = subprocess.run([sys.executable, os.path.join(SOURCE, "scripts", "aclnn.py"), "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_types_are_those_of_call_sites():
    """A float where callers pass a double, or int8 for int64, is a silent mistake: there are no prototypes at call sites."""
    lists = recorded()
    wrong = []
    for row in rows():
        types = [p.type for p in row.params]
        if EXCEPTIONS.get(row.name) == types:
            continue
        if row.name not in lists:
            wrong.append(f"{row.name} is not recorded; add it to EXCEPTIONS with where its list was read")
        elif types != lists[row.name]:
            wrong.append(f"{row.name}: {types}, recorded {lists[row.name]}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("line, words", [
    ("aclnnX(T a, T out) = promote: Abs(b) -> out", "'b' is no parameter"),
    ("aclnnX(T a, T out) = promote: Abs(a) -> a", "not used: out"),
    ("aclnnX(T a, T out) = sometimes: Abs(a) -> out", "is no rule"),
    ("aclnnX(T a, T out) = promote: abs(a) -> out", "there is no function abs"),
    ("aclnnX(T a, S out) = promote: Abs(a) -> out", "is no tensor"),
    ("aclnnX(Q a, T out) = promote: Abs(a) -> out", "is no parameter"),
    ("aclnnX(T a, T out) = promote: Abs(a -> out", "expected"),
])
def test_mistakes_are_told(line, words):
    with pytest.raises(aclnn.TableError, match=words.replace("(", r"\(")):
        aclnn.parse_row(line)
