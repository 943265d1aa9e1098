/// A field that a draft and another client have changed to different values.
public struct FieldConflict: Sendable, Hashable {
  /// The name of the field.
  @ExactText public private(set) var key: String
  /// The value in the draft; nil if the draft removed the field.
  public let mine: RecordValue?
  /// The value on the server; nil if the field was removed there.
  public let theirs: RecordValue?
  /// The value that both changes are based on; nil if there was no field, or the draft does not know
  /// it (a draft made from system fields).
  public let ancestor: RecordValue?
  /// Whether the field is encrypted: in the draft, or, if the draft removed it, on the server.
  public let isEncrypted: Bool
}

extension FieldConflict: CustomStringConvertible {
  /// The name of the field, without values.
  public var description: String { "field '\(key)' was changed on both sides" }
}

extension DraftRecord {
  /// Returns a draft with the changes of this one, based on a newer version of its record: a
  /// three-way merge.
  ///
  /// ```swift
  /// let merged = try mine.merging(theirs.resultRecord()) { conflict in
  ///   conflict.key == "title" ? conflict.mine : conflict.theirs
  /// }
  /// ```
  ///
  /// Fields, parent and share that the draft has not changed are those of the newer version. A field
  /// that only the draft has changed keeps its change.
  ///
  /// - Parameters:
  ///   - serverRecord: The newer version: the server record of a `serverRecordChanged` error.
  ///   - resolve: Returns the value of a field that both sides have changed to different values; nil
  ///     removes the field.
  /// - Returns: A draft with the change tag of `serverRecord`.
  public func merging(
    _ serverRecord: ResultRecord,
    resolvingConflictsWith resolve: (FieldConflict) throws -> RecordValue?
  ) rethrows -> DraftRecord {
    var merged = DraftRecord(serverRecord)
    for key in changedKeys() {
      let (mine, theirs) = (field(named: key), serverRecord.field(named: key))
      let ancestor = baseField(named: key)
      if mine == theirs { continue }
      if theirs == ancestor {
        if let mine { merged.setField(mine) } else { merged.setField(key, to: nil) }
        continue
      }
      let isEncrypted = mine?.isEncrypted ?? theirs?.isEncrypted ?? false
      let conflict = FieldConflict(
        key: key, mine: mine?.value, theirs: theirs?.value, ancestor: ancestor?.value,
        isEncrypted: isEncrypted)
      let value = try resolve(conflict)
      if value != theirs?.value || isEncrypted != theirs?.isEncrypted {
        merged.setField(key, to: value, isEncrypted: isEncrypted)
      }
    }
    merged.parent = parent(over: serverRecord)
    merged.share = share(over: serverRecord)
    return merged
  }

  /// Returns a draft with the changes of this one, based on a newer version of its record. Where both
  /// sides have changed a field, the draft's value is kept.
  public func merging(_ serverRecord: ResultRecord) -> DraftRecord {
    merging(serverRecord) { $0.mine }
  }

  /// Returns the parent after the draft's change of it, if it has changed it.
  package func parent(over stored: ResultRecord) -> Reference? {
    link(parent, before: base?.parent, known: stored.parent)
  }

  /// Returns the share after the draft's change of it, if it has changed it.
  package func share(over stored: ResultRecord) -> Reference? {
    link(share, before: base?.share, known: stored.share)
  }

  /// A draft knows only what it is based on. One without a change tag was made without knowing the
  /// record: its nil says nothing.
  private func link(_ own: Reference?, before: Reference?, known: Reference?) -> Reference? {
    if base != nil { return own == before ? known : own }
    return recordChangeTag == nil ? own ?? known : own
  }
}
