#include "CMockCloudKit.h"

// Swift has no code that runs when a process starts. Without it, a process that reads an archive
// before it uses another class of CloudKit does not find the classes of the archive.
__attribute__((constructor)) static void registerNames(void) {
  MockCloudKit_registerArchiveNames();
}
