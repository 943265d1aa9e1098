import RecordModel

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
/// How many steps are spent on comparing the names of fields letter by letter; after that no more
/// guesses are made.
let maximumRenameSteps = 1 << 23

extension RenameGuess where Element == Schema.Field {
  /// Fields that go and come with the same type; those with the same indexes too come first.
  ///
  /// - Parameter steps: How many steps are left, see ``maximumRenameSteps``.
  static func fields(
    removed: [Schema.Field], added: [Schema.Field], steps: inout Int
  ) -> [RenameGuess] {
    guard removed.count * added.count <= maximumPairs else { return [] }
    var guesses: [RenameGuess] = []
    for old in removed where steps > 0 {
      var likely = added.filter { $0.type == old.type && $0.options == old.options }
      if likely.isEmpty { likely = added.filter { $0.type == old.type } }
      guard !likely.isEmpty else { continue }
      let scored = likely.map { new in
        steps -= old.name.utf8.count * new.name.utf8.count
        return (new, NameLikeness.distance(old.name, new.name))
      }
      // With many of one type on both sides only a similar name says anything.
      let near = scored.filter { new, distance in
        likely.count <= 3 || distance <= max(old.name.utf8.count, new.name.utf8.count) / 2
      }
      let best = near.sorted { ($0.1, NameKey($0.0.name)) < ($1.1, NameKey($1.0.name)) }
        .prefix(3).map(\.0)
      if !best.isEmpty { guesses.append(RenameGuess(old, best)) }
    }
    return guesses
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
      .max {
        ($0.common * $1.all, NameKey($1.type.name))
          < ($1.common * $0.all, NameKey($0.type.name))
      }
      return best.map { RenameGuess(old, [$0.type]) }
    }
  }

  private static func signature(of type: Schema.RecordType) -> Set<NameKey> {
    Set(type.userFields.map { NameKey($0.name + " " + $0.type.description) })
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
}
