import RecordCoding
import RecordModel

/// Parses the lines of a damaged file.
final class RecoveryLines {
  private let name: String
  private let reader = RecordJSONReader()

  init(name: String) { self.name = name }

  /// Parses a header; nil if the line is not one.
  ///
  /// - Throws: ``BundleError`` for an unknown format version: its lines may have another meaning,
  ///   so that the saved ones might be wrong.
  func header(_ line: UnsafeRawBufferPointer) throws -> BundleHeader? {
    do {
      return try BundleHeader(line: line, of: name)
    } catch let error as BundleError where error.kind == .tooNew {
      throw error
    } catch {
      return nil
    }
  }

  /// Parses an index; nil if the line is not one.
  func index(_ line: UnsafeRawBufferPointer) -> BundleIndex? {
    try? BundleIndex(line: line, of: name)
  }

  /// Parses any other line; nil for a header or an index.
  func item(_ line: UnsafeRawBufferPointer) throws -> BundleItem? {
    switch LineKind.kind(of: line) {
    case .header?, .index?: nil
    default: try BundleItem(line: line, at: LineLocation(source: name), with: reader)
    }
  }
}
