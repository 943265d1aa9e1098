import Foundation
import RecordBundle
import RecordCoding
import RecordModel
import RecordPlatform

/// A temporary file of lines, each behind its number, the lengths of its name and of itself, and
/// its name. Only its owner can read it.
final class SpoolFile {
  static let headSize = 16

  private let path: String
  fileprivate let descriptor: Int32
  private let buffer = ByteBuffer()
  private var written: UInt64 = 0

  init(path: String) throws {
    self.path = path
    descriptor = SystemCall.createExclusively(path)
    if descriptor < 0 { throw FrameError.system(errno, in: path, "create a temporary file") }
  }

  deinit { close(descriptor) }

  /// Where the next line begins.
  var end: UInt64 { written + UInt64(buffer.count) }

  func append(
    _ rank: UInt32, _ name: UnsafeRawBufferPointer, _ line: UnsafeRawBufferPointer
  ) throws {
    withUnsafeBytes(of: (rank, UInt32(name.count), UInt64(line.count))) { buffer.append($0) }
    buffer.append(name)
    buffer.append(line)
    if buffer.count >= 1 << 20 { try flush() }
  }

  func flush() throws {
    let failure = SystemCall.writeAll(
      UnsafeRawBufferPointer(start: buffer.base, count: buffer.count), to: descriptor)
    guard failure == 0 else {
      throw FrameError.system(
        failure, in: path,
        "write temporary files (set TMPDIR to a directory with more space)")
    }
    written += UInt64(buffer.count)
    buffer.reset()
  }

  fileprivate func read(at offset: UInt64, into bytes: UnsafeMutableRawBufferPointer) throws {
    let count = SystemCall.readAll(descriptor, at: offset, into: bytes)
    guard count == bytes.count else {
      throw FrameError.system(
        count < 0 ? errno : EIO, in: path, at: offset, "read \(bytes.count) bytes")
    }
  }
}

/// Reads the lines of one run of a file.
final class SpoolRun {
  private let file: SpoolFile
  private let buffer = ByteBuffer()
  /// What of the run is not in the buffer yet.
  private var rest: Range<UInt64>
  private var position = 0
  private(set) var rank: UInt32 = 0
  private var nameCount = 0
  private var lineCount = 0
  private(set) var isAtEnd = false

  private static let readSize = 1 << 18

  init(_ file: SpoolFile, _ range: Range<UInt64>) throws {
    self.file = file
    rest = range
    try advance()
  }

  var name: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: buffer.base + position, count: nameCount)
  }

  var line: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: buffer.base + position + nameCount, count: lineCount)
  }

  /// Reads the next line.
  func advance() throws {
    position += nameCount + lineCount
    (nameCount, lineCount) = (0, 0)
    guard try fill(SpoolFile.headSize) else {
      isAtEnd = true
      return
    }
    let head = buffer.base + position
    rank = head.loadUnaligned(as: UInt32.self)
    let name = Int(head.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
    let line = Int(head.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    position += SpoolFile.headSize
    _ = try fill(name + line)
    (nameCount, lineCount) = (name, line)
  }

  /// Reads until this many bytes are in the buffer behind the position.
  ///
  /// - Returns: False at the end of the run.
  private func fill(_ count: Int) throws -> Bool {
    let left = buffer.count - position
    if left >= count { return true }
    guard !rest.isEmpty else { return false }
    let size = Int(min(UInt64(max(count - left, Self.readSize)), UInt64(rest.count)))
    if left > 0 { memmove(buffer.base, buffer.base + position, left) }
    position = 0
    buffer.count = left
    buffer.reserve(size)
    try file.read(
      at: rest.lowerBound,
      into: UnsafeMutableRawBufferPointer(start: buffer.base + left, count: size))
    buffer.count = left + size
    rest = (rest.lowerBound + UInt64(size))..<rest.upperBound
    return buffer.count >= count
  }

  /// Whether its line comes before that of another run.
  func precedes(_ other: SpoolRun) -> Bool {
    rank != other.rank ? rank < other.rank : compareBytes(name, other.name) < 0
  }
}
