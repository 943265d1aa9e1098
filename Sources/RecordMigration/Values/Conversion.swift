import Foundation
import RecordCoding
import RecordModel

/// A conversion of values to another type.
///
/// Values are never rounded or truncated silently: a value without an exact counterpart does not
/// fit, and the step's misfit policy applies. Some values cannot be converted back to exactly the
/// same value (`007` to 7, a date between two milliseconds to a string). They are converted and
/// counted as inexact.
public struct Conversion: Sendable, Hashable {
  /// The type of the converted value.
  public var type: ValueType
  /// The type of the original value, needed to undo the conversion. Values of other types do not
  /// fit. `nil` accepts every convertible type.
  public var original: ValueType?
  /// The format of dates as strings or numbers. `nil` means `iso8601` for strings and `seconds` for
  /// numbers.
  public var dateFormat: DateFormat?

  /// Creates a conversion.
  public init(
    to type: ValueType, from original: ValueType? = nil, dateFormat: DateFormat? = nil
  ) {
    self.type = type
    self.original = original
    self.dateFormat = dateFormat
  }

  /// The reason a value cannot be converted. Contains no values, because they may be encrypted.
  struct Failure: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
  }

  /// The conversion that undoes this one, or `nil` if the original type is unknown.
  package var inverse: Conversion? {
    original.map { Conversion(to: $0, from: type, dateFormat: dateFormat) }
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
    let result = try context.plain(value, type)
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
      return (try? context.plain(result, own)) == value
    }
  }

  /// Whether converting an asset to bytes and back preserves all of it.
  private static func isBytesOnly(_ value: RecordValue) -> Bool {
    guard case .asset(let asset) = value else { return false }
    return asset.size != nil
      && asset == Asset(content: asset.content, sha256: asset.sha256, size: asset.size)
  }

  /// Whether a reference can have the name of its record: 1 to 255 bytes.
  static func isRecordName(_ name: String) -> Bool {
    (1...RecordLimits.cloudKit.recordNameLength).contains(name.utf8.count)
  }

  static let noRecordName = "a string that is not a valid record name"

  /// The context a conversion needs besides the value.
  struct Context {
    let zoneID: ZoneID
    let format: DateFormat?
    let assets: MigrationEnvironment.AssetLookup?

    func plain(_ value: RecordValue, _ type: ValueType) throws -> RecordValue {
      let isList = value.type?.isList == true
      let element = type.single
      switch (isList, type.isList) {
      case (false, false): return try single(value, element)
      case (false, true): return try list([try single(value, element)], element)
      case (true, true):
        return try list((value.elements ?? []).map { try single($0, element) }, element)
      case (true, false):
        let elements = value.elements ?? []
        guard let only = elements.first, elements.count == 1 else {
          throw Conversion.Failure("a list of \(elements.count) elements for a single value")
        }
        return try single(only, element)
      }
    }

    func list(_ elements: [RecordValue], _ type: ValueType) throws -> RecordValue {
      if elements.isEmpty, let listType = type.listType { return .empty(listType) }
      guard let list = RecordValue(list: elements, of: type) else {
        throw Conversion.Failure("elements of several types")
      }
      return list
    }

    /// Returns the date that a number represents.
    private func date(of value: RecordValue) throws -> Date {
      let format = format ?? .seconds
      var date = Decimal(value).flatMap(format.date(from:))
      switch value {
      case .int64(let number): date = date ?? format.date(from: Double(number))
      case .double(let number): date = date ?? format.date(from: number)
      default: break
      }
      guard let date else { throw Conversion.Failure("a number that is not a date") }
      return date
    }

    /// Returns the integer or double that represents a date.
    private func number(of date: Date, _ type: ValueType) throws -> RecordValue {
      let format = format ?? .seconds
      if type == .double, let number = format.number(of: date) { return .double(number) }
      if type == .int64, let number = format.decimal(of: date)?.integer { return .int64(number) }
      throw Conversion.Failure("a date that is not an integer in the format \(format.name)")
    }

    func single(_ value: RecordValue, _ type: ValueType) throws -> RecordValue {
      if value.type == type { return value }
      switch (value, type) {
      case (.string(let text), .int64):
        if let number = TextForm.integer(from: text) { return .int64(number) }
        throw Conversion.Failure("a string that is not a 64-bit integer")
      case (.string(let text), .double):
        if let number = TextForm.double(from: text) { return .double(number) }
        throw Conversion.Failure("a string that is not a number")
      case (.string(let text), .timestamp):
        let format = format ?? .iso8601
        if let date = format.date(from: text) { return .timestamp(date) }
        if format.isNumber, let number = TextForm.double(from: text),
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
        guard Conversion.isRecordName(name) else {
          throw Conversion.Failure(Conversion.noRecordName)
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
      case (.int64, .timestamp), (.double, .timestamp): return .timestamp(try date(of: value))
      case (.timestamp(let date), .double), (.timestamp(let date), .int64):
        return try number(of: date, type)
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
    return double(from: text).map(RecordValue.double)
  }

  /// Parses a decimal number that may begin with `+`, zeros or its decimal point.
  static func double(from text: String) -> Double? {
    if let number = CanonicalNumber.double(from: text) { return number }
    let sign = text.hasPrefix("-") ? "-" : ""
    var digits = text[...]
    if text.hasPrefix("+") || text.hasPrefix("-") { digits.removeFirst() }
    guard let first = digits.first, first == "." || "0"..."9" ~= first else { return nil }
    digits = digits.drop { $0 == "0" }
    let isFraction = digits.first.map { "1"..."9" ~= $0 } != true
    return CanonicalNumber.double(from: sign + (isFraction ? "0" : "") + digits)
  }

  /// Parses decimal digits with an optional sign, within 64 bits.
  static func integer(from text: String) -> Int64? {
    guard text.utf8.count <= 32 else { return nil }
    return Int64(text)
  }
}
