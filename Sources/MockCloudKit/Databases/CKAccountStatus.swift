import Foundation

/// https://developer.apple.com/documentation/cloudkit/ckaccountstatus
public enum CKAccountStatus: Int, Sendable {
  /// https://developer.apple.com/documentation/cloudkit/ckaccountstatus/couldnotdetermine
  case couldNotDetermine = 0
  /// https://developer.apple.com/documentation/cloudkit/ckaccountstatus/available
  case available = 1
  /// https://developer.apple.com/documentation/cloudkit/ckaccountstatus/restricted
  case restricted = 2
  /// https://developer.apple.com/documentation/cloudkit/ckaccountstatus/noaccount
  case noAccount = 3
  /// https://developer.apple.com/documentation/cloudkit/ckaccountstatus/temporarilyunavailable
  case temporarilyUnavailable = 4
}

extension NSNotification.Name {
  /// https://developer.apple.com/documentation/foundation/nsnotification/name-swift.struct/ckaccountchanged
  public static let CKAccountChanged = NSNotification.Name("CKAccountChanged")
}
