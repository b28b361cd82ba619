"""The shell blocks of a guide, run as a reader would type them."""

import re

from gateway import ROOT


def blocks(name, kind, language="sh"):
    """The blocks of docs/NAME that follow a line `<!-- test: KIND -->`, in order."""
    text = (ROOT / "docs" / name).read_text(encoding="utf-8")
    found = re.findall(rf"<!-- test: {re.escape(kind)} -->\n```{language}\n(.*?)```", text, re.DOTALL)
    assert found, f"docs/{name} has no block '{kind}'"
    return found
