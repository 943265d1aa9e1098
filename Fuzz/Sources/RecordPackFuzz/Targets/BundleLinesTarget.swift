import Foundation
import RecordModel

@testable import RecordBundle
@testable import RecordCoding

/// The lines of a bundle, which the target puts into frames with the checksums that fit.
///
/// An empty line ends a frame. The index is made for the lines, and then changed by lines that
/// begin with `~`: `~OLD~NEW` replaces the first `OLD` in its text.
struct BundleLinesTarget: FuzzTarget {
  private let checks: BundleChecks

  init() throws { checks = BundleChecks(folder: try WorkFolder()) }

  func run(_ input: [UInt8]) throws {
    let path = checks.folder.path("l.recordpack")
    defer { unlink(path) }
    try write(input, to: path)
    _ = checks.check(path)
  }

  private func write(_ input: [UInt8], to path: String) throws {
    let sink = try FrameOutput.open(path: path)
    var options = FrameWriter.Options()
    options.threads = 1
    let writer = try FrameWriter(sink: sink, options: options)
    var lines = LineOutline()
    var changes: [[ArraySlice<UInt8>]] = []
    do {
      for line in input.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
        if line.isEmpty {
          try writer.endFrame()
        } else if line.first == UInt8(ascii: "~") {
          changes.append(line.split(separator: UInt8(ascii: "~"), maxSplits: 2))
        } else {
          try line.withUnsafeBytes { try writer.appendLine($0) }
          lines.add(line, frame: writer.frameCount)
        }
      }
      _ = try writer.finish { infos in
        var text = Array(lines.index(of: infos).jsonValue.compactText.utf8)
        for change in changes where change.count == 2 {
          guard let range = text.firstRange(of: change[0]) else { continue }
          text.replaceSubrange(range, with: change[1])
        }
        return text.isEmpty ? nil : text
      }
      try sink.commit()
    } catch {
      writer.cancel()
      sink.discard()
      throw error
    }
  }
}

/// What the writer of a bundle would note of lines.
private struct LineOutline {
  private var outline = BundleIndexBuilder()
  private var header: ContentHash?
  private let reader = RecordJSONReader()

  mutating func add(_ line: ArraySlice<UInt8>, frame: Int) {
    if header == nil {
      header = try? line.withUnsafeBytes { try BundleHeader.contentHash(of: $0) }
      if header != nil { return }
    }
    let place = LineLocation(source: "fuzz", line: 0)
    guard
      let item = try? line.withUnsafeBytes({ try BundleItem(line: $0, at: place, with: reader) })
    else { return }
    var beginsAsset = false
    if case .asset(let chunk) = item { beginsAsset = chunk.offset == 0 }
    outline.add(
      item.key, name: item.name, size: line.count + 1, beginsAsset: beginsAsset, frame: frame)
  }

  mutating func index(of frames: [FrameInfo]) -> BundleIndex {
    outline.index(frames: frames, header: header ?? ContentHash(), isLastShard: nil)
  }
}
