"""The bases of the classes that drive a program each."""

import os
import select
import time

from trials import Failure
from trials.desktop import cells, samples
from trials.desktop.session import ACTION_TIMEOUT, START_TIMEOUT

# In seconds. A program that has just started ignores keys until its first window is complete.
RETRY_INTERVAL = 4


class Participant:
    """A program that is started on a desktop, and ended with it."""

    # The name in the table, the name with the version, the Debian package, and the executable.
    name = product = package = executable = ""
    # Another executable or file that the program needs, if the executable alone does not show that it is installed.
    needs = ""
    # The columns of its cells with their functions.
    columns = {}
    # The cells that the program itself prevents, by their columns: a part of the failure, and the remark for the table.
    limits = {}
    settings = {}

    def __init__(self, desktop):
        self.desktop = desktop
        self.process = None

    def start(self, *command):
        self.process = self.desktop.start_program(*command, **self.settings)

    def end(self):
        if self.process is not None:
            self.desktop.end_program(self.process)


class Program(Participant):
    """A program with a window, from its start to its end."""

    columns = cells.COPIES | cells.PASTES
    # The formats of its copy: a name, the X11 targets one of which has to be there, and a check of the bytes.
    formats = []
    # The kinds of contents that it can paste, if only as text.
    pastes = ()
    # The HTML that it pastes.
    html = samples.HTML
    select_keys = ["ctrl+a"]
    copy_key = "ctrl+c"
    paste_keys = ["ctrl+v"]
    quit_keys = ["ctrl+q"]

    def __init__(self, desktop):
        super().__init__(desktop)
        self.folder = desktop.folder / "documents"
        self.folder.mkdir(exist_ok=True)
        self.path = None

    # Overridden by programs.

    def document(self):
        """Writes the document that the program copies from, and returns its path."""
        raise NotImplementedError

    def empty_document(self):
        """Writes the document that the program pastes into, and returns its path."""
        raise NotImplementedError

    def prepare(self):
        """Writes the settings that keep the program from asking questions at its start."""

    def command(self, path):
        return [self.executable, path]

    def title(self, path):
        """Returns a pattern for the title of the window when the document is open."""
        return path.name

    def result(self, kind):
        """Returns "yes" if contents of this kind have arrived, another remark if they have changed, else None."""
        return None

    # Steps.

    def open(self, path):
        self.path = path
        self.prepare()
        self.start()
        self.window = self.desktop.await_(f"a window with {path.name}", self.opened, START_TIMEOUT)
        self.desktop.activate(self.window)

    def start(self):
        super().start(*self.command(self.path))

    def opened(self):
        """Returns the window of the document, or None."""
        if self.process.poll() is not None:
            raise Failure(f"it ended with status {self.process.returncode}")
        return self.desktop.window(self.title(self.path))

    def copy(self):
        """Copies the contents of the document, and returns the seconds from the key until it owns the clipboard."""
        for _ in range(5):
            self.select()
            self.desktop.forget_owners()
            begin = time.monotonic()
            with self.desktop.pressing(self.copy_key):
                if self.desktop.await_owner(RETRY_INTERVAL):
                    return time.monotonic() - begin
        raise Failure("it does not copy")

    def select(self):
        if self.select_keys:
            self.desktop.keys(*self.select_keys)

    def press_paste(self, kind):
        self.desktop.keys(*self.paste_keys)

    def paste(self, kind):
        """Pastes the clipboard by keys, and returns the remark on the result."""
        for attempt in range(1, 4):
            self.press_paste(kind)
            deadline = time.monotonic() + RETRY_INTERVAL
            while time.monotonic() < deadline:
                if remark := self.result(kind):
                    return remark if attempt == 1 else f"{remark}, at paste {attempt}"
                time.sleep(0.1)
        raise Failure("nothing arrives")

    def quit(self):
        """Quits by keys, and returns the seconds until the process has ended."""
        begin = time.monotonic()
        # Popen.wait looks only every 50 ms.
        ended = os.pidfd_open(self.process.pid)
        try:
            with self.desktop.pressing(*self.quit_keys):
                if not select.select([ended], [], [], ACTION_TIMEOUT)[0]:
                    raise Failure("it does not quit")
                seconds = time.monotonic() - begin
        finally:
            os.close(ended)
        self.process.wait()
        return seconds

    def kill(self):
        """Kills the program, and the processes that own the clipboard for it."""
        self.process.kill()
        self.process.wait()


class SavingProgram(Program):
    """A program whose document is saved by keys, so that the file has what was pasted."""

    save_keys = ["ctrl+s"]

    def result(self, kind):
        self.desktop.keys(*self.save_keys)
        return self.saved(kind, self.path.read_bytes())

    def saved(self, kind, data):
        """Returns the remark on the bytes of the saved document, or None."""
        raise NotImplementedError
