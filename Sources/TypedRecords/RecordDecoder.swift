import RecordModel

/// Decodes Swift types from records, as `JSONDecoder` does from JSON.
///
/// ```swift
/// var decoder = RecordDecoder()
/// decoder.keyStrategy = .custom { "CD_" + $0.stringValue }
/// let message = try decoder.decode(Message.self, from: record)
/// ```
///
/// A property is the field with the name of its coding key. An optional property is nil if the record
/// has no such field. Property wrappers mark what Codable cannot express: ``Encrypted``, ``RecordName``,
/// ``Parent``, ``JSONBytes`` and others. The article <doc:CodableTypes> lists the
/// types that properties can have.
public struct RecordDecoder: Sendable {
  /// The names of the fields of properties.
  public var keyStrategy = KeyStrategy.useDefaultKeys
  /// Values for the initializers of the decoded types.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// Creates a decoder with the default strategies.
  public init() {}

  /// Returns a value of a type, decoded from a record.
  ///
  /// - Throws: `TypedRecordError` if a field is missing or does not fit, and what the type's own
  ///   `init(from:)` throws that is not a `DecodingError`.
  package func decode<T: Decodable>(_ type: T.Type, from record: ResultRecord) throws -> T {
    try decode(type, source: record)
  }

  /// Returns a value of a type, decoded from the current state of a draft.
  ///
  /// - Throws: like ``decode(_:from:)-(_,ResultRecord)``.
  package func decode<T: Decodable>(_ type: T.Type, from draft: DraftRecord) throws -> T {
    try decode(type, source: draft)
  }

  private func decode<T: Decodable>(_ type: T.Type, source: any FieldSource) throws -> T {
    let state = DecodingState(type, source: source, options: self)
    return try state.locatingErrors { try TopDecoder(state: state).decode(type) }
  }
}

/// The record or draft that a type is decoded from.
protocol FieldSource {
  var systemFields: SystemFields { get }
  var recordID: RecordID { get }
  var recordType: String { get }
  func field(named name: String) -> Field?
  func hasField(named name: String) -> Bool
  func allKeys() -> [String]
}

extension ResultRecord: FieldSource {
  func hasField(named name: String) -> Bool { storage.index(of: name) != nil }
}

extension DraftRecord: FieldSource {
  func hasField(named name: String) -> Bool { field(named: name) != nil }
}

/// One decoding of a type from a record.
final class DecodingState {
  let source: any FieldSource
  let options: RecordDecoder
  let typeName: String
  let userInfo: [CodingUserInfoKey: Any]
  /// Whether a value of an encrypted field was given to the type.
  private(set) var hasReadEncrypted = false

  init(_ type: Any.Type, source: any FieldSource, options: RecordDecoder) {
    self.source = source
    self.options = options
    typeName = "\(type)"
    userInfo = options.userInfo
  }

  /// Returns the name of a property's field.
  func name(of key: any CodingKey) -> String { options.keyStrategy.fieldName(of: key) }

  func field(of key: any CodingKey) -> FieldDecoder {
    let name = name(of: key)
    let field = source.field(named: name)
    return FieldDecoder(
      state: self, key: key, name: name, value: field?.value,
      isEncrypted: field?.isEncrypted ?? false)
  }

  func noteEncryptedRead() { hasReadEncrypted = true }

  func error(
    _ code: TypedRecordError.Code, key: String? = nil, found: String, expected: String
  ) -> TypedRecordError {
    TypedRecordError(
      code, typeName: typeName, recordType: source.recordType, recordID: source.recordID,
      key: key, found: found, expected: expected)
  }

  /// Runs `body`, and adds the place in the record to its errors: a type's own initializer does not
  /// know it.
  func locatingErrors<R>(_ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch let error as DecodingError {
      if let located = error.context.underlyingError as? TypedRecordError { throw located }
      let name = error.path.first.map { self.name(of: $0) }
      let field = name.flatMap(source.field(named:))
      // The text may contain a value.
      let isSecret = field?.isEncrypted ?? hasReadEncrypted
      let path = error.path.dropFirst().map { ".\($0.stringValue)" }.joined()
      throw self.error(
        error.code, key: name,
        found: isSecret
          ? "an encrypted value that does not fit"
          : error.context.debugDescription + (path.isEmpty ? "" : " (at \(path))"),
        expected: "a value that \(typeName) accepts")
    }
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
