// Xlib, XFixes (ownership events) and X-Resource (which process is behind a window).
#include <X11/Xlib.h>
#include <X11/Xatom.h>
#include <X11/Xutil.h>
#include <X11/extensions/Xfixes.h>
#include <X11/extensions/XRes.h>
