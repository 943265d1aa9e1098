import RecordCoding
import RecordModel
import RecordPlatform

extension BundleIndex {
  /// Parses an index line, and checks that its numbers are consistent.
  ///
  /// - Throws: `BundleError` for a line that is not an index; `RecordCodingError` for invalid JSON.
  init(line: UnsafeRawBufferPointer, of source: String) throws {
    let json = try JSONParser.parse(line)
    func malformed(_ what: String) -> BundleError {
      BundleError(.malformed, in: source, "the index, which is the last line, \(what)")
    }
    guard json["kind"]?.string == LineKind.index.rawValue else {
      throw malformed("should begin with {\"kind\":\"index\"")
    }
    guard let hash = json["contentHash"]?.string.flatMap(ContentHash.init(hexadecimal:)) else {
      throw malformed("has no content hash of 16 lowercase hexadecimal digits")
    }
    self.hash = hash
    frames = try (json["frames"]?.elements ?? []).enumerated().map { number, frame in
      guard let frame = Frame(json: frame) else {
        throw malformed("has an invalid frame \(number)")
      }
      return frame
    }
    sections = []
    isLastShard = json["isLastShard"]?.bool
    // All sizes are bounded by now, and so are their sums.
    guard json["lines"]?.integer == lines, json["bytes"]?.integer == bytes else {
      throw malformed("has numbers of lines and bytes that differ from those of its frames")
    }
    let frameCount = frames.count
    sections = try (json["sections"]?.elements ?? []).enumerated().map { number, section in
      guard let section = BundleSection(json: section, frameCount: frameCount),
        section.lines <= lines, section.bytes <= bytes
      else { throw malformed("has an invalid section \(number)") }
      return section
    }
    if let problem = sectionProblem() { throw malformed(problem) }
  }

  /// Returns what is wrong with the sections; nil if they match each other and the frames.
  private func sectionProblem() -> String? {
    let counted = sections.reduce(into: (lines: 0, bytes: 0)) { sum, section in
      sum.lines += section.lines
      sum.bytes += section.bytes
    }
    guard counted.lines == lines - (frames.first?.lines ?? 0),
      counted.bytes == bytes - (frames.first?.size ?? 0)
    else {
      return "lists sections whose numbers of lines and bytes differ from those of its frames"
    }
    // The sections are contiguous, from the frame after the header's to the last.
    var last = 0
    for (number, section) in sections.enumerated() {
      let mayShare = number > 0 && section.frames.lowerBound == last
      guard mayShare || section.frames.lowerBound == last + 1 else {
        return "lists section \(number) in frames that are not contiguous with the previous ones"
      }
      last = section.frames.upperBound
      if number > 0, !sections[number - 1].key.precedes(section.key) {
        return "lists section \(number) out of order"
      }
    }
    return last == max(0, frames.count - 1) ? nil : "lists frames without a section"
  }
}

extension BundleIndex.Frame {
  fileprivate init?(json: JSONValue) {
    let limits = FrameLimits.standard
    guard let offset = json["offset"]?.integer, let compressed = json["compressedSize"]?.integer,
      let size = json["size"]?.integer, let lines = json["lines"]?.integer,
      let digest = json["sha256"]?.string.flatMap({ SHA256Digest(hexadecimal: $0) }),
      offset >= 0, 1...limits.maxCompressedFrame ~= compressed, 1...limits.maxFrameContent ~= size,
      1...size ~= lines
    else { return nil }
    self.init(
      offset: UInt64(offset), compressedSize: compressed, size: size, lines: lines,
      first: json["first"]?.string, digest: digest)
  }
}
