import RecordCoding
import RecordModel
import RecordPlatform

/// The checks of one frame that run on any thread; ``BundleCheck`` checks the rest in order.
struct FrameCheck: Sendable {
  enum Entry: Sendable {
    case header
    case item(Item)
    case invalid(String)
  }

  /// The parts of an item that are checked in the order of lines.
  struct Item: Sendable {
    let key: LineKey
    let name: String?
    let requiredZone: ZoneID?
    /// SHA-256 of the assets that a record refers to, or of the line of a zone.
    var digests: [SHA256Digest] = []
    var chunk: AssetChunk?

    init(_ item: BundleItem, _ line: UnsafeRawBufferPointer) {
      (key, name, requiredZone) = (item.key, item.name, item.requiredZone)
      switch item {
      case .record: AssetReferences.forEach(in: line) { digests.append($0) }
      case .zone: digests = [SHA256Digest(of: line)]
      case .asset(let chunk): self.chunk = chunk
      default: break
      }
    }
  }

  let file: BundleFile
  let frame: Int
  let contentHash: ContentHash
  let bytes: Int
  /// The lines, without invalid ones after the first ``VerifyReport/maxFindings`` of these.
  private(set) var entries: [(line: Int, size: Int, entry: Entry)] = []
  /// The number of invalid lines that are not in ``entries``.
  private(set) var omittedLines = 0

  init(_ frame: BundleFrame) {
    file = frame.file
    self.frame = frame.number
    contentHash = frame.contentHash()
    bytes = frame.size
    var invalidLines = 0
    for (index, line) in frame.content.lines.enumerated() {
      let number = frame.firstLine + index
      let entry = Self.entry(line, number, frame)
      if case .invalid = entry { invalidLines += 1 }
      if invalidLines > VerifyReport.maxFindings, case .invalid = entry {
        omittedLines += 1
      } else {
        entries.append((number, line.count + 1, entry))
      }
    }
  }

  private static func entry(
    _ line: UnsafeRawBufferPointer, _ number: Int, _ frame: BundleFrame
  ) -> Entry {
    do {
      guard let item = try frame.item(line, number: number) else {
        return try headerOrIndex(line, number, frame)
      }
      guard try isCanonical(line, item, frame) else {
        return .invalid(
          "the line is readable but not canonical: an import and export corrects that")
      }
      return .item(Item(item, line))
    } catch {
      return .invalid((error as? BundleError)?.message ?? "\(error)")
    }
  }

  private static func headerOrIndex(
    _ line: UnsafeRawBufferPointer, _ number: Int, _ frame: BundleFrame
  ) throws -> Entry {
    guard LineKind.anyKind(of: line) == .header else {
      return .invalid("an index is not the last line")
    }
    guard number == 1 else { return .invalid("a header is not the first line") }
    let header = frame.file.header
    let buffer = ByteBuffer(capacity: line.count)
    try header.jsonValue().write(to: buffer)
    return compareBytes(buffer.bytes, line) == 0
      ? .header : .invalid("the header is not canonical")
  }

  private static func isCanonical(
    _ line: UnsafeRawBufferPointer, _ item: BundleItem, _ frame: BundleFrame
  ) throws -> Bool {
    if case .record(let record, _) = item, record.isCanonical { return true }
    let buffer = ByteBuffer(capacity: line.count)
    try item.writeLine(to: buffer)
    return compareBytes(buffer.bytes, line) == 0
  }
}

extension ResultRecord {
  /// Whether the record is known to come from canonical bytes.
  fileprivate var isCanonical: Bool { storage.values == nil }
}
