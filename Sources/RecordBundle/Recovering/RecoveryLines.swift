import RecordCoding
import RecordModel

/// Parses the lines of a damaged file, whose format version may be an older one.
final class RecoveryLines {
  /// A line's content and its bytes in the current version, valid until the next line; or an error.
  enum Item {
    case success(BundleItem, UnsafeRawBufferPointer)
    case failure(BundleError)
  }

  /// The format version in the file's header.
  var version = BundleHeader.currentFormatVersion
  private let name: String
  private let upgrade: FormatUpgrade
  private let reader = RecordJSONReader()
  private let upgraded = ByteBuffer()

  init(name: String, upgrade: FormatUpgrade) {
    self.name = name
    self.upgrade = upgrade
  }

  /// Parses a header; nil if the line is not one.
  ///
  /// - Throws: ``BundleError`` for an unknown format version: its lines may have another meaning,
  ///   so that the saved ones might be wrong.
  func header(_ line: UnsafeRawBufferPointer) throws -> BundleHeader? {
    do {
      return try BundleHeader(line: line, of: name, upgrade: upgrade)
    } catch let error as BundleError where error.kind == .tooNew {
      throw error
    } catch {
      return nil
    }
  }

  /// Parses an index; nil if the line is not one.
  func index(_ line: UnsafeRawBufferPointer) -> BundleIndex? {
    try? BundleIndex(line: line, of: name, from: version, upgrade: upgrade)
  }

  /// Parses any other line; nil for a header or an index.
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

  /// Returns the line in the current version; valid until the next call.
  private func current(_ line: UnsafeRawBufferPointer) throws -> UnsafeRawBufferPointer {
    guard version < BundleHeader.currentFormatVersion else { return line }
    upgraded.reset()
    try upgrade.append(line, from: version, at: place, with: reader, to: upgraded)
    upgraded.padWithZeros()
    return upgraded.bytes
  }

  private var place: LineLocation { LineLocation(source: name, line: 0) }
}

extension BundleError {
  /// Whether the error concerns a single line, not the whole file.
  fileprivate var isAboutLine: Bool {
    switch kind {
    case .malformed, .order, .mismatch: true
    case .notABundle, .tooNew, .shards, .notFound: false
    }
  }
}
