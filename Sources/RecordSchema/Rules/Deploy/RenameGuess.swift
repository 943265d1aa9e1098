/// Which of the added elements a removed one may have become.
struct RenameGuess<Element> {
  let removed: Element
  /// One to three, the likeliest first.
  let candidates: [Element]

  fileprivate init(_ removed: Element, _ candidates: [Element]) {
    self.removed = removed
    self.candidates = candidates
  }
}

/// Above this many pairs no guess is made: comparing all with all would not be linear any more.
private let maximumPairs = 4096
/// The same for fields of types that are compared: a type is compared field by field.
private let maximumLookups = 1 << 20

extension RenameGuess where Element == Schema.Field {
  /// Fields that go and come with the same type; those with the same indexes too come first.
  static func fields(removed: [Schema.Field], added: [Schema.Field]) -> [RenameGuess] {
    guard removed.count * added.count <= maximumPairs else { return [] }
    return removed.compactMap { old in
      var likely = added.filter { $0.type == old.type && $0.options == old.options }
      if likely.isEmpty { likely = added.filter { $0.type == old.type } }
      guard !likely.isEmpty else { return nil }
      // With many of one type on both sides only a similar name says anything.
      if likely.count > 3 {
        likely = likely.filter { NameLikeness.areSimilar(old.name, $0.name) }
      }
      let scored = likely.map { ($0, NameLikeness.distance(old.name, $0.name)) }
      let best = scored.sorted { ($0.1, $0.0.name) < ($1.1, $1.0.name) }.prefix(3).map(\.0)
      return best.isEmpty ? nil : RenameGuess(old, best)
    }
  }
}

extension RenameGuess where Element == Schema.RecordType {
  /// Types that go and come with at least half of their fields in common.
  static func types(removed: [Schema.RecordType], added: [Schema.RecordType]) -> [RenameGuess] {
    let fields = added.reduce(0) { $0 + $1.fields.count }
    guard removed.count * added.count <= maximumPairs, removed.count * fields <= maximumLookups
    else { return [] }
    let candidates = added.map { (type: $0, signature: signature(of: $0)) }
    return removed.compactMap { old in
      let signature = signature(of: old)
      guard !signature.isEmpty else { return nil }
      let best = candidates.map { candidate in
        let common = candidate.signature.intersection(signature).count
        let all = candidate.signature.count + signature.count - common
        return (type: candidate.type, common: common, all: all)
      }
      .filter { $0.common * 2 >= $0.all }
      .max { ($0.common * $1.all, $1.type.name) < ($1.common * $0.all, $0.type.name) }
      return best.map { RenameGuess(old, [$0.type]) }
    }
  }

  private static func signature(of type: Schema.RecordType) -> Set<String> {
    Set(type.userFields.map { $0.name + " " + $0.type.description })
  }
}

private enum NameLikeness {
  /// Longer names are not compared letter by letter.
  private static let maximumLength = 64

  static func distance(_ a: String, _ b: String) -> Int {
    let a = Array(a.utf8)
    let b = Array(b.utf8)
    guard a.count <= maximumLength, b.count <= maximumLength else { return .max }
    return EditDistance.between(a, b)
  }

  static func areSimilar(_ a: String, _ b: String) -> Bool {
    distance(a, b) <= max(a.utf8.count, b.utf8.count) / 2
  }
}
