#include <stddef.h>
#include <stdint.h>

/// Runs libFuzzer with the arguments of a command line; the library is linked without its `main`.
int LLVMFuzzerRunDriver(
    int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));
