import Foundation
import RecordCoding
import RecordModel

extension Conversion {
  /// The context a conversion needs besides the value.
  struct Context {
    let zoneID: ZoneID
    let format: DateFormat?
    let assets: MigrationEnvironment.AssetLookup?
  }
}

extension Conversion.Context {
  func plain(_ value: RecordValue, _ type: ValueType, _ scale: UnitScale?) throws -> RecordValue {
    let isList = value.type?.isList == true
    let element = type.single
    switch (isList, type.isList) {
    case (false, false): return try single(value, element, scale)
    case (false, true): return try list([try single(value, element, scale)], element)
    case (true, true):
      return try list((value.elements ?? []).map { try single($0, element, scale) }, element)
    case (true, false):
      let elements = value.elements ?? []
      guard let only = elements.first, elements.count == 1 else {
        throw Conversion.Failure("a list of \(elements.count) elements for a single value")
      }
      return try single(only, element, scale)
    }
  }

  func list(_ elements: [RecordValue], _ type: ValueType) throws -> RecordValue {
    if elements.isEmpty, let listType = type.listType { return .empty(listType) }
    guard let list = RecordValue(list: elements, of: type) else {
      throw Conversion.Failure("elements of several types")
    }
    return list
  }

  func single(_ value: RecordValue, _ type: ValueType, _ scale: UnitScale?) throws -> RecordValue {
    guard let scale else { return try retyped(value, type) }
    // Text and dates have no unit: the factor applies to the number on either side.
    switch (value, type) {
    case (.int64, .int64), (.double, .double), (.int64, .string), (.double, .string),
      (.double, .int64):
      return try retyped(try scaled(value, scale), type)
    case (.int64(let number), .double):
      // 1500 milliseconds are 1.5 seconds: the result need not be an integer.
      if let whole = scale.applied(to: number) { return try retyped(.int64(whole), type) }
      return try scaled(try retyped(value, .double), scale)
    case (.int64, .timestamp), (.double, .timestamp): return .timestamp(try date(of: value, scale))
    case (.timestamp(let date), .int64), (.timestamp(let date), .double):
      return try number(of: date, type, scale)
    case (.string, .int64), (.string, .double): return try scaled(try retyped(value, type), scale)
    default: throw Conversion.Failure("\(value.kindInWords), but a factor requires a number")
    }
  }

  /// Returns the date that a number represents.
  private func date(of value: RecordValue, _ scale: UnitScale?) throws -> Date {
    let format = format ?? .seconds
    var date = ShortDecimal(value).flatMap { format.date(from: $0, scale) }
    switch value {
    case .int64(let number): date = date ?? format.date(from: Double(number), scale)
    case .double(let number): date = date ?? format.date(from: number, scale)
    default: break
    }
    guard let date else { throw Conversion.Failure("a number that is not a date") }
    return date
  }

  /// Returns the integer or double that represents a date.
  private func number(of date: Date, _ type: ValueType, _ scale: UnitScale?) throws -> RecordValue {
    let format = format ?? .seconds
    if type == .double, let number = format.number(of: date, scale) { return .double(number) }
    if type == .int64, let number = format.decimal(of: date, scale)?.integer {
      return .int64(number)
    }
    throw Conversion.Failure("a date that is not an integer in the format \(format.name)")
  }

  private func scaled(_ value: RecordValue, _ scale: UnitScale) throws -> RecordValue {
    switch value {
    case .int64(let number):
      if let result = scale.applied(to: number) { return .int64(result) }
      throw Conversion.Failure("a number that is not an integer in the new unit, or is too large")
    case .double(let number):
      if let result = scale.applied(to: number) { return .double(result) }
      throw Conversion.Failure("a number that is too large in the new unit")
    default: return value
    }
  }

  func retyped(_ value: RecordValue, _ type: ValueType) throws -> RecordValue {
    if value.type == type { return value }
    switch (value, type) {
    case (.string(let text), .int64):
      if let number = TextForm.integer(from: text) { return .int64(number) }
      throw Conversion.Failure("a string that is not a 64-bit integer")
    case (.string(let text), .double):
      if let number = CanonicalNumber.double(from: text) { return .double(number) }
      throw Conversion.Failure("a string that is not a number")
    case (.string(let text), .timestamp):
      let format = format ?? .iso8601
      if let date = format.date(from: text) { return .timestamp(date) }
      if format.isNumber, let number = CanonicalNumber.double(from: text),
        let date = format.date(from: number)
      {
        return .timestamp(date)
      }
      throw Conversion.Failure("a string that is not a date in the format \(format.name)")
    case (.string(let text), .bytes): return .bytes(Data(text.utf8))
    case (.bytes(let data), .string):
      guard let text = String(validating: data, as: UTF8.self) else {
        throw Conversion.Failure("bytes that are not valid UTF-8")
      }
      return .string(text)
    case (.timestamp(let date), .string):
      let format = format ?? .iso8601
      let number = format.number(of: date).flatMap(CanonicalNumber.text(of:))
      if let text = format.text(of: date) ?? number { return .string(text) }
      throw Conversion.Failure("a date outside of the years 1 to 9999")
    case (.reference(let reference), .string):
      guard reference.recordID.zoneID == zoneID else {
        throw Conversion.Failure("a reference to another zone, which a name does not include")
      }
      return .string(reference.recordID.recordName)
    case (.string(let name), .reference):
      guard !name.isEmpty, name.utf8.count <= 255 else {
        throw Conversion.Failure("a string that is not a valid record name")
      }
      return .reference(Reference(recordID: RecordID(recordName: name, zoneID: zoneID)))
    case (_, .string):
      if let text = TextForm.text(of: value) { return .string(text) }
      throw unfit(value, type)
    case (.int64(let number), .double):
      if let exact = Double(exactly: number) { return .double(exact) }
      throw Conversion.Failure("an integer without an exact double value")
    case (.double(let number), .int64):
      if let exact = Int64(exactly: number) { return .int64(exact) }
      throw Conversion.Failure("a number with a fraction, or too large for 64 bits")
    case (.int64, .timestamp), (.double, .timestamp): return .timestamp(try date(of: value, nil))
    case (.timestamp(let date), .double), (.timestamp(let date), .int64):
      return try number(of: date, type, nil)
    case (.bytes(let data), .asset): return .asset(Asset(data: data))
    case (.asset(let asset), .bytes): return .bytes(try bytes(of: asset))
    default: throw unfit(value, type)
    }
  }

  func unfit(_ value: RecordValue, _ type: ValueType) -> Conversion.Failure {
    Conversion.Failure("\(value.kindInWords), which cannot become \(type.rawValue)")
  }

  func bytes(of asset: Asset) throws -> Data {
    switch asset.content {
    case .data(let data)?: return data
    case .file(let url)?: return try Data(contentsOf: url)
    case nil:
      guard let sha256 = asset.sha256, let data = try assets?(sha256) else {
        throw Conversion.Failure("an asset whose bytes are not available")
      }
      return data
    }
  }
}
