import RecordCoding

/// Brings lines of older format versions to the current one.
///
/// A new format version adds one step to ``standard``, from the version before it, and a golden
/// bundle to the tests. Nothing else has to know of older versions: ``BundleFrame`` hands out lines
/// of the current version only, in the very bytes a writer of today would have written, so that
/// every short cut for canonical bytes holds for them. Header and index are upgraded in the same
/// way; of the header, `kind`, `format` and `formatVersion` are what they are in every version.
///
/// A step changes what stands in a line. Were a version to order lines otherwise, its bundles would
/// have to be put in order, too.
struct FormatUpgrade: Sendable {
  /// What makes a line of the version after out of a line of that version.
  typealias Step = @Sendable (JSONValue) throws -> JSONValue

  /// The versions that were published. There is one so far, so there is no step.
  static let standard = FormatUpgrade(steps: [:])

  private let steps: [Int: Step]
  /// The oldest version from which the steps lead to the current one.
  let oldest: Int

  /// - Parameter steps: by the version they begin with; without a gap before the current one.
  init(steps: [Int: Step]) {
    self.steps = steps
    var oldest = BundleHeader.currentFormatVersion
    while steps[oldest - 1] != nil { oldest -= 1 }
    self.oldest = oldest
  }

  /// The line as the current version has it.
  func upgraded(_ line: JSONValue, from version: Int) throws -> JSONValue {
    var line = line
    for number in version..<max(version, BundleHeader.currentFormatVersion) {
      if let step = steps[number] { line = try step(line) }
    }
    return line
  }

  /// Appends the line as a writer of the current version would have written it, without its line
  /// feed.
  ///
  /// - Throws: `BundleError` for what is no line of that version.
  func append(
    _ line: UnsafeRawBufferPointer, from version: Int, at place: LinePlace,
    with reader: RecordJSONReader, to buffer: ByteBuffer
  ) throws {
    let json = try place.naming { try upgraded(try JSONParser.parse(line), from: version) }
    let plain = ByteBuffer(capacity: line.count)
    json.write(to: plain)
    plain.padWithZeros()
    guard let item = try BundleItem(line: plain.bytes, at: place, with: reader) else {
      // A header or an index, which have their own readers.
      buffer.append(plain.bytes)
      return
    }
    try place.naming { try item.writeLine(to: buffer) }
  }
}
