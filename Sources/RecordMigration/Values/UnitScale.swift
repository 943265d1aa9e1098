/// A factor between two units, stored as a fraction of integers so that it can be inverted exactly.
public struct UnitScale: Sendable, Hashable {
  /// The number that values are multiplied by. Greater than 0.
  public let multiplier: Int64
  /// The number that the product is divided by. Greater than 0.
  public let divisor: Int64

  /// Creates a factor, or returns `nil` if either number is not in 1 to 10¹².
  public init?(multiplyBy multiplier: Int64 = 1, divideBy divisor: Int64 = 1) {
    guard (1...1_000_000_000_000).contains(multiplier), (1...1_000_000_000_000).contains(divisor)
    else { return nil }
    self.multiplier = multiplier
    self.divisor = divisor
  }

  var inverse: UnitScale { UnitScale(divisor, over: multiplier) }

  /// - Precondition: Both numbers are greater than 0.
  init(_ multiplier: Int64, over divisor: Int64) {
    self.multiplier = multiplier
    self.divisor = divisor
  }

  /// Returns the product, or `nil` if it is not a 64-bit integer.
  func applied(to number: Int64) -> Int64? {
    // The intermediate product may need 128 bits.
    let product = number.magnitude.multipliedFullWidth(by: multiplier.magnitude)
    guard product.high < divisor.magnitude else { return nil }
    let (quotient, remainder) = divisor.magnitude.dividingFullWidth(product)
    guard remainder == 0 else { return nil }
    if number >= 0 { return Int64(exactly: quotient) }
    return quotient == Int64.min.magnitude ? .min : Int64(exactly: quotient).map { -$0 }
  }

  /// Returns the double nearest to the product, or `nil` if it is not finite. Calculates in
  /// decimals if they are short: 1.1 times 1000 is 1100.
  func applied(to number: Double) -> Double? {
    if let exact = ShortDecimal(number)?.times(multiplier, over: divisor)?.double { return exact }
    let result = number * Double(multiplier) / Double(divisor)
    return result.isFinite ? result : nil
  }
}
