import RecordCoding

/// Brings lines of older format versions to the current one.
///
/// A new format version adds one step here, from the version before it, and a golden bundle to the
/// tests; readers above see lines of the current version only. A frame of an older version is read
/// through ``BundleFrame/item(_:number:)``, never by the short cuts for canonical bytes.
enum FormatUpgrade {
  /// What makes a line of the version after out of a line of that version.
  typealias Step = @Sendable (JSONValue) throws -> JSONValue

  /// The steps, by the version they begin with. There is one version so far, so there is none.
  static let steps: [Int: Step] = [:]

  /// The line as the current version has it.
  static func upgraded(_ line: JSONValue, from version: Int) throws -> JSONValue {
    var line = line
    for number in version..<max(version, BundleHeader.currentFormatVersion) {
      if let step = steps[number] { line = try step(line) }
    }
    return line
  }
}
