import RecordModel

import struct Foundation.Data
import struct Foundation.Date

extension RecordView {
  /// Returns the list of texts in a field.
  public mutating func strings(
    _ name: StaticString, isEncrypted: Bool = false
  ) throws -> [String]? {
    try read(name, .stringList, isEncrypted) { scanner, envelope in
      scanner.list(in: envelope) { scanner, _ in scanner.textValue() }
    }
  }

  /// Returns the list of integers in a field.
  public mutating func int64s(
    _ name: StaticString, isEncrypted: Bool = false
  ) throws -> [Int64]? {
    try read(name, .int64List, isEncrypted) { scanner, envelope in
      scanner.list(in: envelope) { scanner, _ in scanner.integerValue() }
    }
  }

  /// Returns the list of numbers in a field.
  public mutating func doubles(
    _ name: StaticString, isEncrypted: Bool = false
  ) throws -> [Double]? {
    try read(name, .doubleList, isEncrypted) { scanner, envelope in
      scanner.list(in: envelope) { scanner, _ in scanner.doubleValue() }
    }
  }

  /// Returns the list of dates in a field.
  public mutating func dates(
    _ name: StaticString, isEncrypted: Bool = false
  ) throws -> [Date]? {
    try read(name, .timestampList, isEncrypted) { scanner, envelope in
      scanner.list(in: envelope) { scanner, _ in scanner.dateValue() }
    }
  }

  /// Returns the list of bytes in a field.
  public mutating func dataList(
    _ name: StaticString, isEncrypted: Bool = false
  ) throws -> [Data]? {
    try read(name, .bytesList, isEncrypted) { scanner, envelope in
      scanner.list(in: envelope) { scanner, _ in scanner.dataValue() }
    }
  }

  /// Returns the list of references in a field.
  public mutating func references(
    _ name: StaticString, isEncrypted: Bool = false
  ) throws -> [Reference]? {
    try read(name, .referenceList, isEncrypted) { scanner, envelope in
      scanner.list(in: envelope) { scanner, envelope in scanner.referenceValue(in: envelope) }
    }
  }

  /// Returns the list of locations in a field.
  public mutating func locations(
    _ name: StaticString, isEncrypted: Bool = false
  ) throws -> [Location]? {
    try read(name, .locationList, isEncrypted) { scanner, envelope in
      scanner.list(in: envelope) { scanner, envelope in
        scanner.decoded(.location, in: envelope) { $0.location() }
      }
    }
  }

  /// Returns the list of assets in a field.
  public mutating func assets(
    _ name: StaticString, isEncrypted: Bool = false
  ) throws -> [Asset]? {
    try read(name, .assetList, isEncrypted) { scanner, envelope in
      scanner.list(in: envelope) { scanner, envelope in
        scanner.decoded(.asset, in: envelope) { $0.asset() }
      }
    }
  }
}
