/// A factor between two units, as a fraction of whole numbers, so that it can be undone exactly.
public struct UnitScale: Sendable, Hashable {
  /// What values are multiplied by; not 0.
  public let multiplier: Int64
  /// What they are divided by then; greater than 0.
  public let divisor: Int64

  /// Makes a factor; nil for 0, and where a part is no positive number of at most 10¹².
  public init?(multiplyBy multiplier: Int64 = 1, divideBy divisor: Int64 = 1) {
    guard (1...1_000_000_000_000).contains(multiplier), (1...1_000_000_000_000).contains(divisor)
    else { return nil }
    self.multiplier = multiplier
    self.divisor = divisor
  }

  /// The factor that undoes this one.
  var inverse: UnitScale { UnitScale(divisor, over: multiplier) }

  /// - Precondition: both are greater than 0.
  init(_ multiplier: Int64, over divisor: Int64) {
    self.multiplier = multiplier
    self.divisor = divisor
  }

  /// Nil where the result is no integer of 64 bits.
  func applied(to number: Int64) -> Int64? {
    // The product may need 128 bits and the result 64 of them again.
    let product = number.magnitude.multipliedFullWidth(by: multiplier.magnitude)
    guard product.high < divisor.magnitude else { return nil }
    let (quotient, remainder) = divisor.magnitude.dividingFullWidth(product)
    guard remainder == 0 else { return nil }
    if number >= 0 { return Int64(exactly: quotient) }
    return quotient == Int64.min.magnitude ? .min : Int64(exactly: quotient).map { -$0 }
  }

  /// The double nearest to the result, computed in decimals where these are short: 1.1 by 1000 is
  /// 1100. Nil where it is not finite.
  func applied(to number: Double) -> Double? {
    if let exact = ShortDecimal(number)?.times(multiplier, over: divisor)?.double { return exact }
    let result = number * Double(multiplier) / Double(divisor)
    return result.isFinite ? result : nil
  }
}
