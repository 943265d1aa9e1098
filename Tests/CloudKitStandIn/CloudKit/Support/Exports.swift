// On Apple's platforms the headers of CloudKit import these two.
@_exported import CoreLocation
@_exported import Foundation
