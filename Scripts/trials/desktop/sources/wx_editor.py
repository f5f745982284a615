#!/usr/bin/python3
"""A wxWidgets text editor for one file, which copies and pastes with wxClipboard.

  wx_editor.py [--flush] FILE    with --flush, the editor flushes the clipboard after each copy
"""

import pathlib
import sys

import wx


class Editor(wx.Frame):
    def __init__(self, path, flushes):
        super().__init__(None, title=path.name, size=(600, 400))
        self.path = path
        self.flushes = flushes
        self.text = wx.TextCtrl(self, value=path.read_text(encoding="utf-8"), style=wx.TE_MULTILINE)
        self.actions = {
            "A": self.text.SelectAll, "C": self.copy, "V": self.paste, "S": self.save, "Q": self.Close,
        }
        # The text control would leave copies and pastes to GTK.
        self.Bind(wx.EVT_CHAR_HOOK, self.on_key)
        self.text.SetFocus()

    def on_key(self, event):
        action = self.actions.get(chr(event.GetKeyCode())) if event.ControlDown() else None
        if action is None:
            event.Skip()
        else:
            action()

    def copy(self):
        if wx.TheClipboard.Open():
            wx.TheClipboard.SetData(wx.TextDataObject(self.text.GetStringSelection()))
            wx.TheClipboard.Close()
            if self.flushes:
                wx.TheClipboard.Flush()

    def paste(self):
        found = wx.TextDataObject()
        if wx.TheClipboard.Open():
            if wx.TheClipboard.GetData(found):
                self.text.WriteText(found.GetText())
            wx.TheClipboard.Close()

    def save(self):
        self.path.write_text(self.text.GetValue(), encoding="utf-8")


def main():
    application = wx.App()
    Editor(pathlib.Path(sys.argv[-1]), flushes="--flush" in sys.argv).Show()
    application.MainLoop()


main()
