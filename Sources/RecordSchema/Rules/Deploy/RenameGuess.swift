import RecordModel

/// The added elements that a removed element may have been renamed to.
struct RenameGuess<Element> {
  let removed: Element
  /// One to three candidates, most likely first.
  let candidates: [Element]

  fileprivate init(_ removed: Element, _ candidates: [Element]) {
    self.removed = removed
    self.candidates = candidates
  }
}

/// The maximum number of pairs to compare. Above this, no guess is made, because comparing all
/// pairs takes quadratic time.
private let maximumPairs = 4096
/// The maximum number of field lookups when comparing record types field by field.
private let maximumLookups = 1 << 20
/// The maximum length of a name for which the edit distance is computed.
private let maximumLength = 64
/// The maximum number of steps spent on edit distances between field names. After that, no more
/// guesses are made.
let maximumRenameSteps = 1 << 23

extension RenameGuess where Element == Schema.Field {
  /// Returns guesses for renamed fields of the same type. Candidates with the same indexes come
  /// first.
  ///
  /// - Parameter steps: The number of steps left; see ``maximumRenameSteps``.
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
        let (a, b) = (Array(old.name.utf8), Array(new.name.utf8))
        return (new, max(a.count, b.count) > maximumLength ? .max : EditDistance.between(a, b))
      }
      // If many fields have the same type, only a similar name is meaningful.
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
  /// Returns guesses for renamed record types that share at least half of their fields.
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
