import RecordCoding
import RecordModel

/// Parses the lines of a damaged file, whose format version may be an older one.
final class RecoveryLines {
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
  ///
  /// - Returns: the item, and the line in the current version, valid until the next call.
  func item(
    _ line: UnsafeRawBufferPointer
  ) throws -> (item: BundleItem, line: UnsafeRawBufferPointer)? {
    switch LineKind.kind(of: line) {
    case .header?, .index?: return nil
    default: break
    }
    let line = try current(line)
    return try BundleItem(line: line, at: location, with: reader).map { ($0, line) }
  }

  /// Returns the line in the current version; valid until the next call.
  private func current(_ line: UnsafeRawBufferPointer) throws -> UnsafeRawBufferPointer {
    guard version < BundleHeader.currentFormatVersion else { return line }
    upgraded.reset()
    try upgrade.append(line, from: version, at: location, with: reader, to: upgraded)
    upgraded.padWithZeros()
    return upgraded.bytes
  }

  private var location: LineLocation { LineLocation(source: name) }
}
