import Foundation
import RecordPlatform

/// The write-ahead log beside a container file.
///
/// Only its headers and the pages with stamps are read. SQLite takes no lock on a log, so other
/// descriptors may be opened and closed.
///
/// Source: <https://www.sqlite.org/fileformat2.html>, section 4.
final class WriteAheadLog {
  /// The header, which is new for each log.
  let header: [UInt8]
  let pageSize: Int
  private let descriptor: Int32

  private static let headerSize = 32
  private static let frameHeaderSize = 24

  /// Opens a log.
  ///
  /// - Returns: nil if there is none, or if SQLite ignores it.
  init?(_ path: String) {
    descriptor = SystemCall.retrying { open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
    guard descriptor >= 0 else { return nil }
    let header = Self.read(descriptor, at: 0, Self.headerSize)
    var numbers = ByteCursor(header)
    let pageSize =
      numbers.number(4).map { $0 & ~1 } == 0x377F_0682 && numbers.skip(4)
      ? numbers.number(4) : nil
    guard header.count == Self.headerSize, let pageSize, 512...65_536 ~= pageSize else {
      close(descriptor)
      return nil
    }
    self.header = header
    self.pageSize = Int(pageSize)
  }

  deinit { close(descriptor) }

  private static func read(_ descriptor: Int32, at offset: Int, _ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
      filled = max(0, SystemCall.readAll(descriptor, at: UInt64(offset), into: .init(bytes)))
    }
  }

  /// Whether the log still has the header with which it was opened.
  var isUnchanged: Bool { Self.read(descriptor, at: 0, Self.headerSize) == header }

  /// Whether a path leads to this log.
  func isAt(_ path: String) -> Bool { SystemCall.isFile(descriptor, at: path) }

  /// Keeps others from moving the log, and waits for those that do, until the log is released.
  func lock() { _ = SystemCall.retrying { flock(descriptor, LOCK_EX) } }

  /// Whether the log belongs to a file.
  ///
  /// It does if the file is in the state with which the log begins, or in a state to which the log
  /// leads: SQLite may have moved a part of it into the file. A log without a whole transaction
  /// changes nothing, so it belongs to any file.
  ///
  /// - Parameters:
  ///   - file: the stamp in the file.
  ///   - page: the page of the stamp.
  ///   - known: the stamp that the file had before; nil if that is not known. A file that goes back to an
  ///     earlier state was written over: SQLite does not move a part of the log into it again.
  func belongs(
    to file: FileStamp.Reading, onPage page: Int64, ofSize size: Int, after known: Int64? = nil
  ) -> Bool {
    guard let own = file.own else { return true }
    var last: FileStamp.Reading?
    var (hasCommits, hasStamps, isFound) = (false, false, false)
    for frame in 0... {
      let offset = Self.headerSize + frame * (Self.frameHeaderSize + pageSize)
      let head = Self.read(descriptor, at: offset, Self.frameHeaderSize)
      // Behind the last frame there may be those of an earlier log, with other salts.
      guard head.count == Self.frameHeaderSize, head[8..<16] == header[16..<24] else { break }
      var numbers = ByteCursor(head)
      guard let number = numbers.number(4), let pagesAfterCommit = numbers.number(4) else { break }
      if number == page {
        last = FileStamp.read(
          page: Self.read(descriptor, at: offset + Self.frameHeaderSize, pageSize))
      }
      guard pagesAfterCommit != 0 else { continue }
      guard pageSize == size else { return false }
      hasCommits = true
      if case .stamp(let stamp) = last {
        if isFound, stamp.own == known { return false }
        if own == stamp.own || own == stamp.previous && !hasStamps {
          if known == nil { return true }
          // The first state and the next one are in one row.
          if own != stamp.own, stamp.own == known { return false }
          isFound = true
        }
        hasStamps = true
      }
      last = nil
    }
    // Older code has made the file, and changed it.
    return isFound || !hasCommits || !hasStamps && own == 0
  }
}
