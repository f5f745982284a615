// Xlib, XFixes (ownership events) and X-Resource (which process is behind a window).
#include <X11/Xlib.h>
#include <X11/Xatom.h>
#include <X11/Xproto.h>
#include <X11/Xutil.h>
#include <X11/extensions/Xfixes.h>
#include <X11/extensions/XRes.h>

// Of the functions for extensions ("Xlib - C Language X Interface", appendix C), as X11/Xlibint.h declares it. That header
// has macros for most names there are, and makes the display a structure that is not for us to see.
extern Bool (*XESetWireToError(
    Display *display, int error, Bool (*convert)(Display *, XErrorEvent *, xError *)))(
    Display *, XErrorEvent *, xError *);
