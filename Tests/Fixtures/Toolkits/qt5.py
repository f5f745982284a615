#!/usr/bin/python3
"""A Qt 5 program that copies and pastes; its command line is described in toolkit.py."""

import sys

from PyQt5.QtCore import QBuffer, QIODevice, QMimeData, QSocketNotifier, QUrl
from PyQt5.QtGui import QGuiApplication, QImage, QWindow

import toolkit

application = QGuiApplication(sys.argv[:1])
clipboard = QGuiApplication.clipboard()


def own(contents):
    data = QMimeData()
    for kind, value in contents.items():
        fill(data, kind, value)
    clipboard.setMimeData(data)
    window = QWindow()
    window.create()
    # setMimeData() asks the server for the owner, so the claim has reached the server.
    toolkit.say_owned(int(window.winId()))
    run()


def run():
    """Runs the main loop until the end of standard input."""
    notifier = QSocketNotifier(0, QSocketNotifier.Read)
    notifier.activated.connect(lambda *_: toolkit.ended() and application.quit())
    application.exec_()


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
    buffer.open(QIODevice.WriteOnly)
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


toolkit.main("qt5.py", own, read, watch)
