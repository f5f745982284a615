#define _DEFAULT_SOURCE
#include "CX11Output.h"

#include <X11/Xlibint.h>
#include <string.h>

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
