import RecordCoding
import RecordModel

/// Reads the lines of one damaged file, whose format version may be an older one.
final class RecoveryLines {
  /// What a line holds, and its bytes as the current version has them, valid until the next line.
  enum Item {
    case success(BundleItem, UnsafeRawBufferPointer)
    case failure(BundleError)
  }

  /// The format version of the file, as its header says.
  var version = BundleHeader.currentFormatVersion
  private let name: String
  private let upgrade: FormatUpgrade
  private let reader = RecordJSONReader()
  private let upgraded = ByteBuffer()

  init(name: String, upgrade: FormatUpgrade) {
    self.name = name
    self.upgrade = upgrade
  }

  /// Reads a header; nil for what is none.
  ///
  /// - Throws: ``BundleError`` for a format version that is not known yet: its lines may mean
  ///   something else, so that what this program would save of them may be wrong.
  func header(_ line: UnsafeRawBufferPointer) throws -> BundleHeader? {
    do {
      return try BundleHeader(line: line, of: name, upgrade: upgrade)
    } catch let error as BundleError where error.kind == .tooNew {
      throw error
    } catch {
      return nil
    }
  }

  /// Reads an index; nil for what is none.
  func index(_ line: UnsafeRawBufferPointer) -> BundleIndex? {
    try? BundleIndex(line: line, of: name, from: version, upgrade: upgrade)
  }

  /// Reads any other line; nil for a header or an index.
  func item(_ line: UnsafeRawBufferPointer) throws -> Item? {
    do {
      switch LineKind.kind(of: line) {
      case .header?, .index?: return nil
      default: break
      }
      let line = try current(line)
      return try BundleItem(line: line, at: place, with: reader).map { .success($0, line) }
    } catch let error as BundleError where error.isAboutLine {
      return .failure(error)
    }
  }

  /// The line in the bytes of the current version; valid until the next call.
  private func current(_ line: UnsafeRawBufferPointer) throws -> UnsafeRawBufferPointer {
    guard version < BundleHeader.currentFormatVersion else { return line }
    upgraded.reset()
    try upgrade.append(line, from: version, at: place, with: reader, to: upgraded)
    upgraded.padWithZeros()
    return upgraded.bytes
  }

  private var place: LinePlace { LinePlace(source: name, line: 0) }
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
