/// The result of saving records in the development environment, where types and fields are created
/// with the first value (Apple, `CKRecord`: "the first time you set a value for a key").
public struct ExtendedSchema: Sendable, Hashable {
  /// The extended schema, in the order of Apple's export form.
  public var schema: CloudSchema
  /// The additions to the schema.
  public var changes: SchemaDiff
  /// Notes about what is uncertain or could not be added.
  public var notes: [InferenceNote]
}

extension CloudSchema {
  /// Returns the schema after all records of a census are saved in the development environment.
  ///
  /// Existing fields do not change, so records that do not fit them do not fit the extended schema
  /// either. If a new field has values of several kinds, the first in the census determines its
  /// type.
  ///
  /// - Parameters:
  ///   - census: The counted records.
  ///   - indexes: The indexes of new fields.
  public func extended(
    by census: RecordCensus, indexes: SchemaInference.Indexes = .jit
  ) -> ExtendedSchema {
    var builder = SchemaBuilder(self, indexes, choice: .first)
    for type in census.byType { builder.add(type) }
    let extended = builder.schema.canonicalized()
    return ExtendedSchema(
      schema: extended, changes: SchemaDiff(from: self, to: extended), notes: builder.notes)
  }
}

extension ExtendedSchema {
  /// The new types and fields as text in schema notation, one per line.
  public var additions: [String] {
    changes.changes.compactMap { change in
      switch change {
      case .recordTypeAdded(let type):
        let fields = type.userFields.map(Self.describe)
        return "RECORD TYPE \(type.name) (" + fields.joined(separator: ", ") + ")"
      case .fieldAdded(let subject, let field):
        return "\(subject.recordType ?? "").\(Self.describe(field))"
      default: return nil
      }
    }.map(\.printable)
  }

  private static func describe(_ field: CloudSchema.Field) -> String {
    ([field.name, field.type.description] + field.options.keywords).joined(separator: " ")
  }
}
