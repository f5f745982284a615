// pidfd_open(2), by which a test awaits the end of a process that is not its child, and eventfd(2), which ends the wait.
#include <sys/eventfd.h>
#include <sys/pidfd.h>
