import Foundation
import RecordModel

/// The encoder of the value of one field, or of an element of a list.
final class FieldEncoder: Encoder {
  enum Result {
    case unwritten
    case null
    case scalar(EncodedScalar)
    case list([EncodedScalar], ListKind)
    case json(EncodedJSON)
    /// A value with properties.
    case nested
    /// A value that is no field.
    case system
  }

  let state: EncodingState
  let key: any CodingKey
  let index: Int?
  let name: String
  var isEncrypted: Bool
  private(set) var result = Result.unwritten

  init(
    state: EncodingState, key: any CodingKey, name: String, isEncrypted: Bool, index: Int? = nil
  ) {
    self.state = state
    self.key = key
    self.name = name
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
    default: result = index == nil ? .list([], ListKind()) : .nested
    }
    return ListEncodingContainer(field: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    FieldValueEncodingContainer(field: self)
  }

  func writeNil() { result = .null }
  func writeSystemField() { result = .system }
  func writeJSON(_ json: EncodedJSON) { result = .json(json) }

  func write<T: FieldScalar>(scalar: T) throws {
    do {
      result = .scalar(try EncodedScalar(scalar))
    } catch {
      throw failure(error, "\(scalar)")
    }
  }

  /// Writes a value of any type.
  func write<T: Encodable>(_ value: T) throws {
    if let scalar = value as? any FieldScalar { return try write(scalar: scalar) }
    if let decimal = value as? Decimal { return try write(decimal) }
    if value is RecordID { throw recordIDError() }
    if let convertible = value as? any RecordValueConvertible, !(convertible is any ListType) {
      result = .scalar(EncodedScalar(convertible: convertible))
      return
    }
    if value is any NestedType {
      result = .nested
    } else {
      do {
        try value.encode(to: self)
      } catch  where isNestedResult && jsonForm != nil {
        // It becomes JSON.
      }
    }
    try resolve(value)
  }

  private var isNestedResult: Bool {
    if case .nested = result { true } else { false }
  }

  /// The form of nested values that are not marked.
  private var jsonForm: JSONForm? {
    guard index == nil else { return nil }
    return switch state.options.nestedValueStrategy {
    case .throw: nil
    case .jsonBytes: .bytes
    case .jsonString: .string
    }
  }

  /// Completes what a value has written of itself.
  private func resolve<T: Encodable>(_ value: T) throws {
    switch result {
    case .nested:
      guard let jsonForm else { throw nestedError() }
      result = .json(try json(value, jsonForm))
    case .list(var elements, var kind):
      guard let type = T.self as? any ListType.Type else { return }
      kind.isSet = type.isSet
      if kind.isSet { elements.sort { RecordValue.isOrdered($0.value, $1.value) } }
      if elements.isEmpty {
        switch ElementKind(of: type.elementType, decimals: state.options.decimalStrategy) {
        case .scalar(let element): kind.elementType = element
        case .unknown: kind.json = try jsonForm.map { try json(value, $0) }
        case .nested:
          guard let jsonForm else { throw nestedError() }
          result = .json(try json(value, jsonForm))
          return
        }
      }
      result = .list(elements, kind)
    case .unwritten:
      throw failure(
        .unsupportedType, found: "\(T.self), which has encoded nothing", expected: "a value")
    default: break
    }
  }

  private func write(_ decimal: Decimal) throws {
    guard state.options.decimalStrategy == .string else {
      throw failure(
        .unsupportedType, found: "a property of type Decimal",
        expected: "another type, or `decimalStrategy = .string`")
    }
    do {
      result = .scalar(try EncodedScalar(decimal))
    } catch {
      throw failure(error, "\(decimal)")
    }
  }

  // MARK: - Lists

  func element(at index: Int) -> FieldEncoder {
    FieldEncoder(state: state, key: key, name: name, isEncrypted: isEncrypted, index: index)
  }

  var elementCount: Int {
    if case .list(let elements, _) = result { elements.count } else { 0 }
  }

  /// Appends what was written to the encoder of an element.
  func append(_ element: FieldEncoder) throws {
    guard case .list(var elements, let kind) = result else { throw nestedError() }
    switch element.result {
    case .scalar(let scalar) where scalar.value.type?.isList != true:
      // The array must have one owner to grow in place.
      result = .unwritten
      elements.append(scalar)
      result = .list(elements, kind)
    case .null:
      throw failure(
        .unsupportedType, found: "a nil as element \(elements.count)",
        expected: "a list without nils, as CloudKit's are")
    default: throw markNested()
    }
  }

  /// Notes that the value is one that no field can hold.
  func markNested() -> TypedRecordError {
    result = .nested
    return nestedError()
  }
}
