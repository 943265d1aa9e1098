import AppleFoundation
import Foundation
import RecordModel

extension RecordQuery {
  /// - Throws: `CKError`: `invalidArguments` for a query that CloudKit does not support.
  init(_ query: CKQuery) throws {
    do {
      let predicate = try PredicateText(query.predicate)
      try self.init(
        recordType: query.recordType, predicate: predicate.format,
        arguments: predicate.arguments.map { try RecordValue(predicateArgument: $0) },
        sort: (query.sortDescriptors ?? []).map { try QuerySort($0) })
    } catch let error as CKError {
      throw error
    } catch {
      throw CKError.invalid("\(error)")
    }
  }
}

extension RecordValue {
  /// Translates a value of a predicate. A record or its identifier stands for a reference to it, in a
  /// list or a set, too.
  init(predicateArgument value: Any) throws {
    func values(_ elements: some Sequence) throws -> [RecordValue] {
      try elements.map { try RecordValue(predicateArgument: $0) }
    }
    switch value {
    case let id as CKRecord.ID: self = .reference(Reference(recordID: RecordID(id)))
    case let record as CKRecord:
      self = .reference(Reference(recordID: RecordID(record.recordID)))
    case let list as NSArray: self = try .list(values(list))
    case let list as [Any]: self = try .list(values(list))
    case let list as NSOrderedSet: self = try .list(values(list))
    // A set has another order in each process, and recordings compare queries.
    case let set as NSSet: self = try .list(values(set).sorted { "\($0)" < "\($1)" })
    case let set as Set<AnyHashable>:
      self = try .list(values(set.map(\.base)).sorted { "\($0)" < "\($1)" })
    default: try self.init(value)
    }
  }
}

extension QuerySort {
  fileprivate init(_ descriptor: NSSortDescriptor) throws {
    guard let key = descriptor.key else { throw CKError.invalid("a sort descriptor has no key") }
    self.init(
      SystemField.schemaName(key), ascending: descriptor.ascending,
      relativeLocation: (descriptor as? CKLocationSortDescriptor).map {
        Location($0.relativeLocation)
      })
  }
}
