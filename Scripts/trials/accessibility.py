"""Inspects programs over AT-SPI. Import this module only after the environment names the desktop's session bus."""

import contextlib

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

# A program may exit while it is being inspected.
GLib.log_set_handler("dbind", GLib.LogLevelFlags.LEVEL_WARNING, lambda *_: None, None)
Atspi.init()
listener = Atspi.EventListener.new(lambda event: None)
for kind in ("object:state-changed", "object:property-change:accessible-name", "object:children-changed", "window"):
    listener.register(kind)


def wait_event():
    """Waits for an event, 20 ms at most."""
    GLib.timeout_add(20, lambda: False)
    GLib.MainContext.default().iteration(True)


def application(process):
    desktop = Atspi.get_desktop(0)
    for index in range(desktop.get_child_count()):
        with contextlib.suppress(GLib.Error, AttributeError):
            found = desktop.get_child_at_index(index)
            if found.get_process_id() == process:
                return found
    return None


def walk(node, depth=0):
    yield node
    if depth > 40:
        return
    try:
        count = node.get_child_count()
    except GLib.Error:
        return
    for index in range(count):
        try:
            child = node.get_child_at_index(index)
        except GLib.Error:
            continue
        if child is not None:
            yield from walk(child, depth + 1)


def matching(root, role, test, showing, last=False):
    root.clear_cache()
    found = None
    for node in walk(root):
        with contextlib.suppress(GLib.Error):
            if role is not None and role not in node.get_role_name():
                continue
            if not test(node.get_name() or ""):
                continue
            if showing and not node.get_state_set().contains(Atspi.StateType.VISIBLE):
                continue
            found = node
            if not last:
                break
    return found


def find(root, role, name, showing=True, last=False):
    return matching(root, role, lambda found: name is None or found == name, showing, last)


def name(root, role, beginning):
    found = matching(root, role, lambda text: text.startswith(beginning), False)
    return found and found.get_name()


def is_sensitive(node):
    states = node.get_state_set()
    return states.contains(Atspi.StateType.SENSITIVE)


def has_focus(node):
    return node.get_state_set().contains(Atspi.StateType.FOCUSED)


def extents(root, *beginnings):
    return place(matching(root, None, lambda text: any(text.startswith(beginning) for beginning in beginnings), False))


def place(node):
    found = node.get_extents(Atspi.CoordType.WINDOW)
    return found.x, found.y, found.width, found.height


def message(root):
    """Returns the text of the message bar: the widget with the same name as a label within the widget."""
    root.clear_cache()
    for node in walk(root):
        with contextlib.suppress(GLib.Error):
            name_ = node.get_name()
            if name_ and " " in name_ and node.get_role_name() in ("filler", "alert", "info bar", "panel"):
                if any(part.get_role_name() == "label" and part.get_name() == name_ for part in walk(node)):
                    return name_
    return None


def is_focused(root, beginning):
    """Returns true if the field whose name has this beginning, or a part of the field, has the focus."""
    node = matching(root, None, lambda found: found.startswith(beginning), True)
    return node is not None and any(
        part.get_state_set().contains(Atspi.StateType.FOCUSED) for part in walk(node))


def has_text(root, wanted):
    """Returns true if a text field has exactly this text."""
    root.clear_cache()
    for node in walk(root):
        with contextlib.suppress(GLib.Error):
            text = node.get_text_iface() if node.get_role_name() in ("text", "entry") else None
            if text and Atspi.Text.get_text(text, 0, Atspi.Text.get_character_count(text)) == wanted:
                return True
    return False


def count(root, role):
    """Returns the number of widgets with a role."""
    root.clear_cache()
    return sum(1 for node in walk(root) if node.get_role_name() == role)


def dump(root):
    """Returns the tree of widgets as text, to show the state of a program."""
    lines = []

    def add(node, depth):
        with contextlib.suppress(GLib.Error):
            states = [state.value_nick for state in (
                Atspi.StateType.SHOWING, Atspi.StateType.VISIBLE, Atspi.StateType.SENSITIVE, Atspi.StateType.FOCUSED)
                if node.get_state_set().contains(state)]
            lines.append("  " * depth + f"{node.get_role_name()} {node.get_name()!r} {states}")
            for index in range(node.get_child_count()):
                add(node.get_child_at_index(index), depth + 1)

    root.clear_cache()
    add(root, 0)
    return "\n".join(lines)
