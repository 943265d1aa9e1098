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
  private let types: [ExactString: [ExactString: CloudSchema.FieldType]]

  /// Creates a validator that looks up fields by name. If a name occurs more than once, the first
  /// element counts. The schema may omit `Users`, which every container has.
  public init(_ schema: CloudSchema) {
    var types: [ExactString: [ExactString: CloudSchema.FieldType]] = [:]
    for type in schema.recordTypes + [.builtInUsers] where types[ExactString(type.name)] == nil {
      var fields: [ExactString: CloudSchema.FieldType] = [:]
      fields.reserveCapacity(type.fields.count + 6)
      for field in type.fields where fields[ExactString(field.name)] == nil {
        fields[ExactString(field.name)] = field.type
      }
      for field in SystemField.allCases {
        fields[ExactString(field.rawValue)] = field.type
      }
      types[ExactString(type.name)] = fields
    }
    self.types = types
  }

  /// Returns the problems that would make the server reject a record. Empty if it would accept it.
  public func problems(in record: ResultRecord, database: DatabaseScope) -> [RecordProblem] {
    let storage = record.storage
    let type = storage.recordType
    let violations =
      RecordViolation.inNames(of: storage.recordID, recordType: type)
      + RecordViolation.inValues(of: record, isSmall: Self.isSmall(record))
    var problems = violations.map { $0.problem(of: type) }
    guard let fields = types[ExactString(type)] else { return problems + [Self.unknownType(type)] }
    for index in 0..<storage.fieldCount {
      let name = storage.name(at: index).string
      let defined = fields[ExactString(name)]
      if let value = storage.valueType(at: index),
        Self.fits(value, isEncrypted: storage.isEncrypted(at: index), defined, database)
      {
        continue
      }
      let kind = ValueKind(storage, at: index)
      if let problem = Self.problem(name, of: type, kind, defined, database) {
        problems.append(problem)
      }
    }
    return problems
  }

  /// Returns the problems that would make the server reject a draft if it were saved now.
  public func problems(in draft: DraftRecord, database: DatabaseScope) -> [RecordProblem] {
    let violations =
      RecordViolation.inNames(of: draft.recordID, recordType: draft.recordType)
      + RecordViolation.inValues(draft.fields)
    let problems = violations.map { $0.problem(of: draft.recordType) }
    guard let fields = types[ExactString(draft.recordType)] else {
      return problems + [Self.unknownType(draft.recordType)]
    }
    return problems
      + draft.fields.compactMap { field in
        Self.problem(
          field.name, of: draft.recordType, ValueKind(field), fields[ExactString(field.name)],
          database)
      }
  }

  /// Returns the problem that would make the server reject a kind of value in a field, or `nil` if
  /// it would accept it.
  public func problem(
    inField field: String, of recordType: String, kind: ValueKind, database: DatabaseScope
  ) -> RecordProblem? {
    guard let fields = types[ExactString(recordType)] else { return Self.unknownType(recordType) }
    return Self.problem(field, of: recordType, kind, fields[ExactString(field)], database)
  }

  /// Returns whether the schema has a record type.
  public func hasType(_ recordType: String) -> Bool { types[ExactString(recordType)] != nil }

  /// Returns whether the text of a record is so short that the record cannot exceed the size limit.
  private static func isSmall(_ record: ResultRecord) -> Bool {
    record.storage.withCanonicalBytes { $0.count <= RecordViolation.smallRecord } ?? false
  }

  /// A fast path for the common case, without building strings.
  private static func fits(
    _ value: ValueType, isEncrypted: Bool, _ defined: CloudSchema.FieldType?,
    _ database: DatabaseScope
  ) -> Bool {
    guard let defined, defined.isEncrypted == isEncrypted, !isEncrypted || database != .public,
      defined.isList == value.isList, let primitive = value.single.primitive
    else { return false }
    return primitive == defined.primitive && (!isEncrypted || defined.primitive.canBeEncrypted)
  }

  static func unknownType(_ type: String) -> RecordProblem {
    RecordProblem(
      rule: SchemaRule.recordTypeUnknown.id, recordType: type, field: nil,
      message: "the schema has no record type '\(type)'",
      serverMessage: ServerMessage.cannotCreateType(type))
  }

  /// Returns the first problem of a kind of value in a field, in the order in which a server can
  /// detect them.
  ///
  /// - Parameter defined: The type of the field; nil for a field that does not exist.
  package static func problem(
    _ name: String, of type: String, _ kind: ValueKind, _ defined: CloudSchema.FieldType?,
    _ database: DatabaseScope
  ) -> RecordProblem? {
    let make = { (rule: SchemaRule, message: String, server: String?) in
      RecordProblem(
        rule: rule.id, recordType: type, field: name, message: message, serverMessage: server)
    }
    let subject = "'\(name)' of '\(type)'"
    if kind.isUnsupportedEncryption {
      return make(
        .recordEncryptedUnsupported, "\(subject) has \(kind), which cannot be encrypted", nil)
    }
    if kind.isEncrypted, database == .public {
      return make(
        .recordEncryptedPublic,
        "\(subject) has \(kind) in the public database, which has no encrypted values", nil)
    }
    guard let defined else {
      return make(
        .recordFieldUnknown, "\(subject) has \(kind), but the schema has no such field",
        ServerMessage.cannotCreateField(name, in: type))
    }
    let misfit: CloudSchema.FieldType.Misfit? =
      kind.isEmptyList || kind.fieldType != nil
      ? defined.misfit(
        ofValueTyped: kind.fieldType
          ?? CloudSchema.FieldType(
            defined.primitive, isList: defined.isList,
            isEncrypted: kind.isEncrypted || defined.isEncrypted),
        isEmptyList: kind.isEmptyList) : .type
    let message = "\(subject) has \(kind), but the field is \(defined)"
    // The server's name for an empty list or an unknown type has not been reported.
    let typeMessage = kind.fieldType.map { _ in
      ServerMessage.invalidValueType(
        kind.serverName, for: name, in: type, definedAs: defined.serverName)
    }
    switch misfit {
    case nil: return nil
    case .type:
      let isListFault = kind.type.map { $0.isList != defined.isList } ?? false
      return make(isListFault ? .recordListMismatch : .recordValueType, message, typeMessage)
    case .encryptedIntoPlain:
      return make(.recordValueEncrypted, message, ServerMessage.encryptedIntoPlain)
    case .plainIntoEncrypted: return make(.recordValuePlain, message, typeMessage)
    }
  }
}

/// A reason for the production server to reject a record.
public struct RecordProblem: Sendable, Hashable, CustomStringConvertible {
  /// The violated rule. Look it up with ``SchemaRule/named(_:)``.
  public var rule: SchemaRule.ID
  /// The record's type.
  @ExactText public var recordType: String
  /// The affected field, if any.
  @ExactText public var field: String?
  /// A description of the problem.
  public var message: String
  /// The exact message of the server, if users have reported it.
  public var serverMessage: String?

  /// The description of the problem, with the server's message if known.
  public var description: String {
    message + (serverMessage.map { "; the server says: \"\($0)\"" } ?? "")
  }
}
