import Foundation
import RecordModel

/// What the elements of an empty list would be: found out from the type alone.
enum ElementKind {
  case scalar(ValueType)
  case nested
  case unknown

  init(of type: Any.Type, decimals: DecimalStrategy) {
    if let scalar = type as? any FieldScalar.Type {
      self = scalar.fieldType.map(ElementKind.scalar) ?? .unknown
    } else if type == Decimal.self {
      self = decimals == .string ? .scalar(.string) : .nested
    } else if type is any RecordValueConvertible.Type, !(type is any ListType.Type) {
      self = .unknown
    } else if type is any NestedType.Type || type is any ListType.Type {
      self = .nested
    } else if let type = type as? any Decodable.Type {
      let probe = ElementProbe(decimals: decimals)
      _ = try? type.init(from: probe)
      self = probe.found
    } else {
      self = .unknown
    }
  }
}

/// A decoder without values that notes what a type asks for first: a type that wraps a string asks
/// for a string.
private final class ElementProbe: Decoder {
  private struct Stop: Error {}

  let decimals: DecimalStrategy
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }
  private(set) var found = ElementKind.unknown

  init(decimals: DecimalStrategy) { self.decimals = decimals }

  private func note(_ kind: ElementKind) -> Stop {
    if case .unknown = found { found = kind }
    return Stop()
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    throw note(.nested)
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw note(.nested) }

  func singleValueContainer() -> any SingleValueDecodingContainer { Container(probe: self) }

  private struct Container: SingleValueDecodingContainer {
    let probe: ElementProbe
    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { false }
    func decode<T: Decodable>(_ type: T.Type) throws -> T {
      throw probe.note(ElementKind(of: type, decimals: probe.decimals))
    }
    func decode(_ type: Bool.Type) throws -> Bool { throw probe.note(.scalar(.int64)) }
    func decode(_ type: String.Type) throws -> String { throw probe.note(.scalar(.string)) }
    func decode(_ type: Double.Type) throws -> Double { throw probe.note(.scalar(.double)) }
    func decode(_ type: Float.Type) throws -> Float { throw probe.note(.scalar(.double)) }
    func decode(_ type: Int.Type) throws -> Int { throw probe.note(.scalar(.int64)) }
    func decode(_ type: Int8.Type) throws -> Int8 { throw probe.note(.scalar(.int64)) }
    func decode(_ type: Int16.Type) throws -> Int16 { throw probe.note(.scalar(.int64)) }
    func decode(_ type: Int32.Type) throws -> Int32 { throw probe.note(.scalar(.int64)) }
    func decode(_ type: Int64.Type) throws -> Int64 { throw probe.note(.scalar(.int64)) }
    func decode(_ type: UInt.Type) throws -> UInt { throw probe.note(.scalar(.int64)) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { throw probe.note(.scalar(.int64)) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { throw probe.note(.scalar(.int64)) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { throw probe.note(.scalar(.int64)) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { throw probe.note(.scalar(.int64)) }
  }
}
