import CloudInterface
import RecordModel

/// What a request did to a record.
struct RecordEvent: Sendable {
  var change: CloudSubscription.ChangeType
  /// The record as it is now, or as it was before it was deleted.
  var record: ResultRecord
  /// The zone of the record in the container.
  var zone: StoredZone
  /// The subscribers who saw a deleted record; nil for one that exists.
  var readers: Set<DatabaseKey>?

  /// Whether the record is a new one below another one.
  var isChildCreation: Bool { change == .create && record.parent != nil }
}

/// A notification to the devices.
struct PendingNotification: Sendable {
  var notification: CloudNotification
  /// The record name of another account whose devices get it; nil for the signed-in user.
  var account: String?
  /// Whether it increases the badge of each device.
  var increasesBadge: Bool
  /// Whether it is about a new record below another one.
  var isChildCreation: Bool
}
