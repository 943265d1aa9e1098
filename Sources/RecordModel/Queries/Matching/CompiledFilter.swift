/// A filter of a query, as records are matched with it.
package struct CompiledFilter: Sendable {
  package let comparator: QueryFilter.Comparator
  /// The schema's name of the field.
  package let field: String
  let value: RecordValue
  private let distance: Double
  /// The words of a text search.
  package let words: [String]
  /// Whether the text of all searchable fields is searched.
  package let isAllText: Bool
  let options: QueryMatch.Options
  /// The values that the filter's one stands for: the elements of a list, and for a user each of
  /// the names of the user.
  private let alternatives: [RecordValue]
  /// The values to look up: records for references, keys for values that do not depend on a zone.
  private let wantedIDs: Set<RecordID>?
  private let wantedKeys: Set<IndexKey>?
  /// The key of the value if it is the same in all zones.
  private let fixedKey: IndexKey?
  /// Whether text stands for a record's name in the zone of the record that is matched.
  private let namesRecords: Bool
  /// The filters that are used instead for values of some types: text that people type can stand for
  /// a date, or for a record's name.
  private let conversions: [ValueType: CompiledFilter]

  package init(_ filter: QueryFilter, _ options: QueryMatch.Options, namesRecords: Bool = false) {
    comparator = filter.comparator
    field = SystemField.schemaName(filter.fieldName)
    isAllText = filter.isAllText
    value = filter.fieldValue
    distance = filter.distance ?? .infinity
    self.options = options
    if comparator.isTextSearch, case .string(let text) = filter.fieldValue {
      words = TextTokens.words(of: text)
    } else {
      words = []
    }
    let isUser = SystemField(rawValue: field)?.isUser == true
    alternatives = (value.elements ?? [value]).flatMap { value in
      isUser ? CompiledFilter.names(ofUser: value, options) : [value]
    }
    self.namesRecords = namesRecords || isUser || field == SystemField.recordID.rawValue
    let references = alternatives.flatMap(\.references)
    let dependsOnZone = self.namesRecords || !references.isEmpty
    wantedIDs =
      !self.namesRecords && !references.isEmpty && references.count == alternatives.count
      ? Set(references.map(\.recordID)) : nil
    wantedKeys =
      dependsOnZone ? nil : Set(alternatives.compactMap { IndexKey($0, in: .default) })
    fixedKey = dependsOnZone ? nil : IndexKey(value, in: .default)
    conversions = Self.conversions(of: filter, options, namesRecords: self.namesRecords)
  }

  private static func conversions(
    of filter: QueryFilter, _ options: QueryMatch.Options, namesRecords: Bool
  ) -> [ValueType: CompiledFilter] {
    let value = filter.fieldValue
    guard let date = options.date, !filter.comparator.isForText,
      (value.elements ?? [value]).contains(where: { $0.type == .string })
    else { return [:] }
    func withDates(_ value: RecordValue) -> RecordValue {
      guard case .string(let text) = value, let date = date(text) else { return value }
      return .timestamp(date)
    }
    var options = options
    options.date = nil
    var conversions: [ValueType: CompiledFilter] = [:]
    let dates =
      value.elements.map { RecordValue(list: $0.map(withDates), of: .timestamp) ?? value }
      ?? withDates(value)
    if dates != value {
      var other = filter
      other.fieldValue = dates
      conversions[.timestamp] = CompiledFilter(other, options)
    }
    if !namesRecords {
      conversions[.reference] = CompiledFilter(filter, options, namesRecords: true)
    }
    return conversions
  }

  /// Returns the references to a user: the signed-in one has two names.
  private static func names(
    ofUser value: RecordValue, _ options: QueryMatch.Options
  ) -> [RecordValue] {
    guard let name = value.recordName else { return [value] }
    let own = ZoneID.currentUserOwnerName
    var names = [name]
    if let current = options.currentUserRecordName {
      if name == own { names.append(current) } else if name == current { names.append(own) }
    }
    return names.map { .string($0) }
  }

  /// Whether the value is a list.
  package var isForList: Bool { value.elements != nil }

  /// The circle in which locations are looked for.
  package var circle: (center: Location, radius: Double)? {
    guard comparator == .near, case .location(let center) = value else { return nil }
    return (center, distance)
  }

  // MARK: Keys

  /// Returns the keys of the filter's values for the records of a zone; nil if a value has none.
  package func keys(in zoneID: ZoneID) -> [IndexKey]? {
    var keys: [IndexKey] = []
    for value in alternatives {
      guard let key = key(of: value, in: zoneID) else { return nil }
      keys.append(key)
    }
    return keys
  }

  /// Returns the key of a value. A record name may stand for a reference.
  private func key(of value: RecordValue, in zoneID: ZoneID) -> IndexKey? {
    let isUser = SystemField(rawValue: field)?.isUser == true
    if namesRecords, let name = value.recordName {
      if !isUser, case .reference = value { return IndexKey(value, in: zoneID) }
      return IndexKey(referenceTo: RecordID(recordName: name, zoneID: zoneID), in: zoneID)
    }
    return IndexKey(value, in: zoneID)
  }

  // MARK: Matching

  /// Whether a record matches. Without a value, it does not.
  package func matches(_ record: ResultRecord) -> Bool {
    if comparator.isTextSearch { return matchesText(of: record) }
    return truth(of: record.queryValue(of: field), in: record.storage.zoneID) ?? false
  }

  /// Whether a value in a record of a zone matches; nil, for a filter that does not search text, if
  /// there is no value, or none with an order or a distance.
  package func truth(of found: RecordValue?, in zoneID: ZoneID) -> Bool? {
    guard let found else { return nil }
    let type = found.type.map { $0.elementType ?? $0 }
    let filter = type.flatMap { conversions[$0] } ?? self
    return filter.matches(found, in: zoneID)
  }

  private func matches(_ found: RecordValue, in zoneID: ZoneID) -> Bool? {
    switch comparator {
    case .equals: return isEqual(found, zoneID)
    case .notEquals: return !isEqual(found, zoneID)
    case .lessThan: return order(of: found, zoneID).map { $0 < 0 }
    case .lessThanOrEquals: return order(of: found, zoneID).map { $0 <= 0 }
    case .greaterThan: return order(of: found, zoneID).map { $0 > 0 }
    case .greaterThanOrEquals: return order(of: found, zoneID).map { $0 >= 0 }
    case .near: return isNear(found)
    case .in: return isOne(found, zoneID)
    case .notIn: return !isOne(found, zoneID)
    case .beginsWith: return begins(found)
    case .notBeginsWith: return !begins(found)
    case .listContains, .listContainsAny: return hasAny(found, zoneID)
    case .notListContains, .notListContainsAny: return !hasAny(found, zoneID)
    case .listContainsAll: return hasAll(found, zoneID)
    case .notListContainsAll: return !hasAll(found, zoneID)
    case .listMemberBeginsWith: return found.elements?.contains { begins($0) } ?? false
    case .notListMemberBeginsWith: return !(found.elements?.contains { begins($0) } ?? false)
    case .containsAllTokens, .containsAnyTokens: return false
    }
  }

  /// The filters that are used instead for values of some types.
  package var converted: [CompiledFilter] { Array(conversions.values) }

  private func isEqual(_ found: RecordValue, _ zoneID: ZoneID) -> Bool {
    if let elements = found.elements {
      guard let wanted = value.elements, wanted.count == elements.count else { return false }
      return zip(elements, wanted).allSatisfy { a, b in
        IndexKey(a, in: zoneID).map { $0 == key(of: b, in: zoneID) } ?? false
      }
    }
    guard value.elements == nil else { return false }
    return isOne(found, zoneID)
  }

  private func isOne(_ found: RecordValue, _ zoneID: ZoneID) -> Bool {
    if case .int64(let a) = found, case .int64(let b) = value { return a == b }
    if let wantedIDs {
      guard case .reference(let reference) = found else { return false }
      return wantedIDs.contains(reference.recordID)
    }
    guard let key = IndexKey(found, in: zoneID) else { return false }
    if let wantedKeys { return wantedKeys.contains(key) }
    return alternatives.contains { self.key(of: $0, in: zoneID) == key }
  }

  /// Returns whether a value is less than the filter's one (below 0), equal (0) or greater; nil if
  /// they cannot be compared.
  private func order(of found: RecordValue, _ zoneID: ZoneID) -> Int? {
    if case .int64(let a) = found, case .int64(let b) = value {
      return a < b ? -1 : a == b ? 0 : 1
    }
    guard let a = IndexKey(found, in: zoneID), let b = fixedKey ?? key(of: value, in: zoneID),
      a.kind == b.kind
    else { return nil }
    return a < b ? -1 : a == b ? 0 : 1
  }

  private func isNear(_ found: RecordValue) -> Bool? {
    guard case .location(let place) = found, let circle else { return nil }
    return circle.center.distance(to: place) < circle.radius
  }

  private func begins(_ found: RecordValue) -> Bool {
    guard case .string(let text) = found, case .string(let beginning) = value else { return false }
    return text.utf8.starts(with: beginning.utf8)
  }

  private func hasAny(_ found: RecordValue, _ zoneID: ZoneID) -> Bool {
    found.elements?.contains { isOne($0, zoneID) } ?? false
  }

  private func hasAll(_ found: RecordValue, _ zoneID: ZoneID) -> Bool {
    guard let elements = found.elements else { return false }
    let keys = Set(elements.compactMap { IndexKey($0, in: zoneID) })
    return alternatives.allSatisfy { key(of: $0, in: zoneID).map(keys.contains) ?? false }
  }

  // MARK: Text

  private func matchesText(of record: ResultRecord) -> Bool {
    guard !words.isEmpty else { return false }
    var found: Set<String> = []
    for text in record.searchedTexts(in: isAllText ? nil : field, options.searchableFields) {
      found.formUnion(TextTokens.words(of: text))
    }
    return comparator == .containsAllTokens
      ? words.allSatisfy(found.contains) : words.contains(where: found.contains)
  }
}

extension ResultRecord {
  /// Returns the texts that a text search reads.
  ///
  /// - Parameters:
  ///   - name: The field to search; nil for all.
  ///   - searchable: The fields that may be searched; nil for all.
  package func searchedTexts(in name: String?, _ searchable: Set<String>?) -> [String] {
    fields.flatMap { field -> [String] in
      guard !field.isEncrypted, name?.sameScalars(as: field.name) ?? true,
        searchable?.contains(field.name) ?? true
      else { return [] }
      switch field.value {
      case .string(let text): return [text]
      case .stringList(let texts): return texts
      default: return []
      }
    }
  }
}

extension QueryFilter {
  /// Whether the filter searches the text of all fields.
  package var isAllText: Bool {
    comparator.isTextSearch && [Self.allText, "self", "allTokens"].contains(fieldName)
  }
}

extension QueryFilter.Comparator {
  /// Whether words of a text are searched.
  package var isTextSearch: Bool { self == .containsAllTokens || self == .containsAnyTokens }

  /// Whether only text matches.
  package var isForText: Bool {
    switch self {
    case .beginsWith, .notBeginsWith, .listMemberBeginsWith, .notListMemberBeginsWith,
      .containsAllTokens, .containsAnyTokens:
      true
    default: false
    }
  }
}

extension RecordValue {
  /// The record name in a reference, or a string.
  fileprivate var recordName: String? {
    switch self {
    case .reference(let reference): reference.recordID.recordName
    case .string(let name): name
    default: nil
    }
  }
}
