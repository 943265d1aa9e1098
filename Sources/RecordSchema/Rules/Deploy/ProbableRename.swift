import RecordModel

extension SchemaRule {
  static let probableRename = SchemaRule(
    id: "PROBABLE_RENAME", category: .deploy, defaultSeverity: .note,
    title: "An element was probably renamed",
    effect: """
      CloudKit does not support renaming: a new name is a new field or type, and the old one is \
      missing, which production rejects. Values under the old name are not available under the new \
      one.
      """,
    remedy: """
      Keep both names. Copy the values in the app, or use a RecordPack migration plan for \
      archives.
      """,
    evidence: [
      .corpus("scout renamed user_id to install_id and device_id in six types at once"),
      .inference("one removed and one added element with common fields, or a similar name"),
    ],
    check: .comparison([.deploy]) { comparison, sink in
      var steps = maxSteps
      for type in comparison.types {
        for field in type.removedFields {
          let candidates = newNames(
            of: field, among: type.addedFields, removedCount: type.removedFields.count, &steps)
          guard let first = candidates.first else { continue }
          sink.report(
            .field(field.name, of: type.name),
            "the field '\(field.name)' of '\(type.name)' was probably renamed to "
              + Phrase.list(candidates.map { "'\($0.name)'" }, "or"),
            hint: "keep '\(field.name)' too: renaming a field removes it", at: first.nameSpan,
            former: field.nameSpan)
        }
      }
      for guess in RenameGuess.types(comparison.removedTypes, comparison.addedTypes) {
        let (old, new) = (guess.from.name, guess.to.name)
        sink.report(
          .type(old), "the record type '\(old)' was probably renamed to '\(new)'",
          hint: "keep '\(old)' too: renaming a type removes it", at: guess.to.nameSpan,
          former: guess.from.nameSpan)
      }
    })

  /// The maximum number of pairs of fields to compare in one type.
  private static let maxPairs = 4096
  /// The maximum length of a name for which the edit distance is computed.
  private static let maxLength = 64
  /// The maximum number of steps spent on edit distances. After that, no more guesses are made.
  private static let maxSteps = 1 << 23

  /// Returns up to three fields of the same type that a field may have been renamed to, most likely
  /// first. Those with the same indexes are preferred.
  private static func newNames(
    of old: CloudSchema.Field, among added: [CloudSchema.Field], removedCount: Int,
    _ steps: inout Int
  ) -> [CloudSchema.Field] {
    guard steps > 0, removedCount * added.count <= maxPairs else { return [] }
    let sameType = added.filter { $0.type == old.type }
    let sameIndexes = sameType.filter { $0.options == old.options }
    let likely = sameIndexes.isEmpty ? sameType : sameIndexes
    let name = Array(old.name.utf8)
    let scored = likely.map { field in
      let other = Array(field.name.utf8)
      steps -= name.count * other.count
      let isLong = max(name.count, other.count) > maxLength
      return (field: field, distance: isLong ? .max : EditDistance.between(name, other))
    }
    // If many fields have the same type, only a similar name is meaningful.
    let near = scored.filter {
      likely.count <= 3 || $0.distance <= max(name.count, $0.field.name.utf8.count) / 2
    }
    return near.sorted {
      ($0.distance, $0.field.pairingName) < ($1.distance, $1.field.pairingName)
    }.prefix(3).map(\.field)
  }
}
