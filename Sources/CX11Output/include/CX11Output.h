#ifndef XPB_CX11_OUTPUT_H
#define XPB_CX11_OUTPUT_H

// Overwrites what a display's output buffer has of requests that were sent. `lost` says that nothing is sent any more: then
// it overwrites what was still to be sent, too.
//
// In C, and behind a pointer without a type, because the buffer is in the structure that Xlibint.h defines: a Swift module
// that saw it would take every display for that structure. Its members are part of libX11's binary interface, as the
// extension libraries are built with them.
void x11_wipe_output(void *display, int lost);

// The bits by which a client of that server numbers its resources, as the connection's setup says (X protocol, section 8).
unsigned long x11_resource_mask(void *display);

// Has events of these kinds alone queued by Xlib. Others end when they are read, and cost next to nothing: Xlib reads on for
// as long as more comes, and keeps it all. When more than `X11_MOST_QUEUED` are queued, the connection is shut down, and is
// lost then as if the server had ended. To be called when the extensions are set up.
void x11_queue_only(void *display, const int *kinds, int count);

enum { X11_MOST_QUEUED = 200000 };

#endif
