/// Makes a schema out of records: what the development server would have made of them just in time.
///
/// Records cannot tell everything. What was not known stands as a comment at the place in the
/// schema, and among the ``Result/remarks``.
public struct SchemaInference: Sendable {
  /// Which indexes new fields get.
  public enum Indexes: String, Sendable, Hashable, CaseIterable {
    /// Those that the development server makes: all that a type can have.
    case jit
    /// None.
    case none

    func options(for type: Schema.FieldType) -> Schema.IndexOptions {
      self == .jit ? .justInTime(for: type) : []
    }
  }

  /// A schema, and what is not sure of it.
  public struct Result: Sendable, Hashable {
    /// The schema, in the order of Apple's export form.
    public var schema: Schema
    /// What could not be known: first on the whole, then by type and field.
    public var remarks: [SchemaRemark]
  }

  /// Which indexes fields get.
  public var indexes: Indexes

  /// Prepares an inference.
  public init(indexes: Indexes = .jit) {
    self.indexes = indexes
  }

  /// The schema that holds the records.
  public func infer(from census: RecordCensus) -> Result {
    var builder = SchemaBuilder(
      Schema(recordTypes: [.builtInUsers]), indexes, choice: .mostFrequent)
    for type in census.byType { builder.add(type) }
    var result = Result(schema: builder.schema.canonicalized(), remarks: [])
    result.schema.comments.leading = headline(census).map { Schema.Comment($0) }
    result.remarks = general(census) + builder.remarks
    return result
  }

  private func headline(_ census: RecordCensus) -> [String] {
    let count = RuleWords.count(census.recordCount, "record")
    return ["Inferred from \(count) of \(census.source.printable)."]
      + general(census).map(\.text)
  }

  private func general(_ census: RecordCensus) -> [SchemaRemark] {
    var texts = [
      "Records do not tell: fields that were never set, roles and grants (these are CloudKit's "
        + "defaults), and NUMBER (a number is INT64 or DOUBLE, as it is stored)."
    ]
    texts.append(
      indexes == .jit
        ? "Indexes are those that the development server makes just in time."
        : "Indexes are left out: no field is queryable.")
    if census.recordCount == 0 { texts.append("There are no records, so there are no types.") }
    return texts.map { SchemaRemark(subject: .schema, text: $0) }
  }
}
