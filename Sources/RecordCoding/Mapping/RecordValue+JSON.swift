import RecordModel

extension RecordValue {
  /// Reads a value of a known type.
  package init(
    json: JSONValue, type: ValueType, _ context: MappingContext
  ) throws(RecordCodingError) {
    func list<T>(
      _ body: (JSONValue) throws(RecordCodingError) -> T
    ) throws(RecordCodingError) -> [T] {
      guard json.elements != nil else {
        throw context.mismatch(json, expected: "an array, as the type \(type.rawValue) has it")
      }
      return try json.expectElements(body)
    }
    typealias E = RecordCodingError
    switch type {
    case .string: self = .string(try json.string(context))
    case .int64: self = .int64(try json.int64(context))
    case .double: self = .double(try json.double(context))
    case .timestamp: self = .timestamp(try json.date(context))
    case .bytes: self = .bytes(try json.bytes(context))
    case .location: self = .location(try Location(json: json, context))
    case .reference: self = .reference(try Reference(json: json, context))
    case .asset: self = .asset(try Asset(json: json, context))
    case .stringList: self = .stringList(try list { (json) throws(E) in try json.string(context) })
    case .int64List: self = .int64List(try list { (json) throws(E) in try json.int64(context) })
    case .doubleList: self = .doubleList(try list { (json) throws(E) in try json.double(context) })
    case .timestampList:
      self = .timestampList(try list { (json) throws(E) in try json.date(context) })
    case .bytesList: self = .bytesList(try list { (json) throws(E) in try json.bytes(context) })
    case .locationList:
      self = .locationList(try list { (json) throws(E) in try Location(json: json, context) })
    case .referenceList:
      self = .referenceList(try list { (json) throws(E) in try Reference(json: json, context) })
    case .assetList:
      self = .assetList(try list { (json) throws(E) in try Asset(json: json, context) })
    case .emptyList:
      // A list that is not empty cannot be of this type; it is kept as an unknown value.
      self =
        json.elements?.isEmpty == true ? .emptyList : .unknown(type: type.rawValue, json: json.raw)
    }
  }

  /// Returns the value without its type.
  ///
  /// - Parameter zoneID: the zone that references omit.
  package func jsonValue(in zoneID: ZoneID) throws(RecordCodingError) -> JSONValue {
    typealias E = RecordCodingError
    switch self {
    case .string(let value): return .string(value)
    case .int64(let value): return .integer(value)
    case .double(let value): return try .double(value)
    case .timestamp(let value): return try .date(value)
    case .bytes(let value): return .bytes(value)
    case .location(let value): return try value.jsonValue()
    case .reference(let value): return try value.jsonValue(in: zoneID)
    case .asset(let value): return try value.jsonValue()
    case .stringList(let values): return .array(values.map(JSONValue.string))
    case .int64List(let values): return .array(values.map { .integer($0) })
    case .doubleList(let values): return try .list(values) { (x) throws(E) in try .double(x) }
    case .timestampList(let values): return try .list(values) { (x) throws(E) in try .date(x) }
    case .bytesList(let values): return .array(values.map(JSONValue.bytes))
    case .locationList(let values):
      return try .list(values) { (x) throws(E) in try x.jsonValue() }
    case .referenceList(let values):
      return try .list(values) { (x) throws(E) in try x.jsonValue(in: zoneID) }
    case .assetList(let values): return try .list(values) { (x) throws(E) in try x.jsonValue() }
    case .emptyList: return .array([])
    case .unknown(_, let json): return try JSONValue(raw: json)
    }
  }
}

extension JSONValue {
  static func list<T>(
    _ values: [T], _ body: (T) throws(RecordCodingError) -> JSONValue
  ) throws(RecordCodingError) -> JSONValue {
    var elements: [JSONValue] = []
    elements.reserveCapacity(values.count)
    for (index, value) in values.enumerated() {
      do throws(RecordCodingError) {
        elements.append(try body(value))
      } catch {
        throw error.inside(element: index)
      }
    }
    return .array(elements)
  }
}
