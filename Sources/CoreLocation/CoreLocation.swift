// Core Location's values for Linux. CloudKit exports them too, from the same module: SwiftPM cannot
// give CloudKit another name in a package if CloudKit depends on a module that gets another name.
@_exported import AppleFoundation
