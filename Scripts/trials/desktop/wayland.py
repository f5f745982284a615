"""A session of sway without a screen, with the bridge."""

import json
import time

from trials import Failure
from trials.desktop.session import Desktop, Window
from trials.testbed import Testbed


class SwayDesktop(Desktop):
    """A session of sway, in which programs use Wayland."""

    def __init__(self, binaries, folder):
        Testbed.__init__(self, binaries, folder, {
            "GDK_BACKEND": "wayland", "GSETTINGS_BACKEND": "memory", "GTK_USE_PORTAL": "0", "LIBGL_ALWAYS_SOFTWARE": "1",
            "MOZ_ENABLE_WAYLAND": "1", "QT_QPA_PLATFORM": "wayland", "SAL_USE_VCLPLUGIN": "gtk3",
            "XDG_SESSION_TYPE": "wayland",
        }, server="sway")

    def start_all(self):
        self.start_server()
        # wtype has a keyboard as long as it runs. Programs listen to the keyboards that are there when they start.
        self.start("wtype", "-s", 1_000_000_000)
        self.start_bus()
        self.start_bridge()
        return self

    @property
    def socket_of_sway(self):
        return next(self.runtime.glob("sway-ipc.*.sock"))

    def message(self, *words):
        return json.loads(self.output_of("swaymsg", "-r", "-s", self.socket_of_sway, *words))

    def windows(self):
        found = []

        def add(node):
            if node.get("pid"):
                found.append(Window(node["id"], node["name"] or ""))
            for child in node["nodes"] + node["floating_nodes"]:
                add(child)
        add(self.message("-t", "get_tree"))
        return found

    def activate(self, window):
        self.message(f"[con_id={window.number}] focus")

    def keys(self, *keys):
        for key in keys:
            *modifiers, key = key.split("+")
            held = [word for modifier in modifiers for word in ("-M", modifier)]
            self.output_of("wtype", *held, "-k", key)
            # Programs read the layout of each keyboard of wtype.
            time.sleep(0.05)

    def hold_shift(self):
        process = self.start("wtype", "-M", "shift", "-s", 1_000_000_000)
        return lambda: self.end(process)

    def xpb(self, *arguments, **options):
        # A command with a terminal does not paste, since its window may be the active one.
        return self.output_of("setsid", "--wait", self.xpb_path, *arguments, **options)

    def click(self, window, x, y, button=1):
        raise Failure("nothing can be clicked without a pointer")
