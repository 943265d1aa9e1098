import RecordCoding
import RecordModel
import RecordPlatform

/// One damaged file: what is known of it, after one walk through its intact frames.
final class RecoverySource {
  let file: RandomAccessFile
  private let upgrade: FormatUpgrade
  /// The header; nil where it is lost.
  private(set) var header: BundleHeader?
  /// The index; nil where it is lost.
  private(set) var index: BundleIndex?
  /// The digests of the intact frames.
  private var found: Set<SHA256Digest> = []
  /// What damage there is.
  private(set) var summary = RecoverySummary()
  private let reader = RecordJSONReader()
  /// A line of an older version, as the current one has it.
  private let upgraded = ByteBuffer()

  var name: String { file.name }

  /// Which of the files of a split bundle this is; nil for a whole one, and where nothing tells.
  var number: Int? { header?.shard?.number ?? (header == nil ? ShardNames.number(in: name) : nil) }

  /// Whether the file is known to be one of several.
  var isShard: Bool { header?.shard != nil || index?.isLastShard != nil }

  /// Looks for the header, which the first intact frame holds.
  init(_ file: RandomAccessFile, upgrade: FormatUpgrade) throws {
    self.file = file
    self.upgrade = upgrade
    _ = try FrameRecovery(file: file).scan { content, _ in
      for line in content.lines where header == nil { header = try header(line) }
      throw StopReading()
    }
  }

  /// Walks through all intact frames.
  ///
  /// - Parameters:
  ///   - broken: gets the place of each frame that begins but is not intact.
  ///   - body: gets each thing that a line of them holds, its bytes as the current version has them,
  ///     and the place of its frame; or what is wrong with the line.
  func walk(
    broken: (UInt64) throws -> Void = { _ in },
    _ body: (Result<BundleItem, BundleError>, UnsafeRawBufferPointer, UInt64) throws -> Void
  ) throws {
    summary = try FrameRecovery(file: file).scan(broken: broken) { content, digest in
      found.insert(digest)
      for line in content.lines {
        if try isHeaderOrIndex(line) { continue }
        do {
          let line = try current(line)
          guard let item = try BundleItem(line: line, at: place, with: reader) else { continue }
          try body(.success(item), line, content.location.offset)
        } catch let error as BundleError where error.isAboutLine {
          try body(.failure(error), line, content.location.offset)
        }
      }
    }
  }

  private func isHeaderOrIndex(_ line: UnsafeRawBufferPointer) throws -> Bool {
    switch LineKind.kind(of: line) {
    case .header?:
      guard let other = try header(line) else { return false }
      guard let own = header else {
        header = other
        return true
      }
      guard own.container == other.container, own.shard == other.shard else {
        throw BundleError(
          .shards, in: name,
          "the file was joined of two bundles: it holds the headers of both. Cut it apart, and "
            + "recover each")
      }
      return true
    case .index?:
      if let read = try? BundleIndex(
        line: line, of: name, from: header?.formatVersion ?? BundleHeader.currentFormatVersion,
        upgrade: upgrade)
      {
        index = read
      }
      return true
    default: return false
    }
  }

  /// Reads a header; nil for what is none.
  private func header(_ line: UnsafeRawBufferPointer) throws -> BundleHeader? {
    do {
      return try BundleHeader(line: line, of: name, upgrade: upgrade)
    } catch let error as BundleError where error.kind == .tooNew {
      // Its lines may mean something else: what this program would save of them may be wrong.
      throw error
    } catch {
      return nil
    }
  }

  /// The line in the bytes of the current version; valid until the next call.
  private func current(_ line: UnsafeRawBufferPointer) throws -> UnsafeRawBufferPointer {
    guard let version = header?.formatVersion, version < BundleHeader.currentFormatVersion else {
      return line
    }
    upgraded.reset()
    try upgrade.append(line, from: version, at: place, with: reader, to: upgraded)
    upgraded.padWithZeros()
    return upgraded.bytes
  }

  private var place: LinePlace { LinePlace(source: name, line: 0) }
}

extension RecoverySource {
  /// The frames that the index lists and that were not found.
  var lostFrames: [RecoveryReport.LostFrame] {
    guard let index else { return [] }
    return index.frames.enumerated().filter { !found.contains($0.element.digest) }.map {
      RecoveryReport.LostFrame(
        source: name, frame: $0.offset, lines: $0.element.lines,
        content: index.description(ofFrame: $0.offset))
    }
  }
}

extension BundleIndex {
  /// What the lines of a frame are, as far as the index tells.
  fileprivate func description(ofFrame number: Int) -> String {
    guard number > 0 else { return "the header, with the schema" }
    let parts = sections.filter { $0.frames.contains(number) }.map(\.description)
    let hidden = parts.count > 4 ? ["\(parts.count - 3) other sections"] : []
    var text = (hidden.isEmpty ? parts : Array(parts.prefix(3)) + hidden).joined(separator: ", ")
    if let first = frames[number].first { text += "; from '\(first)'" }
    if number + 1 < frames.count, let next = frames[number + 1].first {
      text += " to before '\(next)'"
    }
    return text
  }
}

extension BundleSection {
  /// The section in words.
  fileprivate var description: String {
    let place = database.map { " of the \($0) database" } ?? ""
    let zone = zoneID.map { " in zone '\($0)'" } ?? ""
    switch kind {
    case .record: return "records of type '\(recordType ?? "")'" + zone + place
    case .tombstone: return "deleted records" + zone + place
    case .asset: return "pieces of assets"
    case .zone: return "zones" + place
    case .subscription: return "subscriptions" + place
    case .zoneTombstone: return "deleted zones" + place
    case .header, .index: return kind.rawValue
    }
  }
}

extension BundleError {
  /// Whether the error says what is wrong with one line, and not with the whole file.
  fileprivate var isAboutLine: Bool {
    switch kind {
    case .malformed, .order, .mismatch: true
    case .notABundle, .tooNew, .shards, .notFound: false
    }
  }
}
