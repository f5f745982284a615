"""Browsers. A page with a script shows the pasted contents in the window's title."""

import contextlib
import json
import os

from trials import Failure
from trials.desktop import samples
from trials.desktop.program import RETRY_INTERVAL, Program

READING_PAGE = "<!doctype html><meta charset=utf-8><title>reading</title><p>one <b>heavy</b> word</p>"
PICTURE_PAGE = """<!doctype html><meta charset=utf-8><title>picture</title>
<style>* { margin: 0 } img { width: 100vw; height: 100vh; display: block }</style><img src=picture.png>"""
# A page whose title shows the pasted contents: the HTML, the files, the resulting text, and whether a word is bold.
WRITING_PAGE = """<!doctype html><meta charset=utf-8><title>writing</title>
<div contenteditable id=place style="min-height: 90vh"></div>
<script>
place.focus()
addEventListener("focus", () => place.focus())
addEventListener("paste", async event => {
    const data = event.clipboardData
    const found = { html: data.getData("text/html"), files: [] }
    for (const file of [...data.files]) {
        const about = { name: file.name, type: file.type, length: file.size }
        if (file.type.startsWith("image/")) {
            const picture = await createImageBitmap(file)
            about.width = picture.width, about.height = picture.height
        }
        found.files.push(about)
    }
    setTimeout(() => {
        found.text = place.innerText.trim()
        found.bold = getBold()
        document.title = "pasted " + JSON.stringify(found) + " end"
    }, 100)
})
function getBold() {
    return [...place.querySelectorAll("*")].filter(part => part.textContent == "heavy").some(
        part => getComputedStyle(part).fontWeight >= 600)
}
</script>"""


class Browser(Program):
    formats = [
        ("text", ["UTF8_STRING"], samples.has("one heavy word")),
        ("HTML", ["text/html"], samples.has("heavy</b>")),
    ]
    pastes = ("text", "html", "rtf", "image", "files")

    def page(self, name, source):
        path = self.folder / f"{name}.html"
        path.write_text(source)
        return path

    def document(self):
        return self.page("reading", READING_PAGE)

    def empty_document(self):
        return self.page("writing", WRITING_PAGE)

    def title(self, path):
        return rf"^{path.stem} "

    def result(self, kind):
        window = self.desktop.window("^pasted .* end")
        if window is None:
            return None
        found = json.loads(window.title[len("pasted "):window.title.rindex(" end")])
        if kind == "text":
            return "yes" if found["text"] == samples.TEXT else None
        if kind in ("html", "rtf"):
            if found["text"] != samples.WORDS:
                return None
            return "yes" if found["bold"] else "as text"
        if kind == "image":
            sizes = [(file.get("width"), file.get("height")) for file in found["files"]]
            return "yes" if sizes == [(samples.WIDTH, samples.HEIGHT)] else None
        names = sorted(file["name"] for file in found["files"])
        if names == ["first.txt", "second.txt"]:
            return "yes"
        return "the first only" if names == ["first.txt"] else None


class Firefox(Browser):
    name = product = "Firefox"
    package = executable = "firefox-esr"
    settings = {"MOZ_CRASHREPORTER_DISABLE": "1", "MOZ_ENABLE_WAYLAND": "0"}

    def prepare(self):
        self.profile = self.desktop.folder / "firefox"
        self.profile.mkdir(exist_ok=True)
        values = {
            "browser.shell.checkDefaultBrowser": False, "browser.aboutwelcome.enabled": False,
            "browser.startup.homepage_override.mstone": "ignore", "browser.sessionstore.resume_from_crash": False,
            "browser.tabs.warnOnClose": False, "browser.warnOnQuit": False, "browser.warnOnQuitShortcut": False,
            "datareporting.policy.dataSubmissionEnabled": False, "toolkit.telemetry.reportingpolicy.firstRun": False,
            "app.update.enabled": False, "network.captive-portal-service.enabled": False,
            "network.connectivity-service.enabled": False, "termsofuse.bypassNotification": True,
            "toolkit.startup.max_resumed_crashes": -1, "browser.newtabpage.activity-stream.feeds.topsites": False,
        }
        (self.profile / "user.js").write_text(
            "".join(f"user_pref({json.dumps(key)}, {json.dumps(value)});\n" for key, value in values.items()))

    def command(self, path):
        return [self.executable, "--no-remote", "--profile", self.profile, path.as_uri()]


class Chromium(Browser):
    name = product = "Chromium"
    package = executable = "chromium"
    quit_keys = ["ctrl+shift+w"]

    def command(self, path):
        options = [
            f"--user-data-dir={self.desktop.folder}/chromium", "--no-first-run", "--no-default-browser-check",
            "--password-store=basic", "--disable-gpu", "--disable-background-networking",
            "--hide-crash-restore-bubble", "--disable-component-update",
            f"--ozone-platform={'wayland' if self.desktop.compositor else 'x11'}",
        ]
        if os.getuid() == 0:
            # Chromium's sandbox refuses root.
            options += ["--no-sandbox", "--test-type"]
        return [self.executable, *options, path.as_uri()]


class Picture:
    """Copies a picture in a browser, with the mouse and the menu."""

    formats = [("image", ["image/png"], samples.is_png(240, 200))]
    pastes = ()
    # The key of "Copy Image" in the menu.
    copy_key = "y"

    def document(self):
        (self.folder / "picture.png").write_bytes(samples.png(240, 200))
        return self.page("picture", PICTURE_PAGE)

    def select(self):
        self.desktop.keys("Escape")
        self.desktop.click(self.window, 500, 500, button=3)
        with contextlib.suppress(Failure):
            # If no menu appears, the key has no effect, and `copy` tries again.
            self.desktop.await_("a menu", self.desktop.has_menu, RETRY_INTERVAL)


class FirefoxPicture(Picture, Firefox):
    name = "Firefox: a picture"


class ChromiumPicture(Picture, Chromium):
    name = "Chromium: a picture"
