import struct Foundation.Data
import struct Foundation.Date

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
  public var elements: [RecordValue]? {
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
  public init?(list elements: [RecordValue], of type: ValueType) {
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
