import RecordCoding
import RecordModel

extension BundleFile {
  /// Returns the only frame of a section that can contain the line with that name; for an asset in
  /// several frames, the first of them.
  func frame(of name: String, in section: BundleSection) -> Int {
    // The section begins anywhere in its first frame; the first names of the others are in order.
    var low = section.frames.lowerBound
    var high = section.frames.upperBound
    while low < high {
      let middle = low + (high - low + 1) / 2
      let order = compareUTF8(index.frames[middle].first ?? "", name)
      // Several frames may begin with chunks of one asset; its first chunk is before them.
      if order < 0 || order == 0 && section.kind != .asset {
        low = middle
      } else {
        high = middle - 1
      }
    }
    return low
  }

  /// Reads a frame on the caller's thread.
  func withFrame<R>(_ number: Int, _ body: (BundleFrame) throws -> R) throws -> R {
    try frames.withFrame(number) {
      try body(BundleFrame(file: self, content: $0, reader: RecordJSONReader()))
    }
  }

  /// Reads the beginning of a frame on the caller's thread.
  ///
  /// - Parameters:
  ///   - isEnough: whether a line is the last that is needed; asked for some lines.
  ///   - body: receives the lines at least up to one for which `isEnough` was true, or all.
  func withFrame<R>(
    _ number: Int,
    until isEnough: @escaping (UnsafeRawBufferPointer, RecordJSONReader) -> Bool,
    _ body: (BundleFrame) throws -> R
  ) throws -> R {
    // Lines of older versions are upgraded all together.
    guard header.formatVersion == BundleHeader.currentFormatVersion else {
      return try withFrame(number, body)
    }
    let reader = RecordJSONReader()
    return try frames.withFrame(number, until: { isEnough($0, reader) }) {
      try body(BundleFrame(file: self, content: $0, reader: reader))
    }
  }
}

extension BundleFrame {
  /// Returns the place of the first line, from a place on, that does not precede what is looked
  /// for; ``endPlace`` if all do. 0 is the place of the first line.
  ///
  /// - Parameter precedes: whether a line precedes it, as all lines before that one then do.
  func place(
    from start: Int, precedes: (UnsafeRawBufferPointer) -> Bool
  ) throws -> Int {
    var low = start
    var high = endPlace
    while low < high {
      let (line, places) = try lineAround(low + (high - low) / 2)
      if precedes(line) { low = places.upperBound } else { high = places.lowerBound }
    }
    return low
  }
}
