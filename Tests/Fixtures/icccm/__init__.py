"""A peer of X11 selections based on python-xlib, which shares no code with the bridge."""
