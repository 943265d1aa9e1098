/// What must change in one schema to mean the same as another.
///
/// Order, comments and the way of writing do not count, as the server does not keep them.
public struct SchemaDiff: Sendable, Hashable {
  /// The changes: roles, types removed and added, then type by type in the order of the names.
  public let changes: [SchemaChange]

  /// Compares two schemas; linear in their size but for sorting names.
  public init(from: Schema, to: Schema) {
    changes = SchemaComparison(from: from, to: to).changes
  }

  /// True where both schemas mean the same.
  public var isEmpty: Bool { changes.isEmpty }
}

extension Schema {
  /// The schema after the changes; comments of what stays are kept.
  ///
  /// `a.applying(SchemaDiff(from: a, to: b))` means the same as `b`. A change to something that is
  /// not there has no effect.
  public func applying(_ diff: SchemaDiff) -> Schema {
    var patch = SchemaPatch(self)
    for change in diff.changes { patch.apply(change) }
    return patch.result()
  }
}
