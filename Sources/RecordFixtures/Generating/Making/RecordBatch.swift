import RecordCoding

/// Records that are made together: some of one part of a layout.
struct RecordBatchPlan: Sendable {
  let part: Int
  /// The section, among those whose records have shares.
  var section = 0
  let range: Range<Int>
}

/// Where a record lies in a buffer.
struct RecordPlace: Sendable {
  /// The name, where it is not in the buffer; empty otherwise.
  var name: [UInt8] = []
  var nameRange = 0..<0
  let start: Int
  let end: Int

  init(nameRange: Range<Int>, start: Int, end: Int) {
    (self.nameRange, self.start, self.end) = (nameRange, start, end)
  }

  init(name: [UInt8], start: Int, end: Int) {
    (self.name, self.start, self.end) = (name, start, end)
  }
}

/// Records that were made.
struct MadeBatch: Sendable {
  let part: Int
  let buffer: ByteBuffer
  let places: [RecordPlace]
  /// The numbers of the files that they use, as far as their thread used them for the first time.
  let assets: [Int]
}
