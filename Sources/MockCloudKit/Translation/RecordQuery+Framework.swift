import Foundation
import RecordModel

extension RecordQuery {
  /// - Throws: `CKError`: `invalidArguments` for what CloudKit's queries do not support.
  init(_ query: CKQuery) throws {
    self.init(
      recordType: query.recordType, filters: try [QueryFilter](query.predicate),
      sort: try (query.sortDescriptors ?? []).map { try QuerySort($0) })
  }
}

extension QuerySort {
  fileprivate init(_ descriptor: NSSortDescriptor) throws {
    guard let key = descriptor.key else { throw CKError.invalid("a sort descriptor has no key") }
    self.init(
      QueryKey.model(key), ascending: descriptor.ascending,
      relativeLocation: (descriptor as? CKLocationSortDescriptor).map {
        Location($0.relativeLocation)
      })
  }
}

/// The names that system fields have in predicates, and in the model.
enum QueryKey {
  private static let names = [
    "recordID": "___recordID", "creationDate": "___createTime",
    "modificationDate": "___modTime", "creatorUserRecordID": "___createdBy",
    "lastModifiedUserRecordID": "___modifiedBy",
  ]
  private static let keys = Dictionary(uniqueKeysWithValues: names.map { ($0.value, $0.key) })

  static func model(_ key: String) -> String { names[key] ?? key }
  static func framework(_ name: String) -> String { keys[name] ?? name }
}

extension [QueryFilter] {
  init(_ predicate: NSPredicate) throws {
    if let error = predicate.formatError { throw CKError.invalid(error.description) }
    switch predicate {
    case let predicate as NSComparisonPredicate: self = try ComparisonReader(predicate).filters()
    case let predicate as NSCompoundPredicate: try self.init(compound: predicate)
    default:
      guard predicate.constant == true else {
        throw CKError.invalid("CloudKit does not support '\(predicate.predicateFormat)'")
      }
      self = []
    }
  }

  private init(compound predicate: NSCompoundPredicate) throws {
    switch predicate.compoundPredicateType {
    case .and: self = try predicate.parts.flatMap { try [QueryFilter]($0) }
    case .or: throw CKError.invalid("CloudKit does not support OR")
    case .not:
      self = try predicate.parts.flatMap { part in
        let filters = try [QueryFilter](part)
        guard filters.count == 1 else {
          throw CKError.invalid("CloudKit supports NOT before a single comparison only")
        }
        return try filters.map { try $0.negated() }
      }
    }
  }
}

extension QueryFilter {
  private static let opposites: [Comparator: Comparator] = [
    .equals: .notEquals, .in: .notIn, .beginsWith: .notBeginsWith,
    .listContains: .notListContains, .listContainsAny: .notListContainsAny,
    .listContainsAll: .notListContainsAll, .listMemberBeginsWith: .notListMemberBeginsWith,
  ]

  fileprivate func negated() throws -> QueryFilter {
    let found =
      Self.opposites[comparator] ?? Self.opposites.first { $0.value == comparator }?.key
    guard let found else {
      throw CKError.invalid("CloudKit does not support NOT before this comparison")
    }
    return QueryFilter(fieldName, found, fieldValue)
  }
}
