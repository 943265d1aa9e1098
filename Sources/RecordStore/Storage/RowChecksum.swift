import Foundation
import RecordCoding
import RecordModel
import RecordPlatform

/// The checksum of a row in its column `hash`: SQLite does not detect changed bytes of a row.
///
/// It covers the columns before `hash`, in order: XXH64 of a text or blob, the bits of a number.
/// Any change of one column changes the checksum.
package struct RowChecksum {
  private var value: UInt64 = 0

  /// The value of the column `hash`.
  var column: Int64 { Int64(bitPattern: value) }

  /// Adds the bits of a number, or the hash of a text or blob.
  @inline(__always)
  mutating func add(_ word: UInt64) {
    let mixed = (value &<< 27 | value &>> 37) ^ (word &* 0xC2B2_AE3D_27D4_EB4F)
    value = mixed &* 0x9E37_79B1_85EB_CA87 &+ 0x85EB_CA77_C2B2_AE63
  }

  @inline(__always)
  mutating func add(_ number: Int64) { add(UInt64(bitPattern: number)) }

  @inline(__always)
  mutating func add(_ number: Double?) {
    // SQLite stores neither NaN nor the sign of zero.
    guard let number, !number.isNaN else { return addNull() }
    add((number + 0).bitPattern)
  }

  @inline(__always)
  mutating func add(_ bytes: UnsafeRawBufferPointer) { add(XXH64.hash(bytes)) }

  mutating func addNull() { add(UInt64.max) }

  /// Returns the checksum of the values of a row.
  static func column(of values: [any ColumnValue]) throws -> Int64 {
    var hash = RowChecksum()
    for value in values { value.add(to: &hash) }
    return hash.column
  }
}

extension SQLiteStatement {
  /// Whether the checksum of `columns`, which is in the next column, matches.
  func isIntact(_ columns: Range<Int32>) -> Bool {
    var hash = RowChecksum()
    for column in columns { add(column, to: &hash) }
    return int64(columns.upperBound) == hash.column
  }
}

/// Encodes zones, subscriptions and tombstones as canonical JSON, as in a bundle.
enum StoreCoding {
  static func json(of value: some JSONConvertible) throws -> Data {
    try value.jsonValue().compactData
  }

  /// Encodes an item that is stored, and reads it back with the code that will read it: nothing that
  /// cannot be read is ever stored.
  ///
  /// - Throws: CloudKit's `invalidArguments` for an item that would be read differently, or not at all.
  static func readableJSON<T: JSONConvertible>(of value: T, name: String) throws -> Data {
    try reading(name) {
      let json = try json(of: value)
      let read = try json.withUnsafeBytes { try T(json: JSONParser.parse($0)) }
      guard try Self.json(of: read) == json else {
        throw ContainerStoreError.unreadable(name: name, detail: "it would be read differently")
      }
      return json
    }
  }

  /// Calls a function that reads what is stored.
  ///
  /// - Throws: CloudKit's `invalidArguments` for what cannot be read.
  static func reading<R>(
    _ name: @autoclosure () -> String, _ body: () throws -> R
  ) throws -> R {
    do {
      return try body()
    } catch let error as RecordCodingError {
      throw CloudError.unstorable(name(), "\(error)")
    } catch let error as ContainerStoreError where error.code == .damaged {
      throw CloudError.unstorable(name(), error.detail ?? error.description)
    }
  }

  static func read<T: JSONConvertible>(
    _ type: T.Type, from bytes: UnsafeRawBufferPointer, name: @autoclosure () -> String
  ) throws(ContainerStoreError) -> T {
    do {
      return try T(json: JSONParser.parse(bytes))
    } catch {
      throw ContainerStoreError.unreadable(name: name(), detail: "\(error)", isOfItem: true)
    }
  }
}

extension CloudError {
  fileprivate static func unstorable(_ name: String, _ problem: String) -> CloudError {
    CloudError(.invalidArguments, "\(name) cannot be stored: \(problem)")
  }
}
