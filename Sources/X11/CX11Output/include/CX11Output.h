#ifndef XPB_CX11_OUTPUT_H
#define XPB_CX11_OUTPUT_H

// Wipes the requests already sent from a display's output buffer. If `lost` is set, the connection is lost and the
// requests still to be sent are wiped too.
//
// This is in C and takes an untyped pointer because the buffer is a member of the structure defined by Xlibint.h: if a
// Swift module saw that definition, it would import every Display as that structure. The members are part of libX11's
// binary interface, because the extension libraries are compiled against them.
void x11_wipe_output(void *display, int lost);

// Returns the resource-id-mask of the connection setup, the bits with which a client numbers its own resources
// (X protocol, section 8).
unsigned long x11_resource_mask(void *display);

// Makes Xlib queue only events of the given kinds, and drop all others as it reads them. Xlib reads as long as data
// arrives and queues everything, so unwanted events could otherwise use unlimited memory. If more than `X11_MAX_QUEUED`
// events are queued, the connection is shut down, as if the server had ended. Call this after the extensions have been
// initialized.
void x11_queue_only(void *display, const int *kinds, int count);

enum { X11_MAX_QUEUED = 200000 };

#endif
