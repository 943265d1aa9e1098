import struct Foundation.Data
import struct Foundation.Date

/// The value of a record's field, in every type CloudKit has.
///
/// Equality and hashing compare doubles bit for bit, as everything in RecordPack does: `-0.0` is
/// not `0.0`.
public enum RecordValue: Sendable {
  /// Text.
  case string(String)
  /// A signed 64-bit integer; CloudKit has no other integers, and no booleans (0 and 1 stand in).
  case int64(Int64)
  /// A finite double.
  case double(Double)
  /// A date.
  case timestamp(Date)
  /// Bytes.
  case bytes(Data)
  /// A place.
  indirect case location(Location)
  /// A reference to a record.
  indirect case reference(Reference)
  /// A file.
  indirect case asset(Asset)
  /// A list of texts.
  case stringList([String])
  /// A list of integers.
  case int64List([Int64])
  /// A list of finite doubles.
  case doubleList([Double])
  /// A list of dates.
  case timestampList([Date])
  /// A list of byte strings.
  case bytesList([Data])
  /// A list of places.
  case locationList([Location])
  /// A list of references.
  case referenceList([Reference])
  /// A list of files.
  case assetList([Asset])
  /// An empty list whose element type the server did not say (`UNKNOWN_LIST`).
  case emptyList
  /// A value of a type this model does not know, kept as it came.
  indirect case unknown(type: String, json: RawJSON)

  /// The value's type; nil where this model does not know it.
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

  /// The type's name as Web Services spell it, unknown types too.
  public var typeName: String {
    if case .unknown(let name, _) = self { return name }
    return type?.rawValue ?? ""
  }
}
