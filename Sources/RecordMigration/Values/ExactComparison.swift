/// Compares an integer and a double exactly: -1, 0 or 1. Above 2^53, several integers round to the
/// same double. The double must be a number.
package func compareExactly(_ a: Int64, _ b: Double) -> Int {
  if b >= 0x1p63 { return -1 }
  if b < -0x1p63 { return 1 }
  let whole = b.rounded(.towardZero)
  let integer = Int64(whole)
  if a != integer { return a < integer ? -1 : 1 }
  return b > whole ? -1 : b < whole ? 1 : 0
}
