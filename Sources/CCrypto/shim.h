// The plain functions, not EVP: they need no providers to be loaded, and a static program takes in
// only what it uses. OpenSSL calls them deprecated since 3.0, and keeps them.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/obj_mac.h>
#include <openssl/sha.h>
