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
}

extension RecordValue {
  static func empty(_ type: ValueType) -> RecordValue {
    type.elementType.flatMap { RecordValue(list: [], of: $0) } ?? .emptyList
  }
}
