/// Infers a schema from records, as the development server would create it just in time.
///
/// Records do not determine a schema completely. Whatever is uncertain is noted in a comment at
/// that point of the schema and in ``Result/notes``.
///
/// ```swift
/// var census = RecordCensus(source: "Todo.recordpack")
/// for record in records { try census.add(record, in: .private) }
/// let result = SchemaInference().infer(from: census)
/// print(SchemaPrinter().print(result.schema))
/// ```
public struct SchemaInference: Sendable {
  /// The indexes of new fields.
  public enum Indexes: String, Sendable, Hashable, CaseIterable {
    /// All indexes that the type supports, as on the development server.
    case jit
    /// No indexes.
    case none

    func options(for type: CloudSchema.FieldType) -> CloudSchema.IndexOptions {
      self == .jit ? .justInTime(for: type) : []
    }
  }

  /// An inferred schema with notes about what is uncertain.
  public struct Result: Sendable, Hashable {
    /// The schema, in the order of Apple's export form.
    public var schema: CloudSchema
    /// Notes about what is uncertain: first about the whole schema, then by type and field.
    public var notes: [InferenceNote]
  }

  /// The indexes of new fields.
  public var indexes: Indexes

  /// Creates an inference.
  public init(indexes: Indexes = .jit) {
    self.indexes = indexes
  }

  /// Returns a schema that fits the records of a census.
  public func infer(from census: RecordCensus) -> Result {
    var builder = SchemaBuilder(
      CloudSchema(recordTypes: [.builtInUsers]), indexes, choice: .mostFrequent)
    for type in census.byType { builder.add(type) }
    var result = Result(schema: builder.schema.canonicalized(), notes: [])
    result.schema.comments.leading = headline(census).map { CloudSchema.Comment($0) }
    result.notes = general(census) + builder.notes
    return result
  }

  private func headline(_ census: RecordCensus) -> [String] {
    let count = Phrase.count(census.recordCount, "record")
    return ["Inferred from \(count) of \(census.source.printable)."] + general(census).map(\.text)
  }

  private func general(_ census: RecordCensus) -> [InferenceNote] {
    var texts = [
      "Not determined by records: fields that were never set, roles and grants (these are "
        + "CloudKit's defaults), and NUMBER (a number is INT64 or DOUBLE, as it is stored)."
    ]
    texts.append(
      indexes == .jit
        ? "Indexes are those that the development server creates just in time."
        : "Indexes are omitted: no field is queryable.")
    if census.recordCount == 0 { texts.append("There are no records, so there are no types.") }
    return texts.map { InferenceNote(subject: .schema, text: $0) }
  }
}

/// A note about something that records do not determine about their schema.
public struct InferenceNote: Sendable, Hashable, CustomStringConvertible {
  /// The schema element that the note is about.
  public var subject: SchemaSubject
  /// The uncertainty, and how it was resolved.
  public var text: String

  /// `Todo.tags: …`
  public var description: String {
    subject == .schema ? text.printable : "\(subject): \(text)".printable
  }
}

/// The result of saving records in the development environment, where types and fields are created
/// with the first value (Apple, `CKRecord`: "the first time you set a value for a key").
package struct ExtendedSchema: Sendable, Hashable {
  /// The extended schema, in the order of Apple's export form.
  package var schema: CloudSchema
  /// The additions to the schema.
  package var changes: SchemaDiff
  /// Notes about what is uncertain or could not be added.
  package var notes: [InferenceNote]

  /// The new types and fields as text in schema notation, one per line.
  package var additions: [String] {
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
  package func extended(
    by census: RecordCensus, indexes: SchemaInference.Indexes = .jit
  ) -> ExtendedSchema {
    var builder = SchemaBuilder(self, indexes, choice: .first)
    for type in census.byType { builder.add(type) }
    let extended = builder.schema.canonicalized()
    return ExtendedSchema(
      schema: extended, changes: SchemaDiff(from: self, to: extended), notes: builder.notes)
  }
}
