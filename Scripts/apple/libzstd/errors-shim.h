#include <zstd_errors.h>
