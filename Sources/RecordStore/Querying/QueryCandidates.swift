import RecordModel

/// The entries of an index with all records that match a filter, and perhaps others.
struct QueryCandidates {
  let kind: RecordIndex.Kind
  /// The field of the index; empty for an index without one.
  let field: String
  /// The ranges of keys in a zone.
  let ranges: @Sendable (ZoneID) -> [IndexRange]
  /// Whether each range has one key, so that its entries are in the order of names.
  let areSingleKeys: Bool
  /// How few records may be expected: the less the fewer.
  let rank: Int

  /// - Returns: nil for a filter that no index helps with.
  init?(_ filter: CompiledFilter) {
    guard let bounds = filter.indexRanges(in: .default) else { return nil }
    kind =
      filter.comparator.isTextSearch ? .word : filter.comparator.isForLists ? .element : .value
    field = kind == .word ? "" : filter.field
    ranges = { filter.indexRanges(in: $0) ?? [] }
    areSingleKeys = bounds.allSatisfy { $0.singleKey != nil }
    switch bounds.first?.singleKey?.kind {
    case nil: rank = 90
    case .reference: rank = filter.field == "___recordID" ? 0 : 10 + min(bounds.count, 10)
    case .number: rank = 40 + min(bounds.count, 10)
    default: rank = 20 + min(bounds.count, 10)
    }
  }
}

extension QueryFilter.Comparator {
  /// Whether elements of a list are compared.
  fileprivate var isForLists: Bool {
    switch self {
    case .listContains, .listContainsAny, .listContainsAll, .listMemberBeginsWith: true
    default: false
    }
  }
}

extension CompiledFilter {
  /// Returns the ranges of keys that all matching records have one of; nil if there are none, as
  /// for a negation.
  func indexRanges(in zoneID: ZoneID) -> [IndexRange]? {
    guard var ranges = ownIndexRanges(in: zoneID) else { return nil }
    // Records may match with a value that the filter's one is converted to.
    for other in converted {
      guard let others = other.ownIndexRanges(in: zoneID) else { return nil }
      // A record must not be found twice.
      ranges += others.filter { !ranges.contains($0) }
    }
    return ranges
  }

  private func ownIndexRanges(in zoneID: ZoneID) -> [IndexRange]? {
    switch comparator {
    case .equals:
      guard !isForList else { return nil }
      return keys(in: zoneID)?.unique.map { IndexRange($0) }
    case .in, .listContains, .listContainsAny:
      return keys(in: zoneID)?.unique.map { IndexRange($0) }
    case .listContainsAll: return keys(in: zoneID)?.first.map { [IndexRange($0)] }
    case .lessThan, .lessThanOrEquals, .greaterThan, .greaterThanOrEquals:
      return keys(in: zoneID)?.first.flatMap(order).map { [$0] }
    case .beginsWith, .listMemberBeginsWith:
      guard let key = keys(in: zoneID)?.first, key.kind == .string else { return nil }
      return [IndexRange(prefix: key)]
    case .near: return latitudes.map { [$0] }
    case .containsAllTokens:
      let keys = words.map { TextTokens.key(ofWord: $0) ?? TextTokens.otherKey }
      return keys.max { $0.bytes.count < $1.bytes.count }.map { [IndexRange($0)] }
    case .containsAnyTokens:
      let keys = words.map { TextTokens.key(ofWord: $0) ?? TextTokens.otherKey }
      return keys.isEmpty ? nil : keys.unique.map { IndexRange($0) }
    default: return nil
    }
  }

  /// Returns the range of the values of the same kind that are less or greater.
  private func order(_ key: IndexKey) -> IndexRange? {
    guard let kind = key.kind, !isForList else { return nil }
    let rest =
      switch comparator {
      case .lessThan: IndexRange(lower: IndexRange.all.lower, upper: key)
      case .lessThanOrEquals: IndexRange(lower: IndexRange.all.lower, upper: key.successor)
      case .greaterThan: IndexRange(lower: key.successor, upper: nil)
      default: IndexRange(lower: key, upper: nil)
      }
    return IndexRange(ofKind: kind).intersection(rest)
  }

  /// The locations between the latitudes of a circle.
  private var latitudes: IndexRange? {
    guard let circle, circle.radius.isFinite else { return nil }
    // A little more, because the distance is computed with rounding.
    let degrees = circle.radius / Location.metresPerDegree * 1.000_001 + 0.000_001
    func key(_ latitude: Double, _ longitude: Double) -> IndexKey? {
      IndexKey(
        .location(Location(latitude: latitude, longitude: longitude)), in: ZoneID.default)
    }
    guard let low = key(circle.center.latitude - degrees, -.infinity),
      let high = key(circle.center.latitude + degrees, .infinity)
    else { return nil }
    return IndexRange(lower: low, upper: high.successor)
  }
}

extension [IndexKey] {
  fileprivate var unique: [IndexKey] { Array(Set(self)).sorted() }
}
