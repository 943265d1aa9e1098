import Foundation
import RecordModel

/// What a query finds among records: a plain filter and a plain sort, written without the server's
/// code.
struct QueryOracle {
  let query: RecordQuery

  func results(among records: [ResultRecord]) -> [ResultRecord] {
    records.filter { record in
      record.recordType == query.recordType && query.filters.allSatisfy { holds($0, record) }
    }.sorted(by: precedes)
  }

  // MARK: Order

  func precedes(_ a: ResultRecord, _ b: ResultRecord) -> Bool {
    for sort in query.sort {
      let order = Self.order(key(a, sort), key(b, sort))
      if order != 0 { return sort.ascending ? order < 0 : order > 0 }
    }
    return a.recordID < b.recordID
  }

  private func key(_ record: ResultRecord, _ sort: QuerySort) -> RecordValue? {
    let value = Self.value(sort.fieldName, record)
    guard let center = sort.relativeLocation else {
      return value.flatMap { Self.rank($0) == nil ? nil : $0 }
    }
    guard case .location(let place)? = value else { return nil }
    return .double(Self.distance(center, place))
  }

  private static func order(_ a: RecordValue?, _ b: RecordValue?) -> Int {
    guard let a else { return b == nil ? 0 : -1 }
    guard let b else { return 1 }
    let (rankA, rankB) = (rank(a) ?? -1, rank(b) ?? -1)
    return rankA == rankB ? compare(a, b) ?? 0 : rankA - rankB
  }

  private static func rank(_ value: RecordValue) -> Int? {
    switch value {
    case .int64, .double: 0
    case .timestamp: 1
    case .string: 2
    case .bytes: 3
    case .reference: 4
    case .location: 5
    default: nil
    }
  }

  /// Returns the order of two values of one kind: negative, zero or positive; nil for others.
  ///
  /// - Parameter home: The zone of the record with the values; nil if both refer to their own.
  static func compare(
    _ a: RecordValue, _ b: RecordValue, in home: ZoneID? = nil
  ) -> Int? {
    func order<T: Comparable>(_ a: T, _ b: T) -> Int { a < b ? -1 : a > b ? 1 : 0 }
    switch (a, b) {
    case (.int64(let a), .int64(let b)): return order(a, b)
    case (.double(let a), .double(let b)): return order(a, b)
    case (.int64(let a), .double(let b)): return mixed(a, b)
    case (.double(let a), .int64(let b)): return -mixed(b, a)
    case (.timestamp(let a), .timestamp(let b)): return order(a, b)
    case (.string(let a), .string(let b)): return lexical(Array(a.utf8), Array(b.utf8))
    case (.bytes(let a), .bytes(let b)): return lexical(Array(a), Array(b))
    case (.location(let a), .location(let b)):
      let north = order(a.latitude, b.latitude)
      return north != 0 ? north : order(a.longitude, b.longitude)
    case (.reference(let a), .reference(let b)):
      let names = lexical(Array(a.recordID.recordName.utf8), Array(b.recordID.recordName.utf8))
      guard names == 0, let home else { return names }
      let (zoneA, zoneB) = (a.recordID.zoneID, b.recordID.zoneID)
      // A reference into the record's own zone is before one into another.
      return zoneA == zoneB ? 0 : zoneA == home ? -1 : zoneB == home ? 1 : order(zoneA, zoneB)
    default: return nil
    }
  }

  private static func mixed(_ a: Int64, _ b: Double) -> Int {
    let rounded = Double(a)
    if rounded != b { return rounded < b ? -1 : 1 }
    guard let whole = Int64(exactly: b) else { return -1 }
    return a < whole ? -1 : a > whole ? 1 : 0
  }

  private static func lexical(_ a: [UInt8], _ b: [UInt8]) -> Int {
    a.lexicographicallyPrecedes(b) ? -1 : a == b ? 0 : 1
  }

  static func distance(_ a: Location, _ b: Location) -> Double {
    // The spherical law of cosines; the server's formula is another one.
    let (p, q) = (a.latitude * .pi / 180, b.latitude * .pi / 180)
    let width = (b.longitude - a.longitude) * .pi / 180
    return 6_371_008.8 * acos(min(1, max(-1, sin(p) * sin(q) + cos(p) * cos(q) * cos(width))))
  }

  // MARK: Filters

  static func value(_ name: String, _ record: ResultRecord) -> RecordValue? {
    switch name {
    case "___recordID": .reference(Reference(recordID: record.recordID))
    case "___createTime": record.creationDate.map { .timestamp($0) }
    case "___modTime": record.modificationDate.map { .timestamp($0) }
    default: record.fields.first { $0.name == name && !$0.isEncrypted }?.value
    }
  }

  private func holds(_ filter: QueryFilter, _ record: ResultRecord) -> Bool {
    switch filter.comparator {
    case .containsAllTokens:
      return text(filter, record) { words, found in words.isSubset(of: found) }
    case .containsAnyTokens:
      return text(filter, record) { words, found in !words.isDisjoint(with: found) }
    default: break
    }
    let wanted = filter.fieldValue
    guard let value = Self.value(filter.fieldName, record) else {
      return false
    }
    let list = value.elements
    let home = record.recordID.zoneID
    let order = list == nil ? Self.compare(value, wanted, in: home) : nil
    func isOne(_ value: RecordValue) -> Bool {
      (wanted.elements ?? [wanted]).contains { Self.compare(value, $0, in: home) == 0 }
    }
    let hasAny = list?.contains(where: isOne) ?? false
    let hasAll =
      list != nil
      && (wanted.elements ?? []).allSatisfy { wanted in
        list?.contains { Self.compare($0, wanted, in: home) == 0 } ?? false
      }
    switch filter.comparator {
    case .equals: return order == 0
    case .notEquals: return order != 0
    case .lessThan: return order.map { $0 < 0 } ?? false
    case .lessThanOrEquals: return order.map { $0 <= 0 } ?? false
    case .greaterThan: return order.map { $0 > 0 } ?? false
    case .greaterThanOrEquals: return order.map { $0 >= 0 } ?? false
    case .in: return list == nil && isOne(value)
    case .notIn: return !(list == nil && isOne(value))
    case .beginsWith: return begins(value, wanted)
    case .notBeginsWith: return !begins(value, wanted)
    case .listContains, .listContainsAny: return hasAny
    case .notListContains, .notListContainsAny: return !hasAny
    case .listContainsAll: return hasAll
    case .notListContainsAll: return !hasAll
    case .listMemberBeginsWith: return list?.contains { begins($0, wanted) } ?? false
    case .notListMemberBeginsWith: return !(list?.contains { begins($0, wanted) } ?? false)
    case .near:
      guard case .location(let place) = value, case .location(let center) = wanted else {
        return false
      }
      return Self.distance(place, center) < filter.distance ?? 0
    case .containsAllTokens, .containsAnyTokens: return false
    }
  }

  private func begins(_ value: RecordValue, _ wanted: RecordValue) -> Bool {
    guard case .string(let text) = value, case .string(let prefix) = wanted else { return false }
    return Array(text.unicodeScalars).starts(with: Array(prefix.unicodeScalars))
  }

  private func text(
    _ filter: QueryFilter, _ record: ResultRecord, _ test: (Set<String>, Set<String>) -> Bool
  ) -> Bool {
    guard case .string(let wanted) = filter.fieldValue else { return false }
    let words = Self.words(wanted)
    let fields = record.fields.filter {
      !$0.isEncrypted
        && (filter.fieldName == QueryFilter.allText || filter.fieldName == $0.name)
    }
    let found = fields.flatMap { field -> [String] in
      switch field.value {
      case .string(let text): [text]
      case .stringList(let texts): texts
      default: []
      }
    }
    return !words.isEmpty && test(words, Set(found.flatMap { Self.words($0) }))
  }

  /// The tests' texts have words between spaces and punctuation marks only.
  static func words(_ text: String) -> Set<String> {
    let folded = text.folding(
      options: [.caseInsensitive, .diacriticInsensitive], locale: Locale(identifier: "en"))
    return Set(folded.split { " ,.!'\u{0}".contains($0) }.map(String.init))
  }
}
