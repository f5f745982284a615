"""A system tray without a visible window, for programs that exit if they find no tray for their icon.

See freedesktop.org's "System Tray Protocol Specification" and "XEmbed Protocol Specification". The program prints
"tray" when the tray is ready, and exits when its X server exits.
"""

from Xlib import X, display
from Xlib.protocol import event

DOCK = 0
EMBEDDED = 0


def send(window, kind, data, mask=X.NoEventMask):
    window.send_event(event.ClientMessage(window=window, client_type=kind, data=(32, data)), event_mask=mask)


def main():
    connection = display.Display()
    root = connection.screen().root
    window = root.create_window(0, 0, 32, 32, 0, X.CopyFromParent)
    selection = connection.intern_atom(f"_NET_SYSTEM_TRAY_S{connection.get_default_screen()}")
    window.set_selection_owner(selection, X.CurrentTime)
    send(
        root, connection.intern_atom("MANAGER"), [X.CurrentTime, selection, window.id, 0, 0], X.StructureNotifyMask)
    window.map()
    connection.sync()
    print("tray", flush=True)
    opcode, embed = connection.intern_atom("_NET_SYSTEM_TRAY_OPCODE"), connection.intern_atom("_XEMBED")
    while True:
        found = connection.next_event()
        if found.type == X.ClientMessage and found.client_type == opcode and found.data[1][1] == DOCK:
            icon = connection.create_resource_object("window", found.data[1][2])
            icon.reparent(window, 0, 0)
            icon.map()
            send(icon, embed, [X.CurrentTime, EMBEDDED, 0, window.id, 0])
            connection.flush()


if __name__ == "__main__":
    main()
