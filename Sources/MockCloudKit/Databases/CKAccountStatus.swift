import Foundation

public enum CKAccountStatus: Int, Sendable {
  /// The status is not known, because of an error.
  case couldNotDetermine = 0
  /// The user is signed in to iCloud.
  case available = 1
  /// Parental controls or a device's management deny iCloud.
  case restricted = 2
  /// The user is not signed in to iCloud.
  case noAccount = 3
  /// The user is signed in, and the account is not ready.
  case temporarilyUnavailable = 4
}

extension NSNotification.Name {
  public static let CKAccountChanged = NSNotification.Name("CKAccountChanged")
}
