"""Prints the words that justhtml and striprtf find in HTML and RTF, for OracleTests.

Reads a JSON array of objects with "format" ("html" or "rtf") and "source" (base64) from standard input, and writes a JSON
array with the words of each source.
"""

import base64
import json
import sys

from justhtml import JustHTML
from striprtf.striprtf import rtf_to_text

# Elements whose contents a browser does not display.
INVISIBLE = {"head", "script", "style", "title", "iframe", "noembed", "noframes", "noscript", "template", "datalist", "audio",
             "video", "canvas", "rp"}


def html_words(source):
    document = JustHTML(source, sanitize=False, encoding=html_encoding(source))
    remove_invisible(document.root, is_visible=True)
    # Words are separated by white space and by block elements.
    return document.to_text(separator="\n", strip=False, separator_blocks_only=True).split()


def html_encoding(source):
    """Returns "utf-8" for valid UTF-8 that declares no encoding, since HTML's default is windows-1252; otherwise None."""
    try:
        source.decode("utf-8")
    except UnicodeError:
        return None
    return None if b"charset" in source.lower() or b"\0" in source else "utf-8"


def remove_invisible(node, is_visible):
    """Removes text that attributes or inline CSS make invisible; justhtml evaluates neither."""
    for child in list(node.children or []):
        if child.name == "#text":
            if not is_visible:
                node.remove_child(child)
            continue
        if child.name.startswith(("#", "!")):
            continue
        style = declarations(child)
        is_hidden = "hidden" in child.attrs and "display" not in style
        if child.name in INVISIBLE or style.get("display") == "none" or is_hidden:
            node.remove_child(child)
            continue
        remove_invisible(child, style["visibility"] == "visible" if "visibility" in style else is_visible)


def declarations(element):
    pairs = (declaration.partition(":") for declaration in (element.attrs.get("style") or "").lower().split(";"))
    return {name.strip(): value.replace("!important", "").strip() for name, _, value in pairs if value}


def rtf_words(source):
    text = rtf_to_text(source.decode("latin-1"), errors="replace")
    # Characters beyond the Basic Multilingual Plane come as pairs of surrogates, and cells end with a bar.
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").replace("|", " ").split()


def main():
    readers = {"html": html_words, "rtf": rtf_words}
    inputs = json.load(sys.stdin)
    json.dump([readers[each["format"]](base64.b64decode(each["source"])) for each in inputs], sys.stdout)


if __name__ == "__main__":
    main()
