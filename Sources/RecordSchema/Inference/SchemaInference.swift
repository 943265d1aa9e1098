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
