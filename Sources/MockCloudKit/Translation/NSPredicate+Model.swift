import Foundation
import RecordModel

extension NSPredicate {
  /// Returns the predicate of a query that the server returned.
  static func predicate(_ filters: [QueryFilter]) throws -> NSPredicate {
    let parts = try filters.map(predicate)
    switch parts.count {
    case 0: return NSPredicate(value: true)
    case 1: return parts[0]
    default: return NSCompoundPredicate(andPredicateWithSubpredicates: parts)
    }
  }

  private static func predicate(_ filter: QueryFilter) throws -> NSPredicate {
    let key = NSExpression(forKeyPath: QueryKey.framework(filter.fieldName))
    let value = NSExpression(forConstantValue: try filter.fieldValue.plainObject())
    func compare(
      _ left: NSExpression, _ type: NSComparisonPredicate.Operator, _ right: NSExpression,
      _ modifier: NSComparisonPredicate.Modifier = .direct
    ) -> NSPredicate {
      NSComparisonPredicate(
        leftExpression: left, rightExpression: right, modifier: modifier, type: type, options: [])
    }
    func not(_ predicate: NSPredicate) -> NSPredicate {
      NSCompoundPredicate(notPredicateWithSubpredicate: predicate)
    }
    switch filter.comparator {
    case .equals: return compare(key, .equalTo, value)
    case .notEquals: return compare(key, .notEqualTo, value)
    case .lessThan: return compare(key, .lessThan, value)
    case .lessThanOrEquals: return compare(key, .lessThanOrEqualTo, value)
    case .greaterThan: return compare(key, .greaterThan, value)
    case .greaterThanOrEquals: return compare(key, .greaterThanOrEqualTo, value)
    case .near:
      let distance = NSExpression(
        forFunction: "distanceToLocation:fromLocation:", arguments: [key, value])
      let radius = NSExpression(forConstantValue: NSNumber(value: filter.distance ?? 0))
      return compare(distance, .lessThan, radius)
    case .containsAllTokens, .containsAnyTokens:
      return compare(.expressionForEvaluatedObject(), .contains, value)
    case .in: return compare(key, .in, value)
    case .notIn: return not(compare(key, .in, value))
    case .beginsWith: return compare(key, .beginsWith, value)
    case .notBeginsWith: return not(compare(key, .beginsWith, value))
    case .listContains: return compare(key, .contains, value)
    case .notListContains: return not(compare(key, .contains, value))
    case .listContainsAny: return compare(value, .in, key, .any)
    case .notListContainsAny: return not(compare(value, .in, key, .any))
    case .listContainsAll: return compare(value, .in, key, .all)
    case .notListContainsAll: return not(compare(value, .in, key, .all))
    case .listMemberBeginsWith: return compare(key, .beginsWith, value, .any)
    case .notListMemberBeginsWith: return not(compare(key, .beginsWith, value, .any))
    }
  }
}

extension RecordValue {
  /// The value as an object, without assets, which queries do not have.
  fileprivate func plainObject() throws -> any CKRecordValue {
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
