import CloudInterface
import RecordModel

/// What a request did to a record.
struct RecordEvent: Sendable {
  var change: CloudSubscription.ChangeType
  /// The record as it is now, or as it was before it was deleted.
  var record: ResultRecord

  /// Whether the record is a new one below another one.
  var isChildCreation: Bool { change == .create && record.parent != nil }
}

/// A notification to the devices.
struct PendingNotification: Sendable {
  var notification: CloudNotification
  /// Whether it increases the badge of each device.
  var increasesBadge: Bool
  /// Whether it is about a new record below another one.
  var isChildCreation: Bool
}
