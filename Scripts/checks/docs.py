#!/usr/bin/python3
"""Checks that the libraries are documented and their pages organized; see Scripts/docs.

  docs.py GRAPHS ARCHIVE

GRAPHS has the compiler's symbol graphs, ARCHIVE is the output of docc. Exits with status 1 after reporting

* public symbols of the project without a documentation comment, except synthesized and inherited symbols;
* pages of the list below with symbols that are in no group of the page's author, but only in DocC's groups by kind;
* members of Apple's classes that are neither in ApplePasteboards nor in the list of missing members on its page.
"""

import json
import pathlib
import re
import sys

# The modules, and the types with too many members for one list.
PAGES = ["pasteboard", "pasteboard/pasteboard", "pasteboard/asyncpasteboard", "pasteboardembedded", "uniformtypes",
         "uniformtypes/uniformtype", "attributedtext", "pasteboardattributedtext", "undo", "undo/undomanager",
         "editing", "editing/editcenter", "editing/editcommand", "applepasteboards"]
# Groups of members from conformances, or of types of other modules.
GENERATED_GROUPS = {"Default Implementations", "Extended Modules"}


def undocumented(graphs):
    for path in sorted(graphs.glob("*/*.symbols.json")):
        graph = json.loads(path.read_text())
        for symbol in graph["symbols"]:
            # An extension itself needs no documentation, but its members do.
            if symbol["kind"]["identifier"] == "swift.extension" or "docComment" in symbol:
                continue
            place = symbol.get("location")
            where = f"{place['uri'].removeprefix('file://')}:{place['position']['line'] + 1}: " if place else ""
            yield f"{where}{'.'.join(symbol['pathComponents'])} of {graph['module']['name']} has no documentation"


def ungrouped(archive):
    for page in PAGES:
        path = archive / "data" / "documentation" / f"{page}.json"
        if not path.exists():
            yield f"the page {page} is missing"
            continue
        content = json.loads(path.read_text())
        for section in content.get("topicSections", []):
            if section.get("generated") and section["title"] not in GENERATED_GROUPS:
                names = ", ".join(identifier.split("/", 3)[3] for identifier in section["identifiers"])
                yield f"the page {page} has symbols in no group: {names}"


def missing(graphs):
    here = set()
    for path in [*graphs.glob("ApplePasteboards/*.symbols.json"), *graphs.glob("Undo/*.symbols.json")]:
        for symbol in json.loads(path.read_text())["symbols"]:
            *owner, name = symbol["pathComponents"]
            here.add((".".join(owner).removeprefix("NSNotification."), name))
    page = next(pathlib.Path("Sources").glob("*/ApplePasteboards/ApplePasteboards.docc/ApplePasteboards.md")).read_text()
    rows = [line for line in page.splitlines() if line.startswith("| ")]
    told = {name for row in rows for code in re.findall("`+([^`]*)`+", row.split(" | ")[0])
            for name in (code, code.rsplit(".", 1)[-1], code.rsplit("/", 1)[-1])}
    for line in pathlib.Path("Scripts/checks/apple.members").read_text().splitlines():
        if line.startswith("#"):
            continue
        owner, *names = line.split()
        for name in names:
            if (owner, name) not in here and not {name, name.split("(")[0]} & told:
                yield f"{owner}.{name} is neither in ApplePasteboards nor in its list of missing members"


def main():
    graphs, archive = map(pathlib.Path, sys.argv[1:])
    faults = list(undocumented(graphs)) + list(ungrouped(archive)) + list(missing(graphs))
    for fault in faults:
        print(f"docs: {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
