import RecordCoding

/// The location of a line, for errors.
struct LineLocation {
  let source: String
  /// The number of the line in the file, from 1; nil if it is unknown.
  var line: Int?

  func error(_ kind: BundleError.Kind, _ message: String) -> BundleError {
    BundleError(kind, in: source, line: line, message)
  }

  /// Calls `body`, and adds the location to its errors.
  func naming<R>(_ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch let error as RecordCodingError {
      throw self.error(.malformed, error.description)
    }
  }
}
