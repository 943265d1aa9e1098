import Foundation

@testable import RecordBundle

/// A bundle of a future format version: sound frames, and a header that no reader knows yet.
enum NewerBundle {
  static func write(to path: String) throws {
    let sink = try AtomicFile(path: path)
    let writer = try FrameWriter(sink: sink, options: FrameWriter.Options())
    for line in [
      "{\"kind\":\"header\",\"format\":\"recordpack\",\"formatVersion\":99}",
      "{\"kind\":\"index\",\"in\":\"another form\"}",
    ] {
      try writer.withLineBuffer { $0.append(text: line) }
      try writer.finishLine()
      try writer.endFrame()
    }
    _ = try writer.finish()
    try sink.commit()
  }
}
