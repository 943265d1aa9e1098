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
    var sections = SectionList()
    var changes: [[ArraySlice<UInt8>]] = []
    for line in input.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      if line.isEmpty {
        try writer.endFrame()
      } else if line.first == UInt8(ascii: "~") {
        changes.append(line.split(separator: UInt8(ascii: "~"), maxSplits: 2))
      } else {
        try line.withUnsafeBytes { try writer.appendLine($0) }
        sections.add(line, frame: writer.frameCount)
      }
    }
    do {
      _ = try writer.finish { infos in
        let index = BundleIndex(frames: infos, sections: sections.sections, isLastShard: nil)
        var text = Array(index.jsonValue.compactText.utf8)
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

/// The sections of lines, as the writer would list them.
private struct SectionList {
  private(set) var sections: [BundleSection] = []
  private var asset = ""
  private let reader = RecordJSONReader()

  mutating func add(_ line: ArraySlice<UInt8>, frame: Int) {
    let place = LinePlace(source: "fuzz", line: 0)
    guard
      let item = try? line.withUnsafeBytes({ try BundleItem(line: $0, at: place, with: reader) })
    else { return }
    var section = BundleSection(
      kind: item.kind, database: nil, zoneID: nil, recordType: nil, frame: frame)
    var beginsAsset = false
    switch item {
    case .zone(_, let database), .subscription(_, let database), .zoneTombstone(_, let database):
      section.database = database
    case .record(let record, let database):
      section.database = database
      section.zoneID = record.recordID.zoneID
      section.recordType = record.recordType
    case .tombstone(let tombstone, let database):
      section.database = database
      section.zoneID = tombstone.recordID.zoneID
    case .asset(let chunk):
      beginsAsset = chunk.sha256 != asset
      asset = chunk.sha256
    }
    if let last = sections.last, last.kind == section.kind, last.database == section.database,
      last.zoneID == section.zoneID, last.recordType == section.recordType
    {
      sections[sections.count - 1].frames = last.frames.lowerBound...frame
    } else {
      sections.append(section)
    }
    sections[sections.count - 1].lines += 1
    sections[sections.count - 1].bytes += line.count + 1
    if beginsAsset { sections[sections.count - 1].assets += 1 }
  }
}
