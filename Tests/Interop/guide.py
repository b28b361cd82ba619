"""The shell blocks of a guide, run as a reader would type them."""

import re
import textwrap

from gateway import ROOT


def blocks(name, kind, language="sh"):
    """The blocks of docs/NAME that follow a line `<!-- test: KIND -->`, in order; those within lists are indented."""
    text = (ROOT / "docs" / name).read_text(encoding="utf-8")
    found = re.findall(
        rf"^ *<!-- test: {re.escape(kind)} -->\n *```{language}\n(.*?)^ *```", text, re.DOTALL | re.MULTILINE)
    assert found, f"docs/{name} has no block '{kind}'"
    return [textwrap.dedent(block) for block in found]


def block(name, kind, language="sh"):
    """The only block of its kind."""
    (found,) = blocks(name, kind, language)
    return found
