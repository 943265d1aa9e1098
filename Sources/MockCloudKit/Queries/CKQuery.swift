import Foundation

/// https://developer.apple.com/documentation/cloudkit/ckquery
public class CKQuery: NSObject, NSCopying, @unchecked Sendable {
  /// https://developer.apple.com/documentation/cloudkit/ckquery/recordtype
  public let recordType: CKRecord.RecordType
  /// https://developer.apple.com/documentation/cloudkit/ckquery/predicate
  public let predicate: NSPredicate
  private let sorting = Locked<[NSSortDescriptor]?>(nil)

  /// https://developer.apple.com/documentation/cloudkit/ckquery/init(recordtype:predicate:)
  public init(recordType: CKRecord.RecordType, predicate: NSPredicate) {
    self.recordType = recordType
    self.predicate = predicate
    super.init()
  }

  /// https://developer.apple.com/documentation/cloudkit/ckquery/sortdescriptors
  public var sortDescriptors: [NSSortDescriptor]? {
    get { sorting.current }
    set { sorting.with { $0 = newValue } }
  }

  /// https://developer.apple.com/documentation/foundation/nscopying/copy(with:)
  public func copy(with zone: NSZone? = nil) -> Any {
    let copy = CKQuery(recordType: recordType, predicate: predicate)
    copy.sortDescriptors = sortDescriptors
    return copy
  }
}
