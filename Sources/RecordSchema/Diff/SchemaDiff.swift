/// The changes that turn one schema into the equivalent of another.
///
/// Order, comments and formatting are ignored, because the server does not keep them.
public struct SchemaDiff: Sendable, Hashable {
  /// The changes: roles, then removed and added record types, then changed types in order of their
  /// names.
  public let changes: [SchemaChange]

  /// Compares two schemas. Takes time linear in their size, plus sorting of names.
  public init(from: Schema, to: Schema) {
    changes = SchemaComparison(from: from, to: to).changes
  }

  /// Whether the schemas are equivalent.
  public var isEmpty: Bool { changes.isEmpty }
}

extension Schema {
  /// Returns the schema with the changes applied. Comments of unchanged elements are kept.
  ///
  /// `a.applying(SchemaDiff(from: a, to: b))` is equivalent to `b`. Changes to elements that do not
  /// exist have no effect.
  public func applying(_ diff: SchemaDiff) -> Schema {
    var patch = SchemaPatch(self)
    for change in diff.changes { patch.apply(change) }
    return patch.result()
  }
}
