#ifndef XPB_CVERSION_H
#define XPB_CVERSION_H

// Returns the name of the commit that the program was built from, as Package.swift finds it in XPB_COMMIT; empty if it
// was not set. It is in C because a Swift file cannot be given a string when it is compiled.
const char *xpb_commit(void);

#endif
