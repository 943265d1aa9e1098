import RecordModel

/// The record types and fields of a schema by name. Always contains `Users`; if a name occurs more
/// than once, the first counts.
package struct RecordTypeTable: Sendable {
  private let types: [ExactString: CloudSchema.RecordType]
  private let fields: [ExactString: [ExactString: CloudSchema.Field]]

  package init(_ schema: CloudSchema) {
    let named = (schema.recordTypes + [.builtInUsers]).map { (ExactString($0.name), $0) }
    types = Dictionary(named, uniquingKeysWith: { first, _ in first })
    fields = types.mapValues { type in
      Dictionary(
        type.fields.map { (ExactString($0.name), $0) }, uniquingKeysWith: { first, _ in first })
    }
  }

  /// Returns a record type.
  package subscript(name: String) -> CloudSchema.RecordType? { types[ExactString(name)] }

  /// Returns a field of a record type.
  package func field(named name: String, of recordType: String) -> CloudSchema.Field? {
    fields[ExactString(recordType)]?[ExactString(name)]
  }

  /// Returns the first field of a type that has an index.
  package func field(with option: CloudSchema.IndexOptions, of recordType: String) -> CloudSchema
    .Field?
  {
    types[ExactString(recordType)]?.fields.first { $0.options.contains(option) }
  }
}
