import Foundation

/// https://developer.apple.com/documentation/cloudkit/ckaccountstatus
public enum CKAccountStatus: Int, Sendable {
  /// The status is not known, because of an error.
  /// https://developer.apple.com/documentation/cloudkit/ckaccountstatus/couldnotdetermine
  case couldNotDetermine = 0
  /// The user is signed in to iCloud.
  /// https://developer.apple.com/documentation/cloudkit/ckaccountstatus/available
  case available = 1
  /// Parental controls or a device's management deny iCloud.
  /// https://developer.apple.com/documentation/cloudkit/ckaccountstatus/restricted
  case restricted = 2
  /// The user is not signed in to iCloud.
  /// https://developer.apple.com/documentation/cloudkit/ckaccountstatus/noaccount
  case noAccount = 3
  /// The user is signed in, and the account is not ready.
  /// https://developer.apple.com/documentation/cloudkit/ckaccountstatus/temporarilyunavailable
  case temporarilyUnavailable = 4
}

extension NSNotification.Name {
  /// https://developer.apple.com/documentation/foundation/nsnotification/name-swift.struct/ckaccountchanged
  public static let CKAccountChanged = NSNotification.Name("CKAccountChanged")
}
