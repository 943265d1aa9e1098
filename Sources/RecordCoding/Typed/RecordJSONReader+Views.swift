import Foundation
import RecordModel

extension RecordJSONReader {
  /// Calls `body` with a view of each record among the record lines of a bundle.
  ///
  /// Use the values that `body` reads, and an error that it throws, only if ``RecordView/finish()``
  /// then returns true.
  ///
  /// A line ends where its record does: no canonical text contains a line feed, so the scanner
  /// cannot pass one, and nothing has to search for it first.
  ///
  /// - Parameters:
  ///   - lines: Lines with a line feed between them. The last one may be missing.
  ///   - isIncluded: Whether to read the records of a zone, type and database. It is not asked again
  ///     for a line that begins like the one before.
  ///   - other: Called with each line that is not canonical, and its number, from 0.
  package func forEachView(
    ofLines lines: UnsafeRawBufferPointer, _ type: any RecordDecodable.Type,
    where isIncluded: (RecordPrefix, DatabaseScope) -> Bool,
    _ body: (inout RecordView, DatabaseScope) throws -> Void,
    other: (_ line: UnsafeRawBufferPointer, _ number: Int) throws -> Void
  ) throws {
    var state = RecordCursor(lines: lines, type)
    var opening: LineOpening?
    var start = 0
    var number = 0
    while start < lines.count {
      if opening?.isRepeated(in: state.scanner, at: start) != true {
        opening = lineOpening(of: lines, at: start, isIncluded)
      }
      var isRead = false
      if let opening, opening.isIncluded {
        state.begin(at: start &+ opening.bytes.count, in: opening.prefix)
        isRead = try read(&state) { try body(&$0, opening.database) }
      }
      if isRead {
        start = state.scanner.position &+ 1
      } else {
        let line = Self.line(of: lines, at: start)
        if opening?.isIncluded != false {
          try other(line, number)
          // It may have read with this reader, which then forgets the start of the line's record.
          opening = nil
        }
        start &+= line.count &+ 1
      }
      number &+= 1
    }
  }

  /// Calls `body` with a view of a record.
  ///
  /// - Returns: Whether all bytes of the record are canonical.
  @inline(__always)
  private func read(
    _ state: inout RecordCursor, _ body: (inout RecordView) throws -> Void
  ) throws -> Bool {
    guard !state.isMalformed else { return false }
    do {
      try RecordView.with(&state, body)
    } catch {
      guard state.isFinished || state.finish() else { return false }
      throw error
    }
    return state.isFinished || state.finish()
  }

  private static func line(
    of lines: UnsafeRawBufferPointer, at start: Int
  ) -> UnsafeRawBufferPointer {
    let rest = UnsafeRawBufferPointer(rebasing: lines[start...])
    guard let base = rest.baseAddress, let newline = memchr(base, 0x0A, rest.count) else {
      return rest
    }
    return UnsafeRawBufferPointer(start: base, count: UnsafeRawPointer(newline) - base)
  }

  /// Reads a line up to its record's name; nil if that is not canonical.
  private func lineOpening(
    of lines: UnsafeRawBufferPointer, at start: Int,
    _ isIncluded: (RecordPrefix, DatabaseScope) -> Bool
  ) -> LineOpening? {
    let rest = UnsafeRawBufferPointer(rebasing: lines[start...])
    guard let (database, bodyStart) = RecordLine.opening(of: rest) else { return nil }
    var scanner = CanonicalReader(UnsafeRawBufferPointer(rebasing: rest[bodyStart...]))
    guard let prefix = unmanagedOpening(&scanner) else { return nil }
    return LineOpening(
      bytes: UnsafeRawBufferPointer(rebasing: rest[..<(bodyStart &+ scanner.position)]),
      prefix: prefix, database: database,
      isIncluded: prefix._withUnsafeGuaranteedRef { isIncluded($0, database) })
  }
}

/// The start of the record lines of one database, zone and type, up to the quote before the record's
/// name: most lines begin like the one before them.
private struct LineOpening {
  /// The bytes of the line that was read.
  let bytes: UnsafeRawBufferPointer
  /// The prefix of the reader, which keeps it until it reads the start of another record.
  let prefix: Unmanaged<RecordPrefix>
  let database: DatabaseScope
  /// Whether the records are to be read.
  let isIncluded: Bool

  /// Whether another line begins with the same bytes.
  @inline(__always)
  func isRepeated(in scanner: CanonicalReader, at place: Int) -> Bool {
    scanner.matches(bytes, at: place)
  }
}
