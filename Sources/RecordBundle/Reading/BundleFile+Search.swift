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
}
