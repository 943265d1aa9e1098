import Foundation

public class CKQuery: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  public let recordType: CKRecord.RecordType
  public let predicate: NSPredicate
  private let sorting = Locked<[NSSortDescriptor]?>(nil)

  public init(recordType: CKRecord.RecordType, predicate: NSPredicate) {
    self.recordType = recordType
    self.predicate = predicate
    super.init()
  }

  public var sortDescriptors: [NSSortDescriptor]? {
    get { sorting.current }
    set { sorting.with { $0 = newValue } }
  }

  public override var description: String {
    described(["recordType": recordType, "predicate": predicate])
  }

  public func copy(with zone: NSZone? = nil) -> Any {
    let copy = CKQuery(recordType: recordType, predicate: predicate)
    copy.sortDescriptors = sortDescriptors
    return copy
  }

  public static var supportsSecureCoding: Bool { true }

  public override var classForKeyedArchiver: AnyClass? { ArchiveNames.class(named: "CKQuery") }

  public func encode(with coder: NSCoder) {
    coder.encode(recordType as NSString, forKey: "RecordType")
    coder.encode(ArchivedPredicate(predicate), forKey: "Predicate")
    let sorts = sortDescriptors?.map { sort in
      let place = (sort as? CKLocationSortDescriptor)?.relativeLocation
      let parts: [NSObject] =
        [(sort.key ?? "") as NSString, NSNumber(value: sort.ascending)] + (place.map { [$0] } ?? [])
      return NSArray(array: parts)
    }
    coder.encode(sorts.map { NSArray(array: $0) }, forKey: "SortDescriptors")
  }

  public required init(coder: NSCoder) {
    // The header says that it returns an object, whatever the archive.
    let type = coder.optionalObject(of: NSString.self, forKey: "RecordType")
    let archived = coder.optionalObject(of: ArchivedPredicate.self, forKey: "Predicate")
    if type == nil || archived == nil { coder.failWithError(CocoaError(.coderReadCorrupt)) }
    recordType = type.map { String($0) } ?? ""
    predicate = archived?.predicate ?? NSPredicate(value: false)
    super.init()
    let sorts = coder.optionalObject(
      of: [NSArray.self, NSString.self, NSNumber.self, CLLocation.self], forKey: "SortDescriptors")
    sortDescriptors = (sorts as? [[Any]])?.compactMap { sort in
      guard sort.count >= 2, let key = sort[0] as? String, let ascending = sort[1] as? Bool else {
        return nil
      }
      if let place = sort.last as? CLLocation {
        return CKLocationSortDescriptor(key: key, relativeLocation: place)
      }
      return NSSortDescriptor(key: key, ascending: ascending)
    }
  }
}
