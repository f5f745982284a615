"""A peer of X11 selections by python-xlib, which shares no code with the bridge."""
