import RecordModel

/// The record types and fields of a schema by name. Always contains `Users`; if a name occurs more
/// than once, the first counts.
package struct RecordTypeTable: Sendable {
  private let types: [NameKey: CloudSchema.RecordType]
  private let fields: [NameKey: [NameKey: CloudSchema.Field]]

  package init(_ schema: CloudSchema) {
    let named = (schema.recordTypes + [.builtInUsers]).map { (NameKey($0.name), $0) }
    types = Dictionary(named, uniquingKeysWith: { first, _ in first })
    fields = types.mapValues { type in
      Dictionary(
        type.fields.map { (NameKey($0.name), $0) }, uniquingKeysWith: { first, _ in first })
    }
  }

  /// Returns a record type.
  package subscript(name: String) -> CloudSchema.RecordType? { types[NameKey(name)] }

  /// Returns a field of a record type.
  package func field(named name: String, of recordType: String) -> CloudSchema.Field? {
    fields[NameKey(recordType)]?[NameKey(name)]
  }

  /// Returns the first field of a type that has an index.
  package func field(with option: CloudSchema.IndexOptions, of recordType: String) -> CloudSchema
    .Field?
  {
    types[NameKey(recordType)]?.fields.first { $0.options.contains(option) }
  }
}
