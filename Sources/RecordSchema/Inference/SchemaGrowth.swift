/// A schema after records were saved in the development environment, where types and fields come
/// into being with the first value (Apple, `CKRecord`: "the first time you set a value for a key").
public struct SchemaGrowth: Sendable, Hashable {
  /// The grown schema, in the order of Apple's export form.
  public var schema: Schema
  /// What is new in it.
  public var changes: SchemaDiff
  /// What did not grow, because nobody knows as what.
  public var remarks: [SchemaRemark]
}

extension Schema {
  /// The schema after all records of a census were saved in the development environment.
  ///
  /// Fields that the schema has stay as they are, so records that do not fit those do not fit the
  /// grown schema either. Of different values in a new field, the first in the census counts.
  ///
  /// - Parameter indexes: Which indexes new fields get.
  public func grown(
    by census: RecordCensus, indexes: SchemaInference.Indexes = .jit
  ) -> SchemaGrowth {
    var builder = SchemaBuilder(self, indexes, choice: .first)
    for type in census.byType { builder.add(type) }
    let grown = builder.schema.canonicalized()
    return SchemaGrowth(
      schema: grown, changes: SchemaDiff(from: self, to: grown), remarks: builder.remarks)
  }
}

extension SchemaGrowth {
  /// The new types and fields as text, one a line, as `print` would write them.
  public var additions: [String] {
    changes.changes.compactMap { change in
      switch change {
      case .recordTypeAdded(let type):
        let fields = type.userFields.map(Self.describe)
        return "RECORD TYPE \(type.name) (" + fields.joined(separator: ", ") + ")"
      case .fieldAdded(let type, let field): return "\(type).\(Self.describe(field))"
      default: return nil
      }
    }.map(\.printable)
  }

  private static func describe(_ field: Schema.Field) -> String {
    ([field.name, field.type.description] + field.options.keywords).joined(separator: " ")
  }
}
