import RecordModel

import struct Foundation.Data
import struct Foundation.Date

extension RecordView {
  /// Returns the list of texts in a field.
  public mutating func strings(
    _ name: StaticString, isEncrypted: Bool = false
  ) throws -> [String]? {
    try read(
      find(
        name, .stringList, isEncrypted: isEncrypted, "\":{\"type\":\"STRING_LIST\",\"value\":",
        "\":{\"type\":\"STRING_LIST\",\"isEncrypted\":true,\"value\":"), name
    ) {
      scanner, envelope in scanner.list(in: envelope) { scanner, _ in scanner.textValue() }
    }
  }

  /// Returns the list of integers in a field.
  public mutating func int64s(
    _ name: StaticString, isEncrypted: Bool = false
  ) throws -> [Int64]? {
    try read(
      find(
        name, .int64List, isEncrypted: isEncrypted, "\":{\"type\":\"INT64_LIST\",\"value\":",
        "\":{\"type\":\"INT64_LIST\",\"isEncrypted\":true,\"value\":"), name
    ) {
      scanner, envelope in scanner.list(in: envelope) { scanner, _ in scanner.integerValue() }
    }
  }

  /// Returns the list of numbers in a field.
  public mutating func doubles(
    _ name: StaticString, isEncrypted: Bool = false
  ) throws -> [Double]? {
    try read(
      find(
        name, .doubleList, isEncrypted: isEncrypted, "\":{\"type\":\"DOUBLE_LIST\",\"value\":",
        "\":{\"type\":\"DOUBLE_LIST\",\"isEncrypted\":true,\"value\":"), name
    ) {
      scanner, envelope in scanner.list(in: envelope) { scanner, _ in scanner.doubleValue() }
    }
  }

  /// Returns the list of dates in a field.
  public mutating func dates(
    _ name: StaticString, isEncrypted: Bool = false
  ) throws -> [Date]? {
    try read(
      find(
        name, .timestampList, isEncrypted: isEncrypted,
        "\":{\"type\":\"TIMESTAMP_LIST\",\"value\":",
        "\":{\"type\":\"TIMESTAMP_LIST\",\"isEncrypted\":true,\"value\":"), name
    ) {
      scanner, envelope in scanner.list(in: envelope) { scanner, _ in scanner.dateValue() }
    }
  }

  /// Returns the list of bytes in a field.
  public mutating func dataList(
    _ name: StaticString, isEncrypted: Bool = false
  ) throws -> [Data]? {
    try read(
      find(
        name, .bytesList, isEncrypted: isEncrypted, "\":{\"type\":\"BYTES_LIST\",\"value\":",
        "\":{\"type\":\"BYTES_LIST\",\"isEncrypted\":true,\"value\":"), name
    ) {
      scanner, envelope in scanner.list(in: envelope) { scanner, _ in scanner.dataValue() }
    }
  }

  /// Returns the list of references in a field.
  public mutating func references(
    _ name: StaticString, isEncrypted: Bool = false
  ) throws -> [Reference]? {
    try read(
      find(
        name, .referenceList, isEncrypted: isEncrypted,
        "\":{\"type\":\"REFERENCE_LIST\",\"value\":",
        "\":{\"type\":\"REFERENCE_LIST\",\"isEncrypted\":true,\"value\":"), name
    ) {
      scanner, envelope in
      scanner.list(in: envelope) { scanner, envelope in scanner.referenceValue(in: envelope) }
    }
  }

  /// Returns the list of locations in a field.
  public mutating func locations(
    _ name: StaticString, isEncrypted: Bool = false
  ) throws -> [Location]? {
    try read(
      find(
        name, .locationList, isEncrypted: isEncrypted, "\":{\"type\":\"LOCATION_LIST\",\"value\":",
        "\":{\"type\":\"LOCATION_LIST\",\"isEncrypted\":true,\"value\":"), name
    ) {
      scanner, envelope in
      scanner.list(in: envelope) { scanner, envelope in
        scanner.decoded(.location, in: envelope) { $0.location() }
      }
    }
  }

  /// Returns the list of assets in a field.
  public mutating func assets(
    _ name: StaticString, isEncrypted: Bool = false
  ) throws -> [Asset]? {
    try read(
      find(
        name, .assetList, isEncrypted: isEncrypted, "\":{\"type\":\"ASSET_LIST\",\"value\":",
        "\":{\"type\":\"ASSET_LIST\",\"isEncrypted\":true,\"value\":"), name
    ) {
      scanner, envelope in
      scanner.list(in: envelope) { scanner, envelope in
        scanner.decoded(.asset, in: envelope) { $0.asset() }
      }
    }
  }
}
