import Foundation

/// Compares two strings by their UTF-8 bytes: negative, zero or positive.
///
/// The order of everything that is written: it is the same on every platform and for every
/// Unicode version, which `String.<` (canonical equivalence) does not promise.
package func compareUTF8(_ lhs: String, _ rhs: String) -> Int {
  var left = lhs
  var right = rhs
  return left.withUTF8 { a in
    right.withUTF8 { b in compareBytes(UnsafeRawBufferPointer(a), UnsafeRawBufferPointer(b)) }
  }
}

/// Compares two byte strings lexicographically: negative, zero or positive.
package func compareBytes(_ lhs: UnsafeRawBufferPointer, _ rhs: UnsafeRawBufferPointer) -> Int {
  let shared = min(lhs.count, rhs.count)
  if shared > 0, let left = lhs.baseAddress, let right = rhs.baseAddress {
    let order = memcmp(left, right, shared)
    if order != 0 { return Int(order) }
  }
  return lhs.count - rhs.count
}
