import Foundation
import RecordModel

/// The encoder of the value of one field, or of an element of a list.
final class FieldEncoder: Encoder {
  private enum Result {
    case unwritten
    case null
    case value(RecordValue)
    case list([RecordValue])
    /// JSON, for a field of this form unless the draft has another.
    case json(Data, isString: Bool)
    /// A value with properties.
    case nested
    /// A value that is not in a field.
    case system
  }

  let state: EncodingState
  let key: any CodingKey
  let index: Int?
  let name: String
  var isEncrypted: Bool { didSet { if isEncrypted { state.noteEncrypted(name) } } }
  /// The present value of the field; nil if it has none, or the value is not known.
  private let stored: RecordValue?
  private var result = Result.unwritten
  /// Whether the field already holds what was written, perhaps in another form: the property's type
  /// reads the field as the same value.
  private var isHeld = false
  /// The number of elements that the field's list already has in the same places.
  private var heldCount = 0

  init(
    state: EncodingState, key: any CodingKey, name: String, stored: RecordValue?,
    isEncrypted: Bool = false, index: Int? = nil
  ) {
    self.state = state
    self.key = key
    self.name = name
    self.stored = stored
    self.isEncrypted = isEncrypted
    self.index = index
  }

  var codingPath: [any CodingKey] { index.map { [key, ElementKey(intValue: $0)] } ?? [key] }
  var userInfo: [CodingUserInfoKey: Any] { state.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    result = .nested
    return KeyedEncodingContainer(NestedContainer<Key>(field: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    switch result {
    case .list, .nested: break
    default: result = index == nil ? .list([]) : .nested
    }
    return ListEncodingContainer(field: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    FieldValueEncodingContainer(field: self)
  }

  // MARK: - Values

  func writeNil() { result = .null }

  func write<T: FieldScalar>(scalar: T) throws {
    do {
      set(try scalar.fieldValue()) { try? T.read($0).fieldValue() }
    } catch {
      throw failure(
        error.code, found: isEncrypted ? "an encrypted value" : "\(scalar)",
        expected: error.expected)
    }
  }

  /// - Parameter rewritten: returns what the property's type would write for a value that it reads.
  private func set(_ value: RecordValue, _ rewritten: (RecordValue) -> RecordValue?) {
    result = .value(value)
    isHeld = stored.map { $0 == value || rewritten($0) == value } ?? false
  }

  /// Writes a value of any type.
  func write<T: Encodable>(_ value: T) throws {
    if let scalar = value as? any FieldScalar { return try write(scalar: scalar) }
    if value is RecordID {
      throw failure(
        .unsupportedType, found: "a property of type RecordID",
        expected: "Reference, or @RecordIdentity for the identity of the record itself")
    }
    if let convertible = value as? any RecordValueConvertible, !(convertible is any ListType) {
      return write(convertible: convertible)
    }
    if value is any NestedType { throw markNested() }
    try value.encode(to: self)
    switch result {
    case .nested: throw nestedError()
    case .list(let elements): try finish(elements, of: T.self)
    case .unwritten:
      throw failure(
        .unsupportedType, found: "\(T.self), which has encoded nothing", expected: "a value")
    default: break
    }
  }

  private func write<T: RecordValueConvertible>(convertible: T) {
    set(convertible.recordValue) { T(recordValue: $0)?.recordValue }
  }

  // MARK: - Lists

  func element(at index: Int) -> FieldEncoder {
    let elements = stored?.elements ?? []
    return FieldEncoder(
      state: state, key: key, name: name,
      stored: elements.indices.contains(index) ? elements[index] : nil, isEncrypted: isEncrypted,
      index: index)
  }

  var elementCount: Int {
    if case .list(let elements) = result { elements.count } else { 0 }
  }

  /// Appends what was written to the encoder of an element.
  func append(_ element: FieldEncoder) throws {
    guard case .list(var elements) = result else { throw nestedError() }
    switch element.result {
    case .value(let value) where value.type?.isList != true:
      // The array must have one owner to grow in place.
      result = .unwritten
      elements.append(value)
      result = .list(elements)
      if element.isHeld { heldCount += 1 }
    case .null:
      throw failure(
        .unsupportedType, found: "a nil as element \(elements.count)",
        expected: "a list without nils, as CloudKit's are")
    default: throw markNested()
    }
  }

  private func finish<T>(_ elements: [RecordValue], of type: T.Type) throws {
    let type = type as? any ListType.Type
    if elements.isEmpty {
      result = .value(emptyList(of: type?.elementType))
      isHeld = stored?.elements?.isEmpty == true
    } else if type?.isSet == true {
      result = .value(try list(elements.sorted(by: RecordValue.isOrdered)))
      // The order of a set is none of its value.
      isHeld =
        stored?.elements.map { stored in
          Set(stored.map { $0.fitted(to: elements[0].type) }) == Set(elements)
        } ?? false
    } else {
      result = .value(try list(elements))
      isHeld = heldCount == elements.count && heldCount == stored?.elements?.count
    }
  }

  /// Returns a list of the type of the field if it can hold the elements, or of their own type.
  private func list(_ elements: [RecordValue]) throws -> RecordValue {
    if let type = stored?.type?.elementType,
      let list = RecordValue(list: elements.map { $0.fitted(to: type) }, of: type)
    {
      return list
    }
    guard let type = elements[0].type, let list = RecordValue(list: elements, of: type) else {
      throw failure(
        .wrongType, found: "a list of values of different types",
        expected: "a list of values of one type")
    }
    return list
  }

  private func emptyList(of element: Any.Type?) -> RecordValue {
    let present = stored?.type?.elementType
    let own = element.flatMap(fieldType)
    let numbers: [ValueType?] = [.int64, .double]
    let type = numbers.contains(own) && numbers.contains(present) ? present : own ?? present
    return type.flatMap { RecordValue(list: [], of: $0) } ?? .emptyList
  }

  // MARK: - Wrappers

  /// Writes the value of a property with a wrapper.
  func write<T: Encodable>(_ value: T, as role: PropertyRole) throws {
    switch role {
    case .field: return try write(value)
    case .encrypted:
      isEncrypted = true
      return try write(value)
    case .jsonBytes, .jsonString:
      // `Encrypted` may also be the inner of two wrappers.
      if (T.self as? any AnyRecordProperty.Type)?.role == .encrypted { isEncrypted = true }
      return isNil(value) ? writeNil() : try write(json: value, isString: role == .jsonString)
    case .recordName: if !isNil(value) { state.recordName = try recordName(value) }
    case .recordIdentity: if !isNil(value) { state.recordID = try identity(value) }
    case .parent: state.parent = try parent(value)
    default: break
    }
    result = .system
  }

  private func recordName<T: Encodable>(_ value: T) throws -> String {
    let own = state.draft.map { RecordValue.string($0.recordID.recordName) }
    let encoder = FieldEncoder(state: state, key: key, name: name, stored: own)
    try encoder.write(value)
    guard case .value(let value) = encoder.result,
      case .string(let text) = encoder.isHeld ? own : value
    else {
      throw failure(
        .unsupportedType, found: "@RecordName with \(T.self)",
        expected: "String, UUID or a type that is encoded as one of them")
    }
    return text
  }

  private func identity<T>(_ value: T) throws -> RecordID {
    if let recordID = value as? RecordID { return recordID }
    throw failure(
      .unsupportedType, found: "@RecordIdentity with \(T.self)", expected: "RecordID")
  }

  private func parent<T>(_ value: T) throws -> EncodingState.Parent {
    if isNil(value) { return .none }
    if let reference = value as? Reference { return .reference(reference) }
    if let recordID = value as? RecordID { return .recordID(recordID) }
    throw failure(
      .unsupportedType, found: "@Parent with \(T.self)", expected: "Reference or RecordID")
  }

  private func write<T: Encodable>(json value: T, isString: Bool) throws {
    let (options, isEncrypted) = (state.options, isEncrypted)
    func data(_ value: T) throws -> Data {
      try NestedJSON.encode(value, isEncrypted: isEncrypted, userInfo: options.userInfo)
    }
    do {
      let written = try data(value)
      result = .json(written, isString: isString)
      guard let text = stored?.jsonText else { return }
      isHeld = text == written
      if !isHeld, let type = T.self as? any Decodable.Type,
        let same = try? NestedJSON.decode(type, from: text, userInfo: options.userInfo) as? T
      {
        isHeld = try data(same) == written
      }
    } catch let error as EncryptedInPlainJSON {
      throw failure(
        .encryption,
        found: "the encrypted property '\(error.path)' in the JSON of an unencrypted field",
        expected: "@Encrypted before @JSONBytes or @JSONString, for all of the JSON")
    } catch EncodingError.invalidValue(_, let context) {
      throw failure(
        .invalidValue,
        found: isEncrypted ? "an encrypted value that is not JSON" : context.debugDescription,
        expected: "a value that JSON can hold")
    }
  }

  // MARK: - Results

  /// Adds what was written to the fields of the record.
  func store() throws {
    switch result {
    case .unwritten, .system: return
    case .nested: throw nestedError()
    default: try state.store(self)
    }
  }

  /// Returns the value that the field gets; nil for none.
  ///
  /// A field that holds the value stays as it is. A new value gets the field's type if that can hold
  /// it.
  func finalValue() throws -> RecordValue? {
    if isHeld { return stored }
    switch result {
    case .value(let value): return value.fitted(to: stored?.type)
    case .list(let elements):
      // The type has written its elements one by one.
      try finish(elements, of: Never.self)
      return try finalValue()
    case .json(let data, let isString):
      let keepsString = if case .string = stored { true } else { false }
      let keepsBytes = if case .bytes = stored { true } else { false }
      return keepsString || isString && !keepsBytes
        ? .string(String(decoding: data, as: UTF8.self)) : .bytes(data)
    default: return nil
    }
  }

  /// Notes that no field can hold the value.
  func markNested() -> TypedRecordError {
    result = .nested
    return nestedError()
  }

  private func nestedError() -> TypedRecordError {
    failure(
      .nestedValue, found: "a value with properties, or a list of such",
      expected: NestedJSON.advice)
  }

  private func failure(
    _ code: TypedRecordError.Code, found: String, expected: String
  ) -> TypedRecordError {
    state.error(code, key: name, found: found, expected: expected)
  }
}
