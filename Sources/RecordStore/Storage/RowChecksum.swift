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

  static func read<T: JSONConvertible>(
    _ type: T.Type, from bytes: UnsafeRawBufferPointer, name: @autoclosure () -> String
  ) throws(ContainerStoreError) -> T {
    do {
      return try T(json: JSONParser.parse(bytes))
    } catch {
      throw ContainerStoreError.unreadable(name: name(), detail: "\(error)")
    }
  }
}
