import RecordModel

import struct Foundation.Data
import struct Foundation.Date

extension RecordView {
  /// Returns the list of texts in a field.
  public mutating func strings(
    _ name: StaticString, isEncrypted: Bool = false
  ) throws -> [String]? {
    try read(name, .stringList, isEncrypted) { $0.list { $0.scanner.textValue() } }
  }

  /// Returns the list of integers in a field.
  public mutating func int64s(
    _ name: StaticString, isEncrypted: Bool = false
  ) throws -> [Int64]? {
    try read(name, .int64List, isEncrypted) { $0.list { $0.scanner.integerValue() } }
  }

  /// Returns the list of numbers in a field.
  public mutating func doubles(
    _ name: StaticString, isEncrypted: Bool = false
  ) throws -> [Double]? {
    try read(name, .doubleList, isEncrypted) { $0.list { $0.scanner.doubleValue() } }
  }

  /// Returns the list of dates in a field.
  public mutating func dates(
    _ name: StaticString, isEncrypted: Bool = false
  ) throws -> [Date]? {
    try read(name, .timestampList, isEncrypted) { $0.list { $0.scanner.dateValue() } }
  }

  /// Returns the list of bytes in a field.
  public mutating func dataList(
    _ name: StaticString, isEncrypted: Bool = false
  ) throws -> [Data]? {
    try read(name, .bytesList, isEncrypted) { $0.list { $0.scanner.dataValue() } }
  }

  /// Returns the list of references in a field.
  public mutating func references(
    _ name: StaticString, isEncrypted: Bool = false
  ) throws -> [Reference]? {
    try read(name, .referenceList, isEncrypted) { $0.list { $0.referenceValue() } }
  }

  /// Returns the list of locations in a field.
  public mutating func locations(
    _ name: StaticString, isEncrypted: Bool = false
  ) throws -> [Location]? {
    try read(name, .locationList, isEncrypted) {
      $0.list { $0.decoded(.location) { $0.location() } }
    }
  }

  /// Returns the list of assets in a field.
  public mutating func assets(
    _ name: StaticString, isEncrypted: Bool = false
  ) throws -> [Asset]? {
    try read(name, .assetList, isEncrypted) { $0.list { $0.decoded(.asset) { $0.asset() } } }
  }
}
