"""Copies at random from all sides of a Wayland session, and compares each state with a reference model.

The sides are xpb and wl-copy, and with --xwayland also xclip, under sway or KWin without a screen, or in the session
around the trial. After each copy, the pasteboard's contents, types and change count must equal the reference model's,
for xpb, wl-paste and xclip. Some programs are killed: their contents must stay, at the same count.

With --xwayland focused, an X11 window has the focus, so that the compositor itself copies selections between both
sides; with --xwayland unfocused, no program has the focus.
"""

import pathlib
import random
import signal
import subprocess
import tempfile
import time

from trials import Failure, positive
from trials.compositor import Keyboard
from trials.testbed import Testbed

TEXTS = {"text/plain;charset=utf-8", "text/plain", "UTF8_STRING", "STRING", "TEXT"}
MARK = "application/x-xpb-version;id="
LENGTHS = [0, 1, 7, 100, 4_095, 65_537, 1 << 20]


class BridgeLog:
    """The log of the bridge, with each change, and each event of the Wayland side and the X11 side."""

    def __init__(self, environment):
        self.folder = pathlib.Path(environment["XDG_RUNTIME_DIR"], "xpb")
        # The lengths at the start of the previous step, and at the start of this step.
        self.lengths = 0, 0

    def bytes(self):
        return b"".join(file.read_bytes() for file in self.folder.glob("*.log"))

    def begin_step(self):
        self.lengths = self.lengths[1], sum(file.stat().st_size for file in self.folder.glob("*.log"))

    def print_steps(self):
        """Prints the lines of the previous step and of this step."""
        before, now = self.lengths
        log = self.bytes()
        for part in log[before:now], log[now:]:
            print("  step")
            for line in part.decode(errors="replace").splitlines():
                print(f"    {line}")


class Session:
    """The programs of both sides, and the reference model."""

    def __init__(self, testbed, seed, keys):
        compositor = testbed.compositor
        self.environment = testbed.environment
        self.tells_emptiness = compositor.tells_emptiness
        self.xpb = testbed.xpb_path
        self.random = random.Random(seed)
        # The contents by Wayland type, and by X11 target.
        self.contents = {}
        self.targets = {}
        self.keyboard = Keyboard(compositor) if keys or compositor.needs_keys else None
        self.window = self.focused_window() if compositor.xwayland == "focused" else None
        # From a claim that stays for a while, the bridge learns whether the compositor copies claims when no window has
        # the focus.
        self.run(self.xpb, "set", "first")
        time.sleep(1)
        # The compositor's copy of a claim may lack the X11 names of text types.
        types = self.types()
        is_copied = "UTF8_STRING" not in types or "TARGETS" in types
        self.texts = {type for type in TEXTS if "/" in type or not is_copied}
        self.count = int(self.run(self.xpb, "count"))

    def run(self, *command, input=b"", check=True, timeout=60):
        done = subprocess.run(
            command, env=self.environment, input=input, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            timeout=timeout)
        if check and done.returncode != 0:
            raise RuntimeError(f"{command} exited with status {done.returncode}")
        return done.stdout

    def wl_copy(self, type, data):
        """Copies with wl-copy, which stays in the background, and must not keep a pipe of ours open."""
        for attempt in range(3):
            self.press_key()
            try:
                subprocess.run(
                    ["wl-copy", "--type", type], env=self.environment, input=data, stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL, timeout=60, check=True)
                return
            except subprocess.TimeoutExpired:
                # Under mutter 48 and 50, about one in a thousand windows of wl-copy does not get the focus after a
                # window of wl-paste, with or without xpb, and wl-copy then waits forever.
                if not self.keyboard or attempt == 2:
                    raise

    def types(self):
        listed = self.run("wl-paste", "--list-types", check=False).decode().splitlines()
        return {type for type in listed if not type.startswith(MARK)}

    def press_key(self):
        if self.keyboard:
            self.keyboard.press()

    def focused_window(self):
        """Starts an X11 program with a window, and waits until it has the focus."""
        window = subprocess.Popen(
            ["xev", "-event", "mouse"], env=self.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while not self.run("xdotool", "getwindowfocus", "getwindowname", check=False).strip():
            if time.monotonic() > deadline or window.poll() is not None:
                raise Failure("xev did not get the focus")
            time.sleep(0.05)
        return window

    def end(self):
        self.run(self.xpb, "bridge", "stop", check=False)
        if self.window:
            self.window.kill()
            self.window.wait()
        if self.keyboard:
            self.keyboard.end()

    # Steps. Each step returns its name.

    def data(self):
        length = self.random.choice(LENGTHS)
        return bytes(self.random.choices(b"abcdefghijklmnopqrstuvwxyz \n", k=length)) if length < 5_000 \
            else self.random.randbytes(64).hex().encode() * (length // 128) + b"x" * (length % 128)

    def set_text(self):
        data = self.data()
        self.run(self.xpb, "set", "-t", "public.utf8-plain-text", "-f", "-", input=data)
        self.step({type: data for type in self.texts})
        return "xpb set of text"

    def set_types(self):
        data = self.data()
        self.run(self.xpb, "set", "-t", "text/html", "-f", "-", input=b"<b>" + data)
        self.step({"text/html": b"<b>" + data})
        return "xpb set of HTML"

    def copy_text(self):
        data = self.data()
        self.wl_copy("text/plain", data)
        self.step({type: data for type in self.texts})
        self.await_copy()
        return "wl-copy of text"

    def copy_type(self):
        data = self.data()
        self.wl_copy("application/x-xpb-test", data)
        self.step({"application/x-xpb-test": data})
        self.await_copy()
        return "wl-copy of another type"

    def copy_and_kill(self):
        data = b"killed " + self.data()[:1_000]
        self.press_key()
        process = subprocess.Popen(
            ["wl-copy", "--foreground", "--type", "text/plain"], env=self.environment, stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        process.stdin.write(data)
        process.stdin.close()
        self.step({type: data for type in self.texts})
        self.await_capture("wayland")
        process.send_signal(signal.SIGKILL)
        process.wait()
        return "wl-copy that is killed"

    # Under KWin, xclip 0.13 exits in the middle of a transfer in pieces, with or without xpb.
    def x_data(self):
        return self.data()[:65_537]

    def x_copy(self, target, type):
        data = self.x_data()
        subprocess.run(
            ["xclip", "-selection", "clipboard", "-t", target], env=self.environment, input=data,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60, check=True)
        # For text, the compositor's copy has only this type.
        self.step({type: data})
        # xclip may own the selection only some time after it has returned.
        self.await_change()

    def x_copy_text(self):
        self.x_copy("UTF8_STRING", "text/plain;charset=utf-8")
        return "xclip of text"

    def x_copy_type(self):
        self.x_copy("application/x-xpb-test", "application/x-xpb-test")
        return "xclip of another type"

    def x_copy_and_kill(self):
        data = b"killed " + self.data()[:1_000]
        process = subprocess.Popen(
            ["xclip", "-quiet", "-selection", "clipboard", "-t", "UTF8_STRING"], env=self.environment,
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        process.stdin.write(data)
        process.stdin.close()
        self.step({"text/plain;charset=utf-8": data})
        self.await_capture("window")
        process.send_signal(signal.SIGKILL)
        process.wait()
        return "xclip that is killed"

    def clear(self):
        if not self.contents:
            return "nothing to clear"
        self.run(self.xpb, "clear")
        self.step({})
        return "xpb clear"

    def step(self, contents):
        self.contents = contents
        # STRING cannot hold all text.
        self.targets = {
            "UTF8_STRING" if type.startswith("text/plain") else type: contents[type]
            for type in contents if type not in ["UTF8_STRING", "STRING", "TEXT"]}
        self.count += 1

    def await_change(self):
        self.run(self.xpb, "wait", "--since", str(self.count - 1), "--timeout", "30", check=False)

    def await_copy(self):
        """Waits for a Wayland copy under mutter, where xpb sees a copy only some time after it was made."""
        if self.keyboard:
            self.await_change()

    def await_capture(self, owner):
        """Waits until the contents would outlive their owner, which is of this kind."""
        self.await_change()
        while f"captured: general {self.count}:" not in self.run(self.xpb, "status").decode():
            # The bridge may already own the captured contents instead of the program.
            if f"owner: {owner}" not in self.run(self.xpb, "owner", check=False).decode():
                break
            time.sleep(0.01)

    def fault_of(self, bytes, name, *command):
        """Waits until a command prints these bytes, since contents cross to the other side only after the change.
        Returns a list with the command's fault, or an empty list."""
        deadline = time.monotonic() + 5
        while time.monotonic() < deadline:
            try:
                if self.run(*command, check=False, timeout=15) == bytes:
                    return []
            except subprocess.TimeoutExpired:
                return [f"{name} hung"]
        return [f"{name} wrote the wrong bytes"]

    def awaited_types(self):
        """Returns the types that wl-paste lists, once the list includes the contents' types. With empty contents, the
        bytes may be right before the contents have crossed."""
        deadline = time.monotonic() + 5
        while True:
            types = self.types()
            is_right = self.contents.keys() <= types if self.contents else not types
            if is_right or time.monotonic() > deadline:
                return types

    # The comparison.

    def faults(self):
        found = []
        count = int(self.run(self.xpb, "count"))
        if count != self.count:
            found.append(f"the count is {count} instead of {self.count}")
            self.count = count
        if "DISPLAY" in self.environment:
            found += self.x_faults()
        if not self.contents and not self.tells_emptiness:
            return found
        type = self.random.choice(sorted(self.contents or {""}))
        if self.contents:
            found += self.fault_of(
                self.contents[type], f"wl-paste of {type}", "wl-paste", "--no-newline", "--type", type)
        types = self.awaited_types()
        if not self.contents:
            if types:
                found.append(f"wl-paste lists {sorted(types)}")
            return found
        missing = set(self.contents) - types
        if missing:
            found.append(f"wl-paste does not list {sorted(missing)}")
        type = self.random.choice(sorted(self.contents.keys() - {"STRING", "TEXT"}))
        if self.run(self.xpb, "get", "-t", type, check=False) != self.contents[type]:
            found.append(f"xpb get wrote the wrong bytes for {type}")
        return found

    def x_faults(self):
        """Returns the faults that an X11 program sees."""
        xclip = "xclip", "-o", "-selection", "clipboard", "-t"
        wanted = self.targets or {"UTF8_STRING": b""}
        return [
            fault for target, bytes in wanted.items()
            for fault in self.fault_of(bytes, f"xclip of {target}", *xclip, target)
        ]


def add_options(parser):
    parser.add_argument(
        "--compositor", choices=["sway", "kwin", "present"], default="sway",
        help="default: sway; present: the compositor of the session around the trial")
    parser.add_argument(
        "--xwayland", choices=["focused", "unfocused"],
        help="also copy with X11 programs, while an X11 window or no window has the focus")
    parser.add_argument(
        "--copies", type=positive, default=1_000, metavar="N", help="number of changes (default: 1,000)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the random numbers (default: 1)")
    parser.add_argument("--keys", action="store_true", help="press a key before each wl-copy, as always under mutter")
    parser.add_argument(
        "--log", action="store_true",
        help="after a fault, print the lines that the bridge logged in this step and the previous step; if there are"
        " many, the bridge leaves some out")


def run(options):
    # Short text followed by empty text would be taken for a password, which is not captured if it is copied again.
    settings = {"XPB_LOG_LEVEL": "debug" if options.log else "notice", "XPB_FORGET_EMPTIED": "0"}
    # The bridge starts with the first copy.
    with tempfile.TemporaryDirectory(prefix="xpb-") as folder, Testbed(
            options.binaries, folder, settings, options.compositor, options.xwayland, has_bridge=False) as testbed:
        return copy_at_random(testbed, options)


def copy_at_random(testbed, options):
    """Makes the changes, and returns the status."""
    session = Session(testbed, options.seed, options.keys)
    log = BridgeLog(session.environment)
    steps = [session.set_text, session.set_types, session.copy_text, session.copy_type, session.copy_and_kill,
             session.clear]
    weights = [30, 15, 30, 15, 5, 5]
    if options.xwayland:
        steps += [session.x_copy_text, session.x_copy_type, session.x_copy_and_kill]
        weights += [30, 15, 5]
    failed = 0
    try:
        for number in range(options.copies):
            log.begin_step()
            name = session.random.choices(steps, weights=weights)[0]()
            faults = session.faults()
            failed += len(faults)
            for fault in faults:
                print(f"{number} {name}: {fault}", flush=True)
            if faults and options.log:
                log.print_steps()
            if failed >= 20:
                break
    finally:
        session.end()
    xwayland = f" with Xwayland {options.xwayland}" if options.xwayland else ""
    print(f"{number + 1} changes under {testbed.compositor.name}{xwayland}, {failed} faults")
    return 1 if failed else 0
