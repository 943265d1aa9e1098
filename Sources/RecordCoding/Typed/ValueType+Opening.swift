import RecordModel

extension ValueType {
  /// What follows the name of a field of this type in canonical JSON, up to its value.
  ///
  /// Where the type is a constant, so is the text.
  @inline(__always)
  func opening(isEncrypted: Bool) -> StaticString {
    switch (self, isEncrypted) {
    case (.string, false): "\":{\"type\":\"STRING\",\"value\":"
    case (.int64, false): "\":{\"type\":\"INT64\",\"value\":"
    case (.double, false): "\":{\"type\":\"DOUBLE\",\"value\":"
    case (.timestamp, false): "\":{\"type\":\"TIMESTAMP\",\"value\":"
    case (.bytes, false): "\":{\"type\":\"BYTES\",\"value\":"
    case (.location, false): "\":{\"type\":\"LOCATION\",\"value\":"
    case (.reference, false): "\":{\"type\":\"REFERENCE\",\"value\":"
    case (.asset, false): "\":{\"type\":\"ASSET\",\"value\":"
    case (.stringList, false): "\":{\"type\":\"STRING_LIST\",\"value\":"
    case (.int64List, false): "\":{\"type\":\"INT64_LIST\",\"value\":"
    case (.doubleList, false): "\":{\"type\":\"DOUBLE_LIST\",\"value\":"
    case (.timestampList, false): "\":{\"type\":\"TIMESTAMP_LIST\",\"value\":"
    case (.bytesList, false): "\":{\"type\":\"BYTES_LIST\",\"value\":"
    case (.locationList, false): "\":{\"type\":\"LOCATION_LIST\",\"value\":"
    case (.referenceList, false): "\":{\"type\":\"REFERENCE_LIST\",\"value\":"
    case (.assetList, false): "\":{\"type\":\"ASSET_LIST\",\"value\":"
    case (.emptyList, false): "\":{\"type\":\"UNKNOWN_LIST\",\"value\":"
    case (.string, true): "\":{\"type\":\"STRING\",\"isEncrypted\":true,\"value\":"
    case (.int64, true): "\":{\"type\":\"INT64\",\"isEncrypted\":true,\"value\":"
    case (.double, true): "\":{\"type\":\"DOUBLE\",\"isEncrypted\":true,\"value\":"
    case (.timestamp, true): "\":{\"type\":\"TIMESTAMP\",\"isEncrypted\":true,\"value\":"
    case (.bytes, true): "\":{\"type\":\"BYTES\",\"isEncrypted\":true,\"value\":"
    case (.location, true): "\":{\"type\":\"LOCATION\",\"isEncrypted\":true,\"value\":"
    case (.reference, true): "\":{\"type\":\"REFERENCE\",\"isEncrypted\":true,\"value\":"
    case (.asset, true): "\":{\"type\":\"ASSET\",\"isEncrypted\":true,\"value\":"
    case (.stringList, true): "\":{\"type\":\"STRING_LIST\",\"isEncrypted\":true,\"value\":"
    case (.int64List, true): "\":{\"type\":\"INT64_LIST\",\"isEncrypted\":true,\"value\":"
    case (.doubleList, true): "\":{\"type\":\"DOUBLE_LIST\",\"isEncrypted\":true,\"value\":"
    case (.timestampList, true): "\":{\"type\":\"TIMESTAMP_LIST\",\"isEncrypted\":true,\"value\":"
    case (.bytesList, true): "\":{\"type\":\"BYTES_LIST\",\"isEncrypted\":true,\"value\":"
    case (.locationList, true): "\":{\"type\":\"LOCATION_LIST\",\"isEncrypted\":true,\"value\":"
    case (.referenceList, true): "\":{\"type\":\"REFERENCE_LIST\",\"isEncrypted\":true,\"value\":"
    case (.assetList, true): "\":{\"type\":\"ASSET_LIST\",\"isEncrypted\":true,\"value\":"
    case (.emptyList, true): "\":{\"type\":\"UNKNOWN_LIST\",\"isEncrypted\":true,\"value\":"
    }
  }
}
