import RecordModel

extension RecordValue {
  /// Reads a value of a known type.
  package init(json: JSONValue, type: ValueType, _ context: DecodingContext) throws {
    func value<T: JSONConvertible>() throws -> T { try T(json: json, context) }
    guard type.elementType == nil || json.elements != nil else {
      throw context.mismatch(json, expected: "an array, for the type \(type.rawValue)")
    }
    switch type {
    case .string: self = .string(try value())
    case .int64: self = .int64(try value())
    case .double: self = .double(try value())
    case .timestamp: self = .timestamp(try value())
    case .bytes: self = .bytes(try value())
    case .location: self = .location(try value())
    case .reference: self = .reference(try value())
    case .asset: self = .asset(try value())
    case .stringList: self = .stringList(try value())
    case .int64List: self = .int64List(try value())
    case .doubleList: self = .doubleList(try value())
    case .timestampList: self = .timestampList(try value())
    case .bytesList: self = .bytesList(try value())
    case .locationList: self = .locationList(try value())
    case .referenceList: self = .referenceList(try value())
    case .assetList: self = .assetList(try value())
    case .emptyList:
      // A list that is not empty cannot be of this type; it is kept as an unknown value.
      self =
        json.elements?.isEmpty == true ? .emptyList : .unknown(type: type.rawValue, json: json.raw)
    }
  }

  /// Returns the value without its type.
  ///
  /// - Parameter zoneID: the zone that references omit.
  func content(in zoneID: ZoneID) throws -> JSONValue {
    func json(_ value: some JSONConvertible) throws -> JSONValue {
      try value.jsonValue(in: zoneID)
    }
    return switch self {
    case .string(let value): try json(value)
    case .int64(let value): try json(value)
    case .double(let value): try json(value)
    case .timestamp(let value): try json(value)
    case .bytes(let value): try json(value)
    case .location(let value): try json(value)
    case .reference(let value): try json(value)
    case .asset(let value): try json(value)
    case .stringList(let values): try json(values)
    case .int64List(let values): try json(values)
    case .doubleList(let values): try json(values)
    case .timestampList(let values): try json(values)
    case .bytesList(let values): try json(values)
    case .locationList(let values): try json(values)
    case .referenceList(let values): try json(values)
    case .assetList(let values): try json(values)
    case .emptyList: .array([])
    case .unknown(_, let json): try JSONValue(raw: json)
    }
  }
}
