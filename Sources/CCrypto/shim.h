// The plain functions, not EVP: they need no providers to be loaded, and a static program takes in
// SHA-256 alone. OpenSSL calls them deprecated since 3.0, and keeps them.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>
