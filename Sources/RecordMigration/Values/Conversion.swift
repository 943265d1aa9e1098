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
  /// - Parameters:
  ///   - zoneID: the record's zone, where references that are texts point to.
  ///   - assets: finds the bytes of an asset by its SHA-256.
  /// - Returns: the value, and whether it leads back to the one it came from.
  func convert(
    _ value: RecordValue, in zoneID: ZoneID = .default,
    assets: MigrationEnvironment.AssetLookup? = nil
  ) throws -> (value: RecordValue, isExact: Bool) {
    let context = Context(zoneID: zoneID, form: dateForm, assets: assets)
    guard let own = value.type else {
      throw Failure("a value of type \(value.typeName), which is not known here")
    }
    if let original, own != original, !(own == .emptyList && original.isList) {
      throw Failure("a value of type \(own.rawValue) where \(original.rawValue) was expected")
    }
    let result = try context.plain(value, type ?? own, scale)
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

  /// Whether an asset that becomes bytes, and an asset again, has all that it had.
  private static func isBytesOnly(_ value: RecordValue) -> Bool {
    guard case .asset(let asset) = value else { return false }
    return asset.size != nil
      && asset == Asset(content: asset.content, sha256: asset.sha256, size: asset.size)
  }
}

extension RecordValue {
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
