#define _DEFAULT_SOURCE
#include "CX11Output.h"

#include <X11/Xlibint.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/socket.h>

void x11_wipe_output(void *display, int lost)
{
    Display *dpy = display;
    LockDisplay(dpy);
    char *start = lost ? dpy->buffer : dpy->bufptr;
    explicit_bzero(start, (size_t)(dpy->bufmax - start));
    UnlockDisplay(dpy);
}

unsigned long x11_resource_mask(void *display)
{
    return ((Display *)display)->resource_mask;
}

typedef Bool (*wire_to_event)(Display *, XEvent *, xEvent *);

// Xlib's original functions by kind of event; they are the same for all displays.
static _Atomic(wire_to_event) originals[128];

static Bool queue(Display *dpy, XEvent *event, xEvent *wire)
{
    if (dpy->qlen >= X11_MAX_QUEUED) {
        shutdown(dpy->fd, SHUT_RDWR);
        return False;
    }
    wire_to_event convert = atomic_load(&originals[wire->u.u.type & 0x7f]);
    return convert ? convert(dpy, event, wire) : False;
}

void x11_queue_only(void *display, const int *kinds, int count)
{
    // Kinds 0 and 1 are errors and replies.
    for (int kind = 2; kind < 128; kind++) {
        Bool is_wanted = False;
        for (int index = 0; index < count; index++) is_wanted |= kinds[index] == kind;
        wire_to_event previous = XESetWireToEvent(display, kind, is_wanted ? queue : NULL);
        if (is_wanted && previous != queue) atomic_store(&originals[kind], previous);
    }
}
