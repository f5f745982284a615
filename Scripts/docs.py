#!/usr/bin/python3
"""Holds that the libraries are documented, and their pages in order; see Scripts/docs.

  docs.py GRAPHS ARCHIVE

GRAPHS has the compiler's symbol graphs, ARCHIVE is what docc made. Complains, with status 1, of

* a public symbol of ours without a documentation comment. What the compiler makes or inherits is not ours;
* a page below that leaves symbols to the groups which DocC makes by kind: its author has put them nowhere.
"""

import json
import pathlib
import sys

# Modules, and the types with too many members to be read in one list.
PAGES = ["pasteboard", "pasteboard/pasteboard", "pasteboard/asyncpasteboard", "pasteboardembedded", "uniformtypes",
         "uniformtypes/uniformtype", "attributedtext", "pasteboardattributedtext"]
# These are of conformances, or of types of other modules.
MADE_BY_KIND = {"Default Implementations", "Extended Modules"}


def undocumented(graphs):
    for path in sorted(graphs.glob("*/*.symbols.json")):
        graph = json.loads(path.read_text())
        for symbol in graph["symbols"]:
            # An extension says nothing itself, its members do.
            if symbol["kind"]["identifier"] == "swift.extension" or "docComment" in symbol:
                continue
            place = symbol.get("location")
            where = f"{place['uri'].removeprefix('file://')}:{place['position']['line'] + 1}: " if place else ""
            yield f"{where}{'.'.join(symbol['pathComponents'])} of {graph['module']['name']} has no documentation"


def left_over(archive):
    for page in PAGES:
        path = archive / "data" / "documentation" / f"{page}.json"
        if not path.exists():
            yield f"there is no page {page}"
            continue
        content = json.loads(path.read_text())
        for section in content.get("topicSections", []):
            if section.get("generated") and section["title"] not in MADE_BY_KIND:
                names = ", ".join(identifier.split("/", 3)[3] for identifier in section["identifiers"])
                yield f"the page {page} has no group for {names}"


def main():
    graphs, archive = map(pathlib.Path, sys.argv[1:])
    faults = list(undocumented(graphs)) + list(left_over(archive))
    for fault in faults:
        print(f"docs: {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
