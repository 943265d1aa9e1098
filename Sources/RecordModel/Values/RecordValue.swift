import struct Foundation.Data
import struct Foundation.Date

/// The value of a field, of any CloudKit type.
///
/// Equality and hashing compare doubles by their bits: `-0.0` is not equal to `0.0`.
public enum RecordValue: Sendable {
  /// A string.
  case string(String)
  /// A signed 64-bit integer. CloudKit has no other integer types; it stores Booleans as 0 and 1.
  case int64(Int64)
  /// A finite double.
  case double(Double)
  /// A date.
  case timestamp(Date)
  /// Bytes.
  case bytes(Data)
  /// A geographic location.
  indirect case location(Location)
  /// A reference to a record.
  indirect case reference(Reference)
  /// A file.
  indirect case asset(Asset)
  /// A list of strings.
  case stringList([String])
  /// A list of integers.
  case int64List([Int64])
  /// A list of finite doubles.
  case doubleList([Double])
  /// A list of dates.
  case timestampList([Date])
  /// A list of byte strings.
  case bytesList([Data])
  /// A list of locations.
  case locationList([Location])
  /// A list of references.
  case referenceList([Reference])
  /// A list of files.
  case assetList([Asset])
  /// An empty list whose element type the server did not send (`UNKNOWN_LIST`).
  case emptyList
  /// A value of a type that this model does not know; its JSON is kept unchanged.
  indirect case unknown(type: String, json: RawJSON)

  /// The type of the value; nil for ``unknown(type:json:)``.
  public var type: ValueType? {
    switch self {
    case .string: .string
    case .int64: .int64
    case .double: .double
    case .timestamp: .timestamp
    case .bytes: .bytes
    case .location: .location
    case .reference: .reference
    case .asset: .asset
    case .stringList: .stringList
    case .int64List: .int64List
    case .doubleList: .doubleList
    case .timestampList: .timestampList
    case .bytesList: .bytesList
    case .locationList: .locationList
    case .referenceList: .referenceList
    case .assetList: .assetList
    case .emptyList: .emptyList
    case .unknown: nil
    }
  }

  /// The name of the type in Web Services, including unknown types.
  public var typeName: String {
    if case .unknown(let name, _) = self { return name }
    return type?.rawValue ?? ""
  }
}
