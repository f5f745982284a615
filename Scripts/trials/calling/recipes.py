"""The code blocks of Documents/Recipes.md, named by the HTML comments before them."""

import re

from trials import ROOT, Failure

DOCUMENT = ROOT / "Documents/Recipes.md"
BLOCK = re.compile(r"(?:<!-- recipe: (\S+) -->\n)?^```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)

used = set()


def all_recipes():
    """Returns the text of each block by the block's name. Every block must have its own name."""
    found = {}
    for name, text in BLOCK.findall(DOCUMENT.read_text(encoding="utf-8")):
        if not name or name in found:
            raise Failure(f"a block of {DOCUMENT.name} has no unique name: {text.strip()}")
        found[name] = text
    return found


def recipe(name):
    """Returns the text of a block, and marks the block as tried."""
    found = all_recipes()
    if name not in found:
        raise Failure(f"{DOCUMENT.name} has no recipe '{name}'")
    used.add(name)
    return found[name]
