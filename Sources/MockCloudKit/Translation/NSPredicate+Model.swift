import Foundation
import RecordModel

extension NSPredicate {
  /// Returns the predicate of a query that the server returned.
  static func predicate(_ filters: [QueryFilter]) throws -> NSPredicate {
    var formats: [String] = []
    var arguments: [Any] = []
    for filter in filters {
      guard let predicate = filter.predicate else {
        throw CKError.invalid("no predicate of CloudKit is \(filter.comparator.rawValue)")
      }
      formats.append(predicate.format)
      for argument in predicate.arguments {
        switch argument {
        case .name(let name): arguments.append(name)
        case .value(let value): arguments.append(try value.plainObject())
        case .number(let number): arguments.append(NSNumber(value: number))
        }
      }
    }
    guard !formats.isEmpty else { return NSPredicate(value: true) }
    return NSPredicate(format: formats.joined(separator: " AND "), argumentArray: arguments)
  }
}

extension RecordValue {
  /// The value as an object, without assets, which queries do not have.
  func plainObject() throws -> any CKRecordValue {
    switch self {
    case .string(let value): value as NSString
    case .int64(let value): NSNumber(value: value)
    case .double(let value): NSNumber(value: value)
    case .timestamp(let value): value as NSDate
    case .bytes(let value): value as NSData
    case .location(let value): CLLocation(value)
    case .reference(let value): CKRecord.Reference(value)
    case .stringList(let values): NSArray(array: values.map { $0 as NSString })
    case .int64List(let values): NSArray(array: values.map { NSNumber(value: $0) })
    case .doubleList(let values): NSArray(array: values.map { NSNumber(value: $0) })
    case .timestampList(let values): NSArray(array: values.map { $0 as NSDate })
    case .bytesList(let values): NSArray(array: values.map { $0 as NSData })
    case .locationList(let values): NSArray(array: values.map { CLLocation($0) })
    case .referenceList(let values): NSArray(array: values.map { CKRecord.Reference($0) })
    case .emptyList: NSArray()
    case .asset, .assetList, .unknown:
      throw CKError(.internalError, userInfo: [NSLocalizedDescriptionKey: "a query has no assets"])
    }
  }
}
