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
  var inverse: UnitScale { UnitScale(unchecked: divisor, multiplier) }

  private init(unchecked multiplier: Int64, _ divisor: Int64) {
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

  /// Nil where the result is not finite.
  func applied(to number: Double) -> Double? {
    let result = number * Double(multiplier) / Double(divisor)
    return result.isFinite ? result : nil
  }
}
