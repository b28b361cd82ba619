"""What README.md says, for the tests that hold Belfry to it."""

import dataclasses
import re

from gateway import ROOT

TEXT = (ROOT / "README.md").read_text(encoding="utf-8")


@dataclasses.dataclass(frozen=True)
class TestToken:
    prefix: str
    status: int
    reason: str


def test_tokens():
    """The rows of the table of test tokens: `fa11` + status + index for each reason."""
    rows = []
    for status, cell in re.findall(r"^\| (\d{3}) \| (.*`\d\d` \w+.*) \|$", TEXT, re.MULTILINE):
        for index, reason in re.findall(r"`(\d\d)` (\w+)", cell):
            rows.append(TestToken(f"fa11{int(status):04}{index}", int(status), reason))
    return rows


def blocks(kind):
    """The shell blocks that follow a line `<!-- test: KIND -->`."""
    return re.findall(rf"<!-- test: {kind} -->\n```sh\n(.*?)```", TEXT, re.DOTALL)
