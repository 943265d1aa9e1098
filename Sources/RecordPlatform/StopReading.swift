/// Ends a loop over the content of a source from within the loop's body.
package struct StopReading: Error {
  package init() {}

  /// Runs a loop.
  ///
  /// - Returns: Whether the loop came to its end.
  @discardableResult
  package static func ends(_ loop: () throws -> Void) throws -> Bool {
    do {
      try loop()
      return true
    } catch is StopReading {
      return false
    }
  }
}
