import RecordModel

/// Checks records against a schema, as the production server does when they are saved.
///
/// ```swift
/// let validator = RecordValidator(schema)
/// for problem in validator.problems(in: draft, database: .private) { print(problem) }
/// ```
///
/// Most values are not decoded: names, types and encryption of the fields suffice. Values are read
/// only for locations and for records that may exceed the size limit.
public struct RecordValidator: Sendable {
  private let index: SchemaIndex

  /// Creates a validator that looks up fields by name. If a name occurs more than once, the first
  /// element counts. The schema may omit `Users`, which every container has.
  public init(_ schema: CloudSchema) { self.init(SchemaIndex(schema)) }

  package init(_ index: SchemaIndex) { self.index = index }

  /// Returns the problems that would make the server reject a record. Empty if it would accept it.
  public func problems(in record: ResultRecord, database: DatabaseScope) -> [RecordProblem] {
    let storage = record.storage
    let fields = (0..<storage.fieldCount).lazy.map {
      (storage.name(at: $0).string, ValueKind(storage, at: $0))
    }
    return RecordProblem.limits(of: record) + problems(in: fields, storage.recordType, database)
  }

  /// Returns the problems that would make the server reject a draft if it were saved now.
  public func problems(in draft: DraftRecord, database: DatabaseScope) -> [RecordProblem] {
    let fields = draft.fields.lazy.map { ($0.name, ValueKind($0)) }
    return RecordProblem.limits(of: draft.recordID, draft.recordType, draft.fields)
      + problems(in: fields, draft.recordType, database)
  }

  private func problems(
    in fields: some Sequence<(String, ValueKind)>, _ recordType: String, _ database: DatabaseScope
  ) -> [RecordProblem] {
    guard hasType(recordType) else { return [Self.unknownType(recordType)] }
    return fields.compactMap { name, kind in
      Self.problem(name, of: recordType, kind, index.fieldType(of: name, in: recordType), database)
    }
  }

  /// Returns the problem that would make the server reject a kind of value in a field, or `nil` if
  /// it would accept it.
  package func problem(
    inField field: String, of recordType: String, kind: ValueKind, database: DatabaseScope
  ) -> RecordProblem? {
    guard hasType(recordType) else { return Self.unknownType(recordType) }
    return Self.problem(
      field, of: recordType, kind, index.fieldType(of: field, in: recordType), database)
  }

  /// Returns whether the schema has a record type.
  package func hasType(_ recordType: String) -> Bool { index[recordType] != nil }

  static func unknownType(_ type: String) -> RecordProblem {
    RecordProblem(
      .recordTypeUnknown, type, "the schema has no record type '\(type)'",
      serverMessage: ServerMessage.cannotCreateType(type))
  }

  /// Returns the first problem of a kind of value in a field, in the order in which a server can
  /// detect them.
  ///
  /// - Parameter defined: The type of the field; `nil` for a field that does not exist.
  package static func problem(
    _ name: String, of type: String, _ kind: ValueKind, _ defined: CloudSchema.FieldType?,
    _ database: DatabaseScope
  ) -> RecordProblem? {
    func problem(_ rule: SchemaRule, _ message: String, _ server: String? = nil) -> RecordProblem {
      RecordProblem(
        rule, type, field: name, "'\(name)' of '\(type)' has \(kind)\(message)",
        serverMessage: server)
    }
    if kind.isUnsupportedEncryption {
      return problem(.recordEncryptedUnsupported, ", which cannot be encrypted")
    }
    if kind.isEncrypted, database == .public {
      return problem(
        .recordEncryptedPublic, " in the public database, which has no encrypted values")
    }
    guard let defined else {
      return problem(
        .recordFieldUnknown, ", but the schema has no such field",
        ServerMessage.cannotCreateField(name, in: type))
    }
    guard let mismatch = kind.mismatch(with: defined) else { return nil }
    let message = ", but the field is \(defined)"
    // The server's name for an empty list or an unknown type has not been reported.
    let server = kind.fieldType.map { _ in
      ServerMessage.invalidValueType(
        kind.serverName, for: name, in: type, definedAs: defined.serverName)
    }
    switch mismatch {
    case .type:
      let isListFault = kind.type.map { $0.isList != defined.isList } ?? false
      return problem(isListFault ? .recordListMismatch : .recordValueType, message, server)
    case .encryptedIntoPlain:
      return problem(.recordValueEncrypted, message, ServerMessage.encryptedIntoPlain)
    case .plainIntoEncrypted: return problem(.recordValuePlain, message, server)
    }
  }
}
