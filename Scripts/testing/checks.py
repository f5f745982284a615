"""Checks that need more than one command: of the sources' comments, of the tests that a document names, of an
installation, and of a program that depends on the package."""

import collections
import json
import pathlib
import re
import shutil
import subprocess
import time

from groups import ROOT

SOURCES = ["Sources", "Tests", "Examples", "Package.swift"]
COLUMNS = 120
PROMISES = ROOT / "Tests/SecurityPromises.md"


def long_comments():
    """Yields the comment lines of Swift files that are too long. swift format checks lines of code only."""
    for place in SOURCES:
        path = ROOT / place
        for file in sorted(path.rglob("*.swift")) if path.is_dir() else [path]:
            # The build of an example contains sources of other packages.
            if ".build" in file.parts:
                continue
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                if len(line) > COLUMNS and line.lstrip().startswith("//"):
                    yield f"{file.relative_to(ROOT)}:{number}: a comment line of {len(line)} columns, limit {COLUMNS}"


def missing_tests():
    """Yields the tests that the list of SECURITY.md's promises names but that do not exist, and the promises with
    neither a test nor "none:" and a reason."""
    titles = titles_by_suite()
    for number, line in enumerate(PROMISES.read_text(encoding="utf-8").splitlines(), 1):
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if not line.startswith("|") or cells == ["Promise", "Tests"] or set(line) <= set("|-"):
            continue
        place = f"{PROMISES.relative_to(ROOT)}:{number}"
        tests = re.findall(r'`(\w+)`: "([^"]*)"', cells[-1])
        listed = "; ".join(f'`{suite}`: "{title}"' for suite, title in tests)
        if len(cells) != 2 or not cells[1].startswith("none: ") and (not tests or listed != cells[1]):
            yield f"{place}: not a row with a promise and its tests"
        for suite, title in tests:
            if title not in titles[suite]:
                yield f"{place}: there is no test \"{title}\" of {suite}"


# A type or a test with a title, each with its indentation.
DECLARATION = re.compile(
    r'^( *)(?:@Test\(\s*"((?:[^"\\]|\\.)*)"|(?!//)(?:\S+ )*?(?:actor|class|enum|extension|struct) (\w+))', re.MULTILINE)


def titles_by_suite():
    """Returns the titles of the tests of each suite. A test's suite is the last type before the test with a smaller
    indentation."""
    titles = collections.defaultdict(set)
    for file in (ROOT / "Tests").rglob("*.swift"):
        types = []
        for indentation, title, name in DECLARATION.findall(file.read_text(encoding="utf-8")):
            while types and len(types[-1][0]) >= len(indentation):
                types.pop()
            if name:
                types.append((indentation, name))
            elif types:
                titles[types[-1][1]].add(title)
    return titles


def installation_faults():
    """Installs the built binaries into a folder and removes them. Yields missing licenses of software in the binaries,
    dead links in documents, and files that stay behind."""
    prefix = ROOT / ".build/installation"
    shutil.rmtree(prefix, ignore_errors=True)
    install("--no-build", prefix)
    documents = prefix / "share/doc/xpb"
    for name in contained():
        if not any(path.stat().st_size for path in (documents / "Licenses" / name).glob("*")):
            yield f"the binaries contain {name}, but its license was not installed; add Licenses/{name}"
    yield from dead_links(documents)
    install("--uninstall", prefix)
    for path in prefix.rglob("*"):
        if not path.is_dir():
            yield f"Scripts/install --uninstall left {path.relative_to(prefix)} behind"


def install(option, prefix):
    subprocess.run(
        [ROOT / "Scripts/install", option, "--prefix", prefix], check=True, stdout=subprocess.DEVNULL)


def contained():
    """Returns the names of the software that the binaries contain."""
    lines = (ROOT / "Scripts/checks/linkage.expected").read_text().splitlines()
    return sorted({fields[2] for line in lines if (fields := line.split())[1:2] == ["contains"]})


def dead_links(documents):
    for file in [documents / "README.md", *sorted(pathlib.Path(documents, "Documents").glob("*.md"))]:
        for link in re.findall(r"\]\((?!https?:|#)([^)#]+)", file.read_text(encoding="utf-8")):
            if not (file.parent / link).exists():
                yield f"{file.relative_to(documents)} has a link to {link}, which is not installed"


DEPENDENT = """\
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "dependent",
    dependencies: [.package(url: "{url}", from: "1.0.0", traits: [])],
    targets: [.executableTarget(name: "dependent", dependencies: [.product(name: "Undo", package: "xpb")])])
"""


def dependent_faults():
    """Builds a program that depends on this package by URL and version, and uses the library Undo alone. Yields the
    error of the build, and the targets that were built needlessly. The package is that of the last commit."""
    folder = ROOT / ".build/dependent"
    shutil.rmtree(folder, ignore_errors=True)
    repository, package = folder / "xpb", folder / "package"
    subprocess.run(["git", "clone", "--quiet", "--bare", ROOT, repository], check=True)
    # SwiftPM remembers the commit of each version, so each run needs a new version.
    subprocess.run(["git", "-C", repository, "tag", f"1.0.{int(time.time())}"], check=True)
    (package / "Sources/dependent").mkdir(parents=True)
    (package / "Package.swift").write_text(DEPENDENT.format(url=repository.as_uri()))
    (package / "Sources/dependent/main.swift").write_text("import Undo\n\nprint(UndoManager().canUndo)\n")
    build = subprocess.run(
        ["swift", "build", "--package-path", package], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if build.returncode != 0:
        yield f"a program that depends on the package by URL and version cannot be built:\n{build.stdout}"
    resolved = json.loads((package / "Package.resolved").read_text())
    fetched = {pin["identity"] for pin in resolved["pins"]} - {"xpb", "swift-system"}
    if fetched:
        yield f"a program that uses a library alone also fetches {', '.join(sorted(fetched))}"
    needless = set(re.findall(r"Compiling (\w+) [\w+]+\.swift", build.stdout)) - {"Undo", "dependent"}
    if needless:
        yield f"a program that uses Undo alone also builds {', '.join(sorted(needless))}"
