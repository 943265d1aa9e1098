import RecordModel

/// Guesses which removed elements were renamed to which added ones.
package enum RenameGuess {
  /// A removed and an added element with the reasons for the guess.
  package struct Pair<Element> {
    package var from: Element
    package var to: Element
    /// The likelihood, from 0 to 1.
    package var likeness: Double
    /// The reasons for the guess.
    package var reasons: [String]

    package init(from: Element, to: Element, likeness: Double = 0, reasons: [String] = []) {
      (self.from, self.to, self.likeness, self.reasons) = (from, to, likeness, reasons)
    }

    package func map<T>(_ transform: (Element) -> T) -> Pair<T> {
      Pair<T>(from: transform(from), to: transform(to), likeness: likeness, reasons: reasons)
    }
  }

  private static let threshold = 0.48
  /// The maximum number of pairs to compare. Above this, no guess is made, because comparing all
  /// pairs takes quadratic time.
  package static let maxPairs = 1 << 16
  /// The maximum number of pairs of fields of one type.
  private static let maxFieldPairs = 1 << 10
  /// The maximum number of field lookups when comparing record types field by field.
  private static let maxLookups = 1 << 20

  /// Returns pairs in their original order, chosen by descending likelihood so that each element is
  /// in at most one pair.
  package static func chosen<T>(_ removed: [T], _ added: [T], rate: (T, T) -> Pair<T>) -> [Pair<T>]
  {
    guard removed.count * added.count <= maxPairs else { return [] }
    var candidates: [(from: Int, to: Int, pair: Pair<T>)] = []
    for (i, from) in removed.enumerated() {
      for (j, to) in added.enumerated() {
        let pair = rate(from, to)
        if pair.likeness >= threshold { candidates.append((i, j, pair)) }
      }
    }
    candidates.sort {
      if $0.pair.likeness != $1.pair.likeness { return $0.pair.likeness > $1.pair.likeness }
      return ($0.from, $0.to) < ($1.from, $1.to)
    }
    var (usedFrom, usedTo): (Set<Int>, Set<Int>) = ([], [])
    let chosen = candidates.filter { candidate in
      guard !usedFrom.contains(candidate.from), !usedTo.contains(candidate.to) else { return false }
      usedFrom.insert(candidate.from)
      usedTo.insert(candidate.to)
      return true
    }
    return chosen.sorted { $0.from < $1.from }.map(\.pair)
  }

  /// Returns guesses for fields of the same type, based on similar names and indexes, and on being
  /// among few candidates.
  static func fields(
    _ removed: [CloudSchema.Field], _ added: [CloudSchema.Field]
  ) -> [Pair<CloudSchema.Field>] {
    guard removed.count * added.count <= maxFieldPairs else { return [] }
    let candidates = Dictionary(grouping: added, by: \.type)
    return chosen(removed, added) { old, new in
      guard old.type == new.type, !old.hasLargeValues else { return Pair(from: old, to: new) }
      let isOneOfFew = candidates[old.type]?.count ?? 0 <= 3
      let name = NameSimilarity.between(old.name, new.name)
      return Pair(
        from: old, to: new,
        likeness: (isOneOfFew ? 0.5 : 0.3) + 0.4 * name + (old.options == new.options ? 0.1 : 0))
    }
  }

  /// Returns guesses for record types, based on common fields and similar names.
  package static func types(
    _ removed: [CloudSchema.RecordType], _ added: [CloudSchema.RecordType]
  ) -> [Pair<CloudSchema.RecordType>] {
    guard removed.count * added.reduce(0, { $0 + $1.fields.count }) <= maxLookups else { return [] }
    typealias Shaped = (type: CloudSchema.RecordType, fields: [ExactString: CloudSchema.FieldType])
    let shaped = { (type: CloudSchema.RecordType) -> Shaped in
      let fields = type.userFields.map { (ExactString($0.name), $0.type.shape) }
      return (type, Dictionary(fields, uniquingKeysWith: { first, _ in first }))
    }
    let pairs = chosen(removed.map(shaped), added.map(shaped)) { a, b in
      let common = a.fields.count { b.fields[$0.key] == $0.value }
      let all = a.fields.count + b.fields.keys.count { a.fields[$0] == nil }
      let name = NameSimilarity.between(a.type.name, b.type.name)
      guard all > 0 else { return Pair(from: a, to: b, likeness: name) }
      // Half of the fields is sufficient by itself.
      let share = Double(common) / Double(all)
      return Pair(
        from: a, to: b, likeness: max(share, 0.7 * share + 0.3 * name),
        reasons: ["\(common) of their \(all) fields are the same"])
    }
    return pairs.map { $0.map(\.type) }
  }
}

extension CloudSchema.Field {
  /// Whether it holds the large values of another field. It is renamed with that field only,
  /// however similar others are.
  package var hasLargeValues: Bool { CoreDataNames.valueField(of: name) != nil }
}

/// The similarity of two names, from 0 (nothing in common) to 1 (the same letters).
package enum NameSimilarity {
  /// The maximum number of characters compared.
  private static let maxLength = 64

  package static func between(_ a: String, _ b: String) -> Double {
    let prefix = CoreDataNames.prefix
    if a.hasPrefix(prefix), b.hasPrefix(prefix) {
      // Every name of Core Data's schemas begins with it.
      return between(String(a.dropFirst(prefix.count)), String(b.dropFirst(prefix.count)))
    }
    let (x, y) = (letters(a), letters(b))
    guard x != y else { return 1 }
    let longest = max(x.count, y.count, 1)
    let edits = 1 - Double(EditDistance.between(x, y)) / Double(longest)
    return max(edits, words(of: a, and: b), isWithin(x, y) ? 0.6 : 0)
  }

  private static func letters(_ name: String) -> [UInt8] {
    Array(name.lowercased().utf8.filter { $0 != UInt8(ascii: "_") }.prefix(maxLength))
  }

  /// Whether one name contains the other, which is common in renames: text, messageText. Names of
  /// two letters are ignored: id, wideImage.
  private static func isWithin(_ x: [UInt8], _ y: [UInt8]) -> Bool {
    let (short, long) = x.count <= y.count ? (x, y) : (y, x)
    return short.count >= 3 && long.contains(short)
  }

  /// A common first word (photoData, photoAsset) counts more than a common last word (dueDate,
  /// startDate).
  private static func words(of a: String, and b: String) -> Double {
    let (x, y) = (NameWords(a).words, NameWords(b).words)
    guard let first = x.first, let last = x.last, x.count > 1, y.count > 1 else { return 0 }
    if first.utf8.count > 2, first == y.first { return 0.6 }
    return last.utf8.count > 2 && last == y.last ? 0.45 : 0
  }
}
