#include "version.h"

#ifndef XPB_COMMIT
#define XPB_COMMIT ""
#endif

const char *xpb_commit(void) { return XPB_COMMIT; }
