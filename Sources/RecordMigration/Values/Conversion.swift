import Foundation
import RecordCoding
import RecordModel

/// How a value becomes one of another type or unit.
///
/// Nothing is rounded or cut in silence: a value that has no exact counterpart does not fit, and
/// the step's misfit policy says what happens. A value whose counterpart does not lead back to the
/// very same value (`007` to 7, a date between two milliseconds to a text) is converted and counted
/// as inexact.
public struct Conversion: Sendable, Hashable {
  /// The type the value gets; nil keeps its type, and only the unit changes.
  public var type: ValueType?
  /// The type the value has before; needed to undo the conversion. Values of another type do not
  /// fit. Nil takes any that can be converted.
  public var original: ValueType?
  /// How dates are written as texts or numbers; nil is `iso8601` for texts, `seconds` for numbers.
  public var dateForm: DateForm?
  /// The factor between the units.
  public var scale: UnitScale?

  /// Makes a conversion.
  public init(
    to type: ValueType?, from original: ValueType? = nil, dateForm: DateForm? = nil,
    scale: UnitScale? = nil
  ) {
    self.type = type
    self.original = original
    self.dateForm = dateForm
    self.scale = scale
  }

  /// Why a value has no counterpart; no values, which may be encrypted.
  struct Failure: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
  }

  /// The conversion that undoes this one; nil where the original type is not known.
  public var inverse: Conversion? {
    if type == nil { return Conversion(to: nil, dateForm: dateForm, scale: scale?.inverse) }
    guard let original else { return nil }
    return Conversion(to: original, from: type, dateForm: dateForm, scale: scale?.inverse)
  }

  /// Converts a value.
  ///
  /// - Parameter assets: finds the bytes of an asset by its SHA-256.
  /// - Returns: the value, and whether it leads back to the one it came from.
  func convert(
    _ value: RecordValue, assets: MigrationEnvironment.AssetLookup?
  ) throws -> (value: RecordValue, isExact: Bool) {
    guard let own = value.type else {
      throw Failure("a value of type \(value.typeName), which is not known here")
    }
    if let original, own != original, !(own == .emptyList && original.isList) {
      throw Failure("a value of type \(own.rawValue) where \(original.rawValue) was expected")
    }
    let result = try Self.plain(value, type ?? own, dateForm, scale, assets)
    return (result, isExact(result, of: value, own, assets))
  }

  private func isExact(
    _ result: RecordValue, of value: RecordValue, _ own: ValueType,
    _ assets: MigrationEnvironment.AssetLookup?
  ) -> Bool {
    switch (value, result) {
    case (.int64, .string), (.bytes, .asset): return true
    case (.asset(let asset), .bytes): return asset == Self.bare(asset)
    default:
      guard let back = try? Self.plain(result, own, dateForm, scale?.inverse, assets) else {
        return false
      }
      return back == value
    }
  }

  /// What is left of an asset that becomes bytes and an asset again.
  private static func bare(_ asset: Asset) -> Asset {
    Asset(content: asset.content, sha256: asset.sha256, size: asset.size)
  }

  private static func plain(
    _ value: RecordValue, _ type: ValueType, _ form: DateForm?, _ scale: UnitScale?,
    _ assets: MigrationEnvironment.AssetLookup?
  ) throws -> RecordValue {
    let isList = value.type?.isList == true
    let element = type.elementType ?? type
    switch (isList, type.isList) {
    case (false, false): return try single(value, element, form, scale, assets)
    case (false, true):
      return try list([try single(value, element, form, scale, assets)], element)
    case (true, true):
      return try list(
        (value.elements ?? []).map { try single($0, element, form, scale, assets) }, element)
    case (true, false):
      let elements = value.elements ?? []
      guard let only = elements.first, elements.count == 1 else {
        throw Failure("a list of \(elements.count) elements for a single value")
      }
      return try single(only, element, form, scale, assets)
    }
  }

  private static func list(_ elements: [RecordValue], _ type: ValueType) throws -> RecordValue {
    if elements.isEmpty, let listType = type.listType { return .empty(listType) }
    guard let list = RecordValue(list: elements, of: type) else {
      throw Failure("elements of several types")
    }
    return list
  }

  private static func single(
    _ value: RecordValue, _ type: ValueType, _ form: DateForm?, _ scale: UnitScale?,
    _ assets: MigrationEnvironment.AssetLookup?
  ) throws -> RecordValue {
    var value = value
    // A text or date has no unit: the factor counts for the number on either side.
    if let scale, case let scaled? = Self.scaled(value, scale) { value = try scaled.get() }
    let isScaled = value.isNumber
    var result = try retyped(value, type, form, assets)
    if let scale, !isScaled, case let scaled? = Self.scaled(result, scale) {
      result = try scaled.get()
    }
    return result
  }

  private static func scaled(
    _ value: RecordValue, _ scale: UnitScale
  ) -> Result<RecordValue, Failure>? {
    switch value {
    case .int64(let number):
      scale.applied(to: number).map { .success(.int64($0)) }
        ?? .failure(Failure("a number that is no whole number of the new unit, or too large"))
    case .double(let number):
      scale.applied(to: number).map { .success(.double($0)) }
        ?? .failure(Failure("a number that is too large in the new unit"))
    default: nil
    }
  }

  private static func retyped(
    _ value: RecordValue, _ type: ValueType, _ form: DateForm?,
    _ assets: MigrationEnvironment.AssetLookup?
  ) throws -> RecordValue {
    if value.type == type { return value }
    switch (value, type) {
    case (.string(let text), .int64):
      if let number = TextForm.integer(from: text) { return .int64(number) }
      throw Failure("a text that is no integer of 64 bits")
    case (.string(let text), .double):
      if let number = CanonicalNumber.double(from: text) { return .double(number) }
      throw Failure("a text that is no number")
    case (.string(let text), .timestamp):
      let form = form ?? .iso8601
      if let date = form.date(from: text) { return .timestamp(date) }
      if form.isNumber, let number = CanonicalNumber.double(from: text),
        let date = form.date(from: number)
      {
        return .timestamp(date)
      }
      throw Failure("a text that is no date in the form \(form.name)")
    case (.string(let text), .bytes): return .bytes(Data(text.utf8))
    case (.bytes(let data), .string):
      guard let text = String(validating: data, as: UTF8.self) else {
        throw Failure("bytes that are no UTF-8 text")
      }
      return .string(text)
    case (.timestamp(let date), .string):
      let form = form ?? .iso8601
      let number = form.number(of: date).flatMap(CanonicalNumber.text(of:))
      if let text = form.text(of: date) ?? number { return .string(text) }
      throw Failure("a date outside of the years 1 to 9999")
    case (_, .string):
      if let text = TextForm.text(of: value) { return .string(text) }
      throw unfit(value, type)
    case (.int64(let number), .double):
      if let exact = Double(exactly: number) { return .double(exact) }
      throw Failure("an integer that no double holds exactly")
    case (.double(let number), .int64):
      if let exact = Int64(exactly: number) { return .int64(exact) }
      throw Failure("a number with a fraction, or too large for 64 bits")
    case (.int64(let number), .timestamp):
      if let date = (form ?? .seconds).date(from: Double(number)) { return .timestamp(date) }
      throw Failure("a number that is no date")
    case (.double(let number), .timestamp):
      if let date = (form ?? .seconds).date(from: number) { return .timestamp(date) }
      throw Failure("a number that is no date")
    case (.timestamp(let date), .double):
      if let number = (form ?? .seconds).number(of: date) { return .double(number) }
      throw unfit(value, type)
    case (.timestamp(let date), .int64):
      if let number = (form ?? .seconds).number(of: date), let exact = Int64(exactly: number) {
        return .int64(exact)
      }
      throw Failure("a date that is no whole number in the form \((form ?? .seconds).name)")
    case (.bytes(let data), .asset): return .asset(Asset(data: data))
    case (.asset(let asset), .bytes): return .bytes(try bytes(of: asset, assets))
    default: throw unfit(value, type)
    }
  }

  private static func unfit(_ value: RecordValue, _ type: ValueType) -> Failure {
    Failure("\(value.kindInWords), which cannot become \(type.rawValue)")
  }

  private static func bytes(
    of asset: Asset, _ assets: MigrationEnvironment.AssetLookup?
  ) throws -> Data {
    switch asset.content {
    case .data(let data)?: return data
    case .file(let url)?: return try Data(contentsOf: url)
    case nil:
      guard let sha256 = asset.sha256, let data = try assets?(sha256) else {
        throw Failure("an asset whose bytes are not at hand")
      }
      return data
    }
  }
}

extension RecordValue {
  fileprivate var isNumber: Bool {
    switch self {
    case .int64, .double: true
    default: false
    }
  }

  /// An empty list of a type.
  static func empty(_ type: ValueType) -> RecordValue {
    switch type {
    case .stringList: .stringList([])
    case .int64List: .int64List([])
    case .doubleList: .doubleList([])
    case .timestampList: .timestampList([])
    case .bytesList: .bytesList([])
    case .locationList: .locationList([])
    case .referenceList: .referenceList([])
    case .assetList: .assetList([])
    default: .emptyList
    }
  }
}

extension String {
  /// The text of UTF-8 bytes; nil where they are none.
  fileprivate init?(validating data: Data, as: UTF8.Type) {
    guard let text = String(data: data, encoding: .utf8), Data(text.utf8) == data else {
      return nil
    }
    self = text
  }
}
