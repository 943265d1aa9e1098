import RecordCoding

/// Upgrades lines of older format versions to the current one.
///
/// A new format version adds a step to ``standard``, from the previous version, and a golden bundle
/// to the tests. Other code needs no knowledge of older versions: ``BundleFrame`` provides lines of
/// the current version only, byte for byte as a current writer writes them, so that every
/// optimization for canonical bytes applies. Header and index are upgraded, too; the header's
/// `kind`, `format` and `formatVersion` are the same in every version.
///
/// A step changes the content of a line. A version that changes the order of lines would also have
/// to sort the lines of older bundles.
struct FormatUpgrade: Sendable {
  /// A function that upgrades a line of one version to the next.
  typealias Step = @Sendable (JSONValue) throws -> JSONValue

  /// The steps between the published versions: none, as there is only one version.
  static let standard = FormatUpgrade(steps: [:])

  private let steps: [Int: Step]
  /// The oldest version that can be upgraded to the current one.
  let oldest: Int

  /// - Parameter steps: the steps by the version that they upgrade, without a gap.
  init(steps: [Int: Step]) {
    self.steps = steps
    var oldest = BundleHeader.currentFormatVersion
    while steps[oldest - 1] != nil { oldest -= 1 }
    self.oldest = oldest
  }

  /// Returns the line in the current version.
  func upgraded(_ line: JSONValue, from version: Int) throws -> JSONValue {
    var line = line
    for number in version..<max(version, BundleHeader.currentFormatVersion) {
      if let step = steps[number] { line = try step(line) }
    }
    return line
  }

  /// Appends the line as a writer of the current version writes it, without its line feed.
  ///
  /// - Throws: `BundleError` for an invalid line of that version.
  func append(
    _ line: UnsafeRawBufferPointer, from version: Int, at place: LineLocation,
    with reader: RecordJSONReader, to buffer: ByteBuffer
  ) throws {
    let json = try place.naming { try upgraded(try JSONParser.parse(line), from: version) }
    let plain = ByteBuffer(capacity: line.count)
    json.write(to: plain)
    plain.padWithZeros()
    guard let item = try BundleItem(line: plain.bytes, at: place, with: reader) else {
      // Header and index have their own parsers.
      buffer.append(plain.bytes)
      return
    }
    try place.naming { try item.writeLine(to: buffer) }
  }
}
