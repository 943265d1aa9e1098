import CloudInterface

/// A notification as the server sent it, before devices count badges.
package struct SentNotification: Sendable {
  /// The number of the notification, from 1.
  package let number: Int
  /// The record name of another account whose devices get it; nil for the signed-in user.
  package let account: String?
  /// The notification.
  package let notification: CloudNotification
}

extension MockContainer {
  /// The last notifications, the oldest first, whether or not a device has received them.
  package var sentNotifications: [SentNotification] { notifications.sent }
}
