"""Draws the terminal of the README, Documents/session.svg, from a real session on a private display."""

import html
import re
import subprocess
import tempfile

from trials import ROOT, say
from trials.testbed import Testbed

OUTPUT = ROOT / "Documents/session.svg"

SESSION = r"""
xpb watch -t text -- sh -c 'echo "[copied: $(cat)]"' &      # run a command for each copy
echo 'Hello from xpb' | xpb set
xclip -o -selection clipboard                               # any X11 program can paste it
printf 'Hello from xclip' | xclip -selection clipboard      # and copy
xpb get; echo
xpb set -t text/html --text '<b>42</b>' -t text/plain --text 42
xpb types --mime                                            # two formats in one copy
xpb history | cut -f 1-3                                    # all earlier copies
xpb undo 2                                                  # and back again
xpb get
"""

# Prints each command with a prompt and runs it. Because of the pause, the output of the watch and the capture of
# another program's copy come before the next command.
SHELL = r"""
while IFS= read -r command <&3; do
    code=${command%%  #*}
    printf '\e[32m$\e[0m \e[1m%s\e[0m\e[90m%s\e[0m\n' "$code" "${command#"$code"}"
    eval "$command"
    sleep 1
done
"""

COLUMNS = 96
CELL_WIDTH, LINE_HEIGHT, MARGIN = 8.43, 20, 16
STYLES = {"1": "font-weight:bold;fill:#ffffff", "32": "fill:#7ee787", "90": "fill:#8b949e"}


def transcript(binaries):
    """Returns the output of the session, with the colors of its prompts and commands."""
    with tempfile.TemporaryDirectory(prefix="xpb-") as folder, Testbed(binaries, folder) as testbed:
        commands, output = testbed.folder / "commands", testbed.folder / "output"
        commands.write_text(SESSION.strip() + "\n", encoding="utf-8")
        with open(output, "wb") as file:
            subprocess.run(
                ["/bin/bash", "-c", f"exec 3<{commands}\n{SHELL}\nkill %1"], env=testbed.environment,
                cwd=testbed.folder, stdin=subprocess.DEVNULL, stdout=file, stderr=file, check=True)
        return output.read_text(encoding="utf-8")


def spans(line):
    """Returns the SVG text of a line. Its only control sequences are those of STYLES."""
    style, parts = None, []
    for part in re.split(r"(\x1b\[\d*m)", line):
        if part.startswith("\x1b"):
            style = STYLES.get(part[2:-1])
        elif part:
            text = html.escape(part, quote=False)
            parts.append(f'<tspan style="{style}">{text}</tspan>' if style else text)
    return "".join(parts)


def drawing(text):
    lines = [line.expandtabs(8) for line in text.splitlines()]
    width, height = round(COLUMNS * CELL_WIDTH + 2 * MARGIN), len(lines) * LINE_HEIGHT + 2 * MARGIN
    rows = [
        f'<text x="{MARGIN}" y="{MARGIN + LINE_HEIGHT * (number + 1) - 6}" xml:space="preserve">{spans(line)}</text>'
        for number, line in enumerate(lines)]
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"',
        '     font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14" fill="#e6edf3">',
        "<title>A terminal with a session of xpb</title>",
        f'<rect width="{width}" height="{height}" rx="8" fill="#0d1117"/>', *rows, "</svg>", ""])


def run(options):
    OUTPUT.write_text(drawing(transcript(options.binaries)), encoding="utf-8")
    say(f"picture: wrote {OUTPUT.relative_to(ROOT)}")
