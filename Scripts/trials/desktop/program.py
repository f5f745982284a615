"""The base classes of the classes that drive programs."""

import os
import select
import time

from trials import Failure
from trials.desktop import cells, samples
from trials.desktop.session import ACTION_TIMEOUT, START_TIMEOUT

# In seconds. A program that has just started ignores keys until its first window is complete.
RETRY_INTERVAL = 4


class Participant:
    """A program that is started on a desktop, and ends with the desktop."""

    # The name in the table, the name with the version, the Debian package, and the executable.
    name = product = package = executable = ""
    # Another executable or file that the program needs, if the executable alone does not show that it is installed.
    needs = ""
    # The program's columns in the table, each with the function that fills the cell.
    columns = {}
    # The failures that the program itself causes, by column: a part of the failure's text, and the table's remark.
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
    """A program with a window."""

    columns = cells.COPIES | cells.PASTES
    # The formats of the program's copy: a name, alternative X11 targets, and a check of the bytes.
    formats = []
    # The kinds of contents that the program can paste, even if only as text.
    pastes = ()
    # The HTML that the program pastes.
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
        """Writes the settings that keep the program from asking questions when it starts."""

    def command(self, path):
        return [self.executable, path]

    def title(self, path):
        """Returns a pattern for the title of the window that shows the document."""
        return path.name

    def result(self, kind):
        """Returns "yes" if contents of this kind have arrived, another remark if they arrived changed, or else None."""
        return None

    # Steps.

    def open(self, path):
        self.path = path
        self.prepare()
        self.start()
        self.window = self.desktop.await_(f"the window with {path.name}", self.opened, START_TIMEOUT)
        self.desktop.activate(self.window)

    def start(self):
        super().start(*self.command(self.path))

    def opened(self):
        """Returns the window of the document, or None."""
        if self.process.poll() is not None:
            raise Failure(f"the program exited with status {self.process.returncode}")
        return self.desktop.window(self.title(self.path))

    def copy(self):
        """Copies the contents of the document, and returns the seconds from the key press until the program owns the
        clipboard."""
        for _ in range(5):
            self.select()
            self.desktop.forget_owners()
            begin = time.monotonic()
            with self.desktop.pressing(self.copy_key):
                if self.desktop.await_owner(RETRY_INTERVAL):
                    return time.monotonic() - begin
        raise Failure("the program did not copy")

    def select(self):
        if self.select_keys:
            self.desktop.keys(*self.select_keys)

    def press_paste(self, kind):
        self.desktop.keys(*self.paste_keys)

    def paste(self, kind):
        """Pastes the clipboard with the keyboard, and returns the remark on the result."""
        for attempt in range(1, 4):
            self.press_paste(kind)
            deadline = time.monotonic() + RETRY_INTERVAL
            while time.monotonic() < deadline:
                if remark := self.result(kind):
                    return remark if attempt == 1 else f"{remark}, at paste {attempt}"
                time.sleep(0.1)
        raise Failure("nothing was pasted")

    def quit(self):
        """Quits with the keyboard, and returns the seconds until the process has exited."""
        begin = time.monotonic()
        # Popen.wait polls only every 50 ms.
        ended = os.pidfd_open(self.process.pid)
        try:
            with self.desktop.pressing(*self.quit_keys):
                if not select.select([ended], [], [], ACTION_TIMEOUT)[0]:
                    raise Failure("the program did not quit")
                seconds = time.monotonic() - begin
        finally:
            os.close(ended)
        self.process.wait()
        return seconds

    def kill(self):
        """Kills the program, and any processes that own the clipboard for the program."""
        self.process.kill()
        self.process.wait()


class SavingProgram(Program):
    """A program that saves its document on a key press, so that the file has the pasted contents."""

    save_keys = ["ctrl+s"]

    def result(self, kind):
        self.desktop.keys(*self.save_keys)
        return self.saved(kind, self.path.read_bytes())

    def saved(self, kind, data):
        """Returns the remark on the bytes of the saved document, or None."""
        raise NotImplementedError
