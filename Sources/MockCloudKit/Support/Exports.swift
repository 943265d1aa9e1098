// On Apple's platforms the headers of CloudKit import these.
#if os(Linux)
  @_exported import AppleFoundation
#else
  @_exported import CoreLocation
#endif
@_exported import Foundation
