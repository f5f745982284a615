#!/usr/bin/python3
"""Plays the portal org.freedesktop.portal.FileTransfer on a session bus, for one program and without a file system.

usage: fake_portal.py MODE

MODE is `good`, or `deny`, which refuses to add files, or `silent`, which does not answer. Prints "ready", and then a
line for each call. RetrieveFiles returns the paths of the added files.
"""

import os
import sys

from gi.repository import Gio, GLib

NAME = "org.freedesktop.portal.Documents"
PATH = "/org/freedesktop/portal/documents"
INTERFACE = """
<node>
  <interface name="org.freedesktop.portal.FileTransfer">
    <method name="StartTransfer"><arg type="a{sv}" direction="in"/><arg type="s" direction="out"/></method>
    <method name="AddFiles">
      <arg type="s" direction="in"/><arg type="ah" direction="in"/><arg type="a{sv}" direction="in"/>
    </method>
    <method name="RetrieveFiles">
      <arg type="s" direction="in"/><arg type="a{sv}" direction="in"/><arg type="as" direction="out"/>
    </method>
  </interface>
</node>
"""


class Portal:
    def __init__(self, mode, bus):
        self.mode, self.transfers = mode, {}
        interface = Gio.DBusNodeInfo.new_for_xml(INTERFACE).interfaces[0]
        bus.register_object(PATH, interface, self.handle, None, None)
        Gio.bus_own_name_on_connection(
            bus, NAME, Gio.BusNameOwnerFlags.NONE, lambda *_: print("ready", flush=True), None)

    def handle(self, bus, sender, path, interface, method, arguments, invocation):
        print(method, flush=True)
        if self.mode == "silent":
            return
        values = arguments.unpack()
        if method == "StartTransfer":
            key = f"key {len(self.transfers) + 1}"
            self.transfers[key] = []
            return invocation.return_value(GLib.Variant("(s)", (key,)))
        if method == "RetrieveFiles":
            return invocation.return_value(GLib.Variant("(as)", (self.transfers[values[0]],)))
        if self.mode == "deny":
            return invocation.return_dbus_error("org.freedesktop.portal.Error.NotAllowed", "denied")
        files = invocation.get_message().get_unix_fd_list()
        for number in values[1]:
            file = files.get(number)
            self.transfers[values[0]].append(os.readlink(f"/proc/self/fd/{file}"))
            os.close(file)
        return invocation.return_value(None)


Portal(sys.argv[1], Gio.bus_get_sync(Gio.BusType.SESSION))
GLib.MainLoop().run()
