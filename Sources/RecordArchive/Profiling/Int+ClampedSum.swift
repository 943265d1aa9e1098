extension Int {
  /// The sum, or `Int.max` on overflow: sizes in a file are untrusted.
  package func clampedSum(_ other: Int) -> Int {
    let (sum, isTooLarge) = addingReportingOverflow(other)
    return isTooLarge ? .max : sum
  }
}
