import Foundation

/// https://developer.apple.com/documentation/cloudkit/ckmodifyrecordsoperation
public class CKModifyRecordsOperation: NSObject {
  /// https://developer.apple.com/documentation/cloudkit/ckmodifyrecordsoperation/recordsavepolicy
  public enum RecordSavePolicy: Int, Sendable {
    /// https://developer.apple.com/documentation/cloudkit/ckmodifyrecordsoperation/recordsavepolicy/ifserverrecordunchanged
    case ifServerRecordUnchanged = 0
    /// https://developer.apple.com/documentation/cloudkit/ckmodifyrecordsoperation/recordsavepolicy/changedkeys
    case changedKeys = 1
    /// https://developer.apple.com/documentation/cloudkit/ckmodifyrecordsoperation/recordsavepolicy/allkeys
    case allKeys = 2
  }

  // An operation cannot be run here.
  private override init() { super.init() }
}
