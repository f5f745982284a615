#!/usr/bin/python3
"""Plays the clipboard of mutter on a session bus, for behavior that the real mutter does not show on demand.

Prints "ready". A test controls it with the methods of the object /fake, whose interface is in INTERFACES below.
"""

import os
import threading

from gi.repository import Gio, GLib

NAME = "org.gnome.Mutter.RemoteDesktop"
PATH = "/org/gnome/Mutter/RemoteDesktop"
SESSION = NAME + ".Session"
INTERFACES = f"""
<node>
  <interface name="{NAME}">
    <method name="CreateSession"><arg type="o" direction="out"/></method>
  </interface>
  <interface name="{SESSION}">
    <method name="EnableClipboard"><arg type="a{{sv}}" direction="in"/></method>
    <method name="SetSelection"><arg type="a{{sv}}" direction="in"/></method>
    <method name="SelectionWrite"><arg type="u" direction="in"/><arg type="h" direction="out"/></method>
    <method name="SelectionWriteDone"><arg type="u" direction="in"/><arg type="b" direction="in"/></method>
    <method name="SelectionRead"><arg type="s" direction="in"/><arg type="h" direction="out"/></method>
    <property name="SessionId" type="s" access="read"/>
  </interface>
  <interface name="org.xpb.FakeMutter">
    <!-- Refuses sessions from now on if true, and allows them again if false. -->
    <method name="Deny"><arg type="b" direction="in"/></method>
    <!-- Closes the session, as a lock of the screen does. -->
    <method name="Close"/>
    <!-- Announces that the screen is unlocked. -->
    <method name="Unlock"/>
    <!-- Plays a program that copies N times. -->
    <method name="Copy"><arg type="a{{sv}}" direction="in"/><arg type="u" direction="in"/></method>
    <!-- Sends signals whose arguments have wrong types. -->
    <method name="Garble"/>
    <method name="Leave"/>
  </interface>
</node>
"""


class Mutter:
    def __init__(self, bus):
        self.bus = bus
        self.node = Gio.DBusNodeInfo.new_for_xml(INTERFACES)
        self.is_denying = False
        self.sessions = 0
        self.path = None
        self.registration = None
        self.is_reading = False
        self.register(PATH, NAME)
        self.register("/fake", "org.xpb.FakeMutter")
        self.name = Gio.bus_own_name_on_connection(bus, NAME, Gio.BusNameOwnerFlags.NONE, self.acquired, None)

    def acquired(self, bus, name):
        print("ready", flush=True)

    def register(self, path, interface):
        found = self.node.lookup_interface(interface)
        return self.bus.register_object(path, found, self.handle, lambda *_: GLib.Variant("s", "1"), None)

    def handle(self, bus, sender, path, interface, method, arguments, invocation):
        answer = getattr(self, method)(*arguments.unpack(), invocation)
        if answer is not False:
            invocation.return_value(answer)

    def emit(self, name, arguments, path=None, interface=SESSION):
        self.bus.emit_signal(None, path or self.path, interface, name, arguments)

    def change(self, options):
        self.emit("SelectionOwnerChanged", GLib.Variant("(a{sv})", (options,)))

    # The interface of mutter.

    def CreateSession(self, invocation):
        if self.is_denying:
            invocation.return_dbus_error("org.freedesktop.DBus.Error.AccessDenied", "Session creation inhibited")
            return False
        self.sessions += 1
        self.path = f"{PATH}/Session/u{self.sessions}"
        self.registration = self.register(self.path, SESSION)
        return GLib.Variant("(o)", (self.path,))

    def EnableClipboard(self, options, invocation):
        return None

    def SetSelection(self, options, invocation):
        if "mime-types" not in options:
            self.change({})
            return None
        # mutter packs the list of types into a structure.
        types = GLib.Variant("(as)", (options["mime-types"],))
        self.change({"mime-types": types, "session-is-owner": GLib.Variant("b", True)})
        return None

    def SelectionWriteDone(self, serial, is_success, invocation):
        return None

    def SelectionRead(self, target, invocation):
        if self.is_reading:
            # The real mutter ends a read a moment after its contents; this program ends it with the next call.
            self.is_reading = not self.is_written
            invocation.return_dbus_error("org.freedesktop.DBus.Error.LimitsExceeded", "Tried to read in parallel")
            return False
        self.is_reading, self.is_written = True, False
        reading, writing = os.pipe()
        descriptors = Gio.UnixFDList.new_from_array([reading])
        invocation.return_value_with_unix_fd_list(GLib.Variant("(h)", (0,)), descriptors)
        threading.Thread(target=self.write, args=(writing, target)).start()
        return False

    def write(self, descriptor, target):
        with open(descriptor, "wb") as pipe:
            pipe.write(target.encode() * 20_000)
            pipe.flush()
            self.is_written = True

    # The interface of the test.

    def Deny(self, is_denying, invocation):
        self.is_denying = is_denying

    def Close(self, invocation):
        self.emit("Closed", None)
        self.bus.unregister_object(self.registration)

    def Unlock(self, invocation):
        self.emit("ActiveChanged", GLib.Variant("(b)", (False,)), "/org/gnome/ScreenSaver", "org.gnome.ScreenSaver")

    def Copy(self, options, count, invocation):
        types = GLib.Variant("(as)", (options["mime-types"],))
        for _ in range(count):
            self.change({"mime-types": types, "session-is-owner": GLib.Variant("b", False)})

    def Garble(self, invocation):
        self.emit("SelectionOwnerChanged", GLib.Variant("(s)", ("types",)))
        self.emit("SelectionOwnerChanged", GLib.Variant("(a{sv})", ({"mime-types": GLib.Variant("u", 7)},)))
        self.emit("SelectionTransfer", GLib.Variant("(us)", (1, "text/plain")))
        self.emit("SelectionTransfer", GLib.Variant("(su)", ("text/plain", 99)))
        self.emit("Unknown", None)

    def Leave(self, invocation):
        Gio.bus_unown_name(self.name)


mutter = Mutter(Gio.bus_get_sync(Gio.BusType.SESSION))
GLib.MainLoop().run()
