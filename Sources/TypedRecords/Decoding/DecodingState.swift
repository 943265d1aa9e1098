import RecordModel

/// One decoding of a type from a record.
final class DecodingState {
  let source: any FieldSource
  let options: RecordDecoder
  let typeName: String
  let encryptedKeys: Set<String>
  let userInfo: [CodingUserInfoKey: Any]
  /// The names of the fields that the type has asked for.
  private(set) var requested: Set<ExactString> = []
  /// Whether a value of an encrypted field was given to the type.
  private(set) var hasReadEncrypted = false

  init(_ type: Any.Type, source: any FieldSource, options: RecordDecoder) {
    self.source = source
    self.options = options
    typeName = "\(type)"
    let listed = (type as? any EncryptedFields.Type)?.encryptedKeys ?? []
    encryptedKeys = listed.union(options.encryptedKeys)
    userInfo = options.userInfo
  }

  /// Returns the name of a property's field.
  func name(of key: any CodingKey) -> String {
    let name = options.keyStrategy.fieldName(of: key)
    if options.unknownFieldStrategy == .throw { requested.insert(ExactString(name)) }
    return name
  }

  func field(of key: any CodingKey) -> FieldDecoder {
    let name = name(of: key)
    let field = source.field(named: name)
    return FieldDecoder(
      state: self, key: key, name: name, value: field?.value,
      isEncrypted: field?.isEncrypted ?? false, expectsEncrypted: encryptedKeys.containsName(name))
  }

  /// Notes that a property is not read from its field, but from a system field.
  func forgetRequest(of name: String) { requested.remove(ExactString(name)) }

  func noteEncryptedRead() { hasReadEncrypted = true }

  func error(
    _ code: TypedRecordError.Code, key: String? = nil, found: String, expected: String
  ) -> TypedRecordError {
    TypedRecordError(
      code, typeName: typeName, recordType: source.recordType, recordID: source.recordID,
      key: key, found: found, expected: expected)
  }

  func checkUnknownFields() throws {
    guard options.unknownFieldStrategy == .throw else { return }
    let unknown = source.allKeys().filter { !requested.contains(ExactString($0)) }
    guard unknown.isEmpty else {
      let names = unknown.map { "'\($0)'" }.joined(separator: ", ")
      throw error(
        .unknownFields, key: unknown.count == 1 ? unknown[0] : nil, found: "the fields \(names)",
        expected: "only fields that \(typeName) has properties for")
    }
  }
}

extension DecodingState {
  /// Returns the error with its place in the record; those of the type's own initializer do not know
  /// it.
  func located(_ error: any Error) -> any Error {
    guard let error = error as? DecodingError else { return error }
    if let located = error.context.underlyingError as? TypedRecordError { return located }
    let name = error.path.first.map { options.keyStrategy.fieldName(of: $0) }
    let field = name.flatMap(source.field(named:))
    // The text may have a value in it.
    let isSecret = field?.isEncrypted ?? hasReadEncrypted
    let path = error.path.dropFirst().map { ".\($0.stringValue)" }.joined()
    return self.error(
      error.code, key: name,
      found: isSecret
        ? "an encrypted value that does not fit"
        : error.context.debugDescription + (path.isEmpty ? "" : " (at \(path))"),
      expected: "a value that \(typeName) accepts")
  }
}

extension DecodingError {
  var context: Context {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .keyNotFound(_, let context), .dataCorrupted(let context):
      context
    @unknown default: Context(codingPath: [], debugDescription: "an error of an unknown kind")
    }
  }

  /// The coding path, with the missing key.
  fileprivate var path: [any CodingKey] {
    if case .keyNotFound(let key, let context) = self { return context.codingPath + [key] }
    return context.codingPath
  }

  fileprivate var code: TypedRecordError.Code {
    switch self {
    case .typeMismatch: .wrongType
    case .keyNotFound, .valueNotFound: .missingField
    default: .invalidValue
    }
  }
}
