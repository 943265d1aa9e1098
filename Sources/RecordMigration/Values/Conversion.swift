import Foundation
import RecordCoding
import RecordModel

/// A conversion of values to another type or unit.
///
/// Values are never rounded or truncated silently: a value without an exact counterpart does not
/// fit, and the step's misfit policy applies. A value that cannot be converted back to exactly the
/// same value (`007` to 7, a date between two milliseconds to a string) is converted and counted as
/// inexact.
public struct Conversion: Sendable, Hashable {
  /// The type of the converted value, or `nil` to keep the type and change only the unit.
  public var type: ValueType?
  /// The type of the original value, needed to undo the conversion. Values of other types do not
  /// fit. `nil` accepts every convertible type.
  public var original: ValueType?
  /// The format of dates as strings or numbers. `nil` means `iso8601` for strings and `seconds` for
  /// numbers.
  public var dateFormat: DateFormat?
  /// The factor between the units.
  public var scale: UnitScale?

  /// Creates a conversion.
  public init(
    to type: ValueType?, from original: ValueType? = nil, dateFormat: DateFormat? = nil,
    scale: UnitScale? = nil
  ) {
    self.type = type
    self.original = original
    self.dateFormat = dateFormat
    self.scale = scale
  }

  /// The reason a value cannot be converted. Contains no values, because they may be encrypted.
  struct Failure: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
  }

  /// The conversion that undoes this one, or `nil` if the original type is unknown.
  public var inverse: Conversion? {
    if type == nil { return Conversion(to: nil, dateFormat: dateFormat, scale: scale?.inverse) }
    guard let original else { return nil }
    return Conversion(to: original, from: type, dateFormat: dateFormat, scale: scale?.inverse)
  }

  /// Converts a value.
  ///
  /// - Parameters:
  ///   - zoneID: The record's zone, used for references made from strings.
  ///   - assets: Returns the bytes of an asset by its SHA-256.
  /// - Returns: The converted value, and whether converting it back gives the original.
  func convert(
    _ value: RecordValue, in zoneID: ZoneID = .default,
    assets: MigrationEnvironment.AssetLookup? = nil
  ) throws -> (value: RecordValue, isExact: Bool) {
    let context = Context(zoneID: zoneID, format: dateFormat, assets: assets)
    guard let own = value.type else {
      throw Failure("a value of type \(value.typeName), which is not known here")
    }
    if let original, own != original, !(own == .emptyList && original.isList) {
      throw Failure("a value of type \(own.rawValue) where \(original.rawValue) was expected")
    }
    let result = try context.plain(value, type ?? own, scale)
    guard result.approximateSize <= ExpressionLimits.maxSize || result == value else {
      throw Failure(ExpressionLimits.tooLarge)
    }
    return (result, isExact(result, of: value, own, context))
  }

  private func isExact(
    _ result: RecordValue, of value: RecordValue, _ own: ValueType, _ context: Context
  ) -> Bool {
    switch (value, result) {
    case (.int64, .string), (.bytes, .asset): return true
    case (.asset, .bytes), (.asset, .bytesList), (.assetList, .bytes), (.assetList, .bytesList):
      return (value.elements ?? [value]).allSatisfy(Self.isBytesOnly)
    default:
      guard let back = try? context.plain(result, own, scale?.inverse) else {
        return false
      }
      return back == value
    }
  }

  /// Whether converting an asset to bytes and back preserves all of it.
  private static func isBytesOnly(_ value: RecordValue) -> Bool {
    guard case .asset(let asset) = value else { return false }
    return asset.size != nil
      && asset == Asset(content: asset.content, sha256: asset.sha256, size: asset.size)
  }

  /// The context a conversion needs besides the value.
  struct Context {
    let zoneID: ZoneID
    let format: DateFormat?
    let assets: MigrationEnvironment.AssetLookup?

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

    func single(_ value: RecordValue, _ type: ValueType, _ scale: UnitScale?) throws -> RecordValue
    {
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
      case (.int64, .timestamp), (.double, .timestamp):
        return .timestamp(try date(of: value, scale))
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
    private func number(of date: Date, _ type: ValueType, _ scale: UnitScale?) throws -> RecordValue
    {
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
}

extension RecordValue {
  static func empty(_ type: ValueType) -> RecordValue {
    type.elementType.flatMap { RecordValue(list: [], of: $0) } ?? .emptyList
  }
}

/// A factor between two units, stored as a fraction of integers so that it can be inverted exactly.
public struct UnitScale: Sendable, Hashable {
  /// The number that values are multiplied by. Greater than 0.
  public let multiplier: Int64
  /// The number that the product is divided by. Greater than 0.
  public let divisor: Int64

  /// Creates a factor, or returns `nil` if either number is not in 1 to 10¹².
  public init?(multiplyBy multiplier: Int64 = 1, divideBy divisor: Int64 = 1) {
    guard (1...1_000_000_000_000).contains(multiplier), (1...1_000_000_000_000).contains(divisor)
    else { return nil }
    self.multiplier = multiplier
    self.divisor = divisor
  }

  var inverse: UnitScale { UnitScale(divisor, over: multiplier) }

  /// - Precondition: Both numbers are greater than 0.
  init(_ multiplier: Int64, over divisor: Int64) {
    self.multiplier = multiplier
    self.divisor = divisor
  }

  /// Returns the product, or `nil` if it is not a 64-bit integer.
  func applied(to number: Int64) -> Int64? {
    // The intermediate product may need 128 bits.
    let product = number.magnitude.multipliedFullWidth(by: multiplier.magnitude)
    guard product.high < divisor.magnitude else { return nil }
    let (quotient, remainder) = divisor.magnitude.dividingFullWidth(product)
    guard remainder == 0 else { return nil }
    if number >= 0 { return Int64(exactly: quotient) }
    return quotient == Int64.min.magnitude ? .min : Int64(exactly: quotient).map { -$0 }
  }

  /// Returns the double nearest to the product, or `nil` if it is not finite. Calculates in
  /// decimals if they are short: 1.1 times 1000 is 1100.
  func applied(to number: Double) -> Double? {
    if let exact = ShortDecimal(number)?.times(multiplier, over: divisor)?.double { return exact }
    let result = number * Double(multiplier) / Double(divisor)
    return result.isFinite ? result : nil
  }
}

/// Conversions of values to strings in a canonical form, and back.
enum TextForm {
  /// Returns a string, number or date (ISO 8601, UTC) as a string, or `nil` for other values.
  static func text(of value: RecordValue) -> String? {
    switch value {
    case .string(let text): text
    case .int64(let number): String(number)
    case .double(let number): CanonicalNumber.text(of: number)
    case .timestamp(let date): DateFormat.iso8601.text(of: date)
    default: nil
    }
  }

  /// Parses a number: an integer if possible, otherwise a double. Returns `nil` if the text is not
  /// a number.
  static func number(from text: String) -> RecordValue? {
    if let number = integer(from: text) { return .int64(number) }
    return CanonicalNumber.double(from: text).map(RecordValue.double)
  }

  /// Parses decimal digits with an optional sign, within 64 bits.
  static func integer(from text: String) -> Int64? {
    guard text.utf8.count <= 32 else { return nil }
    return Int64(text)
  }
}
