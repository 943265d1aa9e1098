/// Registers the names that CloudKit's classes have in archives; MockCloudKit implements it.
void MockCloudKit_registerArchiveNames(void);
