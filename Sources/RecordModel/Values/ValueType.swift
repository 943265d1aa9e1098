/// The type of a field's value, with its name in Web Services.
public enum ValueType: String, Sendable, Hashable, CaseIterable {
  case string = "STRING"
  case int64 = "INT64"
  case double = "DOUBLE"
  case timestamp = "TIMESTAMP"
  case bytes = "BYTES"
  case location = "LOCATION"
  case reference = "REFERENCE"
  case asset = "ASSET"
  case stringList = "STRING_LIST"
  case int64List = "INT64_LIST"
  case doubleList = "DOUBLE_LIST"
  case timestampList = "TIMESTAMP_LIST"
  case bytesList = "BYTES_LIST"
  case locationList = "LOCATION_LIST"
  case referenceList = "REFERENCE_LIST"
  case assetList = "ASSET_LIST"
  /// An empty list whose element type the server did not send.
  case emptyList = "UNKNOWN_LIST"

  /// Whether this is a list type.
  public var isList: Bool { elementType != nil || self == .emptyList }

  /// The type of a list's elements; nil for a scalar and for ``emptyList``.
  public var elementType: ValueType? {
    switch self {
    case .stringList: .string
    case .int64List: .int64
    case .doubleList: .double
    case .timestampList: .timestamp
    case .bytesList: .bytes
    case .locationList: .location
    case .referenceList: .reference
    case .assetList: .asset
    default: nil
    }
  }

  /// The list type whose elements are of this type; nil for a list type.
  public var listType: ValueType? {
    Self.allCases.first { $0.elementType == self }
  }
}
