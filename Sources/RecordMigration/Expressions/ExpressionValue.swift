import RecordModel

/// What an expression is worth.
public enum ExpressionValue: Sendable, Hashable {
  /// No value: a field that is not there, or something computed from it.
  case null
  /// A truth value; in a field it becomes the integer 1 or 0, as CloudKit has no booleans.
  case bool(Bool)
  /// A value of a field.
  case value(RecordValue)

  /// The value as a field holds it; nil for ``null``.
  public var recordValue: RecordValue? {
    switch self {
    case .null: nil
    case .bool(let truth): .int64(truth ? 1 : 0)
    case .value(let value): value
    }
  }

  /// What messages call values of this kind; never the value itself.
  var kind: String {
    switch self {
    case .null: "nothing"
    case .bool: "a truth value"
    case .value(let value): value.kindInWords
    }
  }
}

extension RecordValue {
  /// What messages call values of this type.
  var kindInWords: String {
    switch self {
    case .string: "text"
    case .int64: "an integer"
    case .double: "a double"
    case .timestamp: "a date"
    case .bytes: "bytes"
    case .location: "a location"
    case .reference: "a reference"
    case .asset: "an asset"
    case .unknown: "a value of an unknown type"
    default: "a list (\(typeName))"
    }
  }

  /// The elements of a list; nil for a single value.
  var elements: [RecordValue]? {
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

  /// A list of elements of one type; nil where they are of several, or lists themselves.
  ///
  /// - Parameter type: the type of the elements of an empty list; nil makes ``emptyList``.
  init?(list elements: [RecordValue], of type: ValueType? = nil) {
    guard let kind = elements.first?.type ?? type else {
      guard elements.isEmpty else { return nil }
      self = .emptyList
      return
    }
    func all<T>(_ pick: (RecordValue) -> T?) -> [T]? {
      var list: [T] = []
      list.reserveCapacity(elements.count)
      for element in elements {
        guard let value = pick(element) else { return nil }
        list.append(value)
      }
      return list
    }
    let made: RecordValue? =
      switch kind {
      case .string: all { if case .string(let v) = $0 { v } else { nil } }.map(Self.stringList)
      case .int64: all { if case .int64(let v) = $0 { v } else { nil } }.map(Self.int64List)
      case .double: all { if case .double(let v) = $0 { v } else { nil } }.map(Self.doubleList)
      case .timestamp:
        all { if case .timestamp(let v) = $0 { v } else { nil } }.map(Self.timestampList)
      case .bytes: all { if case .bytes(let v) = $0 { v } else { nil } }.map(Self.bytesList)
      case .location:
        all { if case .location(let v) = $0 { v } else { nil } }.map(Self.locationList)
      case .reference:
        all { if case .reference(let v) = $0 { v } else { nil } }.map(Self.referenceList)
      case .asset: all { if case .asset(let v) = $0 { v } else { nil } }.map(Self.assetList)
      default: nil
      }
    guard let made else { return nil }
    self = made
  }
}
