/// A range of keys: from the first, up to but without the last.
package struct IndexRange: Hashable, Sendable {
  /// The first key in the range.
  package var lower: IndexKey
  /// The first key after the range; nil if there is no end.
  package var upper: IndexKey?

  package init(lower: IndexKey, upper: IndexKey?) {
    self.lower = lower
    self.upper = upper
  }

  /// All keys.
  package static let all = IndexRange(lower: IndexKey(bytes: []), upper: nil)

  /// Creates the range of one key.
  package init(_ key: IndexKey) {
    self.init(lower: key, upper: key.successor)
  }

  /// Creates the range of the keys of one kind.
  package init(ofKind kind: IndexKey.Kind) {
    self.init(
      lower: IndexKey(bytes: [kind.rawValue]), upper: IndexKey(bytes: [kind.rawValue + 1]))
  }

  /// Creates the range of the keys that begin with another one.
  package init(prefix: IndexKey) {
    var end = prefix.bytes
    while end.last == 0xFF { end.removeLast() }
    guard let last = end.popLast() else {
      self.init(lower: prefix, upper: nil)
      return
    }
    self.init(lower: prefix, upper: IndexKey(bytes: end + [last + 1]))
  }

  /// The only key in the range; nil if there may be others.
  package var singleKey: IndexKey? { upper == lower.successor ? lower : nil }

  package var isEmpty: Bool { upper.map { $0 <= lower } ?? false }

  package func contains(_ key: IndexKey) -> Bool {
    key >= lower && upper.map { key < $0 } ?? true
  }

  /// Returns the keys that are in both ranges.
  package func intersection(_ other: IndexRange) -> IndexRange {
    let upper =
      if let a = self.upper, let b = other.upper { min(a, b) } else { self.upper ?? other.upper }
    return IndexRange(lower: max(lower, other.lower), upper: upper)
  }
}

extension IndexKey {
  /// The least key that is greater.
  package var successor: IndexKey { IndexKey(bytes: bytes + [0]) }
}
