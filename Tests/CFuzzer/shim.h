// The interface of libFuzzer as a library ("Using libFuzzer as a library" in its manual). Only -sanitize=fuzzer links it.
#include <stddef.h>
#include <stdint.h>

extern int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *bytes, size_t count));
