import CloudInterface
import RecordCoding
import RecordModel

/// What a device knows about all zones. Each zone has a `SyncState` of its own.
struct LibraryState: Sendable, Codable, Equatable {
  /// The zones that others share with the user.
  var sharedZones: [ZoneID] = []
  /// Where the next fetch of shared zones begins.
  var sharedToken: ServerChangeToken?
  /// Whether the server notifies the user's devices.
  var isSubscribed = false
}
