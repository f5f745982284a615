#!/usr/bin/python3
"""A Qt program that copies and pastes, with Qt 5, or with Qt 6 in a Wayland session; its command line is described in
toolkit.py. The variable QT_BINDING=PyQt6 selects Qt 6."""

import os
import sys

if os.environ.get("QT_BINDING") == "PyQt6":
    from PyQt6.QtCore import QBuffer, QIODevice, QMimeData, QSocketNotifier, QTimer, QUrl
    from PyQt6.QtGui import QGuiApplication, QImage, QRasterWindow, QWindow
else:
    from PyQt5.QtCore import QBuffer, QIODevice, QMimeData, QSocketNotifier, QTimer, QUrl
    from PyQt5.QtGui import QGuiApplication, QImage, QRasterWindow, QWindow

import toolkit

application = QGuiApplication(sys.argv[:1])
clipboard = QGuiApplication.clipboard()


def own(contents):
    data = QMimeData()
    for kind, value in contents.items():
        fill(data, kind, value)
    if QGuiApplication.platformName() == "wayland":
        return run_focused(lambda: toolkit.say("focused"), lambda: copy(data))
    clipboard.setMimeData(data)
    window = QWindow()
    window.create()
    # setMimeData() asks the server for the owner, so the claim has reached the server.
    toolkit.say_owned(int(window.winId()))
    run()


def copy(data):
    clipboard.setMimeData(data)
    toolkit.say("owned")


def run(line=lambda: None):
    """Runs the main loop until the end of standard input, and runs a function after each line."""
    notifier = QSocketNotifier(0, QSocketNotifier.Type.Read)
    notifier.activated.connect(lambda *_: application.quit() if toolkit.ended() else line())
    application.exec()


class Window(QRasterWindow):
    """A window that runs one action once it has the keyboard focus, and another action on a key press."""

    def __init__(self, action, key):
        super().__init__()
        self.action, self.key = action, key

    def focusInEvent(self, event):
        # Qt 6.4 may crash under KWin if the program exits during this event.
        QTimer.singleShot(0, self.action)

    def keyPressEvent(self, event):
        if self.key:
            self.key()


def run_focused(action, key=None):
    window = Window(action, key)
    window.resize(200, 100)
    window.show()
    if key:
        run(key)
    else:
        application.exec()


def fill(data, kind, value):
    if kind == "text":
        data.setText(value.decode())
    elif kind == "html":
        data.setHtml(value.decode())
    elif kind == "image":
        data.setImageData(QImage.fromData(value))
    elif kind == "files":
        data.setUrls([url_of(path) for path in toolkit.paths(value)])
    else:
        data.setData(kind, value)


def url_of(path):
    try:
        return QUrl.fromLocalFile(path.decode())
    except UnicodeDecodeError:
        # A QString cannot hold such a name, but a QUrl can, percent-escaped.
        return QUrl.fromEncoded(toolkit.uri_of_path(path).encode())


def read(kind):
    if QGuiApplication.platformName() != "wayland":
        return read_now(kind)
    found = []

    def paste():
        try:
            found.append(read_now(kind))
        except toolkit.Absent as reason:
            found.append(reason)
        application.quit()

    run_focused(paste)
    if not found or isinstance(found[0], toolkit.Absent):
        raise found[0] if found else toolkit.Absent("the window did not get the focus")
    return found[0]


def read_now(kind):
    data = clipboard.mimeData()
    if kind == "text":
        require(data.hasText(), kind)
        return data.text().encode()
    if kind == "html":
        require(data.hasHtml(), kind)
        return data.html().encode()
    if kind == "image":
        require(data.hasImage(), kind)
        return png_of(QImage(data.imageData()))
    if kind == "files":
        require(data.hasUrls(), kind)
        return toolkit.path_list(toolkit.path_of_uri(bytes(url.toEncoded()).decode()) for url in data.urls())
    require(data.hasFormat(kind), kind)
    return bytes(data.data(kind))


def png_of(image):
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")
    return bytes(buffer.data())


def require(condition, kind):
    if not condition:
        raise toolkit.Absent(f"Qt finds no {kind}")


def watch():
    clipboard.dataChanged.connect(lambda: toolkit.say("changed"))
    # This waits for a reply of the server, so that all earlier requests have reached it.
    clipboard.mimeData().formats()
    toolkit.say("watching")
    run()


toolkit.main("qt.py", own, read, watch)
