// Xlib, XFixes (ownership events) and X-Resource (the process that owns a window).
#include <X11/Xlib.h>
#include <X11/Xatom.h>
#include <X11/Xproto.h>
#include <X11/Xutil.h>
#include <X11/extensions/Xfixes.h>
#include <X11/extensions/XRes.h>

// One of the functions for extensions ("Xlib - C Language X Interface", appendix C), as declared by X11/Xlibint.h. That
// header itself is not included, because it defines macros with very common names and exposes the Display structure.
extern Bool (*XESetWireToError(
    Display *display, int error, Bool (*convert)(Display *, XErrorEvent *, xError *)))(
    Display *, XErrorEvent *, xError *);
