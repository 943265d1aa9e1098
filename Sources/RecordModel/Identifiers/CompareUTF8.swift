import Foundation

/// Compares two strings by their UTF-8 bytes.
///
/// All output is in this order: it is the same on every platform and for every Unicode version.
/// `String.<` goes by canonical equivalence, which guarantees neither.
///
/// - Returns: a negative number, zero or a positive number.
package func compareUTF8(_ lhs: String, _ rhs: String) -> Int {
  var left = lhs
  var right = rhs
  return left.withUTF8 { a in
    right.withUTF8 { b in compareBytes(UnsafeRawBufferPointer(a), UnsafeRawBufferPointer(b)) }
  }
}

/// Compares two byte strings lexicographically.
///
/// - Returns: a negative number, zero or a positive number.
package func compareBytes(_ lhs: UnsafeRawBufferPointer, _ rhs: UnsafeRawBufferPointer) -> Int {
  let shared = min(lhs.count, rhs.count)
  if shared > 0, let left = lhs.baseAddress, let right = rhs.baseAddress {
    let order = memcmp(left, right, shared)
    if order != 0 { return Int(order) }
  }
  return lhs.count - rhs.count
}

extension UnsafeRawBufferPointer {
  /// Whether a byte is among these; faster than `contains(_:)`, which looks at them one by one.
  package func hasByte(_ byte: UInt8) -> Bool {
    baseAddress.flatMap { memchr($0, Int32(byte), count) } != nil
  }
}
