import struct Foundation.Data
import struct Foundation.Date

/// A Swift type that can be the value of a field (`CKRecordValueProtocol`).
public protocol RecordValueConvertible: Sendable {
  /// The value as CloudKit stores it.
  var recordValue: RecordValue { get }

  /// Creates a Swift value from a field's value; nil if the type differs or the value is out of
  /// range.
  init?(recordValue: RecordValue)
}

extension RecordValue: RecordValueConvertible {
  /// The value itself.
  public var recordValue: RecordValue { self }

  /// Creates the same value.
  public init?(recordValue: RecordValue) { self = recordValue }
}

extension String: RecordValueConvertible {
  /// The string as a `STRING` value.
  public var recordValue: RecordValue { .string(self) }

  /// Creates a string from a `STRING` value.
  public init?(recordValue: RecordValue) {
    guard case .string(let value) = recordValue else { return nil }
    self = value
  }
}

extension Bool: RecordValueConvertible {
  /// The integer 1 or 0; CloudKit has no Booleans.
  public var recordValue: RecordValue { .int64(self ? 1 : 0) }

  /// Creates a Boolean from an `INT64` value: false for 0, true for any other.
  public init?(recordValue: RecordValue) {
    guard case .int64(let value) = recordValue else { return nil }
    self = value != 0
  }
}

/// Conversion of integers from and to `INT64` values.
///
/// Reading a value that does not fit the type returns nil.
extension RecordValueConvertible where Self: FixedWidthInteger {
  /// The integer as an `INT64` value.
  public var recordValue: RecordValue { .int64(Int64(self)) }

  /// Creates an integer from an `INT64` value; nil if it does not fit.
  public init?(recordValue: RecordValue) {
    guard case .int64(let value) = recordValue, let exact = Self(exactly: value) else {
      return nil
    }
    self = exact
  }
}

extension Int: RecordValueConvertible {}
extension Int8: RecordValueConvertible {}
extension Int16: RecordValueConvertible {}
extension Int32: RecordValueConvertible {}
extension Int64: RecordValueConvertible {}
extension UInt8: RecordValueConvertible {}
extension UInt16: RecordValueConvertible {}
extension UInt32: RecordValueConvertible {}

extension Double: RecordValueConvertible {
  /// The number as a `DOUBLE` value.
  public var recordValue: RecordValue { .double(self) }

  /// Creates a number from a `DOUBLE` value, or from an `INT64` value that a double represents
  /// exactly.
  public init?(recordValue: RecordValue) {
    switch recordValue {
    case .double(let value): self = value
    case .int64(let value):
      guard let exact = Double(exactly: value) else { return nil }
      self = exact
    default: return nil
    }
  }
}

extension Float: RecordValueConvertible {
  /// The number as a `DOUBLE` value.
  public var recordValue: RecordValue { .double(Double(self)) }

  /// Creates a number from a `DOUBLE` value, rounded, or from an `INT64` value that a double
  /// represents exactly.
  public init?(recordValue: RecordValue) {
    guard let value = Double(recordValue: recordValue) else { return nil }
    self = Float(value)
  }
}

extension Date: RecordValueConvertible {
  /// The date as a `TIMESTAMP` value.
  public var recordValue: RecordValue { .timestamp(self) }

  /// Creates a date from a `TIMESTAMP` value.
  public init?(recordValue: RecordValue) {
    guard case .timestamp(let value) = recordValue else { return nil }
    self = value
  }
}

extension Data: RecordValueConvertible {
  /// The bytes as a `BYTES` value.
  public var recordValue: RecordValue { .bytes(self) }

  /// Creates data from a `BYTES` value.
  public init?(recordValue: RecordValue) {
    guard case .bytes(let value) = recordValue else { return nil }
    self = value
  }
}

extension Location: RecordValueConvertible {
  /// The location as a `LOCATION` value.
  public var recordValue: RecordValue { .location(self) }

  /// Creates a location from a `LOCATION` value.
  public init?(recordValue: RecordValue) {
    guard case .location(let value) = recordValue else { return nil }
    self = value
  }
}

extension Reference: RecordValueConvertible {
  /// The reference as a `REFERENCE` value.
  public var recordValue: RecordValue { .reference(self) }

  /// Creates a reference from a `REFERENCE` value.
  public init?(recordValue: RecordValue) {
    guard case .reference(let value) = recordValue else { return nil }
    self = value
  }
}

extension Asset: RecordValueConvertible {
  /// The asset as an `ASSET` value.
  public var recordValue: RecordValue { .asset(self) }

  /// Creates an asset from an `ASSET` value.
  public init?(recordValue: RecordValue) {
    guard case .asset(let value) = recordValue else { return nil }
    self = value
  }
}

extension Array: RecordValueConvertible where Element: RecordValueConvertible {
  /// The list value of this array.
  ///
  /// An empty array whose element type does not determine the type of the list, such as
  /// `[RecordValue]`, is ``RecordValue/emptyList``. All elements must have the type of the first
  /// one; otherwise the value is ``RecordValue/unknown(type:json:)``, which no save accepts.
  public var recordValue: RecordValue {
    // By the type of the elements: an empty array can be cast to an array of any type.
    switch Element.self {
    case is String.Type: .stringList(self as? [String] ?? [])
    case is Int64.Type: .int64List(self as? [Int64] ?? [])
    case is Double.Type: .doubleList(self as? [Double] ?? [])
    case is Date.Type: .timestampList(self as? [Date] ?? [])
    case is Data.Type: .bytesList(self as? [Data] ?? [])
    case is Location.Type: .locationList(self as? [Location] ?? [])
    case is Reference.Type: .referenceList(self as? [Reference] ?? [])
    case is Asset.Type: .assetList(self as? [Asset] ?? [])
    default: RecordValue(elements: map(\.recordValue), of: Element.self)
    }
  }

  /// Creates an array from a list value; nil if an element cannot be converted to `Element`.
  public init?(recordValue: RecordValue) {
    guard let elements = recordValue.elements else { return nil }
    var list: [Element] = []
    list.reserveCapacity(elements.count)
    for element in elements {
      guard let value = Element(recordValue: element) else { return nil }
      list.append(value)
    }
    self = list
  }
}

extension RecordValue {
  /// The elements of a list; nil for a scalar.
  package var elements: [RecordValue]? {
    switch self {
    case .stringList(let list): list.map(RecordValue.string)
    case .int64List(let list): list.map(RecordValue.int64)
    case .doubleList(let list): list.map(RecordValue.double)
    case .timestampList(let list): list.map(RecordValue.timestamp)
    case .bytesList(let list): list.map(RecordValue.bytes)
    case .locationList(let list): list.map(RecordValue.location)
    case .referenceList(let list): list.map(RecordValue.reference)
    case .assetList(let list): list.map(RecordValue.asset)
    case .emptyList: []
    default: nil
    }
  }

  /// Creates a list value; nil if an element is not of `type`, or `type` is a list type.
  package init?(list elements: [RecordValue], of type: ValueType) {
    func all<T: RecordValueConvertible>(_: T.Type) -> [T]? {
      let converted = elements.compactMap { $0.type == type ? T(recordValue: $0) : nil }
      return converted.count == elements.count ? converted : nil
    }
    let list: RecordValue? =
      switch type {
      case .string: all(String.self).map(RecordValue.stringList)
      case .int64: all(Int64.self).map(RecordValue.int64List)
      case .double: all(Double.self).map(RecordValue.doubleList)
      case .timestamp: all(Date.self).map(RecordValue.timestampList)
      case .bytes: all(Data.self).map(RecordValue.bytesList)
      case .location: all(Location.self).map(RecordValue.locationList)
      case .reference: all(Reference.self).map(RecordValue.referenceList)
      case .asset: all(Asset.self).map(RecordValue.assetList)
      default: nil
      }
    guard let list else { return nil }
    self = list
  }

  fileprivate init(elements: [RecordValue], of swiftType: Any.Type) {
    guard let first = elements.first else {
      self =
        swiftType is any FixedWidthInteger.Type || swiftType == Bool.self
        ? .int64List([])
        : swiftType == Float.self ? .doubleList([]) : .emptyList
      return
    }
    guard let type = first.type, let list = RecordValue(list: elements, of: type) else {
      self = .unknown(type: "MIXED_LIST", json: .null)
      return
    }
    self = list
  }
}
