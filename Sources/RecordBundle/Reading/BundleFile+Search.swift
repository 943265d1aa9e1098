import RecordCoding
import RecordModel

extension BundleFile {
  /// The one frame in which a line of a section can lie, by the name it is ordered by; where a line
  /// of that name is longer than a frame, or an asset has several, the first of them.
  func frame(of name: String, in section: BundleSection) -> Int {
    // The section begins somewhere in its first frame; the names of the others are in order.
    var low = section.frames.lowerBound
    var high = section.frames.upperBound
    while low < high {
      let middle = low + (high - low + 1) / 2
      let order = compareUTF8(index.frames[middle].first ?? "", name)
      // The pieces of one asset may begin several frames: then the first piece lies before.
      if order < 0 || order == 0 && section.kind != .asset {
        low = middle
      } else {
        high = middle - 1
      }
    }
    return low
  }

  /// Reads one frame in the caller's thread.
  func withFrame<R>(_ number: Int, _ body: (BundleFrame) throws -> R) throws -> R {
    try frames.withFrame(number) {
      try body(BundleFrame(file: self, content: $0, reader: RecordJSONReader()))
    }
  }
}
