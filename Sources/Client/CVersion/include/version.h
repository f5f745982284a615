#ifndef XPB_CVERSION_H
#define XPB_CVERSION_H

// Returns the name of the commit that the program was built from, which Package.swift takes from XPB_COMMIT; empty if
// XPB_COMMIT was not set. This is in C because a Swift file cannot be given a string at compile time.
const char *xpb_commit(void);

#endif
